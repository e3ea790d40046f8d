"""How fast a device is with a potential: measured there, or scaled from one on which it was measured."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.lab.machine import HERE, Machine, load
from everlet.lab.md import Rate

Facts = dict[str, Any]  # of a potential in a machine file

SCALED = 0.35  # relative error of a rate that was measured on another device
BY_ARITHMETIC = ("snap", "reaxff")  # potentials that are limited by operations, also with others; the rest by moving data
MEASURED = "h200"  # where rates of GPUs come from
USUAL = {"snap": "snap+zbl"}  # what a potential is measured with


def rate_of(machine: Machine, potential: str) -> Rate:
    """The rate of a potential on one device of a machine."""
    if potential not in machine.md:
        potential = USUAL.get(potential, potential)
    if potential in machine.md:
        given = machine.md[potential]
        points = tuple((float(atoms), float(seconds)) for atoms, seconds in given.get("points", []))
        return Rate(given["start"], given["rate"], given.get("surface", 0.0), given.get("error", machine.rough), points)
    other = load(MEASURED).md if machine.device.kind == "gpu" else {}
    if potential in other:
        return scaled(machine, load(MEASURED), potential)
    known = sorted({*machine.md, *other})
    raise InputError(f"nothing is known about {potential} on {machine.name}",
                     f"known: {', '.join(known)}" if known else
                     "everlet measure md finds it" if machine.name == HERE else
                     "measure one of its nodes: everlet measure md --json FILE there, then --machine FILE")


def source(machine: Machine, potential: str) -> str:
    """Where a rate comes from, in words."""
    name = potential if potential in machine.md else USUAL.get(potential, potential)
    with_others = f", measured with {name}" if name != potential else ""
    if name in machine.md:
        return f"measured on {machine.device.name or machine.name}{with_others}"
    limit = "arithmetic" if name.startswith(BY_ARITHMETIC) else "bandwidth"
    return f"of {MEASURED} by the ratio of {limit}{with_others}"


def facts(machine: Machine, potential: str) -> Facts:
    """What is known of a potential on one device; on a GPU without measurements, on the one that was measured."""
    known = machine.md if {potential, USUAL.get(potential, "")} & set(machine.md) else load(MEASURED).md
    return dict(known.get(potential) or known.get(USUAL.get(potential, ""), {}))


def scaled(machine: Machine, other: Machine, potential: str) -> Rate:
    """A rate of another GPU by the ratio of what limits it; what starts steps stays."""
    rate = rate_of(other, potential)
    factor = machine.device.times(other.device, "f64" if potential.startswith(BY_ARITHMETIC) else "bandwidth")
    points = tuple((atoms, min(rate.start, seconds) + max(0.0, seconds - rate.start) / factor)
                   for atoms, seconds in rate.points)
    return Rate(rate.start, rate.rate * factor, rate.surface / factor, max(SCALED, machine.rough), points)
