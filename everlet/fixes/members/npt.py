"""Constant temperature and pressure of each of many systems: fix npt iso, with a chain and a barostat each.

What one box has is in integrators/nose_hoover/pressure.py and barostat.py; here the same stands in rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.computes.of_members import OfMembers
from everlet.errors import InputError
from everlet.fixes.integrators.nose_hoover import box_loops as loops
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, NOW, SCALE
from everlet.fixes.integrators.nose_hoover.motion import RESCALE_MANY
from everlet.fixes.integrators.nose_hoover.thermostat import UNCHANGED
from everlet.fixes.integrators.nve import Kicks
from everlet.fixes.members.base import MemberFix, of_each, ramp_of_each
from everlet.fixes.members.deform import REACH
from everlet.fixes.members.npt_loops import CELLS, FOLLOW, KICK, MOVE, STRAIN
from everlet.fixes.members.nvt import Chains
from everlet.portable import Kernel, View, parallel_for, parallel_team
from everlet.state.operation import VIRIAL
from everlet.state.system import System

LINKS = 3  # of both chains


class MemberNPT(MemberFix):
    """temp, damp, press and pdamp of each system; edges grow together about the middles of boxes, tilts with them."""

    steady = integrates = changes_box = needs_tally = True
    reads, writes = ("x", "v", "f", "type", "mask", "member"), ("x", "v")

    def __init__(self, system: System, id: str, temp: Any, damp: Any, press: Any, pdamp: Any):
        super().__init__(system, id)
        self.temp = ramp_of_each(temp, self.count, "temp of fix npt")
        self.press = ramp_of_each(press, self.count, "press of fix npt", None)
        tau, self.slow = (of_each(one, self.count, f"{name} of fix npt") for one, name in ((damp, "damp"), (pdamp, "pdamp")))
        if min(self.temp.min(), tau.min(), self.slow.min()) <= 0.0:
            raise InputError("temp, damp and pdamp of fix npt must be above zero", "for example 100 and 1000 time steps")
        if not all(all(box.periodic) for box in self.members.boxes):
            raise InputError("fix npt changes edges that are not periodic", "use fix nvt, or periodic boxes")
        self.chains, self.links = (Chains(system, LINKS, 1, one, 0.0) for one in (tau, self.slow))
        for chain in (self.chains, self.links):  # told of sums along x, y and z
            chain.begins.put(np.zeros(self.count + 1, np.int64))
        self.kicks, self.of = Kicks(system), OfMembers(system)
        self.numbers, self.given, self.strain, self.cells = (
            self.table(np.zeros(size * self.count)) for size in (loops.NUMBERS, loops.PARAMETERS, STRAIN, CELLS))
        self.steps = View(self.count, np.int64, system.space)
        self.points = np.array([0.5 * (box.lo + box.hi) for box in self.members.boxes])
        self.weight = self.temp[:, 0]

    def kernels(self) -> list[Kernel]:
        return [FOLLOW, MOVE, REACH, RESCALE_MANY, self.chains.kernel, *self.of.kernels()]

    def needs(self, step: int) -> tuple[str, ...]:
        return (VIRIAL,)

    def _rows(self) -> np.ndarray:
        return np.array(self.numbers.get()).reshape(self.count, -1)

    def init(self) -> None:
        if any(fix is not self and fix.changes_box for fix in self.system.fixes.values()):
            raise InputError("fix npt and fix deform both change the boxes of a batch", "remove one of them")

    def setup(self) -> None:
        system, units = self.system, self.system.units
        apart = [term.name for term in system.evaluator.terms if not term.by_atom]
        if apart:
            raise InputError(f"fix npt of a batch needs virials of each system at each step, which {apart[0]} has not",
                             "use fix nvt, or run each system in a Simulation")
        sums = np.array(system.space.to_host(self.of.sum_kinetic().data)).reshape(-1, 7)[:, :6]
        kept = self.chains.read()[:, 0]
        kinetic = units.mvv2e * sums[:, :3].sum(axis=1)
        same = np.abs(kinetic - kept) <= UNCHANGED * kept
        rows, target = self._rows(), self.ramped(self.temp)
        rows[:, loops.SCALED : loops.OTHERS] = np.where(same[:, None], rows[:, loops.SCALED : loops.OTHERS], sums)
        rows[:, loops.MEASURED] = kinetic = np.where(same, kept, kinetic)
        self.weight = target
        factor = self.links.read()[:, SCALE]  # of the end of the last step, which settle may forget
        rows[:, loops.RATE : loops.RATE + 3] *= np.where(factor > 0.0, factor, 1.0)[:, None]
        self.numbers.put(rows.ravel())
        self._set()
        self.chains.settle(kinetic, target)
        self.links.settle(self._mass() * (rows[:, loops.RATE : loops.RATE + 3] ** 2).sum(axis=1), target)
        state = np.array(self.links.state.get()).reshape(self.count, 2, -1)
        state[:, :, SCALE] = 1.0
        self.links.state.put(state.ravel())
        self._follow(loops.AIM)

    def _mass(self) -> np.ndarray:
        return (self.members.sizes + 1) * self.system.units.boltz * self.weight * self.slow**2

    def _set(self) -> None:
        system, units, count = self.system, self.system.units, self.count
        self.chains.set(self.degrees(), self.temp)
        self.links.set(np.ones(count), self.temp)
        self.links.parameters[:, [7, 12, 13]] = np.stack([np.ones(count), self.weight, np.zeros(count)], axis=1)
        self.links.given.put(self.links.parameters.ravel())
        one, none = np.ones(count), np.zeros(count)
        tilted = np.array([float(box.triclinic) for box in self.members.boxes])
        mass = [self._mass()] * 3 + [one] * 3
        wanted = [side for column in self.press.T for side in [column] * 3 + [none] * 3]
        rows = [system.dt * one, one, units.nktv2p * one, units.mvv2e * one, self.members.sizes, 3.0 * one, one, one, none,
                none, none, system.run_start * one, system.run_stop * one, none, one, one, one, tilted, *[one] * 3, *[none] * 3,
                *mass, *wanted, *[one] * 3, *[one] * 3, *self.points.T, *[one] * 3]
        self.given.put(np.stack(rows, axis=1).astype(float).ravel())
        self.steps.put(np.full(count, system.step))

    def begin(self) -> None:
        self._set()
        self.chains.prepare(self.system.step)
        self.links.prepare(self.system.step)

    def new_timestep(self) -> None:
        self.begin()

    def _follow(self, phase: int) -> None:
        sums, chains, links = self.system.evaluator.sums, self.chains, self.links
        parallel_team(self.system.space, self.count, FOLLOW, phase, len(sums.tallies), self.count, sums.view, self.given,
                      chains.state, chains.size, links.state, links.size, self.steps, self.numbers, self.members.view,
                      self.strain, self.cells, chains.sums, links.sums)

    def _views(self, *names: str) -> list[View]:
        return [self.system.atoms.view(name, modify=name in self.writes) for name in names]

    def initial_integrate(self) -> None:
        system, members, chains = self.system, self.members, self.chains
        self._follow(loops.BEFORE)
        parallel_for(system.space, system.atoms.n, MOVE, *self._views("x", "v", "f", "type", "member"), self.kicks.by_mass(),
                     system.dt, chains.state, chains.size, self.strain, self.cells)
        parallel_for(system.space, self.count, REACH, system.evaluator.neighbor.skin, members.built, members.view,
                     members.reach2)
        if system.space.queue is None:
            self.take_box()

    def final_integrate(self) -> None:
        system, chains = self.system, self.chains
        self.members.rows.reduce(KICK, *self._views("v", "f", "type", "member"), self.kicks.by_mass(), system.masses_view(),
                                 self.strain, into=self.numbers, at=loops.SCALED, stride=loops.NUMBERS)
        self._follow(loops.AFTER)
        chains.launch(NOW, AHEAD)
        self.links.launch(NOW, AHEAD)
        parallel_for(system.space, system.atoms.n, RESCALE_MANY, *self._views("v", "mask"), self.bit, chains.state, SCALE,
                     *self._views("member"), 2 * chains.size)

    def take_box(self) -> None:
        if not self.system.space.separate_memory:
            self.members.take()

    def end_of_run(self) -> None:
        self.members.take()

    def swap(self, pairs: Sequence[tuple[int, int]], factors: np.ndarray) -> None:
        for a, b in pairs:
            self.temp[[a, b]] = self.temp[[b, a]]
        self.chains.scale(factors)
        rows = self._rows()
        rows[:, loops.SCALED : loops.OTHERS] *= factors[:, None] ** 2
        self.numbers.put(rows.ravel())

    def keep(self) -> dict[str, np.ndarray]:
        return {name: np.array(one.get()).reshape(self.count, -1) for name, one in self._tables().items()}

    def _tables(self) -> dict[str, View]:
        return {"state": self.chains.state, "links": self.links.state, "numbers": self.numbers}

    def put(self, kept: dict[str, np.ndarray]) -> None:
        for name, one in self._tables().items():
            one.put(np.ascontiguousarray(kept[name]).ravel())

