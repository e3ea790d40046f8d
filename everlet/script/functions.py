"""Mathematical functions of formulas.

    sqrt exp ln log (base 10) abs sin cos tan asin acos atan atan2(y,x) ceil floor round sign ternary(test,yes,no)
    random(lo,hi,seed) normal(mean,sigma,seed)
    ramp(x,y) vdisplace(x,v) swiggle(x,amplitude,period) cwiggle(x,amplitude,period)      values that follow the run
    stagger(x,y) logfreq(x,y,z) logfreq2(x,y,z) logfreq3(x,y,z) stride(x,y,z) stride2(x,y,z,a,b,c)   the next step due

All work on numbers and on arrays with one number per atom, except those of the last two rows and the seeds: numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError

NEVER = 2**63 - 1024  # a step no run reaches: the last 64-bit integer that is exact as a float


@dataclass(frozen=True)
class Function:
    """`function` is None when the value depends on the step or a random stream: the scope has it."""

    count: int
    function: Callable[..., Any] | None


def _each(plain: Callable[[float], float], arrays: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """One function for numbers (the C library's digits) and arrays; too large results are infinite."""

    def call(x: Any) -> Any:
        if isinstance(x, np.ndarray):
            return arrays(x)
        try:
            return float(plain(x))
        except (OverflowError, ValueError):
            with np.errstate(all="ignore"):
                return float(arrays(np.float64(x)))

    return call


def _limited(good: Callable[[Any], Any], cause: str, function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`function` on its domain; an error outside."""

    def call(x: Any) -> Any:
        if not (good(x) if type(x) is float else np.all(good(x))):
            raise InputError(cause, "correct the formula")
        return function(x)

    return call


def _sign(x: Any) -> Any:
    """1 or -1; the sign of zero is 1."""
    return np.where(x >= 0.0, 1.0, -1.0) if isinstance(x, np.ndarray) else (1.0 if x >= 0.0 else -1.0)


def _ternary(test: Any, yes: Any, no: Any) -> Any:
    if any(isinstance(item, np.ndarray) for item in (test, yes, no)):
        return np.where(test != 0.0, yes, no)
    return yes if test != 0.0 else no


def _atan2(y: Any, x: Any) -> Any:
    if isinstance(y, np.ndarray) or isinstance(x, np.ndarray):
        return np.arctan2(y, x)
    return math.atan2(y, x)


def _positive(x: Any) -> Any:
    return x > 0.0


def _unit(x: Any) -> Any:
    return abs(x) <= 1.0


MATH: dict[str, Function] = {
    "sqrt": Function(1, _limited(lambda x: x >= 0.0, "square root of a negative number", _each(math.sqrt, np.sqrt))),
    "exp": Function(1, _each(math.exp, np.exp)),
    "ln": Function(1, _limited(_positive, "logarithm of a number that is not positive", _each(math.log, np.log))),
    "log": Function(1, _limited(_positive, "logarithm of a number that is not positive", _each(math.log10, np.log10))),
    "abs": Function(1, abs),
    "sin": Function(1, _each(math.sin, np.sin)),
    "cos": Function(1, _each(math.cos, np.cos)),
    "tan": Function(1, _each(math.tan, np.tan)),
    "asin": Function(1, _limited(_unit, "asin of a number outside -1 to 1", _each(math.asin, np.arcsin))),
    "acos": Function(1, _limited(_unit, "acos of a number outside -1 to 1", _each(math.acos, np.arccos))),
    "atan": Function(1, _each(math.atan, np.arctan)),
    "atan2": Function(2, _atan2),
    "ceil": Function(1, _each(np.ceil, np.ceil)),
    "floor": Function(1, _each(np.floor, np.floor)),
    "round": Function(1, _each(lambda x: np.floor(x + 0.5), lambda x: np.floor(x + 0.5))),  # halves go up
    "sign": Function(1, _sign),
    "ternary": Function(3, _ternary),
    "random": Function(3, None),
    "normal": Function(3, None),
    "ramp": Function(2, None),
    "vdisplace": Function(2, None),
    "swiggle": Function(3, None),
    "cwiggle": Function(3, None),
    "stagger": Function(2, None),
    "logfreq": Function(3, None),
    "logfreq2": Function(3, None),
    "logfreq3": Function(3, None),
    "stride": Function(3, None),
    "stride2": Function(6, None),
}


def check_count(name: str, count: int, error: Callable[[str], InputError]) -> None:
    """A function needs its number of arguments."""
    wanted = MATH[name].count
    if count != wanted:
        raise error(f"{name}() takes {wanted} argument{'s' if wanted > 1 else ''}, found {count}")


# the next step at which something is due, from whole numbers; `step` is the present one


def _need(good: bool, usage: str) -> None:
    if not good:
        raise InputError(f"these arguments do not fit: {usage}", "check their number and signs")


def stagger(step: int, x: int, y: int) -> int:
    """Multiples of x, and y steps after each of them."""
    _need(0 < y < x, "stagger(x,y) needs x > y > 0")
    begin = step // x * x
    return begin + (y if step - begin < y else x)


def logfreq(step: int, x: int, y: int, z: int) -> int:
    """x 2x ... yx, then the same times z, times z^2, ..."""
    _need(x > 0 and y > 0 and z > 0 and y < z, "logfreq(x,y,z) needs 0 < x, 0 < y < z")
    if step < x:
        return x
    begin = x
    while step >= z * begin:
        begin *= z
    multiple = step // begin
    return (multiple + 1) * begin if multiple < y else begin * z


def logfreq2(step: int, x: int, y: int, z: int) -> int:
    """y equal intervals in each of x to zx, zx to z^2 x, ..."""
    _need(x > 0 and y > 0 and z > 1, "logfreq2(x,y,z) needs 0 < x, 0 < y, 1 < z")
    if step < x:
        return x
    begin = x
    while step >= z * begin:
        begin *= z
    width = begin * (z - 1) / y
    multiple = 1
    while math.ceil(begin + multiple * width) <= step:
        multiple += 1
    return math.ceil(begin + multiple * width)


def logfreq3(step: int, x: int, y: int, z: int) -> int:
    """y steps from x to z with equal ratios, but at least one step apart."""
    _need(x > 0 and y > 1 and x < z and z - x + 1 > y, "logfreq3(x,y,z) needs 0 < x < z, 1 < y < z-x+1")
    if step >= z:
        return NEVER
    ratio = (z / x) ** (1.0 / (y - 1))
    place, even, due = float(x), x, x
    while due <= step:
        place *= ratio
        even += 1
        due = even if even > place else min(math.ceil(place), z)
    return due


def stride(step: int, x: int, y: int, z: int) -> int:
    """From x to y, every z steps."""
    _need(x >= 0 and y > 0 and z > 0 and x <= y, "stride(x,y,z) needs 0 <= x <= y, 0 < z")
    if step < x:
        return x
    due = x + ((step - x) // z + 1) * z
    return due if due <= y else NEVER


def stride2(step: int, x: int, y: int, z: int, a: int, b: int, c: int) -> int:
    """From x to y every z steps, but from a to b every c steps."""
    _need(0 <= x <= a <= b <= y and a < b and z > 0 and c > 0,
          "stride2(x,y,z,a,b,c) needs 0 <= x <= a < b <= y, 0 < z, 0 < c")
    if step < x:
        return x
    if step >= y:
        return NEVER
    outer = x + ((step - x) // z + 1) * z
    if step < a:
        return min(outer, a)
    if step < b:
        inner = a + ((step - a) // c + 1) * c
        return inner if inner <= b else x + ((b - x) // z + 1) * z
    return outer


SCHEDULES: dict[str, Callable[..., int]] = {
    "stagger": stagger, "logfreq": logfreq, "logfreq2": logfreq2, "logfreq3": logfreq3,
    "stride": stride, "stride2": stride2,
}
