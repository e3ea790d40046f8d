"""Functions of formulas that look at a group of atoms, with a region as an optional last argument.

    count(g) mass(g) ke(g) gyration(g)      number of atoms, total mass, kinetic energy, radius of gyration
    charge(g)                               total charge
    xcm(g,d) vcm(g,d) fcm(g,d)              centre of mass, its velocity, total force; d = x, y, z
    bound(g,xmin)                           smallest or largest coordinate: xmin xmax ymin ymax zmin zmax
    angmom(g,d) torque(g,d) omega(g,d)      about the centre of mass
    inertia(g,dd)                           xx yy zz xy yz xz

Positions are unwrapped except for `bound`; units are those of the script.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, one_of, unknown
from everlet.registry import Registry
from everlet.state import moments
from everlet.state.atom_styles import need_field
from everlet.state.system import System

AXES = {"x": 0, "y": 1, "z": 2}
PAIRS = {"xx": (0, 0), "yy": (1, 1), "zz": (2, 2), "xy": (0, 1), "yz": (1, 2), "xz": (0, 2)}
BOUNDS = tuple(f"{axis}{end}" for axis in AXES for end in ("min", "max"))
NOTHING = 1e20  # what the reference gives as the bounds of no atoms (with the sign that makes lo > hi)


class Chosen:
    """Host arrays of the atoms that a function looks at."""

    def __init__(self, system: System, group: str, region: str | None):
        box, atoms = system.need_box(), system.whole
        self.system = system
        x = atoms.read("x")
        rows = system.groups.member(group, atoms.read("mask"))
        if region is not None:
            one_of("region", region, system.regions)
            rows = rows & system.regions[region].inside(x)
        self.atoms, self.rows = atoms, rows
        self.x, self.v = x[rows], atoms.read("v")[rows]
        self.mass = system.masses_of(atoms)[rows]
        self.unwrapped = moments.unwrapped(box, self.x, atoms.read("image")[rows])

    @property
    def f(self) -> np.ndarray:
        self.system.fresh.need()
        return (self.atoms if self.system.ranks.size > 1 else self.system.atoms).read("f")[self.rows]

    @property
    def empty(self) -> bool:
        """No mass: means are zero then."""
        return float(self.mass.sum()) == 0.0


functions: Registry[tuple[Callable[..., float], dict[str, Any] | None]] = Registry("group function")


def group_function(name: str, choices: dict[str, Any] | None = None) -> Callable[[Callable[..., float]], Any]:
    """Register a function of Chosen, and of one more argument if there are choices for it."""

    def register(function: Callable[..., float]) -> Callable[..., float]:
        functions(name)((function, choices))
        return function

    return register


def call(system: System, name: str, args: list[str]) -> float:
    """name(group[,choice][,region])."""
    function, choices = functions[name]
    fixed = 1 if choices is None else 2
    usage = f"{name}(group{'' if choices is None else ',' + '|'.join(choices)}[,region])"
    if not fixed <= len(args) <= fixed + 1 or not all(args):
        raise InputError(f"{name}() has the wrong number of arguments", f"usage: {usage}")
    if choices is not None and args[1] not in choices:
        raise unknown(f"argument of {name}()", args[1], choices, f"usage: {usage}")
    chosen = Chosen(system, args[0], args[fixed] if len(args) > fixed else None)
    return float(function(chosen) if choices is None else function(chosen, choices[args[1]]))


@group_function("count")
def count(atoms: Chosen) -> float:
    return len(atoms.mass)


@group_function("mass")
def mass(atoms: Chosen) -> float:
    return float(moments.total(atoms.mass))


@group_function("charge")
def charge(atoms: Chosen) -> float:
    need_field(atoms.atoms, "q", "the function charge()")
    return float(moments.total(atoms.atoms.read("q")[atoms.rows]))


@group_function("ke")
def kinetic_energy(atoms: Chosen) -> float:
    """K = mvv2e / 2 sum m v^2."""
    return 0.5 * atoms.system.units.mvv2e * float(moments.total((atoms.v * atoms.v).sum(axis=1) * atoms.mass))


@group_function("gyration")
def gyration(atoms: Chosen) -> float:
    """R_g^2 = sum m d^2 / sum m."""
    if atoms.empty:
        return 0.0
    d = atoms.unwrapped - moments.mean(atoms.mass, atoms.unwrapped)
    return float(np.sqrt(moments.total((d * d).sum(axis=1) * atoms.mass) / moments.total(atoms.mass)))


@group_function("xcm", AXES)
def centre(atoms: Chosen, axis: int) -> float:
    return 0.0 if atoms.empty else moments.mean(atoms.mass, atoms.unwrapped)[axis]


@group_function("vcm", AXES)
def velocity(atoms: Chosen, axis: int) -> float:
    return 0.0 if atoms.empty else moments.mean(atoms.mass, atoms.v)[axis]


@group_function("fcm", AXES)
def force(atoms: Chosen, axis: int) -> float:
    return moments.total(atoms.f)[axis]


@group_function("bound", {name: name for name in BOUNDS})
def bound(atoms: Chosen, name: str) -> float:
    x = atoms.x[:, AXES[name[0]]]
    if name.endswith("min"):
        return x.min(initial=NOTHING)
    return x.max(initial=-NOTHING)


@group_function("angmom", AXES)
def angular_momentum(atoms: Chosen, axis: int) -> float:
    return 0.0 if atoms.empty else moments.angular_momentum(atoms.mass, atoms.unwrapped, atoms.v)[axis]


@group_function("torque", AXES)
def torque(atoms: Chosen, axis: int) -> float:
    if atoms.empty:
        return 0.0
    return moments.total(np.cross(atoms.unwrapped - moments.mean(atoms.mass, atoms.unwrapped), atoms.f))[axis]


@group_function("inertia", PAIRS)
def inertia(atoms: Chosen, place: tuple[int, int]) -> float:
    return 0.0 if atoms.empty else moments.inertia(atoms.mass, atoms.unwrapped)[place]


@group_function("omega", AXES)
def angular_velocity(atoms: Chosen, axis: int) -> float:
    return 0.0 if atoms.empty else moments.angular_velocity(atoms.mass, atoms.unwrapped, atoms.v)[axis]
