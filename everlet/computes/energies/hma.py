"""Averages of crystals by way of what a harmonic one would have: harmonically mapped averaging.

Moustafa, Schultz and Kofke, Phys. Rev. E 92, 043303 (2015). With d dimensions, N atoms, ways D of atoms from their lattice
sites, forces F, second derivatives H of the energy U, and s = sum F D:

    u     U + s/2 + d (N - 1) k T / 2
    p     P_vir + P_harm + (P_harm / kT - N/V) s / (d (N - 1))
    cv    (u / kT)^2 + d (N - 1)/2 - (s + D H D) / (4 kT), whose mean less (mean of u / kT)^2 is the heat capacity in units of k
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.energies.pe import PE
from everlet.computes.energies.pressure import Pressure
from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, number, one_of
from everlet.forces.pair.single import PairsNear
from everlet.state.operation import EXTENSIVE, INTENSIVE, TALLY, Gives
from everlet.state.system import System
from everlet.state.topology import rows_of

USAGE = "compute ID all hma FIX-ID [anharmonic] [u] [p P_HARM] [cv]"
COUNT = {"anharmonic": 0, "u": 0, "p": 1, "cv": 0}


@compute_style("hma")
class HMA(Compute):
    """compute ID all hma FIX-ID [anharmonic] [u] [p P_HARM] [cv]: what was asked for, in this order. FIX-ID: a thermostat, with
    its temperature T of the begin of a run. Lattice sites are where atoms were when it was defined. anharmonic: without the
    energy and pressure of that lattice (of the first set-up of a run) and without what a harmonic crystal has of u, p and cv.
    """

    uses = TALLY
    copies_scale = False
    keeps = ("lattice", "at_rest")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        if group != "all":
            raise InputError("compute hma is for group all", f"usage: {USAGE}")
        self.heater, words = args[0], list(args[1:])
        self.harmonic = True
        self.asked: list[str] = []
        while words:
            word = one_of("keyword of compute hma", words.pop(0), COUNT, f"usage: {USAGE}")
            arguments(words[: COUNT[word]], COUNT[word], COUNT[word], USAGE)
            if word == "anharmonic":
                self.harmonic = False
            else:
                self.asked.append(word)
            if word == "p":
                self.harmonic_pressure = number(words.pop(0), "a pressure")
        self.gives = Gives(vector=EXTENSIVE, length=len(self.asked),
                           each=tuple(INTENSIVE if word == "p" else EXTENSIVE for word in self.asked))
        self.energy, self.pressure = PE(system, id, "all", []), Pressure(system, id, "all", ["NULL", "virial"])
        self.lattice = self.at_rest = float("nan")  # energy and virial pressure of the lattice
        self.temperature = 0.0
        system.need_box()
        if not self.add_field("site", width=3):
            system.atoms.edit(self.field("site"))[:] = unwrapped(system)

    def setup(self) -> None:
        fix = self.system.fixes.get(self.heater)
        if fix is None:
            raise InputError(f"compute {self.id}: there is no fix '{self.heater}'", "define a thermostat of this name")
        self.temperature = fix.target_now()
        if self.temperature <= 0.0:
            raise InputError(f"compute {self.id}: fix {self.heater} holds a temperature of {self.temperature:g}",
                             "give one above zero")
        if np.isnan(self.lattice):
            self.lattice, self.at_rest = self.energy.scalar(), self.pressure.scalar()

    def new_atoms(self, rows: np.ndarray) -> None:
        raise InputError(f"compute {self.id}: an atom has come, and has no lattice site", "use it where atoms stay the same")

    def vector(self) -> np.ndarray:
        system, atoms, units = self.system, self.system.atoms, self.system.units
        self.check_tally()
        if not self.temperature:
            self.setup()
        heat, free = units.boltz * self.temperature, system.dimension * (system.natoms - 1)
        ways = unwrapped(system) - atoms.read(self.field("site"))
        s = float(system.ranks.sum(np.array([(atoms.read("f") * ways).sum()]))[0])
        rest, lattice = (1.0, 0.0) if self.harmonic else (0.0, self.lattice)
        u = self.energy.scalar() + 0.5 * s - lattice + 0.5 * rest * free * heat
        found = []
        for word in self.asked:
            if word == "u":
                found.append(u)
            elif word == "p":
                slope = (self.harmonic_pressure / heat - system.natoms / system.need_box().volume * units.nktv2p) / free
                found.append(self.pressure.scalar() + slope * s + (self.harmonic_pressure if self.harmonic else -self.at_rest))
            else:
                found.append((u / heat) ** 2 + 0.5 * rest * free - 0.25 * (s + self._curved()) / heat)
        return np.array(found)

    def _curved(self) -> float:
        """D H D."""
        system, user = self.system, f"compute {self.id}"
        if system.kspace is not None or any(style is not None for style in system.bonded.values()):
            raise InputError(f"{user}: cv needs second derivatives of energies of pairs alone", "leave out cv")
        whole, near = system.whole, PairsNear(system, user)
        ways = unwrapped(system, whole) - whole.read(self.field("site"))
        first, second = rows_of(whole, near.ids).T
        w, r = ways[first] - ways[second], np.sqrt(near.r2)
        force, slope = near.slopes()
        along = (w * near.d).sum(axis=1) / r
        mine = -slope * along**2 - force / r * ((w**2).sum(axis=1) - along**2)
        return float(system.ranks.sum(np.array([mine.sum()]))[0])
