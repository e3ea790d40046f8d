"""Langevin's thermostat: drag and noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.temperatures.base import temperature
from everlet.errors import InputError, arguments, integer, number, one_of, yes_no
from everlet.fixes.base import fix_style
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.base import Noisy, damping_time
from everlet.fixes.thermostats.langevin_loops import ACCOUNT, POWER, kernels_of
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.sums import ADD_UP
from everlet.state.masses import ByMass
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.random import Marsaglia
from everlet.state.system import System

TURNING = ("it has no drag and noise for torques", "leave it out: velocities alone have them then")
REFUSED = {"angmom": TURNING, "omega": TURNING,
           "gjf": ("it is a fix of its own", "in place of this fix and of fix nve use fix gjf, with vel vhalf or vel vfull")}
KEYWORDS = ("scale", "tally", "zero")
NO_MEAN = np.array([0.0, 0.0, 0.0, 1.0])


@fix_style("langevin")
class Langevin(Noisy):
    """fix ID group langevin T_START|v_T T_STOP DAMP SEED [scale TYPE RATIO] … [tally yes|no] [zero yes|no]

    Adds -m v / (DAMP RATIO) and noise of the temperature T to forces. tally: f_ID is the energy that atoms have lost since
    the run began. zero: the sum of the noise is zero.

    Noise depends on SEED, the ID of an atom and the step: the same on any number of ranks and threads and on GPUs. On one core
    (--device serial), or one rank of a CPU with `atom_modify sort 0 0`, it is that of LAMMPS, in the order of storage.
    """

    gives = Gives(scalar=EXTENSIVE)
    levels = "outer"
    steady = couples = follows_clock = True
    reads, writes = ("v", "f", "type", "mask", "id"), ("f",)
    put_back = ("drawn", "stream", "reached", "before", "ranmar", "work", "drags", "kicks")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, "fix ID group langevin T_START T_STOP DAMP SEED [scale …] [tally yes|no] [zero yes|no]")
        self.target = Ramp(system, args[0], args[1], "a temperature", each=True)
        self.damp, self.seed = damping_time(args[2], "langevin"), integer(args[3], "a seed")
        self.ranmar = Marsaglia(self.seed)  # refuses seeds that are too small or large
        self.ratio = np.ones(system.ntypes + 1)
        self.counts_work = self.zero = False
        self._keywords(list(args[4:]))
        self.watched = ""  # a temperature, if velocities have a bias
        self.before = self.ranmar.mark()  # the state of the stream before the last numbers
        self.drag, self.kick = ByMass(system, 1.0), ByMass(system, 0.5)
        self.drags = self.kicks = np.zeros(len(self.ratio))  # by type, of the mass 1
        self.mean, self.work = View(4, np.float64, system.space), View(2, np.float64, system.space)
        self.mean.put(NO_MEAN)
        self.listed, self.warm = View((1, 3), np.float64, system.space), View(1, np.float64, system.space)
        self.add_field("force", width=3)

    def _keywords(self, words: list[str]) -> None:
        while words:
            word, values = words[0], words[1:]
            if word in REFUSED and values[:1] == ["no"]:
                words = values[1:]
                continue
            if word in REFUSED:
                reason, remedy = REFUSED[word]
                raise InputError(f"fix langevin: keyword {word} is not available: {reason}", remedy)
            one_of("keyword of fix langevin", word, KEYWORDS)
            count = 2 if word == "scale" else 1
            arguments(values[:count], count, count, f"{word} {'TYPE RATIO' if word == 'scale' else 'yes|no'}")
            if word == "scale":
                self.ratio[self.system.type_of(values[0])] = number(values[1], "a ratio")
                if (self.ratio <= 0.0).any():
                    raise InputError(f"fix langevin: scale {values[0]} {values[1]}", "give a ratio above zero")
            elif word == "tally":
                self.counts_work = yes_no(values[0], "fix langevin tally")
            else:
                self.zero = yes_no(values[0], "fix langevin zero")
            words = values[count:]

    def option(self, word: str, rest: list[str]) -> list[str]:
        """fix_modify ID temp ID: velocities without the bias of this temperature."""
        if word != "temp" or not rest:
            return super().option(word, rest)
        self.watched = temperature(self.system, rest[0], f"fix_modify {self.id} temp").id
        return rest[1:]

    def kernels(self) -> list[Kernel]:
        return [*kernels_of(self.drawn, self.biased, self.target.each), POWER, ACCOUNT, ADD_UP]

    @property
    def biased(self) -> bool:
        return bool(self.watched) and temperature(self.system, self.watched, f"fix {self.id}").biased

    def init(self) -> None:
        self.choose_numbers()
        self.new_timestep()

    def new_timestep(self) -> None:
        system, units = self.system, self.system.units
        self.drags = 1.0 / (self.damp * self.ratio * units.ftm2v)
        self.kicks = np.sqrt(24.0 * units.boltz / (self.ratio * self.damp * system.dt * units.mvv2e)) / units.ftm2v
        begins = system.step == system.run_start and not system.continues
        if self.counts_work and begins:  # half of the first step counts with the timestep of that step
            power = float(self.work.get()[0])
            self.work.put([power, 0.5 * system.dt * power])

    def _draw(self) -> None:
        """Numbers of the list, for the atoms of the group in the order of storage."""
        atoms = self.system.atoms
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        if self.listed.shape[0] < atoms.n:
            self.listed = View((atoms.capacity, 3), np.float64, self.system.space)
        self.before = self.ranmar.mark()
        self.listed.array[rows] = self.ranmar.uniforms(3 * len(rows)).reshape(-1, 3)

    def _temperatures(self) -> View:
        """Of atoms, if they have some of their own."""
        if self.target.each:
            atoms = self.system.atoms
            if self.warm.shape[0] < atoms.n:
                self.warm = View(atoms.capacity, np.float64, self.system.space)
            self.warm.put(np.concatenate([self.target.of_atoms(), np.zeros(self.warm.shape[0] - atoms.n)]))
        return self.warm

    def setup(self) -> None:
        self.post_force()
        if self.counts_work and self.system.step == self.system.run_start:
            self.work.put([0.0, 0.0])
            self._account(0.5 * self.system.dt)

    def resume(self) -> None:
        """Noise, drag and what they have taken are those of the file."""

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        space, heat = system.space, system.computes[self.watched] if self.biased else None
        if space.queue is None and space.tape is None:
            self.replayed()
        if self.drawn:
            self._draw()
        if heat is not None:
            heat.now("scalar")
            heat.take_bias(self.bit)
        sums, force = kernels_of(self.drawn, self.biased, self.target.each)
        given = (atoms.view("v"), system.mass_kind(), atoms.view("mask"), self.bit, atoms.view("id"), self.seed, self.stream,
                 self.listed, space.control, *self.target.arguments(), self.kick.view(self.kicks), self._temperatures())
        if self.zero:
            parallel_reduce(space, atoms.n, sums, *given, into=self.mean)
            if system.ranks.size > 1:
                self.mean.put(system.ranks.sum(self.mean.get()))
        parallel_for(space, atoms.n, force, *given, self.drag.view(self.drags), self.mean,
                     atoms.view(self.field("force"), modify=True), atoms.view("f", modify=True))
        if heat is not None:
            heat.give_bias(self.bit)

    def end_of_step(self) -> None:
        if self.counts_work:
            self._account(self.system.dt)

    def _account(self, weight: float) -> None:
        atoms, space = self.system.atoms, self.system.space
        parallel_reduce(space, atoms.n, POWER, atoms.view("v"), atoms.view(self.field("force")), atoms.view("mask"), self.bit,
                        into=self.work)
        parallel_for(space, 1, ACCOUNT, self.work, weight)

    def scalar(self) -> float:
        now, done = self.work.get()
        return float(self.over_ranks(0.5 * self.system.dt * now - done))

    def state(self) -> dict[str, Any]:
        return {"stream": self.stream, "reached": self.reached, "before": self.before,
                "work": self.work.get().tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        self.stream, self.reached = state["stream"], state["reached"]
        self.before = state["before"]
        self.work.put(state["work"])
        self.ranmar.back(self.before, 3 * int(np.count_nonzero(self.system.atoms.read("mask") & self.bit)))
