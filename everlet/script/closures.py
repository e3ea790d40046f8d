"""Formulas as Python functions: tree -> function of a Scope -> value.

A formula is turned into a function once; loops of scripts ask for its value thousands of times. Values are floats, or arrays
with one number per atom: all operators work on both. The function of a formula that is a plain number gives that number.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn

import numpy as np

from everlet.errors import EverletError
from everlet.script.expression import Binary, Call, Number, Place, Reference, Unary, Value, Word, parse
from everlet.script.functions import MATH

Function = Callable[[Any], Value]  # of a Scope
PLAIN = re.compile(r"\s*-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?\s*", re.ASCII)


def plain_number(formula: str) -> float | None:
    """The number that a formula is, None if there is more to it.

    >>> plain_number(" -1.5"), plain_number("1+1")
    (-1.5, None)
    """
    return float(formula) if PLAIN.fullmatch(formula) else None


@lru_cache(maxsize=2000)
def compiled(formula: str) -> Function:
    """The function of a formula.

    >>> compiled("1 + 2*3^2")(None)
    19.0
    """
    return function_of(parse(formula))


def value(tree: Any, scope: Any) -> Value:
    """The value of a tree. `scope` is a Scope."""
    return function_of(tree)(scope)


def function_of(tree: Any) -> Function:
    return MAKERS[type(tree)](tree)


def _located(error: EverletError, place: Place) -> NoReturn:
    """Errors of the scope get the formula and the place."""
    if "in formula" not in error.cause:
        error.cause = place.error(error.cause).cause
        error.args = (error.cause,)
    raise error


def _number(tree: Number) -> Function:
    number = tree.number
    return lambda scope: number


def _unary(tree: Unary) -> Function:
    operand = function_of(tree.operand)
    if tree.sign == "-":
        return lambda scope: -operand(scope)
    return lambda scope: _flag(operand(scope) == 0.0)


def _word(tree: Word) -> Function:
    name, place = tree.name, tree.place
    if tree.index is None:

        def word(scope: Any) -> Value:
            try:
                return scope.word(name)
            except EverletError as error:
                _located(error, place)

        return word
    index = _index(tree.index, place)

    def element(scope: Any) -> Value:
        number = index(scope)
        try:
            return scope.element(name, number)
        except EverletError as error:
            _located(error, place)

    return element


def _reference(tree: Reference) -> Function:
    kind, name, place = tree.kind, tree.name, tree.place
    indices = [_index(index, place) for index in tree.indices]

    def reference(scope: Any) -> Value:
        picked = tuple([index(scope) for index in indices]) if indices else ()
        try:
            return scope.reference(kind, name, picked)
        except EverletError as error:
            _located(error, place)

    return reference


def _index(tree: Any, place: Place) -> Callable[[Any], int]:
    function = function_of(tree)

    def index(scope: Any) -> int:
        number = function(scope)
        if isinstance(number, np.ndarray) or number != int(number) or number < 1:
            raise place.error("an index must be a whole number from 1 on")
        return int(number)

    return index


def _call(call: Call) -> Function:
    name, place = call.name, call.place
    if name.startswith("py_"):
        return _asking(lambda scope, numbers: scope.python(name[3:], numbers), call)
    if name not in MATH:
        return _asking(lambda scope, _: scope.function(name, list(call.texts)), call)
    function = MATH[name].function
    if function is None:  # depends on the step or on a random stream
        return _asking(lambda scope, numbers: scope.timed(name, numbers), call)
    if name == "ternary":
        return _ternary(call)
    if len(call.args) > 1:
        return _asking(lambda _, numbers: function(*numbers), call)
    argument = function_of(call.args[0])

    def of_one(scope: Any) -> Value:
        number = argument(scope)
        try:
            return function(number)
        except EverletError as error:
            _located(error, place)

    return of_one


def _asking(question: Callable[[Any, list[Value]], Value], call: Call) -> Function:
    """A call with the values of its arguments."""
    place, arguments = call.place, [function_of(arg) for arg in call.args]

    def asked(scope: Any) -> Value:
        numbers = [argument(scope) for argument in arguments]
        try:
            return question(scope, numbers)
        except EverletError as error:
            _located(error, place)

    return asked


def _ternary(call: Call) -> Function:
    """Of a test that is one number only what is chosen is computed."""
    test, yes, no = (function_of(arg) for arg in call.args)
    choose = MATH["ternary"].function
    assert choose is not None

    def ternary(scope: Any) -> Value:
        truth = test(scope)
        if isinstance(truth, np.ndarray):
            return choose(truth, yes(scope), no(scope))
        return yes(scope) if truth != 0.0 else no(scope)

    return ternary


def _flag(truth: Any) -> Value:
    return truth.astype(float) if isinstance(truth, np.ndarray) else float(truth)


def _power(a: Value, b: Value) -> Value:
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        return np.float_power(a, b)
    try:
        return math.pow(a, b)
    except (OverflowError, ValueError):  # numpy has the values of IEEE arithmetic for these: inf and nan
        return float(np.float_power(a, b))


OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
    "%": np.fmod,
    "^": _power,
    "<": lambda a, b: _flag(a < b),
    "<=": lambda a, b: _flag(a <= b),
    ">": lambda a, b: _flag(a > b),
    ">=": lambda a, b: _flag(a >= b),
    "==": lambda a, b: _flag(a == b),
    "!=": lambda a, b: _flag(a != b),
    "&&": lambda a, b: _flag(np.logical_and(a != 0.0, b != 0.0)),
    "||": lambda a, b: _flag(np.logical_or(a != 0.0, b != 0.0)),
    "|^": lambda a, b: _flag(np.logical_xor(a != 0.0, b != 0.0)),
}
OF_FLOATS = {sign: OPERATIONS[sign] for sign in ("+", "-", "*", "<", "<=", ">", ">=", "==", "!=")}  # nothing can go wrong


def _binary(tree: Binary) -> Function:
    left, right, sign, place = function_of(tree.left), function_of(tree.right), tree.sign, tree.place
    quick = OF_FLOATS.get(sign)
    if quick is None:
        return lambda scope: _operate(sign, left(scope), right(scope), place)

    def operate(scope: Any) -> Value:
        a, b = left(scope), right(scope)
        if type(a) is float and type(b) is float:
            return quick(a, b)
        return _operate(sign, a, b, place)

    return operate


def _operate(sign: str, a: Value, b: Value, place: Place) -> Value:
    if sign in ("/", "%") and (b == 0.0 if type(b) is float else np.any(b == 0.0)):
        raise place.error("division by zero")
    if sign == "/" and type(a) is float and type(b) is float:
        return a / b
    if sign == "^" and np.any((a == 0.0) & (np.asarray(b) < 0.0)):
        raise place.error("zero to a negative power")
    with np.errstate(all="ignore"):
        result = OPERATIONS[sign](a, b)
    return result if isinstance(result, np.ndarray) else float(result)


MAKERS: dict[type, Callable[[Any], Function]] = {
    Number: _number, Unary: _unary, Word: _word, Reference: _reference, Call: _call, Binary: _binary}
