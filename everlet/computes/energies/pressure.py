"""Pressure and pressure tensor."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.temperatures.base import Temperature, temperature
from everlet.errors import InputError
from everlet.forces.pair.styles.hybrid import Hybrid
from everlet.portable import Kernel
from everlet.state.operation import INTENSIVE, VIRIAL, Gives
from everlet.state.system import System

WORDS = ("ke", "pair", "bond", "angle", "dihedral", "improper", "kspace", "fix", "virial")
OF_ENERGY = {"vdwl": "pair", "coul": "pair", "bond": "bond", "angle": "angle", "dihed": "dihedral", "imp": "improper",
             "long": "kspace"}


@compute_style("pressure")
class Pressure(Compute):
    """P = (N_f k_B T + tr W) / (d V) nktv2p; vector: P_ab = (K_ab + W_ab) / V nktv2p in the order xx yy zz xy xz yz.

    compute ID all pressure TEMP-ID|NULL [ke] [pair] [bond] [angle] [dihedral] [improper] [kspace] [fix] [virial]
    [pair/hybrid STYLE [N]]
    Without words: all of it; virial: all but the kinetic part.
    """

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=6)
    uses = (VIRIAL,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if group != "all":
            raise InputError("compute pressure is for group all", "use compute ID all pressure TEMP-ID")
        if not args:
            raise InputError("compute pressure needs the id of a temperature compute, or NULL",
                             "for example: compute p all pressure thermo_temp")
        words, self.sub_styles = self._without_sub_styles(args[1:])
        for word in words:
            if word not in WORDS:
                raise InputError(f"compute pressure: contribution '{word}' is not available", f"use {' '.join(WORDS)}")
        everything = len(args) == 1
        self.kinetic = everything or "ke" in words
        self.parts = set(WORDS[1:-1]) if everything or "virial" in words else set(words) - {"ke"}
        self.temperature = args[0]
        if self.temperature == "NULL" and self.kinetic:
            raise InputError("compute pressure with a kinetic part needs a temperature compute", "give its id instead of NULL")
        if self.temperature != "NULL":
            self._temperature()

    def _without_sub_styles(self, words: list[str]) -> tuple[list[str], list[str]]:
        """Words less `pair/hybrid STYLE [N]`, and the names of these sub-styles in the ledger."""
        rest, found = list(words), []
        while "pair/hybrid" in rest:
            at, pair = rest.index("pair/hybrid"), self.system.pair
            if not isinstance(pair, Hybrid):
                raise InputError("compute pressure pair/hybrid: the pair style is no hybrid", "use pair")
            number, behind = pair.named(rest[at + 1 :], "compute pressure pair/hybrid")
            found.append(f"{pair.name} {number + 1}")
            rest = rest[:at] + behind
        return rest, found

    def _temperature(self) -> Temperature:
        return temperature(self.system, self.temperature, f"compute {self.id}")

    def kernels(self) -> list[Kernel]:
        return self._temperature().kernels() if self.temperature != "NULL" else []

    def virial(self) -> np.ndarray:
        """The sum of what was asked for."""
        system = self.system
        total = system.virial.copy()
        if not self.parts >= set(OF_ENERGY.values()):
            wanted = [entry.virial for entry in system.ledger.terms.values()
                      if {OF_ENERGY[name] for name in entry.energies} & self.parts]
            total = sum(wanted, np.zeros(6))
        for name in self.sub_styles:
            own = (name, f"{name} special", f"{name} held")
            total = sum((system.ledger.terms[entry].virial for entry in own if entry in system.ledger.terms), total)
        if "fix" in self.parts:
            total = sum((fix.virial_now() for fix in system.fixes.values() if fix.virial_on), total)
        return total

    @property
    def tail(self) -> float:
        return self.system.pressure_tail() if "pair" in self.parts else 0.0

    def scalar(self) -> float:
        self.check_tally()
        return self._scalar()

    def vector(self) -> np.ndarray:
        self.check_tally()
        return self._vector()

    def pressures(self) -> tuple[float, np.ndarray]:
        """Both, with the last virial there is: a barostat asks at the beginning of a step, before there are new forces."""
        return self._scalar(), self._vector()

    def _scalar(self) -> float:
        system = self.system
        d, volume = system.dimension, system.need_box().volume
        total = float(self.virial()[:d].sum()) if self.parts or self.sub_styles else 0.0
        if self.kinetic:
            heat = self._temperature()
            total += heat.dof * system.units.boltz * heat.kept("scalar")
        return total / (d * volume) * system.units.nktv2p + self.tail

    def _vector(self) -> np.ndarray:
        system = self.system
        total = self.virial() if self.parts or self.sub_styles else np.zeros(6)
        if self.kinetic:
            total = total + self._temperature().kept("vector")
        out = total / system.need_box().volume * system.units.nktv2p
        out[:3] += self.tail
        if system.dimension == 2:
            out[[2, 4, 5]] = 0.0
        return out
