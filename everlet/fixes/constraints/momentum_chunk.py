"""Momentum that is taken away from each chunk."""

from __future__ import annotations

import numpy as np

from everlet.computes.chunk.base import Members, chunk_compute
from everlet.computes.chunk.rotation_chunk import arms, turning
from everlet.errors import arguments
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.fixes.constraints.momentum import flags
from everlet.state.system import System

USAGE = "fix ID group momentum/chunk N CHUNK-ID [linear 0|1 0|1 0|1] [angular] [rescale]"


@fix_style("momentum/chunk")
class MomentumChunk(Fix):
    """fix ID group momentum/chunk N CHUNK-ID [linear 0|1 0|1 0|1] [angular] [rescale]: as fix momentum, of each chunk of a
    compute chunk/atom. It works on the host."""

    reads, writes = ("x", "v", "image", "mask", "type"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.every, self.chunk_id = every_steps(args[0], "fix momentum/chunk"), args[1]
        chunk_compute(system, self.chunk_id, f"fix {id}")
        self.linear, self.angular, self.rescale = flags(args[2:], "fix momentum/chunk", USAGE)

    def needs(self, step: int) -> tuple[str, ...]:
        return chunk_compute(self.system, self.chunk_id, f"fix {self.id}").needs(step) if step % self.every == 0 else ()

    def end_of_step(self) -> None:
        members = Members(self.system, chunk_compute(self.system, self.chunk_id, f"fix {self.id}"), int(self.bit))
        before = v = members.field("v")
        if self.linear.any():
            v = v - (members.means(before) * self.linear)[members.chunk]
        if self.angular:
            v = v - np.cross(turning(members)[members.chunk], arms(members))
        if self.rescale:
            had, has = (members.sums(members.m * (one**2).sum(axis=1)) for one in (before, v))
            v = v * np.sqrt(np.divide(had, has, out=np.ones_like(had), where=has > 0.0))[members.chunk][:, None]
        self.system.atoms.edit("v")[members.rows] = v
