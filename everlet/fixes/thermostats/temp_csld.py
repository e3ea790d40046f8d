"""Stochastic velocities: Bussi, Parrinello, Phys. Rev. E 75, 056707 (2007)."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.base import fix_style
from everlet.fixes.thermostats.base import Stochastic
from everlet.state.random import Marsaglia
from everlet.state.system import System


@fix_style("temp/csld")
class CSLD(Stochastic):
    """fix ID group temp/csld T_START T_STOP DAMP SEED: with c = exp(-dt/DAMP) and random velocities g of temperature T_g,
    v = c v + sqrt((1-c^2) T_target/T_g) g at the end of a step.

    As T_g is that of the numbers drawn, the variance of kinetic energies is too small by up to dt/DAMP, in LAMMPS too.
    The numbers are those of LAMMPS (RANMAR) in the order of storage; each rank has a stream of its own. It works on the host.
    """

    name = "temp/csld"
    ordered = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.stream = Marsaglia(self.seed + system.world.rank)

    def init(self) -> None:
        super().init()
        self.steady = False

    def setup(self) -> None:
        """Velocities are drawn, not scaled: atoms may be at rest."""

    def end_of_step(self) -> None:
        system, heat = self.system, self.temperature
        half = 0.5 * heat.dof * system.units.boltz
        before = half * heat.now("scalar")
        rows = np.flatnonzero(system.atoms.read("mask") & self.bit)
        heat.take_bias(self.bit)
        old = system.atoms.read("v")[rows].copy()
        heat.give_bias(self.bit)
        real = system.atoms.read("v")[rows].copy()
        inverse = 1.0 / np.sqrt(system.masses_of()[rows])
        drawn = self.stream.gaussians(3 * len(rows)).reshape(-1, 3) * inverse[:, None]
        system.atoms.edit("v")[rows] = drawn
        keep = float(np.exp(-system.dt / self.damp))
        share = np.sqrt((1.0 - keep * keep) * self.target.now() / heat.scalar())
        system.atoms.edit("v")[rows] = keep * old + share * drawn + (real - old)
        self.energy.put([self.scalar() + before - half * heat.now("scalar")])

    def state(self) -> dict[str, Any]:
        return super().state() | {"stream": self.stream.mark(), "kept": self.stream.kept}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.stream.back(state["stream"], 0)
        self.stream.kept = state["kept"]
