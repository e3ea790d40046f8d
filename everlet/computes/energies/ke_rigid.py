"""Kinetic energies of rigid bodies."""

from __future__ import annotations

from typing import ClassVar

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@compute_style("ke/rigid")
class KeRigid(Compute):
    """compute ID group ke/rigid FIX-ID: sum M V^2 / 2 of the bodies of a fix rigid."""

    gives = Gives(scalar=EXTENSIVE)
    part: ClassVar[int] = 0

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "compute ID group ke/rigid FIX-ID")
        self.fix = args[0]

    def scalar(self) -> float:
        fix = self.system.fixes.get(self.fix)
        energies = fix.body_energies() if fix is not None else None
        if energies is None:
            raise InputError(f"compute {self.id}: '{self.fix}' is not a fix of rigid bodies", "give the id of a fix rigid")
        return energies[self.part]


@compute_style("erotate/rigid")
class ErotateRigid(KeRigid):
    """compute ID group erotate/rigid FIX-ID: sum L.w / 2 of the bodies of a fix rigid."""

    part = 1
