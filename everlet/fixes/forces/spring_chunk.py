"""Springs that hold the centres of mass of chunks."""

from __future__ import annotations

import numpy as np

from everlet.computes.chunk.base import Members
from everlet.computes.chunk.com_chunk import ComChunk
from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "fix ID group spring/chunk K CHUNK-ID COM-ID"


@fix_style("spring/chunk")
class SpringChunk(ForceFix):
    """fix ID group spring/chunk K CHUNK-ID COM-ID: E = K/2 (c - c_0)^2 of each chunk; c is its centre of mass, as compute
    com/chunk COM-ID has it, c_0 that when the first run began, which restart files keep. Atoms share the force by mass.

    f_ID: E. It works on the host. The reference (up to its update 4) has a force of the size K at any distance, and gives a
    share of it to atoms that COM-ID leaves out.
    """

    gives = Gives(scalar=EXTENSIVE)
    has_energy = minimizes = True
    keeps = ("start",)
    reads, writes = ("f", "x", "image", "mask", "type"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, USAGE)
        self.k, self.com_id = number(args[0], "a spring constant"), args[2]
        one_of("compute", args[1], system.computes, f"usage: {USAGE}")
        if self._centres().chunk_id != args[1]:
            raise InputError(f"fix {id}: compute {args[2]} is not of the chunks of {args[1]}", f"usage: {USAGE}")
        self.start = np.zeros((0, 3))
        self.energy = 0.0

    def _centres(self) -> ComChunk:
        one_of("compute", self.com_id, self.system.computes, f"usage: {USAGE}")
        found = self.system.computes[self.com_id]
        if not isinstance(found, ComChunk):
            raise InputError(f"fix {self.id}: compute {self.com_id} is not of style com/chunk", f"usage: {USAGE}")
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        return self._centres().needs(step)

    def post_force(self) -> None:
        members: Members = self._centres().members()
        centres, mass = members.means(members.x), members.masses()
        if not len(self.start):
            self.start = centres
        if len(centres) != len(self.start):
            raise InputError(f"fix {self.id}: there are {len(centres)} chunks, and there were {len(self.start)} when springs "
                             "were fastened", "use chunks whose number stays")
        away = centres - self.start
        self.energy = 0.5 * self.k * float((away**2).sum())
        pull = -self.k * away / np.where(mass > 0.0, mass, 1.0)[:, None]
        self.system.atoms.edit("f")[members.rows] += members.m[:, None] * pull[members.chunk]

    def scalar(self) -> float:
        self.up_to_date()
        return self.energy
