"""The ledger of the last forces that were computed with energy and virial: by term, and in all.

    energies   vdwl coul bond angle dihed imp long tail (energy units)
    virial     xx yy zz xy xz yz (energy units)

While forces are computed, each contributor adds to its own eight numbers in memory of the space (`Sums`, `Tally`), and
kernels of the same step may read them there. They come to the host, and are summed over ranks in one message, when
somebody on the host asks (`Ledger`). Barostats ask for virials at every step, and energies cost extra: at steps that ask
for virials alone contributors may leave energies out, and the ledger has none.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import Kernel, Space, View, parallel_for, parallel_reduce
from everlet.portable.copies import CLEAR
from everlet.portable.segments import Segments
from everlet.portable.tapes import fill_zero
from everlet.portable.together import Together
from everlet.state.freshness import Freshness

ENERGIES = ("vdwl", "coul", "bond", "angle", "dihed", "imp", "long", "tail")
NONE = dict.fromkeys(ENERGIES, 0.0)
WIDTH = 8  # numbers of a contributor: its first energy, xx yy zz xy xz yz, its second energy
SECOND = 7  # where the second energy is


@dataclass
class Entry:
    """What one contributor has, summed over all ranks; `unscaled`: its energies without its factor (Tally)."""

    energies: dict[str, float] = field(default_factory=dict)
    virial: np.ndarray = field(default_factory=lambda: np.zeros(6))
    unscaled: dict[str, float] = field(default_factory=dict)


class Sums:
    """The numbers of all contributors, WIDTH of each: terms of the forces first, then fixes that have a virial.

    wanted   the step that is under way is tallied
    energy   with energies; otherwise virials alone count, and numbers of energies mean nothing
    """

    def __init__(self, space: Space, rows: Segments | None = None):
        self.space, self.wanted, self.energy = space, False, False
        self.rows = rows  # atoms of each of many systems, if there are
        self.count = rows.count if rows is not None else 1
        self.view = View(WIDTH * self.count, np.float64, space)
        self.tallies: list[Tally] = []
        self.collected = Together(space)  # while launches are collected
        self.changed: Callable[[], None] = lambda: None  # called when the host has launched something that adds to them

    def tally(self, name: str, energies: tuple[str, ...] = (), fix: bool = False, factor: float = 1.0) -> Tally:
        """Room for one more contributor, before forces are computed."""
        found = Tally(self, len(self.tallies), name, energies, fix, factor)
        self.tallies.append(found)
        if self.view.shape[0] < WIDTH * self.count * len(self.tallies):
            self.view = View(WIDTH * self.count * len(self.tallies), np.float64, self.space)
        return found

    def together(self, name: str, parts: tuple[Tally, ...]) -> Tally:
        """For a term of several styles, each of which is a contributor of its own."""
        found = Tally(self, -1, name, (), False, 1.0)
        found.parts = parts
        return found

    def begin(self, wanted: bool, energy: bool = True) -> None:
        """Forces of a step are going to be computed: all numbers are 0."""
        self.wanted, self.energy = wanted, wanted and energy
        if not wanted:
            return
        if self.space.queue is None:
            fill_zero(self.space, self.view.data)
        elif self.rows is not None:
            parallel_for(self.space, self.view.shape[0], CLEAR, 1, 0, self.view.data)
        else:
            self.collected.begin()

    def finish(self) -> None:
        """Nobody adds any more in this step."""
        if self.wanted and self.space.queue is not None and self.rows is None:
            self.collected.finish(self.view)

    def get(self) -> np.ndarray:
        """(contributors, WIDTH) on the host, of this rank."""
        return self.each().sum(axis=1)

    def each(self) -> np.ndarray:
        """(contributors, systems, WIDTH): of each of many systems, or of the only one."""
        return self.view.get()[: WIDTH * self.count * len(self.tallies)].reshape(-1, self.count, WIDTH)

    def put(self, numbers: np.ndarray) -> None:
        """The same, from the host."""
        self.view.data[: numbers.size] = self.space.from_host(numbers.ravel())


class Tally:
    """Where one contributor leaves its energies and its virial. All add: the numbers are 0 when a step begins.

    A kernel returns some of the eight numbers (first energy, xx yy zz xy xz yz, second energy), from number `at` on.

    factor   what its energies count: whoever reads them multiplies them by it
    parts    of a term of several styles: a tally for each of them; this one has no numbers then
    """

    parts: tuple[Tally, ...] = ()

    def __init__(self, sums: Sums, place: int, name: str, energies: tuple[str, ...], fix: bool, factor: float):
        self.sums, self.place, self.name, self.energies, self.fix, self.factor = sums, place, name, energies, fix, factor

    @property
    def wanted(self) -> bool:
        """This step is tallied: for fixes, which are not told."""
        return self.sums.wanted

    @property
    def energy(self) -> bool:
        """Energies are wanted, too. If not, a contributor may do without them."""
        return self.sums.energy

    def _first(self, at: int) -> int:
        """Where in the view number `at` is."""
        if self.parts:
            raise InputError(f"'{self.name}' has no numbers of its own", "add to the tallies of its parts")
        return WIDTH * self.place * self.sums.count + at

    def reduce(self, space: Space, n: Any, kernel: Kernel, *arguments: Any, at: int = 0) -> None:
        """Add the sums of a loop over n items; nothing comes to the host. Of many systems items are atoms, in any order in
        which those of a system follow each other."""
        if self.sums.rows is not None:
            rows = self.sums.rows
            if n != rows.first[-1]:
                raise InputError(f"'{self.name}' does not add up what belongs to single systems", "run each system alone")
            rows.reduce(kernel, *arguments, into=self.sums.view, at=self._first(at), stride=WIDTH, add=True)
            self.sums.changed()
            return
        if space is not self.sums.space:  # on the host beside a GPU
            self.add(parallel_reduce(space, n, kernel, *arguments), at)
            return
        if space.queue is not None:
            self.sums.collected.reduce(n, kernel, *arguments, at=self._first(at))
            return
        parallel_reduce(space, n, kernel, *arguments, into=self.sums.view, at=self._first(at), add=True)
        self.sums.changed()

    def add(self, numbers: Any, at: int = 0) -> None:
        """Add numbers that the host has; not while launches are collected for a GPU to replay."""
        if self.sums.space.queue is not None:
            raise InputError(f"'{self.name}' adds numbers of the host to its tally while launches are collected",
                             "use tally.reduce, or say steady = False")
        self.sums.space.ask(f"numbers that '{self.name}' adds to its tally")
        first, numbers = self._first(at), np.asarray(numbers, np.float64)
        data, width = self.sums.view.data, numbers.shape[-1]
        if self.sums.rows is not None:  # a row for each system
            place = data[WIDTH * self.place * self.sums.count :][: WIDTH * self.sums.count].reshape(-1, WIDTH)
            place[:, at : at + width] += self.sums.space.from_host(numbers)
        else:
            data[first : first + width] += self.sums.space.from_host(numbers)
        self.sums.changed()


class Ledger:
    """Valid for step `step`, energies for step `energy_step`; `energies` and `virial` are sums over terms, `fixes` the entries
    of fixes, by their ids."""

    def __init__(self, fresh: Freshness) -> None:
        self.fresh = fresh
        self.step = self.energy_step = -1
        self._terms: dict[str, Entry] = {}
        self._fixes: dict[str, Entry] = {}
        self._energies = dict(NONE)
        self._virial = np.zeros(6)
        self._read: Callable[[], None] | None = None

    def expect(self, step: int, read: Callable[[], None], energy: bool = True) -> None:
        """Numbers of this step are there, or will be: `read` brings them, by calling `fill`, when they are asked for. Without
        `energy` those of energies are not."""
        self.step, self.energy_step, self._read = step, step if energy else -1, read

    def forget(self) -> None:
        """Numbers are not those of the present positions."""
        self.step = self.energy_step = -1

    def read(self) -> None:
        """Bring the numbers to the host: between runs, those of the present state. All ranks must ask."""
        self.fresh.need()
        if self._read is not None:
            read, self._read = self._read, None
            read()

    def fill(self, tallies: list[Tally], numbers: np.ndarray, tail: float) -> None:
        """New entries, from the numbers of each contributor, and the tail correction, which depends on the box alone."""
        self._terms, self._fixes = {}, {}
        self._energies.update(NONE, tail=tail)
        self._virial[:] = 0.0
        for tally, row in zip(tallies, numbers, strict=True):
            unscaled = dict(zip(tally.energies, row[::SECOND].tolist(), strict=False))
            energies = {name: tally.factor * energy for name, energy in unscaled.items()}
            virial = row[1:SECOND].copy()
            (self._fixes if tally.fix else self._terms)[tally.name] = Entry(energies, virial, unscaled)
            if not tally.fix:
                self._virial += virial
                for name, energy in energies.items():
                    self._energies[name] += energy

    @property
    def terms(self) -> dict[str, Entry]:
        self.read()
        return self._terms

    @property
    def fixes(self) -> dict[str, Entry]:
        self.read()
        return self._fixes

    @property
    def energies(self) -> dict[str, float]:
        self.read()
        return self._energies

    @property
    def virial(self) -> np.ndarray:
        self.read()
        return self._virial
