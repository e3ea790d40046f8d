"""Motion without inertia: forces against friction, and noise."""
# ruff: noqa: F821

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve import move_on
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import Noisy
from everlet.portable import Constants, Kernel, View, f64, i32, i64, parallel_for, portable
from everlet.portable.random import normals, uniforms
from everlet.state.control import STEP
from everlet.state.random import Marsaglia
from everlet.state.system import System

WIDE = math.sqrt(12.0)  # a number between -1/2 and 1/2 times this has the variance 1
NOISES = ("uniform", "gaussian", "none")
TURNING = 1 << 20  # streams of the noise that turns


@portable
def noise_of(i, first: i64, id: i64[:], seed: i64, stream: i64, listed: f64[:, 6], control: i64[:]):
    """Three numbers of the variance 1."""
    a = 0.0
    b = 0.0
    c = 0.0
    if NOISE > 0:
        if DRAWN:
            a = listed[i, first]
            b = listed[i, first + 1]
            c = listed[i, first + 2]
        if not DRAWN:
            if NOISE == 1:
                a, b, c, d = uniforms(seed, id[i], control[STEP] + 1, stream)
                a = WIDE * (a - 0.5)
                b = WIDE * (b - 0.5)
                c = WIDE * (c - 0.5)
            if NOISE == 2:
                a, b, c, d = normals(seed, id[i], control[STEP] + 1, stream)
    return a, b, c


@portable
def creep(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], mask: i32[:], bit: i32, id: i64[:], seed: i64, stream: i64,
          listed: f64[:, 6], control: i64[:], factors: f64[:], dt: f64):
    """v = F / gamma + noise, x += dt v. factors: of the force, of the noise, of z."""
    if mask[i] & bit:
        a, b, c = noise_of(i, 0, id, seed, stream, listed, control)
        vx = factors[0] * f[i, 0] + factors[1] * a
        vy = factors[0] * f[i, 1] + factors[1] * b
        vz = factors[2] * (factors[0] * f[i, 2] + factors[1] * c)
        move_on(i, x, v, vx, vy, vz, dt)


@fix_style("brownian")
class Brownian(Noisy):
    """fix ID group brownian T SEED gamma_t G [rng uniform|gaussian|none]

    dx = F dt / G + sqrt(2 k_B T dt / G) xi, v = dx / dt; xi is uniform or normal with the variance 1. Numbers are as those of
    fix langevin: of LAMMPS on one core, elsewhere by seed, id and step.
    """

    steady = integrates = follows_clock = True
    reads: tuple[str, ...] = ("x", "v", "f", "mask", "id")
    writes: tuple[str, ...] = ("x", "v")
    name = "brownian"
    words: tuple[str, ...] = ("gamma_t", "rng")
    usage = "fix ID group brownian T SEED gamma_t G [rng uniform|gaussian|none]"
    turns = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, self.usage)
        self.target = Ramp(system, args[0], args[0], "a temperature")
        self.temperature, self.seed = number(args[0], "a temperature"), integer(args[1], "a seed")
        self.ranmar = Marsaglia(self.seed)  # refuses seeds that are too small or large
        self.given: dict[str, float] = {}
        self.noise, self.planar = "uniform", False
        self._keywords(list(args[2:]))
        for word in self.words:
            if word in ("gamma_t", "gamma_r") and not self.given.get(word, 0.0) > 0.0:
                raise InputError(f"fix {id} {self.name}: {word} is missing or not above zero", f"usage: {self.usage}")
        if self.temperature < 0.0:
            raise InputError(f"fix {id} {self.name}: the temperature {args[0]}", "give 0 or more")
        self.factors = Constants(7, system.space)
        self.listed = View((1, 6), np.float64, system.space)

    def _keywords(self, words: list[str]) -> None:
        while words:
            word = one_of(f"keyword of fix {self.name}", words.pop(0), self.words, f"usage: {self.usage}")
            if word == "planar_rotation":
                self.planar = True
                continue
            arguments(words[:1], 1, 1, self.usage)
            value = words.pop(0)
            if word == "rng":
                self.noise = one_of("rng", value, NOISES)
            elif word == "rotation_style":
                one_of("rotation_style", value, ("projection",), "geometric is not available")
            else:
                self.given[word] = number(value, word)

    def _kernel(self) -> Kernel:
        return self._made(creep)

    def _made(self, body: Any) -> Kernel:
        return Kernel(body, statics=(("NOISE", NOISES.index(self.noise) + 1 if self.noise != "none" else 0),
                                     ("DRAWN", bool(self.drawn)), ("WIDE", WIDE)))

    def kernels(self) -> list[Kernel]:
        return [self._kernel()]

    def init(self) -> None:
        self.choose_numbers()
        self.new_timestep()

    def new_timestep(self) -> None:
        units, flat = self.system.units, self.system.dimension == 2
        heat = 2.0 * units.boltz / (units.mvv2e * self.system.dt)
        drag = self.given["gamma_t"]
        found = [units.ftm2v / drag, math.sqrt(heat * self.temperature / drag), float(not flat)]
        if self.turns:
            hot = self.given.get("rotation_temp", self.temperature)
            found += [units.ftm2v / self.given["gamma_r"], math.sqrt(heat * hot / self.given["gamma_r"]),
                      float(not flat), float(not self.planar)]
        self.factors.set([*found, *[0.0] * (7 - len(found))])

    def _draw(self) -> None:
        """Numbers of the list, in the order of storage: those of an atom follow each other."""
        atoms, flat = self.system.atoms, self.system.dimension == 2
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        if self.listed.shape[0] < atoms.n:
            self.listed = View((atoms.capacity, 6), np.float64, self.system.space)
        places = [0, 1] if flat else [0, 1, 2]
        if self.turns:
            places += [5] if flat or self.planar else [3, 4, 5]
        count = len(places) * len(rows)
        drawn = self.ranmar.gaussians(count) if self.noise == "gaussian" else WIDE * (self.ranmar.uniforms(count) - 0.5)
        self.listed.array[np.ix_(rows, np.array(places))] = drawn.reshape(-1, len(places))

    def initial_integrate(self) -> None:
        system = self.system
        if system.space.queue is None and system.space.tape is None:
            self.replayed()
        if self.drawn and self.noise != "none":
            self._draw()
        self._move()

    def _arguments(self) -> tuple[Any, ...]:
        atoms = self.system.atoms
        return (atoms.view("x", modify=True), atoms.view("v", modify=True), atoms.view("f"), atoms.view("mask"), self.bit,
                atoms.view("id"), self.seed, self.stream, self.listed, self.system.space.control, self.factors.view,
                self.system.dt)

    def _move(self) -> None:
        parallel_for(self.system.space, self.system.atoms.n, self._kernel(), *self._arguments())

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached, "mark": self.ranmar.mark(), "kept": self.ranmar.kept}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached, self.ranmar.kept = state["stream"], state["reached"], state["kept"]
        self.ranmar.back(state["mark"], 0)
