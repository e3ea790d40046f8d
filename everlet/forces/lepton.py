"""The language of formulas of the Lepton library: numbers, names, + - * / ^ and functions.

    Formula("k*(r-r0)^2; k=10; r0=1.5").value(r=...)          numbers, or recorded values (portable/language/autodiff.py)
    with_variables("k*r; k=v_k", system.variables)            v_NAME is a variable of the script, when the formula is given
"""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable
from typing import Any

from everlet.errors import InputError, unknown
from everlet.portable.language.words import (
    acos,
    atan2,
    cos,
    erfc,
    exp,
    floor,
    least,
    log,
    magnitude,
    most,
    sin,
    sqrt,
    where,
)

FUNCTIONS: dict[str, Callable[..., Any]] = {
    "sqrt": sqrt, "exp": exp, "log": log, "sin": sin, "cos": cos, "acos": acos, "atan2": atan2, "erfc": erfc, "floor": floor,
    "min": least, "max": most, "abs": magnitude,
    "sec": lambda x: 1.0 / cos(x), "csc": lambda x: 1.0 / sin(x), "tan": lambda x: sin(x) / cos(x),
    "cot": lambda x: cos(x) / sin(x), "asin": lambda x: 0.5 * math.pi - acos(x), "atan": lambda x: atan2(x, 1.0),
    "sinh": lambda x: 0.5 * (exp(x) - exp(-x)), "cosh": lambda x: 0.5 * (exp(x) + exp(-x)),
    "tanh": lambda x: 1.0 - 2.0 / (exp(2.0 * x) + 1.0), "erf": lambda x: 1.0 - erfc(x), "ceil": lambda x: -floor(-x),
    "square": lambda x: x * x, "cube": lambda x: x * x * x, "recip": lambda x: 1.0 / x,
    "step": lambda x: where(x >= 0.0, 1.0, 0.0), "delta": lambda x: where(x == 0.0, 1.0, 0.0),
    "select": lambda x, y, z: where(x == 0.0, z, y),
}
COUNTS = {"min": 2, "max": 2, "atan2": 2, "select": 3}  # of arguments, where it is not one
SUMS: dict[type, Callable[[Any, Any], Any]] = {
    ast.Add: lambda a, b: a + b, ast.Sub: lambda a, b: a - b, ast.Mult: lambda a, b: a * b, ast.Div: lambda a, b: a / b,
    ast.Pow: lambda a, b: power(a, b)}


def power(x: Any, n: Any) -> Any:
    """x^n: whole numbers by multiplication."""
    if isinstance(n, float) and n == 0.5:
        return sqrt(x)
    if isinstance(n, float) and n.is_integer() and 0.0 < abs(n) <= 64.0:
        whole = x ** int(abs(n))
        return whole if n > 0.0 else 1.0 / whole
    return exp(n * log(x))


def with_variables(text: str, variables: Any) -> str:
    """The formula with numbers in place of v_NAME: what variables of the script are now."""
    if variables is None:
        return text
    return re.sub(r"\bv_(\w+)", lambda found: f"({float(variables.evaluate(found[1])):.17g})", text)


class Formula:
    """What is written before the first semicolon, in terms of names that are defined behind it, or that `value` gives."""

    def __init__(self, text: str):
        self.text = text
        first, *others = text.replace("^", "**").split(";")
        self.whole, self.parts = self._parse(first), dict[str, ast.expr]()
        for other in others:
            name, equals, formula = other.partition("=")
            if not equals or not name.strip().isidentifier():
                raise InputError(f"'{other.strip()}' in the formula '{text}' defines no name", "write NAME = FORMULA")
            self.parts[name.strip()] = self._parse(formula)

    def _parse(self, text: str) -> ast.expr:
        try:
            return ast.parse(text.strip(), mode="eval").body
        except (SyntaxError, ValueError) as error:
            raise InputError(f"'{text.strip()}' is no formula: {error}", "numbers, names, + - * / ^ and functions") from None

    def value(self, **given: Any) -> Any:
        return self._value(self.whole, given, ())

    def _value(self, node: ast.expr, given: dict[str, Any], within: tuple[str, ...]) -> Any:
        if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
            return float(node.value)
        if isinstance(node, ast.BinOp) and type(node.op) in SUMS:
            return SUMS[type(node.op)](self._value(node.left, given, within), self._value(node.right, given, within))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            value = self._value(node.operand, given, within)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            if node.func.id not in FUNCTIONS:
                raise unknown(f"function in the formula '{self.text}':", node.func.id, FUNCTIONS)
            count = COUNTS.get(node.func.id, 1)
            if len(node.args) != count:
                raise InputError(f"{node.func.id} in '{self.text}' has {len(node.args)} arguments", f"it takes {count}")
            return FUNCTIONS[node.func.id](*(self._value(one, given, within) for one in node.args))
        if isinstance(node, ast.Name) and node.id in self.parts and node.id not in within:
            return self._value(self.parts[node.id], given, (*within, node.id))
        if isinstance(node, ast.Name) and node.id in given:
            return given[node.id]
        if isinstance(node, ast.Name):
            raise unknown(f"name in the formula '{self.text}':", node.id, [*given, *self.parts])
        raise InputError(f"'{ast.unparse(node)}' has no meaning in the formula '{self.text}'",
                         "numbers, names, + - * / ^ and functions")
