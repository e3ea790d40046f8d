"""Magnetisation, energy and temperature of spins."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, no_arguments
from everlet.state.atom_styles import need_field
from everlet.state.operation import ENERGY, INTENSIVE, Gives
from everlet.state.system import System


@compute_style("spin")
class Spin(Compute):
    """compute ID group spin: c_ID[1-3] mean direction of spins, [4] its length, [5] magnetic energy, [6] temperature of spins

    energy: of pairs of spins and of fixes precession/spin; temperature: hbar sum |s x w|^2 / (2 k_B sum s.w), w: fields (fm).
    """

    gives = Gives(vector=INTENSIVE, length=6)
    reads = ("spin", "fm", "mask")
    uses = (ENERGY,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "spin")
        if group != "all":
            raise InputError("compute spin is for group all", "use compute ID all spin")
        need_field(system.atoms, "spin", "compute spin")

    def vector(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        system.fresh.need()
        rows = (atoms.read("mask") & self.bit) != 0
        spin, fm = atoms.read("spin")[rows, :3], atoms.read("fm")[rows]
        turning, along = np.cross(spin, fm), (spin * fm).sum()
        sums = system.ranks.sum(np.array([*spin.sum(axis=0), (turning**2).sum(), along, len(spin)]))
        hbar = system.units.hplanck / (2.0 * math.pi)
        mean = sums[:3] / max(sums[5], 1.0)
        heat = hbar * sums[3] / (2.0 * system.units.boltz * sums[4]) if sums[4] else 0.0
        return np.array([*mean, np.linalg.norm(mean), self._energy(), heat])

    def _energy(self) -> float:
        self.check_tally()
        names = {term.name for term in self.system.evaluator.terms if getattr(term, "style", "").startswith("spin/")}
        pairs = sum(sum(entry.energies.values()) for name, entry in self.system.ledger.terms.items() if name in names)
        return pairs + sum(fix.scalar() for fix in self.system.fixes.values() if fix.style == "precession/spin")
