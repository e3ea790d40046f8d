"""Damping and noise of spins, which fix nve/spin asks for."""

from __future__ import annotations

from everlet.errors import InputError, arguments, integer, number
from everlet.fixes.base import Fix, fix_style
from everlet.state.atom_styles import need_field
from everlet.state.random import Marsaglia
from everlet.state.system import System


@fix_style("langevin/spin")
class LangevinSpin(Fix):
    """fix ID group langevin/spin T ALPHA SEED: fields w on spins s become w - ALPHA w x s, and with T > 0
    (w - ALPHA w x s + S xi) / (1 + ALPHA^2), S^2 = 2 ALPHA (1 + ALPHA^2) k_B T / (hbar dt/4).

    xi: three normal numbers of each atom and turn of fix nve/spin, from the seed, the id and the step.
    """

    steady = follows_clock = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, "fix ID group langevin/spin T ALPHA SEED")
        need_field(system.atoms, "spin", "fix langevin/spin")
        self.temperature, self.alpha = number(args[0], "a temperature"), number(args[1], "a damping")
        self.seed = integer(args[2], "a seed")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        if self.temperature < 0.0 or self.alpha < 0.0:
            raise InputError(f"fix langevin/spin {args[0]} {args[1]}: numbers below zero", "give 0 or more")

    def init(self) -> None:
        if not any(fix.style == "nve/spin" for fix in self.system.fixes.values()):
            raise InputError(f"fix {self.id} langevin/spin acts where fix nve/spin turns spins", "add fix nve/spin")
