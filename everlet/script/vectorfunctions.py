"""Functions of formulas that look at a vector of numbers.

    sum(v) min(v) max(v) ave(v)         of all numbers
    trap(v)                             integral with spacing 1: the sum less half of the ends
    slope(v)                            of the line of least squares through (1, v_1), (2, v_2), ...
    sort(v) rsort(v)                    the numbers in order, up or down (vector-style formulas)

The argument is a global vector c_ID or f_ID, a column c_ID[i] or f_ID[i] of a global table, or a vector-style v_NAME.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.computes.words.references import operation
from everlet.errors import InputError
from everlet.registry import Registry

WORD = re.compile(r"^([cfv])_(\w+)(?:\[(\d+)\])?$")
BIG = 1.0e20  # where there is no value, as in the reference
NOTHING = {"slope": BIG, "min": BIG, "max": -BIG}  # of no numbers
functions: Registry[Callable[[np.ndarray], Any]] = Registry("function of vectors")


def call(scope: Any, name: str, args: list[str]) -> Any:
    """name(argument) in a formula."""
    if len(args) != 1:
        raise InputError(f"{name}() takes one vector", f"usage: {name}(c_ID), {name}(c_ID[i]), {name}(v_NAME)")
    if name in ("sort", "rsort") and scope.form != "vector":
        raise InputError(f"{name}() gives a vector, and this formula is of style {scope.form}", "use a vector-style variable")
    values = vector(scope, args[0], name)
    if len(values) == 0:
        return values if name in ("sort", "rsort") else NOTHING.get(name, 0.0)
    result = functions[name](values)
    return result if isinstance(result, np.ndarray) else float(result)


def vector(scope: Any, word: str, name: str) -> np.ndarray:
    """The numbers of the argument of a function."""
    match = WORD.match(word)
    if match is None:
        raise InputError(f"{name}({word}): the argument must name a vector",
                         f"usage: {name}(c_ID), {name}(c_ID[i]), {name}(v_NAME)")
    kind, id, column = match.groups()
    if kind == "v":
        if column:
            raise InputError(f"{name}({word}): the argument must be the whole vector", f"use v_{id}")
        return np.asarray(scope.variables.vector(id))
    item = operation(scope.sim.system, kind, id)
    item.up_to_date()
    if not column and item.gives.vector:
        return np.asarray(item.vector(), float)
    if column and item.gives.array:
        return np.asarray(scope.pick(np.asarray(item.array(), float).T, int(column), word))
    raise InputError(f"{name}({word}): the argument must name a global vector, or a column of a table",
                     item.gives.hint(f"{kind}_{id}"))


def in_order(values: np.ndarray) -> float:
    """The sum from the first to the last."""
    total = 0.0
    for value in values.tolist():
        total += value
    return total


def slope(values: np.ndarray) -> float:
    n = len(values)
    if n == 1:
        return BIG
    places = np.arange(1, n + 1, dtype=float)
    numerator = n * in_order(places * values) - in_order(places) * in_order(values)
    return numerator / (n * in_order(places * places) - in_order(places) ** 2)


functions("sum")(in_order)
functions("min")(lambda values: values.min())
functions("max")(lambda values: values.max())
functions("ave")(lambda values: in_order(values) / len(values))
functions("trap")(lambda values: in_order(values) - 0.5 * (values[0] + values[-1]))  # of one value: 0
functions("slope")(slope)
functions("sort")(np.sort)
functions("rsort")(lambda values: np.sort(values)[::-1])
