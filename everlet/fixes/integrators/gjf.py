"""Langevin dynamics by the methods of Grønbech-Jensen: the right distribution of positions at any timestep."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.gjf_loops import EXCHANGE, FIRST, LAST
from everlet.fixes.integrators.nve import Kicks
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import NoisyMotion, damping_time
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.views import Constants
from everlet.state.masses import ByMass
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = "fix ID group gjf T_START|v_T T_STOP DAMP SEED [method 0|1|…|6|7 C2|8] [vel vhalf|vfull]"
METHODS: dict[int, Callable[[float], float]] = {  # C2 of a = dt / DAMP
    0: lambda a: 0.0, 1: lambda a: (1.0 - 0.5 * a) / (1.0 + 0.5 * a), 2: lambda a: math.exp(-a), 3: lambda a: 1.0 - a,
    4: lambda a: (math.sqrt(1.0 + 4.0 * a) - 1.0) / (2.0 * a), 5: lambda a: 1.0 / (1.0 + a),
    6: lambda a: (1.0 + 0.5 * a) ** -2, 8: lambda a: math.sqrt(1.0 + a * a) - a}


@fix_style("gjf")
class GJF(NoisyMotion):
    """fix ID group gjf T_START|v_T T_STOP DAMP SEED [method 0|1|…|6|7 C2|8] [vel vhalf|vfull]: moves
    atoms.

    Grønbech-Jensen, Mol. Phys. 118, e1662506 (2020), with c1 = (1 + c2)/2, c3 = (1 - c2) DAMP/dt and noise b:

        u = sqrt(c1) v + sqrt(c3) (dt F + b) / 2m      x += sqrt(c3) dt u      (forces)
        v = c2/sqrt(c1) u + sqrt(c3/c1) (dt F + b) / 2m

    A method is a function c2 of dt/DAMP. Method 7 is given c2 itself, and sets the timestep of the simulation that goes
    with it, DAMP (ln c2)^2 / 2 (1 + c2)/(1 - c2). At the end of a step v is the velocity of atoms (vfull) or u (vhalf),
    whose kinetic energy is right too; fixes that were defined before this one see v at the end of a step, those after it
    and all outputs u. Numbers are as those of fix langevin: those of LAMMPS on one rank of a CPU with `atom_modify sort 0
    0`, elsewhere by seed, ID and step.
    """

    steady = follows_clock = True

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, USAGE)
        self.target = Ramp(system, args[0], args[1], "a temperature")
        self.damp, self.seed = damping_time(args[2], "gjf"), integer(args[3], "a seed")
        self.ranmar = Marsaglia(self.seed)
        self.half, self.method, self.c2 = True, 1, 0.0
        self._keywords(list(args[4:]))
        space = system.space
        self.factors = Constants(5, space)
        self.kick, self.noise = Kicks(system), ByMass(system, -0.5)
        self.size = 0.0  # of the noise on the mass 1
        self.listed = View((1, 3), np.float64, space)
        self.add_field("noise", width=3)
        self.known = self.half and self.add_field("full", width=3)  # velocities of atoms, while v is u

    def _keywords(self, words: list[str]) -> None:
        while words:
            word = words.pop(0)
            one_of("keyword of fix gjf", word, ("method", "vel"), f"usage: {USAGE}")
            arguments(words, 1, None, USAGE)
            given = words.pop(0)
            if word == "vel":
                one_of("vel of fix gjf", given, ("vhalf", "vfull"))
                self.half = given == "vhalf"
                continue
            self.method = integer(given, "the number of a method")
            if self.method == 7:
                arguments(words, 1, None, USAGE)
                self.c2 = number(words.pop(0), "c2")
                if not 0.0 < self.c2 < 1.0:
                    raise InputError(f"fix gjf: c2 of method 7 is {self.c2:g}", "give a number between 0 and 1")
            elif self.method not in METHODS:
                raise InputError(f"fix gjf: there is no method {given}", "use one of 0 to 8")

    def kernels(self) -> list[Kernel]:
        return [FIRST[bool(self.drawn)], LAST[self.half], *([EXCHANGE] if self.half else [])]

    def init(self) -> None:
        self.choose_numbers()
        if self.method == 7:
            self._choose_timestep()
        self.new_timestep()

    def _choose_timestep(self) -> None:
        system, c2 = self.system, self.c2
        dt = self.damp * 0.5 * math.log(c2) ** 2 * (1.0 + c2) / (1.0 - c2)
        if dt != system.dt:
            self.notes.append(f"fix {self.id} gjf sets the timestep to {dt:g}, which method 7 has with c2 = {c2:g}")
            system.time_base, system.dt = (system.step, system.time), dt
            for fix in system.fixes.values():
                fix.new_timestep()

    def new_timestep(self) -> None:
        system, units = self.system, self.system.units
        a = system.dt / self.damp
        c2 = self.c2 if self.method == 7 else METHODS[self.method](a)
        c1, c3 = 0.5 * (1.0 + c2), (1.0 - c2) / a
        self.factors.set([math.sqrt(c1), math.sqrt(c3), math.sqrt(c3) * system.dt, c2 / math.sqrt(c1), math.sqrt(c3 / c1)])
        self.size = math.sqrt(units.boltz * system.dt / (2.0 * self.damp * units.mvv2e))

    def setup(self) -> None:
        if self.half and not self.known:
            self.system.atoms.edit(self.field("full"))[:] = self.system.atoms.read("v")
        self.known = True

    def new_atoms(self, rows: np.ndarray) -> None:
        if self.half:
            self.system.atoms.edit(self.field("full"))[rows] = self.system.atoms.read("v")[rows]

    def _full(self) -> View:
        """Where velocities of atoms are between steps, and not those of the middle of the step."""
        return self.system.atoms.view(self.field("full") if self.half else "v", modify=True)

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        if system.space.queue is None and system.space.tape is None:
            self.replayed()
        if self.drawn:
            rows = np.flatnonzero(atoms.read("mask") & self.bit)
            if self.listed.shape[0] < atoms.n:
                self.listed = View((atoms.capacity, 3), np.float64, system.space)
            self.listed.array[rows] = self.ranmar.gaussians(3 * len(rows)).reshape(-1, 3)
        parallel_for(system.space, atoms.n, FIRST[bool(self.drawn)], atoms.view("x", modify=True), atoms.view("v", modify=True),
                     self._full(), atoms.view("f"), system.mass_kind(), atoms.view("mask"), self.bit, atoms.view("id"),
                     self.seed, self.stream, self.listed, system.space.control, *self.target.arguments(), self.kick.by_mass(),
                     self.noise.view(self.size), self.factors.view, atoms.view(self.field("noise"), modify=True))

    def final_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, LAST[self.half], atoms.view("v", modify=True), self._full(), atoms.view("f"),
                     system.mass_kind(), atoms.view("mask"), self.bit, self.kick.by_mass(), self.factors.view,
                     atoms.view(self.field("noise")))

    def end_of_step(self) -> None:
        if self.half:
            atoms = self.system.atoms
            parallel_for(self.system.space, atoms.n, EXCHANGE, atoms.view("v", modify=True), self._full(), atoms.view("mask"),
                         self.bit)

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached, "mark": self.ranmar.mark(), "kept": self.ranmar.kept}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached, self.ranmar.kept = state["stream"], state["reached"], state["kept"]
        self.ranmar.back(state["mark"], 0)
