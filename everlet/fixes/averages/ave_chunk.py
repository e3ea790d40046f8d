"""Averages over the atoms of chunks, and in time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from everlet.computes.chunk.base import chunk_compute
from everlet.computes.chunk.chunk_atom import ChunkAtom
from everlet.computes.words.peratom import Reference, spelled_out
from everlet.errors import InputError, arguments
from everlet.fixes.averages.atom_sums import AtomSums
from everlet.fixes.averages.base import OUTPUT, AverageWords, Schedule
from everlet.fixes.averages.file import AverageFile
from everlet.fixes.base import fix_style
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group ave/chunk NEVERY NREPEAT NFREQ CHUNK-ID VALUE … [keyword …]"
Sums = tuple[np.ndarray, np.ndarray]  # atoms of each chunk, and values


@fix_style("ave/chunk")
class AveChunk(AtomSums):
    """fix ID group ave/chunk NEVERY NREPEAT NFREQ CHUNK-ID VALUE … [norm all|sample|none] [ave one|running|window M]
    [bias TEMP-ID] [adof N] [cdof N] [file|append FILE] [overwrite] [format %g] [title1|title2|title3 TEXT]

    VALUE: vx … fz, density/number, density/mass, mass, temp, c_ID, c_ID[i], f_ID, f_ID[i], v_NAME of each atom. norm all: sums
    over atoms and samples by the number of atoms; sample: the mean of the means of samples; none: of their sums.
    f_ID[i][j]: chunk i; its number before compress, its place (bins), the mean number of its atoms, values.
    """

    gives = Gives(array=INTENSIVE)
    free_words = OUTPUT

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 5, None, USAGE)
        self.chunk_id = args[3]
        self.schedule = Schedule.read(args[:3], self.user)
        chunk_compute(system, self.chunk_id, self.user)
        self.words = AverageWords("ave/chunk", id, USAGE, self.own, without=("start",))
        named = self.words.read(args[4:])
        self.ave, self.window, self.form = self.words.ave, self.words.window, self.words.form
        self.names = spelled_out(system, named)
        self.values = [self._value(word) for word in self.names]
        if not self.values:
            raise InputError(f"{self.user}: ave/chunk has no value", f"usage: {USAGE}")
        self.every = self.schedule.interval
        self.anew()
        self.sums: Sums | None = None
        self.done: list[Sums] = []  # means of windows
        self.windows = 0
        self.places: np.ndarray = np.zeros((0, 0))  # middles of bins, of the last means
        if self.chunk.ids_nfreq:
            self.add_field("chunk", np.int64)
        self.file = self._open()

    @property
    def chunk(self) -> ChunkAtom:
        return chunk_compute(self.system, self.chunk_id, self.user)

    def _counted(self) -> ChunkAtom:
        """The chunks; after a restart they do not know how many they are until they are asked."""
        chunk = self.chunk
        if not chunk.count:
            chunk.locked = False
            chunk.chunks()
        return chunk

    def _open(self) -> AverageFile | None:
        places = self.chunk.bins.width if self.chunk.bins is not None else 0
        columns = ["# Chunk", *(["OrigID"] if self.chunk.compress else []), *(f"Coord{k + 1}" for k in range(places)), "Ncount"]
        return self.words.open(self.system, [f"# Chunk-averaged data for fix {self.id} and group {self.group}",
                                             "# Timestep Number-of-chunks Total-count", " ".join([*columns, *self.names])])

    # ---- samples
    def asked(self, step: int) -> Iterable[str]:
        found = [value.needs(self.system, step) for value in self.values if isinstance(value, Reference)]
        return (need for some in (*found, self.chunk.needs(step)) for need in some)

    def sample(self) -> None:
        count, values = self._sample()
        if self.norm != "all":  # temperatures have no sums; volumes are those of the sample
            values = self._densities(values, self.chunk.volumes(len(values)))
            each = [self.norm == "sample" or name == "temp" for name in self.names]
            values = np.where(each, self._per_atom(values, count, 1), values)
        self.sums = (count, values) if self.taken == 0 or self.sums is None else (self.sums[0] + count, self.sums[1] + values)

    def _sample(self) -> Sums:
        """Atoms of each chunk and sums of their values, now."""
        system, atoms, chunk = self.system, self.system.atoms, self.chunk
        first = self.taken == 0 and (self.ave == "one" or self.windows == 0)  # others go on with the chunks that are
        self._counted()
        chunk.locked = not first
        if chunk.ids_nfreq and not first:
            number, numbers = chunk.count, atoms.read(self.field("chunk"))
        else:
            number, numbers = chunk.chunks()
        if chunk.ids_nfreq and first:
            atoms.edit(self.field("chunk"))[:] = numbers
        chunk.locked = self.ave != "one" or self.schedule.repeat > 1 and self.taken < self.schedule.repeat - 1
        if self.ave != "one" and self.done and len(self.done[0][0]) != number:
            raise InputError(f"{self.user}: there are {number} chunks, there were {len(self.done[0][0])} before", "use ave one")
        rows = np.flatnonzero((numbers > 0) & ((atoms.read("mask") & self.bit) != 0))
        places = numbers[rows] - 1
        columns = [np.ones(len(rows)), *(self._of_atoms(value)[rows] for value in self.values)]
        found = system.ranks.sum(np.stack([np.bincount(places, column, number) for column in columns], axis=1))
        return found[:, 0], found[:, 1:]

    def complete(self, step: int) -> None:
        assert self.sums is not None
        samples, (count, values) = self.schedule.repeat, self.sums
        if self.norm == "all":
            values = self._per_atom(values, count, samples)
        divided = [self.norm != "all" or name.startswith("density") for name in self.names]
        values = np.where(divided, values / samples, values)
        values = self._densities(values, self.chunk.volumes(len(values))) if self.norm == "all" else values
        if self.chunk.bins is not None:
            self.places = self.chunk.bins.middles()[: len(values)]
        now = (count / samples, values)
        if self.ave == "running" and self.done:
            self.done = [(self.done[0][0] + now[0], self.done[0][1] + now[1])]
        else:
            self.done = [*(self.done if self.ave == "window" else []), now][-max(self.window, 1):]
        self.windows = self.windows + 1 if self.ave == "running" else len(self.done)
        if self.file is not None:
            total = sum(float(count.sum()) for count, _ in self.done)
            text = f"{step} {len(now[0])} {total:g}\n"
            whole, places = int(self.chunk.compress), self.array()
            for k, row in enumerate(places.tolist(), 1):
                plain = len(row) - len(self.values)
                text += f"  {k}{''.join(f' {value:g}' for value in self._printed(k, row[:plain], whole))}"
                text += "".join(self.form % value for value in row[plain:]) + "\n"
            self.write(text)

    def _printed(self, k: int, row: list[float], whole: int) -> list[float]:
        """In files, places of compressed chunks are their own."""
        if whole and self.chunk.bins is not None:
            return [row[0], *self.chunk.bins.middles()[self.chunk.original[k - 1] - 1].tolist(), row[-1]]
        return row

    def remove(self) -> None:
        if self.chunk_id in self.system.computes:
            self.chunk.locked = False
        super().remove()

    # ---- values
    def array(self) -> np.ndarray:
        columns, chunk = [], self._counted()
        number = len(self.done[0][0]) if self.done else chunk.chunks()[0]
        empty = (np.zeros(number), np.zeros((number, len(self.values))))
        count, values = (sum(parts) for parts in zip(*(self.done or [empty]), strict=True))
        windows = max(self.windows, 1)
        if chunk.compress:
            columns.append(chunk.numbers_before(number).astype(float)[:, None])
        if chunk.bins is not None:
            columns.append(self.places if self.done else chunk.bins.middles()[:number])
        return np.concatenate([*columns, count[:, None] / windows, values / windows], axis=1)

    def state(self) -> dict[str, Any]:
        sums = [part.tolist() for part in self.sums] if self.sums is not None else []
        return {"next": self.next, "taken": self.taken, "sums": sums, "windows": self.windows,
                "places": self.places.tolist(), "kept": [[count.tolist(), values.tolist()] for count, values in self.done]}

    def restore(self, state: dict[str, Any]) -> None:
        self.next, self.taken, self.windows = state["next"], state["taken"], state["windows"]
        self.places = np.array(state["places"])
        self.sums = (np.array(state["sums"][0]), np.array(state["sums"][1])) if state["sums"] else None
        self.done = [(np.array(count), np.array(values)) for count, values in state["kept"]]
