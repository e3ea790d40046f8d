"""Comparisons that are used as numbers, which lanes cannot do: found in the text, before a compiler sees it.

In physics nothing but a condition of where(), both(), either() or negate() may be a comparison, or a value that a function
returns as a condition. Code has numbers of its own that may be so; there only values that physics returned are looked at.
"""

from __future__ import annotations

import ast
from typing import Any

from everlet.errors import InputError
from everlet.portable.language.functions import Portable
from everlet.portable.language.words import words

AS_NUMBER = ("a comparison is used as a number", "write where(condition, 1.0, 0.0), or where(condition, x, 0.0) for a product")
CONDITIONS = words("condition")
NUMBERS = words("numbers") | {"real", "accum", "f64", "f32"}
ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow)

Origin = tuple[Portable, ast.AST]  # where a comparison was written
Truths = list["Origin | None"]  # of the values that a function returns


class Truth(ast.NodeVisitor):
    """Goes through one function; `known` has what the functions that it calls return."""

    def __init__(self, function: Portable, statics: dict[str, Any], known: dict[int, Truths]):
        self.function, self.known = function, known
        self.scope = {**function.scope(), **statics}
        self.physics = not function.annotations()
        self.names: dict[str, Origin] = {}
        self.returned: Truths = []

    def values(self, node: ast.AST) -> Truths:
        """Which of the values of an expression are comparisons."""
        if isinstance(node, ast.Tuple):
            return [self.of(item) for item in node.elts]
        if isinstance(node, ast.Call):
            called = self.scope.get(getattr(node.func, "id", ""))
            if isinstance(called, Portable):
                return self.known.get(id(called), [None])
        return [self.of(node)]

    def of(self, node: ast.AST) -> Origin | None:
        """Where the comparison was written that an expression is, if it is one."""
        if isinstance(node, ast.Name):
            return self.names.get(node.id)
        if isinstance(node, ast.Compare):
            return self.function, node
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", "")
            called = self.scope.get(name)
            if isinstance(called, Portable):
                return (self.known.get(id(called)) or [None])[0]
            if name in CONDITIONS:
                return self.function, node
            if name == "where" and len(node.args) == 3:
                return self.of(node.args[1]) and self.of(node.args[2])
        return None

    def number(self, *nodes: ast.AST) -> None:
        """These must be numbers."""
        for node in nodes:
            origin = self.of(node)
            if origin and (self.physics or not origin[0].annotations()):
                writer, place = origin
                raise InputError(f"{writer.where(place)}: in '{writer.__name__}': {AS_NUMBER[0]}: '{ast.unparse(place)}'",
                                 AS_NUMBER[1])

    def arithmetic(self, node: ast.BinOp | ast.AugAssign, *parts: ast.AST) -> None:
        self.generic_visit(node)
        if isinstance(node.op, ARITHMETIC):
            self.number(*parts)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        self.arithmetic(node, node.left, node.right)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        self.generic_visit(node)
        if isinstance(node.op, ast.USub):
            self.number(node.operand)

    def visit_Compare(self, node: ast.Compare) -> None:
        self.generic_visit(node)
        self.number(node.left, *node.comparators)

    def visit_Call(self, node: ast.Call) -> None:
        self.generic_visit(node)
        name = getattr(node.func, "id", "")
        if name in NUMBERS and not isinstance(self.scope.get(name), Portable):
            self.number(*node.args)
        elif name == "where" and len(node.args) == 3 and not self.of(node):
            self.number(*node.args[1:])

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self.arithmetic(node, node.target, node.value)

    def visit_Assign(self, node: ast.Assign) -> None:
        self.generic_visit(node)
        target = node.targets[0]
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        found = self.values(node.value)
        for place, origin in zip(names, found + [None] * len(names), strict=False):
            name = getattr(place, "id", "")
            self.names.pop(name, None)
            if origin:
                self.names[name] = origin

    def visit_Return(self, node: ast.Return) -> None:
        self.generic_visit(node)
        self.returned = self.values(node.value) if node.value else []


def returned_truths(function: Portable, statics: dict[str, Any], known: dict[int, Truths]) -> Truths:
    """Which values of a function are comparisons; an error if it uses one as a number."""
    found = Truth(function, statics, known)
    found.visit(function.tree())
    return found.returned
