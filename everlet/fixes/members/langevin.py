"""Langevin's thermostat for each of many systems."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.members.base import MemberFix, of_each, ramp_of_each
from everlet.fixes.thermostats.langevin import NO_MEAN
from everlet.fixes.thermostats.langevin_loops import push
from everlet.portable import Kernel, f64, i32, i64, parallel_for, portable, sqrt
from everlet.portable.random import uniforms
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.system import System

STREAMS = 65536  # of random numbers, from one system to the next


@portable
def thermalise_members(i, member: i32[:], v: f64[:, 3], kind: i32[:], id: i64[:], types: i64, first: i64[:], number: i64[:],
                       seed: i64, control: i64[:], start: f64[:], stop: f64[:], begin: i64, end: i64, kick: f64[:],
                       drag: f64[:], mean: f64[:], force: f64[:, 3], f: f64[:, 3]):
    """The force of fix langevin on an atom: noise depends on the seed, the number of its system, its id there and the step.

    mean: zeros and a one, as fix langevin has them, so that its compiler rounds the same sums.
    """
    s = i64(member[i])
    k = types * s + kind[i]
    g = kick[k] * sqrt(ramped(control[STEP], start[s], stop[s], begin, end))
    a, b, c, d = uniforms(seed, id[i] - first[s], control[STEP], STREAMS * number[s])
    x = g * (a - 0.5) - drag[k] * v[i, 0] - mean[0] / mean[3]
    y = g * (b - 0.5) - drag[k] * v[i, 1] - mean[1] / mean[3]
    z = g * (c - 0.5) - drag[k] * v[i, 2] - mean[2] / mean[3]
    push(i, x, y, z, force, f)


FORCE = Kernel(thermalise_members)


class MemberLangevin(MemberFix):
    """F = - m v / damp + noise of the temperature T; temp and damp of each system. Atoms are moved by others: nve."""

    steady = follows_clock = True
    reads, writes = ("v", "f", "type", "id", "member"), ("f",)

    def __init__(self, system: System, id: str, temp: Any, damp: Any, seed: int):
        super().__init__(system, id)
        self.temp = ramp_of_each(temp, self.count, "temp of fix langevin")
        self.damp = of_each(damp, self.count, "damp of fix langevin")
        if (self.damp <= 0.0).any():
            raise InputError("damp of fix langevin must be above zero", "for example 100 time steps")
        self.seed = seed
        self.add_field("force", width=3)
        self.start, self.stop = (self.table(one) for one in self.temp.T)
        self.first, self.number = self.table(self.members.first[:-1], np.int64), self.table(self.members.numbers, np.int64)
        self.mean = self.table(NO_MEAN)
        self.drag, self.kick = (self.table(np.zeros(self.count * (system.ntypes + 1))) for _ in range(2))

    def kernels(self) -> list[Kernel]:
        return [FORCE]

    def init(self) -> None:
        self.new_timestep()

    def new_timestep(self) -> None:
        system, units = self.system, self.system.units
        masses, damp = np.where(system.masses > 0.0, system.masses, 1.0), self.damp[:, None]
        self.drag.put((masses / (damp * units.ftm2v)).ravel())
        self.kick.put((np.sqrt(24.0 * units.boltz * masses / (damp * system.dt * units.mvv2e)) / units.ftm2v).ravel())

    def setup(self) -> None:
        self.post_force()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, FORCE, atoms.view("member"), atoms.view("v"), atoms.view("type"), atoms.view("id"),
                     system.ntypes + 1, self.first, self.number, self.seed, system.space.control, self.start, self.stop,
                     system.run_start, system.run_stop, self.kick, self.drag, self.mean,
                     atoms.view(self.field("force"), modify=True), atoms.view("f", modify=True))

    def swap(self, pairs: Sequence[tuple[int, int]], factors: np.ndarray) -> None:
        for a, b in pairs:
            self.temp[[a, b]] = self.temp[[b, a]]
        self.start.put(self.temp[:, 0])
        self.stop.put(self.temp[:, 1])
