"""A spring between the centre of mass of a group and a point, or that of another group."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.com import MOMENTS, mass_and_centre
from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.portable import Kernel, add_row, f64, i32, local, parallel_for, portable
from everlet.state.groups import Bit
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group spring tether K X Y Z R0, or: fix ID group spring couple GROUP2 K X Y Z R0"
SMALL = 1e-10  # a shorter spring has no direction


@local
@portable
def pull(i, f: f64[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, ax: f64, ay: f64, az: f64):
    """F += m a: each atom of the group gets its share by mass."""
    if mask[i] & bit:
        m = mass[kind[i]]
        add_row(f, i, ax * m, ay * m, az * m)


PULL = Kernel(pull)


def pull_group(system: System, bit: Bit, mass: float, force: np.ndarray) -> None:
    """Add a force to a group of this mass; each atom gets its share by mass."""
    atoms, per_mass = system.atoms, force / mass if mass else 0.0 * force
    parallel_for(system.space, atoms.n, PULL, atoms.view("f", modify=True), system.mass_kind(), system.masses_view(),
                 atoms.view("mask"), bit, *per_mass.tolist())


@fix_style("spring")
class Spring(ForceFix):
    """fix ID group spring tether K X Y Z R0: E = K/2 (r - R0)^2, r from X Y Z to the centre of mass (NULL: not this axis).

    fix ID group spring couple GROUP2 K X Y Z R0: r = centre of GROUP2 - centre of the group - (X Y Z).
    Centres are unwrapped. f_ID: E; f_ID[1-3]: force on the group; f_ID[4]: its size, negative if the spring is shorter than R0.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=4)
    has_energy = minimizes = True
    reads, writes = ("f", "x", "image", "mask", "type"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        one_of("style of fix spring", args[0], ("tether", "couple"))
        arguments(args, 6 if args[0] == "tether" else 7, 6 if args[0] == "tether" else 7, USAGE)
        self.other, words = "", list(args[1:])
        if args[0] == "couple":
            self.other = words.pop(0)
            self.other_bit = system.groups.bit(self.other)
            if self.other == group:
                raise InputError(f"fix {id}: a spring from group {group} to itself", "name two groups")
        self.k = number(words[0], "a spring constant")
        self.free = np.array([word == "NULL" for word in words[1:4]])
        self.point = np.array([0.0 if word == "NULL" else number(word, "a coordinate") for word in words[1:4]])
        self.r0 = number(words[4], "a length")
        if self.r0 < 0:
            raise InputError(f"fix {id}: a spring of length {words[4]}", "R0 is 0 or more")
        self.energy, self.force = 0.0, np.zeros(4)

    def kernels(self) -> list[Kernel]:
        return [PULL, MOMENTS]

    def post_force(self) -> None:
        mass, centre = mass_and_centre(self.system, self.bit)
        if self.other:
            other, end = mass_and_centre(self.system, self.other_bit)
            way = end - centre - self.point
        else:
            way = self.point - centre
        way = np.where(self.free, 0.0, way)
        length = max(float(np.sqrt((way**2).sum())), SMALL)
        longer = length - self.r0
        force = self.k * way * longer / length
        self.energy = 0.5 * self.k * longer**2
        size = float(np.sqrt((force**2).sum()))
        self.force = np.append(force, size if longer >= 0 else -size)
        pull_group(self.system, self.bit, mass, force)
        if self.other:
            pull_group(self.system, self.other_bit, other, -force)

    def scalar(self) -> float:
        return self.energy

    def vector(self) -> np.ndarray:
        return self.force
