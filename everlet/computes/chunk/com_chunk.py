"""Centres of mass of chunks, their velocities and their displacements."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Chunked
from everlet.errors import InputError
from everlet.state.system import System


@compute_style("com/chunk")
class ComChunk(Chunked):
    """compute ID group com/chunk CHUNK-ID: sum m x / sum m of each chunk, x unwrapped."""

    usage = "compute ID group com/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        members = self.members()
        return members.means(members.x)


@compute_style("vcm/chunk")
class VcmChunk(Chunked):
    """compute ID group vcm/chunk CHUNK-ID: sum m v / sum m of each chunk."""

    usage = "compute ID group vcm/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        members = self.members()
        return members.means(members.field("v"))


@compute_style("msd/chunk")
class MsdChunk(Chunked):
    """compute ID group msd/chunk CHUNK-ID: dx^2 dy^2 dz^2 and their sum of each centre of mass since the first run began.

    Every atom keeps where its chunk was: so it is known after a restart, on any number of ranks.
    """

    usage = "compute ID group msd/chunk CHUNK-ID"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.known, self.chunks = self.add_field("origin", width=3), 0

    def setup(self) -> None:
        if self.known:
            return
        members = self.members()
        start = members.means(members.x)
        self.system.atoms.edit(self.field("origin"))[members.rows] = start[members.chunk]
        self.known, self.chunks = True, members.count

    def array(self) -> np.ndarray:
        self.setup()
        members = self.members()
        if self.chunks and members.count != self.chunks:
            raise InputError(f"{self.user}: there are {members.count} chunks, and there were {self.chunks} at the beginning",
                             "use chunks whose number stays")
        start = np.full((members.count, 3), -np.inf)
        np.maximum.at(start, members.chunk, members.field(self.field("origin")))  # all atoms of a chunk have the same
        start = self.system.ranks.max(start)
        way = np.where(np.isfinite(start), members.means(members.x) - start, 0.0)
        return np.column_stack([way**2, (way**2).sum(axis=1)])
