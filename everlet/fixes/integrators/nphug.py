"""Compression to a state on the Hugoniot: constant pressure, at the temperature that a steady shock leaves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, number
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, TARGET
from everlet.fixes.integrators.nose_hoover.pressure import TINY, PressureFix
from everlet.state.operation import EXTENSIVE, INTENSIVE, TALLY, Gives
from everlet.state.system import System

GIVEN = ("e0", "v0", "p0")
LEAST = 1e-10  # of the volume: less compression is no shock
COLD = 0.01  # what links of the barostat take for the temperature in the first half step of a run, as in the reference


@fix_style("nphug")
class NPHug(PressureFix):
    """fix ID all nphug temp T T TDAMP iso|aniso|tri|x|y|z P P PDAMP … and the words of fix npt; fix_modify ID e0|v0|p0 VALUE

    As fix npt, where the target of the temperature at each step is T + Delta,

        Delta = [(P + P0) (V0 - V) / 2 + E0 - E] / (N_f k_B)

    (Ravelo et al., Phys. Rev. B 70, 014103 (2004)); P is the pressure, or its component along the one axis that moves; E0, V0
    and P0 are those of the first step unless fix_modify gives them. The temperatures behind temp are not used.

    f_ID     energy that atoms have lost to chains and barostat
    f_ID[k]  Delta, speed of the shock, speed of particles, and then as fix npt
    """

    name = "nphug"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words, shear = self.words, {"xy", "xz", "yz"} & set(args)
        driven = np.flatnonzero(words.driven)
        if shear or (words.deviatoric and len(driven) > 1):
            raise InputError(f"fix {id} nphug compresses along all axes or along one", "use one of iso, aniso, tri, x, y, z")
        if not np.array_equal(words.start, words.stop):
            raise InputError(f"fix {id} nphug holds one pressure", "give the same first and last pressure")
        words.deviatoric = False  # one axis: all of its pressure is in the volume
        self.axis = int(driven[0]) if len(driven) == 1 else -1
        self.e0 = self.v0 = self.p0 = math.nan
        length = 3 + 4 * (words.tchain + self.barostat.shown + words.pchain)
        self.gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=length)

    def needs(self, step: int) -> tuple[str, ...]:
        return TALLY

    def init(self) -> None:
        super().init()
        self.own = self.steady = False  # the host makes the target of each step

    def option(self, word: str, rest: list[str]) -> list[str]:
        if word not in GIVEN:
            return super().option(word, rest)
        if not rest:
            raise InputError(f"fix_modify {word} needs a number", f"usage: fix_modify ID {word} VALUE")
        setattr(self, word, number(rest[0]))
        return rest[1:]

    # ---- the Hugoniot
    def _state(self) -> tuple[float, float, float, float]:
        """Energy, volume, pressure and temperature of now, with the forces of the last evaluation."""
        system, heat, sums = self.system, self.heat, self.heat.sums()
        self._note(sums)
        scalar, tensor = self.press.pressures()
        potential = float(sum(system.energies.values())) + sum(
            fix.scalar() for fix in system.fixes.values() if fix.energy_on and fix is not self)
        temperature = float(heat.from_sums(sums))
        energy = potential + 0.5 * heat.dof * system.units.boltz * temperature
        return energy, system.need_box().volume, float(scalar if self.axis < 0 else tensor[self.axis]), temperature

    def _delta(self, energy: float, volume: float, pressure: float) -> float:
        work = 0.5 * (pressure + self.p0) * (self.v0 - volume) / self.system.units.nktv2p
        return (work + self.e0 - energy) / (self.heat.dof * self.system.units.boltz)

    def setup(self) -> None:
        """Chains and barostat are weighed with the first temperature, once for all."""
        now = self._state()
        for name, value in zip(GIVEN, now, strict=False):
            if math.isnan(getattr(self, name)):
                setattr(self, name, value)
        self.weight = self.weight or now[3]
        if self.weight < TINY:
            raise InputError(f"fix {self.id}: the temperature is too near to 0 to weigh the barostat", "give velocities")
        assert self.chain is not None
        goes_on = self.system.continues and float(self.chain.read()[0][TARGET])
        target = goes_on or self.weight
        self.words.temp = (target, target, self.words.ramp[2])
        super().setup()
        if not goes_on:
            self.target = COLD

    def initial_integrate(self) -> None:
        energy, volume, pressure, temperature = self._state()
        target = temperature + self._delta(energy, volume, pressure)
        self.words.temp = (target, target, self.words.ramp[2])
        self._set()
        assert self.chain is not None
        self.chain.launch(AHEAD, AHEAD)
        super().initial_integrate()

    # ---- what others ask
    def vector(self) -> np.ndarray:
        if math.isnan(self.e0):
            return np.zeros(self.gives.length)
        energy, volume, pressure, _ = self._state()
        system, strain = self.system, 1.0 - volume / self.v0
        density = float(system.ranks.sum(float(system.masses_of().sum()))) / self.v0 * system.units.mvv2e * system.units.nktv2p
        speed = math.sqrt(max(pressure - self.p0, 0.0) / (density * strain)) if strain > LEAST else 0.0
        return np.concatenate([[self._delta(energy, volume, pressure), speed, speed * strain], super().vector()])

    def state(self) -> dict[str, Any]:
        return {**super().state(), "weight": self.weight, "given": [getattr(self, name) for name in GIVEN]}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.weight = state["weight"]
        for name, value in zip(GIVEN, state["given"], strict=True):
            setattr(self, name, value)
