"""Generalised Langevin dynamics: friction that remembers."""
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve import Kicks, kicked, move_on, set_velocity
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import NoisyMotion
from everlet.portable import Constants, Kernel, f64, i32, i64, local, parallel_for, portable, sqrt
from everlet.portable.random import normals
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = "fix ID group gld T_START T_STOP TERMS SEED pprony C_1 TAU_1 … [frozen yes|no] [zero no]"
STREAMS = 1 << 20  # streams of a term are so far from those of the next


@portable
def remembered(i: i64, s: f64[:], v: f64[:, 3], f: f64[:, 3], k: f64):
    """The velocity after a kick by the force and all memories."""
    vx, vy, vz = kicked(i, v, f, k)
    for a in range(TERMS):
        vx += k * s[(TERMS * i + a) * 3]
        vy += k * s[(TERMS * i + a) * 3 + 1]
        vz += k * s[(TERMS * i + a) * 3 + 2]
    return vx, vy, vz


@local
@portable
def forget(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], s: f64[:], kind: i32[:], mask: i32[:], bit: i32, id: i64[:], seed: i64,
           stream: i64, control: i64[:], start: f64, stop: f64, begin: i64, end: i64, kick: f64[:], dt: f64, terms: f64[:]):
    """v += dt/2 (F + sum s)/m, x += dt v, and each s goes on by dt; the clock is still at the step before."""
    if mask[i] & bit:
        vx, vy, vz = remembered(i, s, v, f, kick[kind[i]])
        heat = sqrt(ramped(control[STEP] + 1, start, stop, begin, end))
        for a in range(TERMS):
            p, q, r, t = normals(seed, id[i], control[STEP] + 1, stream + STREAMS * a)
            place = (TERMS * i + a) * 3
            left = terms[3 * a]
            drag = terms[3 * a + 1]
            noise = heat * terms[3 * a + 2]
            s[place] = left * s[place] - drag * vx + noise * p
            s[place + 1] = left * s[place + 1] - drag * vy + noise * q
            s[place + 2] = left * s[place + 2] - drag * vz + noise * r
        move_on(i, x, v, vx, vy, vz, dt)


@local
@portable
def kick_on(i, v: f64[:, 3], f: f64[:, 3], s: f64[:], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:]):
    if mask[i] & bit:
        vx, vy, vz = remembered(i, s, v, f, kick[kind[i]])
        set_velocity(i, v, vx, vy, vz)


@fix_style("gld")
class GLD(NoisyMotion):
    """fix ID group gld T_START T_STOP TERMS SEED pprony C_1 TAU_1 … [frozen yes|no] [zero no]: moves atoms.

    Baczewski and Bond, J. Chem. Phys. 139, 044107 (2013). The friction at time t after a velocity is sum of C_k/TAU_k
    exp(-t/TAU_k), C_k in units of mass over time, with a memory s_k of each atom, direction and term:

        v += dt/2 (F + sum s_k) / m      x += dt v      s_k = e s_k - (1 - e) C_k v + sqrt(k T C_k (1 - e^2)/TAU_k) xi
        e = exp(-dt/TAU_k)      forces      v += dt/2 (F + sum s_k) / m

    Memories begin with the distribution that they have at T_START, with frozen yes at 0. Numbers xi are normal and follow from
    the seed, the id and the step.
    """

    steady = follows_clock = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 7, None, USAGE)
        self.target = Ramp(system, args[0], args[1], "a temperature")
        count, self.seed = integer(args[2], "a number of terms"), integer(args[3], "a seed")
        one_of("memory of fix gld", args[4], ("pprony",), f"usage: {USAGE}")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        arguments(args[5:], 2 * count if count > 0 else 2, None, USAGE)
        if count < 1:
            raise InputError(f"fix gld: {count} terms of friction", "give one or more")
        values = np.array([number(word, "a number of the friction") for word in args[5 : 5 + 2 * count]]).reshape(-1, 2)
        self.sizes, self.times = values.T
        if self.sizes.min() < 0.0 or self.times.min() <= 0.0:
            raise InputError("fix gld: a C below 0 or a TAU that is not above 0", "correct them")
        self.frozen, words = False, list(args[5 + 2 * count :])
        while words:
            word = one_of("keyword of fix gld", words.pop(0), ("frozen", "zero"), f"usage: {USAGE}")
            arguments(words, 1, None, USAGE)
            given = yes_no(words.pop(0), f"fix gld {word}")
            if word == "frozen":
                self.frozen = given
            elif given:
                raise InputError("fix gld: zero yes is not available: the sum of all noise is not taken off", "leave it out")
        self.kicks, self.terms = Kicks(system), Constants(3 * count, system.space)
        self.known = self.add_field("memory", width=3 * count)
        statics = (("TERMS", count), ("STREAMS", STREAMS))
        self.first, self.last = Kernel(forget, statics=statics), Kernel(kick_on, statics=(("TERMS", count),))

    def kernels(self) -> list[Kernel]:
        return [self.first, self.last]

    def init(self) -> None:
        self.choose_numbers(listed=False)
        self.new_timestep()
        if not self.known:
            self.new_atoms(np.arange(self.system.atoms.n))
        self.known = True

    def new_timestep(self) -> None:
        system, units = self.system, self.system.units
        left = np.exp(-system.dt / self.times)
        drag = self.sizes / units.ftm2v
        noise = np.sqrt(units.boltz * drag * (1.0 - left**2) / self.times)
        self.terms.set(np.stack([left, (1.0 - left) * drag, noise], axis=1).ravel())

    def new_atoms(self, rows: np.ndarray) -> None:
        """Memories of atoms that come, by their ids."""
        system, atoms = self.system, self.system.atoms
        if self.frozen:
            return
        units = system.units
        width = np.sqrt(units.boltz * self.target.now() * self.sizes / units.ftm2v / self.times)
        for row in rows.tolist():
            stream = np.random.default_rng([self.seed, int(atoms.read("id")[row])])
            atoms.edit(self.field("memory"))[row] = np.repeat(width, 3) * stream.standard_normal(3 * len(width))

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        if system.space.queue is None and system.space.tape is None:
            self.replayed()
        parallel_for(system.space, atoms.n, self.first, atoms.view("x", modify=True), atoms.view("v", modify=True),
                     atoms.view("f"), atoms.view(self.field("memory"), modify=True).flat(), system.mass_kind(),
                     atoms.view("mask"), self.bit, atoms.view("id"), self.seed, self.stream, system.space.control,
                     *self.target.arguments(), self.kicks.by_mass(), system.dt, self.terms.view)

    def final_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, self.last, atoms.view("v", modify=True), atoms.view("f"),
                     atoms.view(self.field("memory")).flat(), system.mass_kind(), atoms.view("mask"), self.bit,
                     self.kicks.by_mass())

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached = state["stream"], state["reached"]
