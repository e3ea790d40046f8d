"""Forces of energy-only potentials, by recording.

The plain body of `energy(r2, p)` is run once with recorded values. That gives its expression graph, from which
straight-line portable text is written:

    def pair(r2, p):
        v0 = 1.0 / r2
        ...
        return f_over_r, energy              F/r = -2 dE/d(r2)

The result is ordinary physics text, compiled like a hand-written function; no compiler knows about derivatives.
`where(c, a, b)` has the slope `where(c, a', b')`: a NaN in the branch that is not taken stays out of the force.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from everlet.errors import InputError
from everlet.portable.language.truth import AS_NUMBER
from everlet.portable.language.words import VOCABULARY, cos, exp, most, rsqrt, sin, where

SYMBOLS = ("+", "-", "*", "/", "<", "<=", ">", ">=", "==", "!=")
USE_WORDS = "use the portable words (from everlet.portable import exp, sqrt, where, ...)"
MOST_POWER = 64  # the compiler's limit for x**n
TRUTHS = ("<", "<=", ">", ">=", "==", "!=", "both", "either", "negate")
NUMERIC = ("+", "-", "*", "/", "neg", "least", "most", "magnitude", "sqrt", "rsqrt", "exp", "log", "erfc", "sin", "cos",
           "atan2", "acos", "floor")


def _operator(sign: str, turned: bool = False) -> Callable[[Recorded, Any], Recorded]:
    """What a sign of Python does with a recorded value and another one; turned: with the other one first."""
    def apply(self: Recorded, other: Any) -> Recorded:
        return self.tape.apply(sign, *((other, self) if turned else (self, other)))
    return apply


class Recorded:
    """One value of the graph: a number, an input (`r2`, `p.a`) or an operation on other values."""

    __array_ufunc__ = None  # NumPy numbers leave the operation to us, NumPy functions refuse

    def __init__(self, tape: Tape, op: str, args: tuple[Recorded, ...], content: float | str | None):
        self.tape, self.op, self.args, self.content = tape, op, args, content
        self.order = len(tape.values)

    def recorded(self, word: str, args: Sequence[Any]) -> Recorded:
        """Called by the words of words.py."""
        if word in ("lookup", "lookup2", "lookup4", "lookup8", "single", "leading_bits", "octave_row", "as_f64", "as_i64"):
            raise InputError(f"{word}() cannot be differentiated: tabulated numbers carry no slope",
                             "write pair(r2, p, data) with both force and energy instead of energy(r2, p)")
        return self.tape.apply(word, *args)

    __add__, __radd__ = _operator("+"), _operator("+", turned=True)
    __sub__, __rsub__ = _operator("-"), _operator("-", turned=True)
    __mul__, __rmul__ = _operator("*"), _operator("*", turned=True)
    __truediv__, __rtruediv__ = _operator("/"), _operator("/", turned=True)
    __lt__, __le__, __gt__, __ge__ = _operator("<"), _operator("<="), _operator(">"), _operator(">=")
    __eq__, __ne__ = _operator("=="), _operator("!=")  # type: ignore[assignment]
    __hash__ = object.__hash__

    def __neg__(self) -> Recorded:
        return self.tape.apply("neg", self)

    def __pos__(self) -> Recorded:
        return self

    def __pow__(self, power: Any) -> Recorded:
        if type(power) is not int or not 0 < power <= MOST_POWER:
            shown = power.op if isinstance(power, Recorded) else repr(power)
            raise InputError(f"'**' takes a positive integer up to {MOST_POWER}, found {shown}",
                             "write exp(a * log(x)) for other powers, 1.0 / x**n for negative ones")
        return self.tape.power(self, power)

    def __rpow__(self, base: Any) -> Recorded:
        raise InputError("a value cannot be an exponent", "write exp(x * log(a)) instead of a**x")

    def __bool__(self) -> bool:
        raise InputError("a value that depends on the distance or on p cannot decide an if, and, or, not",
                         "use where(condition, a, b), both(a, b), either(a, b), negate(a)")

    def __float__(self) -> float:
        raise InputError("a function that is not a portable word was called on a recorded value", USE_WORDS)

    def __abs__(self) -> Recorded:
        raise InputError("abs() has no meaning for lanes", "use magnitude(x)")


PLAIN: dict[str, Callable[..., Any]] = {
    "+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: a / b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b, ">": lambda a, b: a > b, ">=": lambda a, b: a >= b,
    "==": lambda a, b: a == b, "!=": lambda a, b: a != b, "neg": lambda a: -a, **VOCABULARY,
}


class Tape:
    """All values of one recording. Equal operations on equal values are one value."""

    def __init__(self) -> None:
        self.values: dict[tuple[Any, ...], Recorded] = {}
        self.slopes: dict[tuple[int, int], Recorded] = {}

    def value(self, op: str, args: tuple[Recorded, ...] = (), content: float | str | None = None) -> Recorded:
        key = (op, type(content), content, *(arg.order for arg in args))
        if key not in self.values:
            self.values[key] = Recorded(self, op, args, content)
        return self.values[key]

    def lift(self, x: Any) -> Recorded:
        """A recorded value as it is, a plain number as a constant."""
        if isinstance(x, Recorded):
            return x
        if isinstance(x, bool):
            return self.value("number", (), x)
        try:
            number = float(x)
        except (TypeError, ValueError):
            raise InputError(f"'{x!r}' is neither a number nor a recorded value",
                             "a formula may use p, r2, numbers and the words of the vocabulary") from None
        if not math.isfinite(number):
            raise InputError(f"a number in the energy is {number}", "give limits through p or leave them out")
        return self.value("number", (), number)

    def power(self, x: Recorded, n: int) -> Recorded:
        if x.op in TRUTHS:
            raise InputError(AS_NUMBER[0], AS_NUMBER[1])
        if n == 1:
            return x
        if x.op == "number":
            return self.lift(x.content**n)  # type: ignore[operator]
        return self.value("**", (x,), n)

    def apply(self, op: str, *given: Any) -> Recorded:
        """Record an operation; numbers are computed at once and neutral elements vanish."""
        args = tuple(self.lift(x) for x in given)
        if op in NUMERIC and any(arg.op in TRUTHS for arg in args):
            raise InputError(AS_NUMBER[0], AS_NUMBER[1])
        numbers = [arg.content if arg.op == "number" else None for arg in args]
        if None not in numbers:
            return self.lift(PLAIN[op](*numbers))
        a, b = args[0], args[-1]
        if op == "where" and numbers[0] is not None:
            return args[1] if numbers[0] else args[2]
        if op == "where" and args[1] is args[2]:
            return args[1]
        if op == "+" and 0.0 in numbers:
            return b if numbers[0] == 0.0 else a
        if op == "-" and numbers[1] == 0.0:
            return a
        if op == "-" and numbers[0] == 0.0:
            return self.apply("neg", b)
        if op == "*" and 0.0 in numbers:
            return self.lift(0.0)
        if op == "*" and 1.0 in numbers:
            return b if numbers[0] == 1.0 else a
        if op == "*" and -1.0 in numbers:
            return self.apply("neg", b if numbers[0] == -1.0 else a)
        if op == "/" and numbers[1] == 1.0:
            return a
        if op == "/" and numbers[0] == 0.0:
            return self.lift(0.0)
        if op == "neg" and a.op == "neg":
            return a.args[0]
        return self.value(op, args)

    def slope(self, x: Recorded, by: Recorded) -> Recorded:
        """dx/d(by) as a value of the same tape: forward mode."""
        key = by.order, x.order
        if key not in self.slopes:
            self.slopes[key] = self.lift(1.0) if x is by else self._slope(x, by)
        return self.slopes[key]

    def _slope(self, x: Recorded, by: Recorded) -> Recorded:
        if x.op in SLOPES and x.order > by.order:
            return self.lift(SLOPES[x.op](x, *x.args, *(self.slope(arg, by) for arg in x.args)))
        return self.lift(0.0)  # numbers, other inputs, conditions, floor


# slope of y = op(a, b) from y, a, b and the slopes of a and b
SLOPES: dict[str, Callable[..., Any]] = {
    "+": lambda y, a, b, da, db: da + db,
    "-": lambda y, a, b, da, db: da - db,
    "*": lambda y, a, b, da, db: da * b + a * db,
    "/": lambda y, a, b, da, db: (da - y * db) * (1.0 / b),  # 1/b is often there already
    "neg": lambda y, a, da: -da,
    "**": lambda y, a, da: y.content * a ** (y.content - 1) * da if y.content > 1 else da,
    "where": lambda y, c, a, b, dc, da, db: where(c, da, db),
    "least": lambda y, a, b, da, db: where(b < a, db, da),
    "most": lambda y, a, b, da, db: where(b > a, db, da),
    "magnitude": lambda y, a, da: where(a < 0.0, -da, da),
    "sqrt": lambda y, a, da: 0.5 / y * da,
    "rsqrt": lambda y, a, da: -0.5 * y * y * y * da,
    "exp": lambda y, a, da: y * da,
    "log": lambda y, a, da: da / a,
    "erfc": lambda y, a, da: -2.0 / math.sqrt(math.pi) * exp(-(a * a)) * da,
    "sin": lambda y, a, da: cos(a) * da,
    "cos": lambda y, a, da: -(sin(a) * da),
    # finite everywhere: no angle has a direction to grow in where the point is the origin, or |sin y| vanishes
    "atan2": lambda z, y, x, dy, dx: (x * dy - y * dx) * (1.0 / most(x * x + y * y, 1e-290)),
    "acos": lambda y, a, da: -(rsqrt(most((1.0 - a) * (1.0 + a), 1e-6)) * da),
}


def differentiate(body: Callable[..., Any], fields: Sequence[str]) -> str:
    """Text of `pair(r2, p) -> (F/r, E)` from a plain function `energy(r2, p) -> E`; `fields` are the names in p.

    >>> print(differentiate(lambda r2, p: p.k * r2**2, ["k"]), end="")
    def pair(r2, p):
        v0 = r2**2
        v1 = p.k * v0
        v2 = 2.0 * r2
        v3 = p.k * v2
        v4 = -2.0 * v3
        return v4, v1
    """
    tape = Tape()
    r2 = tape.value("input", (), "r2")
    p = SimpleNamespace(**{name: tape.value("input", (), f"p.{name}") for name in fields})
    try:
        energy = tape.lift(body(r2, p))
        if energy.op in TRUTHS:
            raise InputError(AS_NUMBER[0], AS_NUMBER[1])
    except (InputError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
        raise explain(error, body, fields) from None
    force = tape.apply("*", -2.0, tape.slope(energy, r2))
    return write([force, energy])


def explain(error: Exception, body: Callable[..., Any], fields: Sequence[str]) -> InputError:
    """The error with the line of the potential that caused it."""
    ours = (__file__, where.__code__.co_filename)
    frames = [f for f in traceback.extract_tb(error.__traceback__) if f.filename not in ours]
    place = f"{frames[-1].filename}:{frames[-1].lineno}" if frames else body.__name__
    if isinstance(error, InputError):
        cause, remedy = error.cause, error.remedy
    elif isinstance(error, AttributeError) and "SimpleNamespace" in str(error):
        cause, remedy = f"no parameter '{error.name}'", f"parameters: {', '.join(fields)}"
    else:
        cause, remedy = str(error), USE_WORDS
    return InputError(f"{place}: {cause}", remedy)


def write(results: Sequence[Recorded], head: str = "pair(r2, p)", inputs: Sequence[str] = ("r2",)) -> str:
    """Straight-line text of a function that returns `results`; values nothing depends on are left out."""
    used: dict[int, Recorded] = {}
    waiting = list(results)
    while waiting:
        value = waiting.pop()
        if value.order not in used:
            used[value.order] = value
            waiting += value.args
    names: dict[int, str] = {}
    varying: set[int] = set()  # values that depend on the inputs
    lines = [f"def {head}:"]
    # a value is recorded after its arguments, so the order of recording is an order of computation
    for order in sorted(used):
        value = used[order]
        if value.content in inputs or any(arg.order in varying for arg in value.args):
            varying.add(order)
        if value.op == "number":
            names[order] = repr(value.content)
        elif value.op == "input":
            names[order] = str(value.content)
        elif value.op == "mark":  # another name of its argument
            names[order] = names[value.args[0].order]
        elif value.op == "curve":  # slope and value of a function in one call
            call = f"c{value.args[0].order}"
            names[order] = f"{call}_{value.content}"
            line = f"    {call}_slope, {call}_value = curve({names[value.args[0].order]}, p, data)"
            lines += [line] if line not in lines else []
        else:
            names[order] = f"v{len(lines) - 1}"
            lines.append(f"    {names[order]} = {_expression(value, [names[arg.order] for arg in value.args])}")
    # a result must have the shape of the inputs (lanes) even when it is a number or depends on p alone
    shown = [names[v.order] if v.order in varying else f"{names[v.order]} + 0.0 * {inputs[0]}" for v in results]
    lines.append(f"    return {', '.join(shown)}")
    return "\n".join(lines) + "\n"


def _expression(value: Recorded, args: list[str]) -> str:
    if value.op in SYMBOLS:
        return f"{args[0]} {value.op} {args[1] if args[1][0] != '-' else f'({args[1]})'}"
    if value.op == "neg":
        return f"-{args[0]}"
    if value.op == "**":
        return f"{args[0]}**{value.content}"
    return f"{value.op}({', '.join(args)})"
