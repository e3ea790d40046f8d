"""Mean-squared displacement of a group."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.motion.com import MOMENTS, mass_and_centre
from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, one_of, yes_no
from everlet.portable import Kernel, f64, i32, parallel_reduce, portable
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@portable
def squares(i, x: f64[:, 4], image: i32[:, 3], origin: f64[:, 3], mask: i32[:], bit: i32, hx: f64, hy: f64, hz: f64, yz: f64,
            xz: f64, xy: f64, cx: f64, cy: f64, cz: f64):
    """dx^2 dy^2 dz^2 of one atom, and 1; zeros if it is not in the group. cx cy cz: what is taken off positions."""
    dx = x[i, 0] + hx * image[i, 0] + xy * image[i, 1] + xz * image[i, 2] - cx - origin[i, 0]
    dy = x[i, 1] + hy * image[i, 1] + yz * image[i, 2] - cy - origin[i, 1]
    dz = x[i, 2] + hz * image[i, 2] - cz - origin[i, 2]
    one = 0.0
    if mask[i] & bit:
        one = 1.0
    return one * dx * dx, one * dy * dy, one * dz * dz, one


SQUARES = Kernel(squares, sums=4)


@compute_style("msd")
class MSD(Compute):
    """compute ID group msd [com yes|no] [average yes|no]: means of dx^2 dy^2 dz^2 and of their sum since it was defined.

    Positions are unwrapped; com yes: counted from the centre of mass of the group, so that its drift does not count. average
    yes: displacements are from the mean of the positions at all times at which it was asked so far, the first and this one too.
    """

    gives = Gives(vector=INTENSIVE, length=4)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.com = self.average = False
        arguments(args, 0, None, "compute ID group msd [com yes|no] [average yes|no]")
        for word, value in zip(args[::2], [*args[1::2], ""], strict=False):
            one_of("keyword of compute msd", word, ("com", "average"))
            setattr(self, word, yes_no(value, f"compute msd {word}"))
        self.asked = 0  # times, of `average`
        system.need_box()
        if not self.add_field("origin", width=3):
            system.atoms.edit(self.field("origin"))[:] = unwrapped(system) - self._centre()

    def new_atoms(self, rows: np.ndarray) -> None:
        if (self.system.atoms.read("mask")[rows] & self.bit).any():
            raise InputError(f"compute {self.id}: an atom has come into its group, and has no displacement",
                             "name a group of atoms that stay the same")

    def _centre(self) -> np.ndarray:
        return mass_and_centre(self.system, self.bit)[1] if self.com else np.zeros(3)

    def kernels(self) -> list[Kernel]:
        return [SQUARES, MOMENTS]

    def state(self) -> dict[str, Any]:
        return {"asked": self.asked} if self.average else {}

    def restore(self, state: dict[str, Any]) -> None:
        self.asked = state.get("asked", 0)

    def vector(self) -> np.ndarray:
        system, atoms, centre = self.system, self.system.atoms, self._centre()
        if self.average:
            self.asked += 1
            mean = atoms.edit(self.field("origin"))
            mean[:] = (mean * self.asked + unwrapped(system) - centre) / (self.asked + 1)
        sums = system.ranks.sum(parallel_reduce(
            system.space, atoms.n, SQUARES, atoms.view("x"), atoms.view("image"), atoms.view(self.field("origin")),
            atoms.view("mask"), self.bit, *system.need_box().h, *centre))
        means = sums[:3] / sums[3] if sums[3] else sums[:3]
        return np.append(means, means.sum())
