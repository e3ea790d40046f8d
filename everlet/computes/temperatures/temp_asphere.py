"""The temperature of ellipsoids, with their turning."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.energies.erotate_asphere import TURNING
from everlet.computes.temperatures.base import Temperature
from everlet.errors import InputError, arguments, one_of
from everlet.portable import Kernel, View, parallel_reduce
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "compute ID group temp/asphere [dof all|rotate]"


@compute_style("temp/asphere")
class TempAsphere(Temperature):
    """compute ID group temp/asphere [dof all|rotate]

    T = (sum m v^2 + sum I w^2) / (N_f k_B), N_f = 6 N - 3 (in two dimensions 3 N - 2); rotate: the second sum alone, N_f = 3 N
    (or N). Vector: the tensor of both.
    """

    reads = ("v", "angmom", "quat", "shape", "rmass", "mask")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 2, USAGE)
        if args:
            if args[0] == "bias":
                raise InputError("compute temp/asphere bias is not available", "leave it out")
            one_of("keyword of compute temp/asphere", args[0], ("dof",), f"usage: {USAGE}")
            arguments(args, 2, 2, USAGE)
            one_of("dof of compute temp/asphere", args[1], ("all", "rotate"))
        need_field(system.atoms, "shape", "compute temp/asphere")
        self.moves = args[1:] != ["rotate"]
        self.given_extra = None if self.moves else 0

    def degrees(self, count: float) -> float:
        plane = self.system.dimension == 2
        each = (1 if plane else 3) + self.system.dimension * self.moves
        return max(each * count - self.extra - self.removed, 0.0)

    def kernels(self) -> list[Kernel]:
        return [TURNING]

    def _arguments(self) -> tuple[Any, ...]:
        system, atoms = self.system, self.system.atoms
        return (system.space, atoms.n, TURNING, atoms.view("angmom"), atoms.view("quat"), atoms.view("shape"),
                atoms.view("rmass"), atoms.view("mask"), self.bit, atoms.view("v"), float(self.moves))

    def sums(self) -> np.ndarray:
        return self.system.ranks.sum(parallel_reduce(*self._arguments()))

    def sums_into(self, view: View) -> bool:
        parallel_reduce(*self._arguments(), into=view)
        return True
