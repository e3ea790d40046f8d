"""Ghosts of many systems at once: those of SerialComm, with a box for each system (state/members.py).

Edges that are not periodic are open: atoms may go where they like, and none is lost.
"""

from __future__ import annotations

import numpy as np

from everlet.comm import member_kernels
from everlet.comm.serial import FARTHEST, SerialComm
from everlet.errors import RunError
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.state.broken import UNSTABLE, name_atoms
from everlet.state.control import BROKEN, TROUBLE
from everlet.state.members import Members
from everlet.state.system import System

WRAP = Kernel(member_kernels.wrap_members, statics=(("FARTHEST", FARTHEST), ("OPEN", True)))
KEEP, REACH, SET_DUE, BUILT = (Kernel(body) for body in (
    member_kernels.keep_members, member_kernels.reach_members, member_kernels.set_due, member_kernels.have_built))


class MemberComm(SerialComm):
    """keeps: a system is wrapped, and gets new ghosts and rows, when its own atoms have moved too far, as if it were
    alone; rows of others are made again of the positions that they were made of before (`kept`)."""

    many = True

    def __init__(self, system: System, members: Members, keeps: bool):
        super().__init__(system)
        self.members, self.keeps = members, keeps
        self.cut = Constants(3 * members.count, system.space)

    def _wrap(self, system: System) -> Kernel:
        return WRAP

    def basis(self, system: System) -> View:
        return system.atoms.view("kept" if self.keeps else "x", modify=True)

    def wrap(self, system: System) -> None:
        """Wrap atoms of systems whose turn it is."""
        atoms, space, members = system.atoms, system.space, self.members
        if space.queue is None:
            atoms.nghost = 0
        x, image, member = atoms.view("x", modify=True), atoms.view("image", modify=True), self.member(system)
        if not self.keeps:
            parallel_for(space, members.count, SET_DUE, 1, members.due)
        parallel_for(space, atoms.n, WRAP, member, members.due, members.tilted, x, image, members.view, space.control)
        parallel_for(space, atoms.n, KEEP, member, members.due, x, atoms.view("kept", modify=True))
        parallel_for(space, members.count, BUILT, members.due, members.view, members.built)
        if space.queue is not None:
            return
        words = space.read_control()
        if words[TROUBLE]:
            space.reset_control()
            if words[BROKEN]:
                raise RunError(self._broken(system), UNSTABLE)

    def _broken(self, system: System) -> str:
        atoms = system.atoms
        x, whose = atoms.read("x"), atoms.read("member")
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        what = "the position is not a finite number" if len(bad) else "atoms have flown many box lengths in one step"
        if not len(bad):
            far = [np.abs(self.members.boxes[s].to_fraction(x[whose == s])).max(axis=1) > FARTHEST for s in
                   range(self.members.count)]
            bad = np.flatnonzero(np.concatenate(far))
        named = ", ".join(str(s) for s in np.unique(whose[bad])[:5])
        return f"{what}: system {named}, {name_atoms(system, bad)} at step {system.step}"

    def reach(self, system: System, cutoff: float) -> None:
        parallel_for(system.space, self.members.count, REACH, cutoff, self.members.view, self.cut.view)

    def borders(self, system: System, cutoff: float, upper: bool = False, rest: bool = False) -> None:
        super().borders(system, cutoff, upper, rest)
        if self.keeps:
            self._place(system, self.basis(system))
