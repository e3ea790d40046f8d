"""Types of the text of kernels, by the rules of Numba, so that a kernel means the same for compilers that are told of types.

    b u8 i32 i64 f32 f64    conditions and numbers
    ("g", t), ("l", t)      arrays of t, in global memory or in that of a team
    ("tuple", s, t, …)      several of them
    None                    nothing, or not known yet

A variable has the type that all that is assigned to it fits into. Whole numbers become i64 by any operation; one of them and an
f32 make an f64, and so does a division of whole numbers.
"""

from __future__ import annotations

import ast
from typing import Any

Type = Any  # a name of ORDER, a tuple of them as above, or None
ORDER = ("b", "u8", "i32", "i64", "f32", "f64")
FLOATS, WHOLE = ("f32", "f64"), ("b", "u8", "i32", "i64")
# what calls of these names make of a number; addresses are whole numbers like others
CASTS = {"int": "i64", "float": "f64", "bool": "b", "u64": "i64", "at": "i64", **{name: name for name in ORDER[1:]}}
MATHEMATICS = ("sqrt", "exp", "log", "erfc", "sin", "cos", "floor", "atan2")


def join(one: Type, other: Type) -> Type:
    """What numbers of both types fit into.

    >>> join("i32", "f32"), join("i32", "i64"), join(("tuple", "i64"), ("tuple", "f32"))
    ('f64', 'i64', ('tuple', 'f64'))
    """
    if one is None or other is None or one == other:
        return one or other
    if one[0] == other[0] == "tuple":
        return ("tuple", *map(join, one[1:], other[1:]))
    if "f32" in (one, other) and {one, other} & {"i32", "i64"}:
        return "f64"
    return max(one, other, key=ORDER.index)


def of_sign(sign: ast.unaryop, one: Type) -> Type:
    return "b" if isinstance(sign, ast.Not) else one if one in FLOATS else "i64"


def of_operation(sign: ast.operator, one: Type, other: Type) -> Type:
    """Of a + b and the like.

    >>> of_operation(ast.Div(), "i64", "i64"), of_operation(ast.Add(), "i32", "i32"), of_operation(ast.Mult(), "f32", "f32")
    ('f64', 'i64', 'f32')
    """
    both = join(one, other)
    return both if both in FLOATS else "f64" if isinstance(sign, ast.Div) else "i64"


def of_mathematics(types: list[Type]) -> Type:
    return "f32" if set(types) == {"f32"} else "f64"


def dotted(node: ast.AST) -> str:
    """The text of a.b.c; '' of anything else."""
    return f"{dotted(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else getattr(node, "id", "")


class Program:
    """The text of a kernel (backends/base.py) by its parts: functions, constants, and the types that its entry takes."""

    def __init__(self, text: str):
        self.functions: dict[str, ast.FunctionDef] = {}
        self.constants: dict[str, ast.expr] = {}
        for node in ast.parse(text).body:
            if isinstance(node, ast.FunctionDef):
                self.functions[node.name] = node
            elif isinstance(node, ast.Assign):
                self._constants(node.targets[0], node.value)
        declared: Any = self.functions.pop("signature").body[0]
        self.signature: list[Type] = [("g", dotted(one.args[0])) if isinstance(one, ast.Call) else dotted(one)
                                      for one in declared.value.args]

    def _constants(self, target: ast.expr, value: ast.expr) -> None:
        names = target.elts if isinstance(target, ast.Tuple) else [target]
        values = value.elts if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) else [value]
        if not any(isinstance(one, ast.Call) for one in values):  # calls are what a compiler brings with it
            self.constants.update({dotted(one): given for one, given in zip(names, values, strict=True)})

    def behind(self, name: str) -> str:
        """What a name is another one for: `real` is f32 or f64."""
        while isinstance(known := self.constants.get(name), ast.Name):
            name = known.id
        return name

    def cast(self, name: str) -> str:
        """The type that a call of this name makes, '' if it is none."""
        return CASTS.get(self.behind(name), "")
