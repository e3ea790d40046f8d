"""How fast a device is with a potential: measured there, or scaled from one on which it was measured."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.lab.machine import Machine, load
from everlet.lab.md import Rate

SCALED = 0.35  # relative error of a rate that was measured on another device
BY_ARITHMETIC = ("snap", "reaxff")  # potentials that are limited by operations; others by moving data
MEASURED = ("h200", "lammps-h200")  # where rates of GPUs come from


def rate_of(machine: Machine, potential: str) -> Rate:
    """The rate of a potential on one device of a machine."""
    if potential in machine.md:
        given = machine.md[potential]
        points = tuple((float(atoms), float(seconds)) for atoms, seconds in given.get("points", []))
        return Rate(given["start"], given["rate"], given.get("surface", 0.0), given.get("error", machine.rough), points)
    if machine.device.kind == "gpu":
        for name in MEASURED:
            other = load(name)
            if potential in other.md:
                return scaled(machine, other, potential)
    known = sorted({*machine.md, *(one for name in MEASURED for one in load(name).md if machine.device.kind == "gpu")})
    raise InputError(f"nothing is known about {potential} on {machine.name}",
                     f"known: {', '.join(known)}" if known else
                     "measure one of its nodes: everlet measure md --json FILE there, then --machine FILE")


def scaled(machine: Machine, other: Machine, potential: str) -> Rate:
    """A rate of another GPU by the ratio of what limits it; what starts steps stays."""
    rate = rate_of(other, potential)
    mine, its = machine.device, other.device
    factor = mine.f64 / its.f64 if potential in BY_ARITHMETIC else mine.bandwidth / its.bandwidth
    return Rate(rate.start, rate.rate * factor, rate.surface / factor, max(SCALED, machine.rough))
