"""Division: atoms are divided among the ranks of a job for a run, and every rank gets all of them between runs.

Script commands thus work on all atoms, on every rank in the same way. Atoms stay divided after a run until a command
may look at them; a run that follows at once goes on from there. Gathered atoms are in the order of ranks, and each
rank's own keep their order: a run that continues from a restart file on as many ranks repeats the first one exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from everlet.comm.cuts import Cuts, choose_grid
from everlet.comm.members import MemberComm
from everlet.comm.mpi import MpiComm
from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.state.atoms import Atoms
from everlet.state.packing import gathered, taken
from everlet.state.ranks import SingleRank
from everlet.state.system import System

WHOLE = np.array([[0.0] * 3, [1.0] * 3])


class Division:
    """Who has which atoms of a system. With one rank there is nothing to do."""

    def __init__(self, system: System):
        self.system, self.world = system, system.world
        self.cuts: Cuts | None = None
        self.uneven = ""  # in words, if `balance` made the cuts
        self._box: Any = None  # the one they were made for
        self.made: MpiComm | None = None  # the communicator of the present run
        self.kept: Atoms | None = None  # this rank's atoms as the last run left them, while all atoms are here
        self.measures: dict[str, Callable[[], float]] = {}  # what this rank has had to do in the present run, or the last one

    def comm(self, side: Any) -> SerialComm:
        """The communicator of a run; `side` is where pair forces are computed."""
        if side.members is not None:
            return MemberComm(side, side.members, side.members.keeps)
        if self.world.size == 1:
            return SerialComm(side)
        self.made = MpiComm(side, self.world, self.present())
        return self.made

    # ---- the cuts
    def present(self) -> Cuts:
        """The present cuts: those of balance, as long as the box is the same; else equal bricks."""
        system = self.system
        box = system.need_box()
        if self._box is not box or self.cuts is None:
            self.forget()
            grid = choose_grid(self.world.size, box, system.processors)
            self.cuts, self._box = Cuts.equal(grid, system.rank_order), box
        return self.cuts

    def forget(self) -> None:
        """Equal bricks again."""
        self.cuts, self.uneven = None, ""

    def use(self, cuts: Cuts, uneven: str) -> None:
        """Other cuts, at once or from the next exchange of the run on."""
        system = self.system
        self.cuts, self.uneven, self._box = cuts, uneven, system.need_box()
        if self.made is not None:
            self.made.use(cuts)
        if system.ranks.size > 1:
            system.subdomain = cuts.corners[self.world.rank]

    def state(self) -> dict[str, Any] | None:
        """The present cuts, for restart files; None: there are none."""
        return None if self.cuts is None or self.world.size == 1 else {"uneven": self.uneven, **self.cuts.state()}

    def restore(self, state: dict[str, Any]) -> None:
        """Go on with cuts for as many ranks."""
        cuts = Cuts.restored(state)
        if cuts.ranks == self.world.size:
            self.cuts, self.uneven, self._box = cuts, state["uneven"], self.system.need_box()

    def owners(self, cuts: Cuts) -> np.ndarray:
        """The rank that owns each atom here."""
        return MpiComm(self.system, self.world, cuts).owners(self.system)

    # ---- who has the atoms
    def begin(self, kept: dict[str, Any] | None = None) -> None:
        """Divide the atoms for a run with a set-up; kept: as a restart file says."""
        system, world = self.system, self.world
        if world.size == 1:
            return
        if not self.uneven:
            self.forget()  # the box may have another shape now
        if kept is not None:
            self.restore(kept)
        cuts = self.present()
        self.kept = None
        if system.ranks.size == 1:
            system.atoms = taken(system.atoms, np.flatnonzero(self.owners(cuts) == world.rank))
        system.ranks, system.subdomain = world, cuts.corners[world.rank]

    def resume(self) -> None:
        """Divide the atoms as they were at the end of the last run, with what commands have changed since then."""
        system = self.system
        if self.kept is None:
            return
        kept, whole = self.kept, system.atoms
        ids = whole.read("id")
        order = np.argsort(ids, kind="stable")
        rows = order[np.minimum(np.searchsorted(ids, kept.read("id"), sorter=order), len(ids) - 1)] if len(ids) else order
        same = whole.n == self.count and len(rows) == kept.n and np.array_equal(ids[rows], kept.read("id"))
        if self.world.any(not same):
            raise InputError("run … pre no, but atoms have been added or removed since the last run",
                             "leave out 'pre no'")
        for name, field in whole.fields.items():
            if name not in kept.fields:
                kept.like(name, field)
            kept.fields[name].view.edit()[: kept.n] = field.view.read()[rows]
        self.kept = None
        system.atoms, system.ranks, system.subdomain = kept, self.world, self.present().corners[self.world.rank]

    def gather(self) -> None:
        """All atoms on all ranks."""
        system = self.system
        if system.ranks.size == 1:
            return
        self.kept = system.atoms
        system.atoms = gathered(system.atoms, self.world)
        self.count = system.atoms.n
        system.ranks, system.subdomain = SingleRank(), WHOLE

    @contextmanager
    def first_has_all(self) -> Iterator[None]:
        """Inside a run: the first rank, which writes files, sees all atoms as if it were alone; the others see none."""
        system = self.system
        before = system.atoms, system.ranks, system.subdomain, system.force_ranks
        if system.ranks.size > 1:
            system.atoms, system.ranks = gathered(system.atoms, self.world, everywhere=False), SingleRank()
            system.force_ranks = system.ranks
            system.subdomain = WHOLE
        try:
            yield
        finally:
            system.atoms, system.ranks, system.subdomain, system.force_ranks = before
