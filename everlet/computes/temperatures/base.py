"""Temperatures: computes that say which velocities count, and how many degrees of freedom they have."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, integer
from everlet.portable import View
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

ON_OFF = {"yes": True, "on": True, "no": False, "off": False}


class Temperature(Compute):
    """T = mvv2e sum m v^2 / (N_f k_B), N_f = dimension N - extra - what fixes remove; vector: kinetic tensor.

    A style overrides `sums`, and `dof` if it counts otherwise. biased: velocities are not all of v; then `take_bias()`
    leaves only the velocities that count in v, and `give_bias()` puts back what was taken.
    """

    gives = Gives(scalar=INTENSIVE, vector=EXTENSIVE, length=6)
    reads: tuple[str, ...] = ("v", "type", "mask")
    biased = False
    copies_scale = False  # a few degrees of freedom are taken off

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.given_extra: int | None = None  # compute_modify extra/dof; otherwise the dimension
        self.asked_to_recount = False  # compute_modify dynamic/dof
        self.counted: float | None = None  # degrees of freedom, as counted before the run

    def sums(self) -> np.ndarray:
        """Sums of m v_a v_b (xx yy zz xy xz yz) over the atoms that count, and their number."""
        raise NotImplementedError

    def sums_into(self, view: View) -> bool:
        """The same into memory of the space, by kernels alone; False: this style cannot."""
        return False

    @property
    def recounts(self) -> bool:
        """Degrees of freedom are counted whenever they are used."""
        return self.asked_to_recount or self.group in self.system.groups.dynamic

    @property
    def extra(self) -> int:
        return self.system.dimension if self.given_extra is None else self.given_extra

    @property
    def removed(self) -> float:
        """Degrees of freedom that fixes take."""
        return sum(fix.removed_dof(self.bit) for fix in self.system.fixes.values())

    def setup(self) -> None:
        self.counted = self.degrees(self.sums()[6])

    def unset(self) -> None:
        self.counted = None

    @property
    def dof(self) -> float:
        """Degrees of freedom, counted before the run, or now if compute_modify dynamic/dof says so."""
        return self.degrees(self.sums()[6]) if self.recounts or self.counted is None else self.counted

    def degrees(self, count: float) -> float:
        """Degrees of freedom of so many atoms."""
        return max(self.system.dimension * count - self.extra - self.removed, 0)

    def scalar(self) -> float:
        return self.from_sums(self.sums())

    def from_sums(self, sums: np.ndarray) -> float:
        """The temperature for such sums."""
        dof = self.degrees(sums[6]) if self.recounts or self.counted is None else self.counted
        if dof < 1:
            return 0.0
        return self.system.units.mvv2e * float(sums[0] + sums[1] + sums[2]) / (dof * self.system.units.boltz)

    def vector(self) -> np.ndarray:
        return self.system.units.mvv2e * self.sums()[:6]

    def modify(self, args: list[str]) -> None:
        """compute_modify ID [extra/dof N] [dynamic/dof yes|no]."""
        words = list(args)
        while words:
            word = words.pop(0)
            value = words.pop(0) if words else ""
            if word in ("extra", "extra/dof"):
                self.given_extra = integer(value)
            elif word in ("dynamic", "dynamic/dof") and value in ON_OFF:
                self.asked_to_recount = ON_OFF[value]
            else:
                raise InputError(f"compute {self.id} cannot be modified by '{' '.join(args)}'",
                                 "use compute_modify ID extra/dof N, or dynamic/dof yes|no")

    def take_bias(self, bit: Any = None, again: bool = False) -> None:
        """Leave only velocities that count in v, for the atoms of its group or of another one; again: as its sums had them."""

    def give_bias(self, bit: Any = None) -> None:
        """Put back what take_bias took, with the same group."""


def temperature(system: System, id: str, user: str) -> Temperature:
    """The temperature compute of this id."""
    found = system.computes.get(id)
    if not isinstance(found, Temperature):
        raise InputError(f"{user}: '{id}' is not a temperature compute" if found is not None else
                         f"{user}: there is no compute '{id}'", "define it with compute ID group temp")
    return found
