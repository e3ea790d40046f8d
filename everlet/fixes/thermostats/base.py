"""Thermostats that look at a temperature: a compute of their own, or that of `fix_modify ID temp ID`."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.temperatures.base import Temperature, temperature
from everlet.computes.temperatures.temp import Temp
from everlet.errors import InputError, above_zero, arguments, integer
from everlet.fixes.base import Fix
from everlet.fixes.ramp import Ramp
from everlet.fixes.thermostats.scaling_loops import SCALE
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.sums import ADD_UP
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


def damping_time(word: str, style: str) -> float:
    return above_zero(word, "time", f"fix {style}", "100 time steps")


class Aiming(Fix):
    """Base of fixes that have a temperature to reach, `target`."""

    target: Ramp

    def needs(self, step: int) -> tuple[str, ...]:
        return self.target.needs(step)

    def set_target(self, temperature: float) -> None:
        self.target.set(temperature)

    def target_now(self) -> float:
        return self.target.now()

    @property
    def variant(self) -> int:
        return int(self.target.variant)


class Noisy(Aiming):
    """Random forces: numbers of a list, in the order of storage, if `drawn`; else by atom ID, step and stream.

    Drawn are those of LAMMPS, on one rank of a CPU where atoms are never sorted: elsewhere noise is the same everywhere."""

    drawn: bool | None = None
    stream, reached = 0, -1

    def choose_numbers(self, listed: bool = True) -> None:
        """For a run that begins; listed: there is a list of them, of the reference."""
        system = self.system
        self.target.init()
        alone = system.world.size == 1 and not system.space.separate_memory
        drawn = listed and alone and system.sort_given and system.sort_every == 0
        if drawn != self.drawn:
            way = "the numbers of LAMMPS (RANMAR), in the order of storage" if drawn else "by atom ID and step (Philox4x32-10)"
            self.notes.append(f"fix {self.id} {self.style} draws {way}")
        if system.step < self.reached:  # reset_timestep: noise of the same steps must not come again
            self.stream += 1
        self.drawn, self.reached = drawn, system.step

    def replayed(self) -> None:
        self.reached = self.system.step


class NoisyMotion(Noisy):
    """Forces, random ones among them, and motion of atoms."""

    integrates = True
    reads, writes = ("x", "v", "f", "type", "mask", "id"), ("x", "v")


class Thermostat(Aiming):
    """Base of thermostats; `target` is their temperature.

    The compute ID_temp (style temp, the fix's group) is made with the fix and vanishes with it. `energy[0]` is what atoms have
    lost, in the memory of the space: f_ID, and part of ecouple; `factor[0]` is what velocities are multiplied by, 1 where they
    are all 0.
    """

    gives = Gives(scalar=EXTENSIVE)
    couples = follows_clock = True
    must_match = ()  # its energy, as in LAMMPS: whatever the temperatures are now
    reads, writes = ("v", "type", "mask"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str], start: str, stop: str):
        super().__init__(system, id, group, args)
        self.target = Ramp(system, start, stop, "a temperature")
        self.own = self.watched = f"{id}_temp"
        if self.own in system.computes:
            raise InputError(f"compute {self.own} exists already, and fix {id} makes one of this name", "use another ID")
        system.computes[self.own] = Temp(system, self.own, group, [])
        self.sums = View(7, np.float64, system.space)
        self.energy, self.factor = (View(1, np.float64, system.space) for _ in range(2))

    @property
    def temperature(self) -> Temperature:
        return temperature(self.system, self.watched, f"fix {self.id}")

    def option(self, word: str, rest: list[str]) -> list[str]:
        """fix_modify ID temp ID, dynamic/dof yes|no."""
        if word == "dynamic/dof" and rest:
            self.temperature.modify([word, rest[0]])
            return rest[1:]
        if word != "temp" or not rest:
            return super().option(word, rest)
        found = temperature(self.system, rest[0], f"fix_modify {self.id} temp")
        if self.watched == self.own != rest[0]:
            self.system.computes.pop(self.own).remove()
        self.watched = found.id
        return rest[1:]

    def remove(self) -> None:
        if self.watched == self.own and self.own in self.system.computes:
            self.system.computes.pop(self.own).remove()
        super().remove()

    def kernels(self) -> list[Kernel]:
        return [*self.temperature.kernels(), ADD_UP, SCALE]

    def init(self) -> None:
        """By kernels alone if the temperature can do so and nobody else asks for its value of the middle of a step."""
        self.target.init()
        heat = self.temperature
        alone = self.watched == self.own and self.system.world.size == 1 and not (heat.recounts or heat.biased)
        self.steady = alone and not self.target.variable and type(heat).sums_into is not Temperature.sums_into

    def setup(self) -> None:
        """Factors change nothing of a temperature of 0; atoms at rest on which forces act have none for one step only."""
        system = self.system
        if system.run_stop > system.step and self.temperature.scalar() == 0.0:
            rows = (system.atoms.read("mask") & self.bit) != 0
            if not system.ranks.sum(int(system.atoms.read("f")[rows].any())):
                raise InputError(f"fix {self.id}: the temperature is 0, which no factor can change, and no forces act",
                                 "use velocity … create first")

    def measured(self) -> View:
        """Sums of m v_a v_b of the present velocities; the first three add up to twice the kinetic energy, by mvv2e."""
        heat, units = self.temperature, self.system.units
        if not self.steady:
            self.sums.put([heat.now("scalar") * heat.dof * units.boltz / units.mvv2e, 0, 0, 0, 0, 0, 0])
        else:
            heat.sums_into(self.sums)
        return self.sums

    def scale_velocities(self) -> None:
        """Those of the group that count, by `factor`."""
        system, atoms, heat = self.system, self.system.atoms, self.temperature
        heat.take_bias(self.bit)
        parallel_for(system.space, atoms.n, SCALE, atoms.view("v", modify=True), atoms.view("mask"), self.bit, self.factor)
        heat.give_bias(self.bit)

    def scalar(self) -> float:
        return float(self.energy.get()[0])

    def state(self) -> dict[str, Any]:
        return {"energy": self.scalar()}

    def restore(self, state: dict[str, Any]) -> None:
        self.energy.put([state["energy"]])


class Stochastic(Thermostat):
    """One with the words T_START T_STOP DAMP SEED: a damping time, and random numbers."""

    name = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 4, 4, f"fix ID group {self.name} T_START T_STOP DAMP SEED")
        super().__init__(system, id, group, args, *args[:2])
        self.damp, self.seed = damping_time(args[2], self.name), integer(args[3], "a seed")
