"""The command temper: replica exchange of worlds. Every world is a replica; temperatures wander among them.

Each world knows energies and temperatures of all and follows the random streams of all, so that they come to the same
swaps by themselves. Streams are those of the reference: one that chooses pairs, and one for each world, which is used if
it is the lower one of its pair.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.thermostats.scaling_loops import SCALE
from everlet.portable import View, parallel_for
from everlet.run.outputs import Visit
from everlet.run.replicas.exchange import accepted, exponent, partner, rescaling
from everlet.state.random import ParkMiller

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine

SAME = ("steps", "steps between swaps", "the first seed", "the second seed", "the present step", "atoms")  # in all worlds
THROWN = 100  # first numbers of streams of worlds


@dataclass(frozen=True)
class Given:
    """temper N M TEMP FIX SEED1 SEED2 [INDEX]."""

    steps: int
    every: int
    temperature: float
    fix: str
    pairs: int  # seed of the stream that chooses pairs; 0: in turns
    seed: int
    index: int | None  # which of all temperatures this world begins with


def temper(engine: Engine, given: Given) -> None:
    """Run, and try to swap temperatures of neighbours every so many steps."""
    universe, system = engine.universe, engine.system
    universe.need("temper")
    system.need_box()
    fix = system.fixes.get(given.fix)
    if fix is None:
        raise InputError(f"temper: there is no fix '{given.fix}'", "define it first: fix ID all nvt temp …")
    ladder = Ladder(engine, fix, given)
    visit = Visit(system.step, given.every, ladder.swap)
    universe.write(f"Step {' '.join(f'T{k}' for k in range(universe.worlds))}")
    ladder.say()
    engine.outputs.visits.append(visit)
    try:
        with engine.stopping.together():
            engine.run(given.steps)
    finally:
        engine.outputs.visits.remove(visit)


class Ladder:
    """Temperatures, and which of them each world has."""

    def __init__(self, engine: Engine, fix: Any, given: Given):
        self.engine, self.fix, self.universe = engine, fix, engine.universe
        count, number = self.universe.worlds, self.universe.number
        place = number if given.index is None else given.index
        mine = (given.steps, given.every, given.pairs, given.seed, engine.system.step, engine.system.natoms)
        everyone = self.universe.all_of("temper", (mine, given.temperature, place))
        for other, (theirs, _, _) in enumerate(everyone):
            for what, a, b in zip(SAME, mine, theirs, strict=True):
                if a != b:
                    raise InputError(f"temper: partitions {number} and {other} differ in {what}: {a} and {b}",
                                     "give all partitions the same; only temperatures may differ")
        self.temperatures = [temperature for _, temperature, _ in everyone]
        self.places = [place for _, _, place in everyone]
        if sorted(self.places) != list(range(count)):
            raise InputError(f"temper: partitions have the temperatures number {' '.join(map(str, self.places))}",
                             f"give each of them another index, from 0 to {count - 1}")
        self.pairs = ParkMiller(given.pairs) if given.pairs else None
        self.streams = [ParkMiller(given.seed + world) for world in range(count)]
        for stream in self.streams:
            stream.skip(THROWN)
        self.tried = 0
        self.factor = View(1, np.float64, engine.system.space)
        fix.set_target(self.temperatures[place])  # also to refuse one that cannot be told, before hours have passed

    def say(self) -> None:
        self.universe.write(f"{self.engine.system.step} {' '.join(map(str, self.places))}")

    def swap(self) -> None:
        """Try all pairs of this turn; this world takes its new temperature."""
        engine, number = self.engine, self.universe.number
        odd = self.tried % 2 == 1 if self.pairs is None else self.pairs.uniform() >= 0.5
        self.tried += 1
        energy = float(engine.system.computes["thermo_pe"].now("scalar"))
        everyone = self.universe.all_of("temper", (energy, engine.stopping.mine()))
        energies = [one for one, _ in everyone]
        engine.stopping.agree([stop for _, stop in everyone])
        old, boltz = list(self.places), engine.system.units.boltz
        for world, place in enumerate(old):
            other = partner(place, len(old), odd)
            if other < 0 or old.index(other) < world:
                continue
            second = old.index(other)
            heat = self.temperatures[place], self.temperatures[other]
            if accepted(exponent((energies[world], energies[second]), heat, boltz), self.streams[world].uniform):
                self.places[world], self.places[second] = other, place
        before, now = self.temperatures[old[number]], self.temperatures[self.places[number]]
        if old[number] != self.places[number]:
            self._scale(rescaling(before, now))
            self.fix.set_target(now)
        self.say()

    def _scale(self, factor: float) -> None:
        """Velocities of all atoms."""
        system, atoms = self.engine.system, self.engine.system.atoms
        self.factor.put([factor])
        parallel_for(system.space, atoms.n, SCALE, atoms.view("v", modify=True), atoms.view("mask"), 1, self.factor)
