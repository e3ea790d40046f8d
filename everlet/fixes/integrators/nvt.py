"""Constant temperature: velocity Verlet with a Nosé–Hoover chain."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.temperatures.temp import KINETIC as SUMS
from everlet.computes.temperatures.temp import Temp
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, COUNT, NOW, SCALE, TEAM, Chain
from everlet.fixes.integrators.nose_hoover.motion import KICK, MOVE, RESCALE
from everlet.fixes.integrators.nose_hoover.rank_sums import sum_over_ranks
from everlet.fixes.integrators.nose_hoover.thermostat import NoseHoover
from everlet.fixes.integrators.nve import kick, kick_drift
from everlet.portable import Kernel, parallel_for, parallel_team
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System


@fix_style("nvt")
class NVT(NoseHoover):
    """fix ID group nvt temp TSTART TSTOP TDAMP [tchain N] [tloop N] [drag D]

    chain for dt/2, v += dt/2 F/m, x += dt v, forces, v += dt/2 F/m, chain for dt/2. The chain at the end of a step and that
    at the beginning of the next are one launch; factors of velocities stay in the memory of the space.

    f_ID      energy that atoms have lost to the chain
    f_ID[k]   values of the links, their rates, potential energies, kinetic energies: so many of each as the chain has links
    """

    name = "nvt"
    gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        words = self.words
        self.chain = Chain(system.space, words.tchain, words.tloop, words.ramp[2], words.drag)
        self.aim: float | None = None  # degrees of freedom that the target of the last step was made with, where they change
        self.gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=4 * words.tchain)

    def kernels(self) -> list[Kernel]:
        return [self.chain.kernel, MOVE, KICK, RESCALE, SUMS, Kernel(kick), Kernel(kick_drift)]

    def init(self) -> None:
        """By kernels alone if the temperature is its own; if not, others may ask for its value of the middle of the step."""
        heat = self.heat
        plain = not heat.biased and not heat.recounts
        self.own = self.heat_id in self.made and type(heat) is Temp and plain  # its sum is one with the kick
        self.steady = self.own and self.system.world.size == 1

    def setup(self) -> None:
        self._set()
        self.aim = None
        kinetic = self.measured(float(self.chain.read()[0][0]))
        self.chain.settle(kinetic, self.ramped(*self.words.ramp[:2]))

    def _set(self) -> None:
        dof = self.heat.dof
        self.chain.set(self.system, dof, dof, self.words.ramp[:2])

    def begin(self) -> None:
        self._set()
        self.chain.prepare(self.system.step)

    def set_target(self, temperature: float) -> None:
        """The half of the chain that was made ahead is made again. Velocities may have been scaled meanwhile: the chain still
        feels those of the last step, as in the reference."""
        self.words.temp = (temperature, temperature, self.words.ramp[2])
        self.begin()

    # ---- the step
    def initial_integrate(self) -> None:
        system = self.system
        if self.heat.biased or self.turns:
            self._scale(AHEAD)
            parallel_for(system.space, system.atoms.n, kick_drift, *self.atoms_views("x", "v", "f", "kind", "mask"), self.bit,
                         self.kicks.by_mass(), system.dt)
            return
        parallel_for(system.space, system.atoms.n, MOVE, *self.atoms_views("x", "v", "f", "kind", "mask"), self.bit,
                     self.kicks.by_mass(), system.dt, self.chain.state, self.chain.size + SCALE, system.atoms.view("type"), 0)

    def level_kick(self, dt: float, moves: bool, begins: bool) -> None:
        """The chain acts before the first kick, and after the last."""
        if begins:
            self._scale(AHEAD)
        self.kicks.give(self.bit, dt, moves)

    def final_integrate(self) -> None:
        system, heat, sums = self.system, self.heat, self.chain.sums
        views = *self.atoms_views("v", "f", "kind", "mask"), self.bit, self.kicks.by_mass()
        parts = -(-system.atoms.n // TEAM) if self.own else 0
        if self.own:
            partial = self.chain.room(parts)
            parallel_team(system.space, parts, KICK, system.atoms.n, self.chain.steps, self.chain.steps, *views,
                          system.masses_view(), partial)
            if system.ranks.size > 1:
                sums.put(sum_over_ranks(system, partial, parts))
                parts = 0
        else:
            parallel_for(system.space, system.atoms.n, kick, *views)
            found = heat.sums()
            heat.note("scalar", heat.from_sums(found))
            sums.put(found)
        if heat.recounts:  # the target of a step is that of the degrees of freedom at its beginning
            self.aim = float(self.chain.parameters.now[COUNT])
            self.chain.set(system, self.aim, heat.dof, self.words.ramp[:2])
            self.chain.launch(NOW, NOW, parts)
            self._set()
            self.chain.launch(AHEAD, AHEAD)
        else:
            self.chain.launch(NOW, AHEAD, parts)
        self._scale(NOW)

    def _scale(self, half: int) -> None:
        system, heat = self.system, self.heat
        if heat.biased:
            heat.take_bias(self.bit, again=True)
        parallel_for(system.space, system.atoms.n, RESCALE, *self.atoms_views("v", "mask"), self.bit, self.chain.state,
                     half * self.chain.size + SCALE, system.atoms.view("type"), 0)
        if heat.biased:
            heat.give_bias(self.bit)

    # ---- what others ask
    def scalar(self) -> float:
        return float(sum(map(np.sum, self.chain.energies(count=self.aim))))

    def vector(self) -> np.ndarray:
        _, eta, rate, _ = self.chain.read()
        return np.concatenate([eta, rate, *self.chain.energies(count=self.aim)])

    def state(self) -> dict[str, Any]:
        (kinetic, _, _), eta, rate, _ = self.chain.read()
        return {"kinetic": float(kinetic), "eta": eta.tolist(), "rate": rate.tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        links, before = self.words.tchain, len(state["eta"])
        if links == before:
            eta, rate = np.array(state["eta"]), np.array(state["rate"])
            self.chain.write(state["kinetic"], 0.0, eta, rate, np.zeros(links))
