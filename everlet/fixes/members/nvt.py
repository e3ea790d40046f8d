"""Constant temperature of each of many systems: velocity Verlet with a Nosé–Hoover chain each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.computes.of_members import OfMembers
from everlet.errors import InputError
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, FIRST, GIVEN, NOW, ROUNDED, SCALE, TEAM, chain_kernel
from everlet.fixes.integrators.nose_hoover.motion import KICK_MANY, MOVE_MANY, RESCALE_MANY
from everlet.fixes.integrators.nose_hoover.thermostat import UNCHANGED
from everlet.fixes.integrators.nve import Kicks
from everlet.fixes.members.base import MemberFix, of_each, ramp_of_each
from everlet.portable import Kernel, View, parallel_for, parallel_team
from everlet.state.system import System


class Chains:
    """A chain for each system: what Chain is for one (integrators/nose_hoover/chain.py), in rows."""

    def __init__(self, system: System, links: int, loops: int, tau: np.ndarray, drag: float):
        self.system, self.links, self.loops, self.tau, self.drag = system, links, loops, tau, drag
        space, members = system.space, system.members
        assert members is not None
        self.count, self.size, self.kernel = members.count, FIRST + 3 * links, chain_kernel(links, many=True)
        teams = np.maximum(-(-members.sizes // TEAM), 1)
        begins = np.concatenate([[0], np.cumsum(teams)])
        number = np.arange(begins[-1]) - np.repeat(begins[:-1], teams)
        first = np.repeat(members.first[:-1], teams) + TEAM * number
        self.teams = int(begins[-1])
        self.begins, self.first, self.last = (View(len(one), np.int64, space) for one in (begins, first, first))
        self.begins.put(begins)
        self.first.put(first)
        self.last.put(np.minimum(first + TEAM, np.repeat(members.first[1:], teams)))
        self.partial = View(self.teams, np.float64, space)
        self.given, self.sums = View(GIVEN * self.count, np.float64, space), View(7 * self.count, np.float64, space)
        self.steps, self.state = View(self.count, np.int64, space), View(2 * self.size * self.count, np.float64, space)
        self.parameters = np.zeros((self.count, GIVEN))

    def set(self, degrees: np.ndarray, ramp: np.ndarray) -> None:
        system, units = self.system, self.system.units
        drag = 1.0 - system.dt * self.drag / (self.tau * self.loops)
        rows = [degrees, degrees, units.boltz, self.tau, drag, system.dt, self.loops, units.mvv2e, *ramp.T, system.run_start,
                system.run_stop, 0.0, 1.0]
        self.parameters = np.stack([np.broadcast_to(row, self.count) for row in rows], axis=1).astype(float)
        self.given.put(self.parameters.ravel())

    def launch(self, first: int, last: int) -> None:
        parallel_team(self.system.space, self.count, self.kernel, first, last, 0, self.begins, self.partial, self.given,
                      self.sums, self.steps, self.state, self.sums, 0, 0)

    def prepare(self, step: int) -> None:
        self.steps.put(np.full(self.count, step))
        self.launch(AHEAD, AHEAD)

    def read(self) -> np.ndarray:
        """(systems, size): the present states."""
        return np.array(self.system.space.to_host(self.state.data)).reshape(self.count, 2, self.size)[:, NOW]

    def scale(self, factors: np.ndarray) -> None:
        """Velocities of systems were multiplied by these."""
        rows = np.array(self.system.space.to_host(self.state.data)).reshape(self.count, 2, self.size)
        rows[:, :, 0] *= factors[:, None] ** 2
        self.state.put(rows.ravel())

    def settle(self, kinetic: np.ndarray, target: np.ndarray) -> None:
        """States with these kinetic energies and targets, and the forces on the links that follow (Chain.settle)."""
        links, now = self.links, self.read()
        before, rate, last = now[:, 0], now[:, FIRST + links : FIRST + 2 * links], now[:, FIRST + 2 * links :]
        light = self.system.units.boltz * target * self.tau**2
        mass = light[:, None] * np.concatenate([self.parameters[:, 1:2], np.ones((self.count, links - 1))], axis=1)
        push = np.zeros((self.count, links))
        push[:, 1:] = (mass[:, :-1] * rate[:, :-1] ** 2 - (self.system.units.boltz * target)[:, None]) / mass[:, 1:]
        same = np.abs(push - last)[:, 1:] <= ROUNDED * (np.abs(push[:, 1:]) + 1.0 / self.tau[:, None] ** 2)
        push[:, 1:] = np.where(same, last[:, 1:], push[:, 1:])
        now = now.copy()
        now[:, SCALE] = np.where(kinetic == before, now[:, SCALE], 1.0)
        now[:, 0], now[:, 1], now[:, FIRST + 2 * links :] = kinetic, target, push
        self.state.put(np.stack([now, now], axis=1).ravel())


class MemberNVT(MemberFix):
    """chain for dt/2, v += dt/2 F/m, x += dt v, forces, v += dt/2 F/m, chain for dt/2; temp and damp of each system."""

    steady = integrates = True
    reads, writes = ("x", "v", "f", "type", "mask", "member"), ("x", "v")

    def __init__(self, system: System, id: str, temp: Any, damp: Any, tchain: int = 3, tloop: int = 1, drag: float = 0.0):
        super().__init__(system, id)
        self.temp = ramp_of_each(temp, self.count, "temp of fix nvt")
        if (self.temp <= 0.0).any():
            raise InputError("temp of fix nvt must be above zero", "use fix nve for motion without a thermostat")
        tau = of_each(damp, self.count, "damp of fix nvt")
        if (tau <= 0.0).any():
            raise InputError("damp of fix nvt must be above zero", "for example 100 time steps")
        self.chains, self.kicks = Chains(system, tchain, tloop, tau, drag), Kicks(system)
        self.of = OfMembers(system)

    def kernels(self) -> list[Kernel]:
        return [self.chains.kernel, MOVE_MANY, KICK_MANY, RESCALE_MANY, *self.of.kernels()]

    def setup(self) -> None:
        chains, units = self.chains, self.system.units
        chains.set(self.degrees(), self.temp)
        sums = np.array(self.system.space.to_host(self.of.sum_kinetic().data)).reshape(-1, 7)
        kinetic, kept = units.mvv2e * (sums[:, 0] + sums[:, 1] + sums[:, 2]), chains.read()[:, 0]
        chains.settle(np.where(np.abs(kinetic - kept) <= UNCHANGED * kept, kept, kinetic), self.ramped(self.temp))

    def begin(self) -> None:
        self.chains.set(self.degrees(), self.temp)
        self.chains.prepare(self.system.step)

    def new_timestep(self) -> None:
        self.begin()

    def _views(self, *names: str) -> list[View]:
        return [self.system.atoms.view(name, modify=name in self.writes) for name in names]

    def initial_integrate(self) -> None:
        system, chains = self.system, self.chains
        parallel_for(system.space, system.atoms.n, MOVE_MANY, *self._views("x", "v", "f", "type", "mask"), self.bit,
                     self.kicks.by_mass(), system.dt, chains.state, chains.size + SCALE, *self._views("member"),
                     2 * chains.size)

    def final_integrate(self) -> None:
        system, chains = self.system, self.chains
        parallel_team(system.space, chains.teams, KICK_MANY, 0, chains.first, chains.last,
                      *self._views("v", "f", "type", "mask"), self.bit, self.kicks.by_mass(), system.masses_view(),
                      chains.partial)
        chains.launch(NOW, AHEAD)
        parallel_for(system.space, system.atoms.n, RESCALE_MANY, *self._views("v", "mask"), self.bit, chains.state, SCALE,
                     *self._views("member"), 2 * chains.size)

    def swap(self, pairs: Sequence[tuple[int, int]], factors: np.ndarray) -> None:
        for a, b in pairs:
            self.temp[[a, b]] = self.temp[[b, a]]
        self.chains.scale(factors)

    def keep(self) -> dict[str, np.ndarray]:
        return {"state": np.array(self.chains.state.get()).reshape(self.count, -1)}

    def put(self, kept: dict[str, np.ndarray]) -> None:
        self.chains.state.put(np.ascontiguousarray(kept["state"]).ravel())

    def energy(self) -> np.ndarray:
        """That each system has lost to its chain."""
        links, now = self.chains.links, self.chains.read()
        kt = self.system.units.boltz * now[:, 1:2]
        counts = np.concatenate([self.degrees()[:, None], np.ones((self.count, links - 1))], axis=1)
        mass = kt * self.chains.tau[:, None] ** 2 * counts
        return (counts * kt * now[:, FIRST : FIRST + links]).sum(axis=1) + (
            0.5 * mass * now[:, FIRST + links : FIRST + 2 * links] ** 2).sum(axis=1)
