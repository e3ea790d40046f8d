"""Centres of mass of chunks, their velocities and their displacements."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Chunked, Members
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


class SinceStart(Chunked):
    """Base: three numbers of each chunk beside those of when the first run began, which restart files keep."""

    keeps = ("start",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.start = np.zeros((0, 3))

    def of_chunks(self, members: Members) -> np.ndarray:
        """The numbers now, (chunks, 3)."""
        raise NotImplementedError

    def setup(self) -> None:
        if not len(self.start):
            self.start = self.of_chunks(self.members())

    def both(self) -> tuple[np.ndarray, np.ndarray]:
        """Now, and then."""
        self.setup()
        members = self.members()
        if members.count != len(self.start):
            raise InputError(f"{self.user}: there are {members.count} chunks, and there were {len(self.start)} "
                             "at the beginning",
                             "use chunks whose number stays")
        return self.of_chunks(members), self.start


@compute_style("msd/chunk")
class MsdChunk(SinceStart):
    """compute ID group msd/chunk CHUNK-ID: dx^2 dy^2 dz^2 and their sum of each centre of mass since the first run began."""

    usage = "compute ID group msd/chunk CHUNK-ID"

    def of_chunks(self, members: Members) -> np.ndarray:
        return members.means(members.x)

    def array(self) -> np.ndarray:
        now, start = self.both()
        return np.column_stack([(now - start) ** 2, ((now - start) ** 2).sum(axis=1)])


@compute_style("vacf/chunk")
class VacfChunk(SinceStart):
    """compute ID group vacf/chunk CHUNK-ID: v_x v_x0, v_y v_y0, v_z v_z0 and their sum, v the velocity of each centre of
    mass, v_0 that when the first run began."""

    usage = "compute ID group vacf/chunk CHUNK-ID"

    def of_chunks(self, members: Members) -> np.ndarray:
        return members.means(members.field("v"))

    def array(self) -> np.ndarray:
        now, start = self.both()
        return np.column_stack([now * start, (now * start).sum(axis=1)])
