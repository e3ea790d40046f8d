"""Neighbour lists: rows (rows.py) with their ghosts, made anew when atoms have moved too far."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import nullcontext

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.neighbor import kernels
from everlet.neighbor.again import Edges, Within, serve_again
from everlet.neighbor.decide import Decision, NeighborSettings
from everlet.neighbor.follower import BoxFollower
from everlet.neighbor.moving_loops import MARK_MEMBERS, mark_moved_in_box
from everlet.neighbor.rows import Rows, spare
from everlet.neighbor.sorting import note_order, order_atoms, sort_atoms
from everlet.portable import View, parallel_for
from everlet.portable.spaces import LATER
from everlet.state.control import STOP
from everlet.state.plan import SORT_EVERY
from everlet.state.system import System

MOST_NOTED = 10_000  # atoms whose order is noted in runs that do not need it: sorting takes the host a millisecond or two


class Neighbor(Rows):
    """The neighbour list of a system, its ghosts and the decision when to make both anew."""

    def __init__(self, system: System, settings: NeighborSettings, kind: str = "half", rows: bool = True,
                 dense: bool = False, basis: str = "x"):
        super().__init__(system, settings, kind, rows, dense, basis)
        self.decision = Decision(settings)
        self.held = View(0, np.float64, system.space)
        self.follower = BoxFollower(self)
        self.reused = False  # the last set-up has found them good enough
        self.edges: Edges | None = None  # those of the box at the last build
        self.hooks: list[Callable[[], None]] = []  # called when ghosts are new and rows are not

    # ---- when
    def due(self) -> bool:
        """Called once per step: may lists be rebuilt now?"""
        return self.decision.due()

    def mark_moved(self, position: int = 0, reach: float | None = None) -> None:
        """A loop that stops the sequence at this position if an atom has moved too far: than `reach`, if it is given."""
        atoms, space = self.system.atoms, self.system.space
        if self.system.members is not None:
            members = self.system.members
            parallel_for(space, atoms.n, MARK_MEMBERS, self.member, atoms.view("x"), atoms.view("kept"), members.reach2,
                         members.due, position, space.control)
            return
        if self.held.shape[0] < 3 * atoms.n:  # the check was switched on after the last build: no place is near
            self._reserve_held()
            self.held.data[:] = np.nan
        if self.corners.on_device and reach is None:
            parallel_for(space, atoms.n, mark_moved_in_box, atoms.view("x"), self.held, self.corners.reach2, position,
                         space.control)
            return
        reach = self.corners.reach(self.system.need_box(), self.skin) if reach is None else reach
        parallel_for(space, atoms.n, kernels.mark_moved, atoms.view("x"), self.held, reach**2, position, space.control)

    def moved(self) -> bool:
        """Whether the loop of `mark_moved` has found an atom that moved too far."""
        space = self.system.space
        here = space.read_control()[STOP] != LATER
        if here:
            space.reset_control()
        if not self.system.ranks.any(here):
            return False
        self.decision.checked()
        return True

    # ---- making lists
    def rebuild(self, comm: SerialComm, count: bool = True) -> None:
        """Exchange, sort, ghosts, bins, list."""
        self._entries = None
        system, space = self.system, self.system.space
        collecting = space.queue is not None  # then nothing may come from the device, and arrays stay as they are
        if self.corners.on_device and system.members is None:
            (self.follower.fit if collecting else self.follower.forget)(comm)
        if system.members is not None and not count and not collecting:
            system.members.renew(self.skin)
        comm.exchange(system)
        self._note_order(count)
        if space.notes is not None and system.sorts:  # it will be due in the run; atoms stay where they are now
            self.sort_atoms()
        elif system.sorts and system.step >= system.next_sort and not collecting:
            self.sort_atoms()
            system.next_sort = (system.step // system.sort_every + 1) * system.sort_every
        self._keep_positions()
        comm.borders(system, self.ghost_cutoff, self.upper, self.partners)
        self.paired = comm.paired
        for hook in self.hooks:
            hook()
        self.build()
        if not collecting:
            self.decision.built(count)
            self.reused, self.edges = False, Edges(system.need_box(), self.ghost_cutoff)

    def reuse(self, comm: SerialComm, copies: bool = False, head: Within = nullcontext, rest: Within = nullcontext) -> bool:
        """Go on with the rows of the last build, if they are good for the present positions too (again.py)."""
        self.reused = serve_again(self, comm, copies, head, rest)
        if self.reused and not copies:
            self._note_order(False)
        return self.reused

    def _note_order(self, inside: bool) -> None:
        """LAMMPS sorts at each set-up, and now and then inside of a run: fixes that come later may want to know."""
        system, space = self.system, self.system.space
        alone = system.world.size == 1 and space.threads == 1 and not space.many_threads and system.members is None
        if not alone or system.ordered or system.atoms.n > MOST_NOTED:
            return
        every = system.sort_every if system.sort_given else SORT_EVERY
        if space.notes is None and space.queue is None and every and not (inside and system.step < system.stored_until):
            note_order(system, self.radius)
            system.stored_until = (system.step // every + 1) * every

    def sizes(self, bins: bool) -> tuple[float, ...]:
        """Numbers that loops, also of bins, were given and that the next build by the host may change: graphs hold them."""
        shape = self.bins.grid.shape.tolist() if bins and self.bins.grid is not None else ()
        return (self.radius, self.steps.length, self.room, self.si, self.sk, *shape)

    def _keep_positions(self) -> None:
        """Where atoms are now, for the check how far they have moved; `held` is empty if there is none."""
        atoms, space = self.system.atoms, self.system.space
        if self.system.members is not None:
            return  # comm has kept them, of systems whose turn it is
        if space.queue is None or not self.corners.on_device:
            self.corners.keep(self.system.need_box(), self.skin)
        if self.settings.check:
            self._reserve_held()
            parallel_for(space, atoms.n, kernels.keep_positions, atoms.view("x"), self.held)
        elif self.held.shape[0]:
            self.held = View(0, np.float64, space)

    def _reserve_held(self) -> None:
        n, before = self.system.atoms.n, self.held.shape[0]
        if before < 3 * n:
            self.held = View(3 * spare(n, before // 3), np.float64, self.system.space)

    def sort_atoms(self) -> None:
        """Put owned atoms into the order of their bins, so that neighbours are close in memory."""
        if self.system.ordered and self.system.space.notes is None:
            order_atoms(self.system, self.bins, self.radius)
            return
        self.bins.set_grid(self.grids.whole(ghosts=False), self.system.atoms.n)
        sort_atoms(self.system, self.bins)
