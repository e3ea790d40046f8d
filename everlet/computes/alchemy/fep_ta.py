"""Surface tension: what another shape of the box of the same volume would cost."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.alchemy.base import OtherState
from everlet.computes.base import compute_style
from everlet.errors import InputError, arguments, number, one_of, yes_no
from everlet.state.system import System

USAGE = "compute ID group fep/ta T xy|xz|yz FACTOR [tail yes|no]"
PLANES = {"xy": (0, 1, 2), "xz": (0, 2, 1), "yz": (1, 2, 0)}


@compute_style("fep/ta")
class FepTa(OtherState):
    """compute ID group fep/ta T xy|xz|yz FACTOR [tail yes|no]

    c_ID[1]: dU of the pair style and the long-range solver (tail yes: with the tail correction) where the area of this plane is
    FACTOR times as large, its edges alike, and the third edge shorter, with all atoms at the same fractions of the box;
    c_ID[2]: exp(-dU / kT); c_ID[3]: by how much the area grows.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, 5, USAGE)
        super().__init__(system, id, group, args)
        self.plane = PLANES[one_of("plane of compute fep/ta", args[1], PLANES)]
        self.factor = number(args[2], "a factor of the area")
        if self.factor <= 0.0:
            raise InputError(f"compute fep/ta: factor {args[2]}", "give one above zero, near 1")
        if args[3:]:
            one_of("keyword of compute fep/ta", args[3], ("tail",))
            arguments(args[3:], 2, 2, USAGE)
            self.tail = yes_no(args[4], "compute fep/ta tail")

    def _shape(self) -> None:
        system, box, atoms = self.system, self.system.need_box(), self.system.atoms
        self.before = box.lo.copy(), box.hi.copy(), (box.xy, box.xz, box.yz)
        self.x = atoms.view("x").data.copy()
        places = box.to_fraction(atoms.read("x")[:, :3])
        one, two, other = self.plane
        centre, factor = 0.5 * (box.lo + box.hi), np.ones(3)
        factor[[one, two]], factor[other] = math.sqrt(self.factor), 1.0 / self.factor
        box.lo[:], box.hi[:] = centre + factor * (box.lo - centre), centre + factor * (box.hi - centre)
        system.put_box()
        atoms.edit("x")[:, :3] = box.from_fraction(places)
        system.evaluator.forward()

    def _undo(self) -> None:
        box = self.system.need_box()
        box.lo[:], box.hi[:], (box.xy, box.xz, box.yz) = self.before
        self.system.put_box()
        self.system.atoms.view("x", modify=True).data[:] = self.x

    def numbers(self) -> np.ndarray:
        lengths = self.system.need_box().lengths
        area = float(lengths[self.plane[0]] * lengths[self.plane[1]])
        change = self.difference(self._shape, self._undo)
        return np.array([change, self.weight(change), area * (self.factor - 1.0)])
