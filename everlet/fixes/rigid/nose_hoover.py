"""Rigid bodies whose motion and turning have chains of thermostats."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.rigid import ensemble_loops as loops
from everlet.fixes.rigid import kernels
from everlet.fixes.rigid.base import RigidBodies
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.views import Constants
from everlet.state.clock import ramped
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

NO_INERTIA = 1e-7


def weights(order: int) -> list[float]:
    """Of Yoshida and Suzuki: parts of a step, some of them negative."""
    if order == 3:
        w = 1.0 / (2.0 - 2.0 ** (1.0 / 3.0))
        return [w, 1.0 - 2.0 * w, w]
    w = 1.0 / (4.0 - 4.0 ** (1.0 / 3.0))
    return [w, w, 1.0 - 4.0 * w, w, w]


class ThermalBodies(RigidBodies):
    """fix ID group rigid/nvt[/small] … temp TSTART TSTOP TDAMP [tparam LINKS LOOPS 3|5]

    f_ID: energy that bodies have lost to the chains
    """

    symplectic = couples = True
    must_match = ()  # as in fix nvt and npt

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.gives = Gives(scalar=EXTENSIVE) if self.small else Gives(scalar=EXTENSIVE, array=INTENSIVE)
        space, words = system.space, self.words
        self.state_view = View(loops.FIRST + 6 * words.links, np.float64, space)
        self.scale, self.sums, self.steps = View(7, np.float64, space), View(2, np.float64, space), View(1, np.int64, space)
        self.given = Constants(loops.FIRST_WEIGHT + 5, space)

    def kernels(self) -> list[Kernel]:
        return [*self._common(), loops.ADVANCE, loops.FINISH, loops.CHAINS]

    # ---- before a run
    @property
    def counts(self) -> tuple[float, float]:
        """Degrees of freedom of motion and turning."""
        if self.system.dimension == 2:
            return 2.0 * self.count, float((self.moments[:, 2] > 0.0).sum()) if self.count else 0.0
        return 3.0 * self.count, float((self.moments > 0.0).sum()) if self.count else 0.0

    def setup(self) -> None:
        super().setup()
        if self.words.temp:
            self._settle()

    def _settle(self) -> None:
        """Forces on the links that follow from their rates."""
        links, state = self.words.links, self.state_view.get()
        target = ramped(self.system.step, *self.words.ramp[:2], self.system.run_start, self.system.run_stop)
        kt = self.system.units.boltz * target
        light = kt * self.words.ramp[2] ** 2
        for kind, count in enumerate(self.counts):
            first = loops.FIRST + 3 * links * kind
            rate, mass = state[first + links : first + 2 * links], np.array([count * light] + [light] * (links - 1))
            state[first + 2 * links + 1 : first + 3 * links] = (mass[:-1] * rate[:-1] ** 2 - kt) / light
        state[loops.TARGET] = target
        self.state_view.put(state)

    def begin(self) -> None:
        system, words, units = self.system, self.words, self.system.units
        if words.temp:
            parts = weights(words.order)
            self.given.set([words.links, words.loops, units.boltz, words.ramp[2], system.dt, units.mvv2e, *words.ramp[:2],
                            system.run_start, system.run_stop, *self.counts, len(parts), *parts, *[0.0] * (5 - len(parts))])
        self.steps.put(np.array([system.step]))
        self.scale.put(self.kept_scale if self.resumes else np.array([*self._factors(), *[system.dt] * 3]))

    def _factors(self) -> list[float]:
        """Of velocities and momenta in half a step."""
        if not self.words.temp:
            return [1.0] * 4
        state, links = self.state_view.get(), self.words.links
        motion, turning = np.exp(-0.5 * self.system.dt * state[[loops.FIRST + links, loops.FIRST + 4 * links]])
        return [motion] * 3 + [turning]

    # ---- the step
    def initial_integrate(self) -> None:
        self.follow_box()
        self._advance()
        self._place(kernels.MOVE, 0)

    def _advance(self) -> None:
        system = self.system
        parallel_reduce(system.space, self.count, loops.ADVANCE, system.dt, self.half, self.scale, self.body, into=self.sums)
        if self.words.temp:
            parallel_for(system.space, 1, loops.CHAINS, self.given.view, self.sums, self.steps, self.state_view, self.scale)

    def final_integrate(self) -> None:
        self._late()
        parallel_reduce(self.system.space, self.count, loops.FINISH, self.half, self.scale, self.body, into=self.sums)
        self._place(kernels.TURN, 6)

    # ---- what others ask
    def scalar(self) -> float:
        if not self.words.temp:
            return 0.0
        state, links = self.state_view.get(), self.words.links
        kt, energy = self.system.units.boltz * state[loops.TARGET], 0.0
        light = kt * self.words.ramp[2] ** 2
        for kind, count in enumerate(self.counts):
            eta, rate, _ = state[loops.FIRST + 3 * links * kind :][: 3 * links].reshape(3, links)
            weight = np.array([count] + [1.0] * (links - 1))
            energy += float((weight * (kt * eta + 0.5 * light * rate**2)).sum())
        return energy

    def state(self) -> dict[str, Any]:
        return {**super().state(), "chains": self.state_view.get().tolist(), "scale": self.scale.get().tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        if len(state["chains"]) == self.state_view.shape[0]:
            self.state_view.put(np.array(state["chains"]))
        self.kept_scale = np.array(state["scale"])
