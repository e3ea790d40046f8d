"""Potential energy of the whole system."""

from __future__ import annotations

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError
from everlet.state.system import System


@compute_style("pe")
class PE(Compute):
    """E = sum over pairs, plus the tail correction. compute ID all pe [pair]"""

    extensive = True
    needs_tally = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if group != "all":
            raise InputError("compute pe is for group all", "use compute ID all pe")
        for word in args:
            if word != "pair":
                raise InputError(f"compute pe: contribution '{word}' is not available", "leave it out, or use pair")

    def scalar(self) -> float:
        self.check_tally()
        return sum(self.system.energies.values())
