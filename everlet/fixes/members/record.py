"""Rows of numbers of each of many systems, every so many steps."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.of_members import OfMembers
from everlet.fixes.members.base import MemberFix
from everlet.portable import Kernel
from everlet.state.operation import ENERGY, VIRIAL
from everlet.state.system import System

COLUMNS = ("step", "system", "temp", "pe", "ke", "etotal", "press", "volume")


class Record(MemberFix):
    """Keeps temp, pe, ke, etotal, press and volume of each system at multiples of `every`, and when a run begins."""

    reads = ("v",)

    def __init__(self, system: System, id: str, every: int):
        super().__init__(system, id)
        self.every, self.of = every, OfMembers(system)
        self.rows: list[np.ndarray] = []
        self.last = -1

    def kernels(self) -> list[Kernel]:
        return self.of.kernels()

    def needs(self, step: int) -> tuple[str, ...]:
        return (ENERGY, VIRIAL) if step % self.every == 0 else ()

    def setup(self) -> None:
        self.note_down()

    def end_of_step(self) -> None:
        self.note_down()

    def note_down(self) -> None:
        """The numbers of this step."""
        if self.system.step != self.last:
            self.last = self.system.step
            found = numbers(self.system, self.of, self.degrees())
            self.rows.append(np.stack([np.broadcast_to(one, self.count) for one in found.values()], axis=1))


def numbers(system: System, of: Any, degrees: np.ndarray) -> dict[str, Any]:
    """Of each system now, by column; forces must have been computed with a tally."""
    units, members = system.units, system.members
    assert members is not None
    if any(fix.changes_box for fix in system.fixes.values()):
        members.take()
    energies, virials = of.potential()
    kinetic = of.kinetic()
    ke = 0.5 * kinetic[:, :3].sum(axis=1)
    temp = 2.0 * ke / (np.maximum(degrees, 1.0) * units.boltz)
    pressure = (degrees * units.boltz * temp + virials[:, :3].sum(axis=1)) / (3.0 * members.volumes) * units.nktv2p
    return {"step": system.step, "system": np.arange(members.count), "temp": temp, "pe": energies, "ke": ke,
            "etotal": energies + ke, "press": pressure, "volume": members.volumes}
