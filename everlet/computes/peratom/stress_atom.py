"""Stress of each atom times its volume: -(m v_a v_b + W_ab) in units of pressure and volume; xx yy zz xy xz yz."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.of_terms import PARTS, OfTerms
from everlet.computes.temperatures.base import temperature
from everlet.computes.temperatures.biased import unbiased_velocities
from everlet.errors import InputError
from everlet.state.operation import PERATOM_VIRIAL, Gives
from everlet.state.system import System

PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


@compute_style("stress/atom")
class StressAtom(OfTerms):
    """compute ID group stress/atom TEMP-ID|NULL [ke] [pair] [fix] [virial]

    W: half of the virial of each pair. Without words: all of it; virial: all but the kinetic part. If the temperature compute
    leaves out a part of velocities, so does the kinetic part.
    """

    style = "stress/atom"
    gives = Gives(columns=6)
    uses = (PERATOM_VIRIAL,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if not args:
            raise InputError("compute stress/atom needs the id of a temperature compute, or NULL",
                             "usage: compute ID group stress/atom TEMP-ID|NULL [ke] [pair] [fix] [virial]")
        self.temperature, *words = args
        self.refuse(words, ("ke", "fix", "virial"))
        self.kinetic = not words or "ke" in words
        self.of_fixes = "fix" in words
        self.everything = not words or "virial" in words
        self.parts = () if self.everything else tuple(word for word in PARTS if word in words)
        if self.temperature != "NULL":
            temperature(system, self.temperature, f"compute {id}")

    def peratom(self) -> np.ndarray:
        units, total = self.system.units, np.zeros((self.system.atoms.n, 6))
        for fix in self.system.fixes.values() if self.everything or self.of_fixes else ():
            if fix.virial_on:
                total += fix.atom_virials()
        if self.parts or self.everything:
            total += self.of_atoms()[1]
        if self.kinetic:
            total += units.mvv2e * self._kinetic()
        return self.chosen(-units.nktv2p * total)

    def _kinetic(self) -> np.ndarray:
        """m v_a v_b of each atom."""
        system = self.system
        heat = temperature(system, self.temperature, f"compute {self.id}") if self.temperature != "NULL" else None
        v = unbiased_velocities(heat) if heat is not None and heat.biased else system.atoms.read("v")
        return system.masses_of()[:, None] * np.stack([v[:, a] * v[:, b] for a, b in PAIRS], axis=1)
