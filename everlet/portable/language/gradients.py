"""Gradients of energies of several coordinates, by recording as in autodiff.py.

An energy is a function of a few inner coordinates (a distance, an angle), and these of many inputs (components of vectors).
Slopes along inner coordinates are taken forward, one by one: where() stays safe, and these are few. From there the chain
rule goes backward, so that all inputs get their slopes at about the cost of one more evaluation.

    text = gradient(inner, energy, ["d1x", "d1y", "d1z"], ["k", "r0"])

    def link(d1x, d1y, d1z, p, data):
        ...
        return energy, slope_d1x, slope_d1y, slope_d1z
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import SimpleNamespace
from typing import Any

from everlet.errors import InputError
from everlet.portable.language.autodiff import SLOPES, Recorded, Tape, explain, write

Inner = Callable[..., Mapping[str, Any]]  # the inner coordinates that are named, from all inputs


def gradient(inner: Inner, energy: Callable[..., Any] | None, names: Sequence[str], inputs: Sequence[str],
             fields: Sequence[str], tabulated: bool = False) -> str:
    """Text of `link(*inputs, p, data) -> (E, dE/dinput …)`.

    inner    called with the recorded inputs, gives the values of the coordinates in `names`
    energy   plain function of these and of p; None: that of a table is all
    tabulated  in place of the first coordinate `energy` gets a number of a table, which, with its slope along this coordinate,
             is given by a function `curve(coordinate, p, data) -> (slope, number)` that the text calls
    """
    tape = Tape()
    given = [tape.value("input", (), name) for name in inputs]
    p = SimpleNamespace(**{name: tape.value("input", (), f"p.{name}") for name in fields})
    found = inner(*given)
    coordinates = [tape.lift(found[name]) for name in names]
    marks = [tape.value("mark", (one,)) for one in coordinates]  # inner coordinates, as if they were inputs
    if tabulated:
        number, along = curve(tape, coordinates[0])
        marks[0] = tape.value("mark", (number,))
    if energy is None:
        total, slopes = number, [along]
    else:
        try:
            total = tape.lift(energy(*marks, p))
        except (InputError, TypeError, AttributeError, ArithmeticError, ValueError) as error:
            raise explain(error, energy, fields) from None
        slopes = [tape.slope(total, mark) for mark in marks]
        if tabulated:
            slopes[0] = tape.apply("*", slopes[0], along)
    adjoints = backward(tape, coordinates, slopes)
    zero = tape.lift(0.0)
    results = [total, *(adjoints.get(one.order, zero) for one in given)]
    return write(results, f"link({', '.join(inputs)}, p, data)", inputs)


def curve(tape: Tape, at: Recorded) -> tuple[Recorded, Recorded]:
    """Value and slope of the function `curve`."""
    return tape.value("curve", (at,), "value"), tape.value("curve", (at,), "slope")


def backward(tape: Tape, ends: Sequence[Recorded], slopes: Sequence[Recorded]) -> dict[int, Recorded]:
    """Slopes of a sum along all values that it depends on, from those along `ends`."""
    adjoint: dict[int, Recorded] = {}
    values: dict[int, Recorded] = {}
    for end, slope in zip(ends, slopes, strict=True):
        values[end.order] = end
        adjoint[end.order] = tape.apply("+", adjoint[end.order], slope) if end.order in adjoint else slope
    zero, waiting = tape.lift(0.0), set(values)
    while waiting:
        order = max(waiting)  # a value is recorded after its arguments: all that use it have been here
        waiting.remove(order)
        value, seed = values[order], adjoint[order]
        if value.op not in SLOPES or seed is zero:
            continue
        for k, arg in enumerate(value.args):
            share = tape.lift(SLOPES[value.op](value, *value.args, *(seed if j == k else zero for j in range(len(value.args)))))
            if share is zero or arg.op == "number":
                continue
            values[arg.order] = arg
            adjoint[arg.order] = tape.apply("+", adjoint[arg.order], share) if arg.order in adjoint else share
            waiting.add(arg.order)
    return adjoint
