"""What computes of chunks have in common: the chunk of each atom, and sums over the atoms of each chunk on all ranks.

    compute ID group STYLE CHUNK-ID …       CHUNK-ID is a compute chunk/atom

Atoms count that are in a chunk and in the group.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute
from everlet.computes.chunk.chunk_atom import ChunkAtom
from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, one_of
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


def chunk_compute(system: System, name: str, user: str) -> ChunkAtom:
    """The compute chunk/atom of this name."""
    one_of("compute", name, system.computes, f"{user} needs the ID of a compute chunk/atom")
    found = system.computes[name]
    if not isinstance(found, ChunkAtom):
        raise InputError(f"{user}: compute {name} is not of style chunk/atom", "give the ID of a compute chunk/atom")
    return found


class Members:
    """The atoms of this rank that are in chunks, and sums over those of each chunk."""

    def __init__(self, system: System, chunk: ChunkAtom, bit: int):
        self.system, atoms = system, system.atoms
        self.count, numbers = chunk.chunks()
        self.rows = np.flatnonzero((numbers > 0) & ((atoms.read("mask") & bit) != 0))
        self.chunk = numbers[self.rows] - 1
        self.m = system.masses_of()[self.rows]

    def field(self, name: str) -> np.ndarray:
        return self.system.atoms.read(name)[self.rows]

    @property
    def x(self) -> np.ndarray:
        """Unwrapped positions."""
        return unwrapped(self.system)[self.rows]

    def sums(self, values: np.ndarray) -> np.ndarray:
        """Sums over the atoms of each chunk: (chunks,) of (n,), (chunks, k) of (n, k)."""
        columns = values[:, None] if values.ndim == 1 else values
        mine = np.stack([np.bincount(self.chunk, column, self.count) for column in columns.T], axis=1)
        found = self.system.ranks.sum(mine)
        return found[:, 0] if values.ndim == 1 else found

    def masses(self) -> np.ndarray:
        return self.sums(self.m)

    def means(self, values: np.ndarray) -> np.ndarray:
        """Means weighted by mass, 0 for chunks without atoms."""
        mass = self.masses()
        return self.sums(values * self.m[:, None]) / np.where(mass > 0, mass, 1.0)[:, None]


class Chunked(Compute):
    """Base: a table with a row for each chunk."""

    gives = Gives(array=INTENSIVE)
    usage, most = "", 1  # words behind the ID of the chunks are for the style

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, self.most or None, self.usage)
        self.chunk_id = args[0]
        self.user = f"compute {id}"
        chunk_compute(system, args[0], self.user)

    @property
    def chunk(self) -> ChunkAtom:
        return chunk_compute(self.system, self.chunk_id, self.user)

    def needs(self, step: int) -> tuple[str, ...]:
        return self.chunk.needs(step)

    def members(self) -> Members:
        return Members(self.system, self.chunk, int(self.bit))
