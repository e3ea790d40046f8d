"""Fixes that change how many atoms there are, in the middle of a run."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, one_of
from everlet.fixes.base import NEVER, Fix
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.random import ParkMiller
from everlet.state.regions import Region
from everlet.state.system import System

WARMUP = 30  # draws of the stream that are thrown away


class Population(Fix):
    """It acts before lists are rebuilt, at step `due` (0: never again), and at no other; all ranks come to the same decisions.

    f_ID: how many atoms or molecules have come or gone.
    """

    gives = Gives(scalar=INTENSIVE)
    reads: tuple[str, ...] = ("x", "v", "type", "mask", "id", "image")
    writes = reads
    steady = by_request = True
    due, count = 0, 0
    follows_steps = True
    keeps: tuple[str, ...] = ("due", "count")
    stream: ParkMiller
    streams: tuple[tuple[str, str], ...] = (("stream", "kept"),)  # what its state calls a stream, and the number kept of a pair

    def region_named(self, name: str) -> Region:
        one_of("region", name, self.system.regions, "" if name else f"fix {self.style or self.id} needs region ID")
        return self.system.regions[name]

    def next_rebuild(self, step: int) -> int:
        return self.due if self.due > step else NEVER

    def pre_exchange(self) -> None:
        if self.system.step == self.due:
            self.act()

    def act(self) -> None:
        raise NotImplementedError

    def changed(self, number: int) -> None:
        """So many atoms have come, or gone if it is negative."""
        if self.system.natoms < 1:
            raise InputError(f"fix {self.id}: there are no atoms left at step {self.system.step}", "let more of them stay")
        self.system.added += number
        for fix in self.system.fixes.values():
            fix.new_count()

    def arrive(self, columns: dict[str, Any]) -> None:
        """These atoms come: the exchange that follows brings them to their owners."""
        system, atoms, count = self.system, self.system.atoms, len(columns["x"])
        first = system.ranks.rank == 0
        atoms.append(**(columns if first else {"x": np.zeros((0, 3))}))
        self.changed(count)
        new = np.arange(atoms.n - count, atoms.n) if first else np.zeros(0, int)
        for operation in (*system.fixes.values(), *system.computes.values()):
            operation.new_atoms(new)
        system.topology.stale = True

    def largest_of(self, field: str) -> int:
        """Of all atoms."""
        return int(self.system.ranks.max(np.array([float(self.system.atoms.read(field).max(initial=0))]))[0])

    def scalar(self) -> float:
        return float(self.count)

    def state(self) -> dict[str, Any]:
        streams = [(getattr(self, name), name, kept) for name, kept in self.streams]
        return super().state() | {key: value for stream, name, kept in streams
                                  for key, value in ((name, stream.mark()), (kept, stream.kept))}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        for name, kept in self.streams:
            stream = getattr(self, name)
            stream.kept = state[kept]
            stream.back(state[name], 0)


def all_values(system: System, values: np.ndarray | list[int]) -> tuple[np.ndarray, int]:
    """Numbers of all ranks, in the order of ranks, and where those of this rank begin."""
    parts = system.ranks.all_of(np.asarray(values).tolist())
    before = sum(len(part) for part in parts[: system.ranks.rank])
    return np.array([value for part in parts for value in part], np.int64), before
