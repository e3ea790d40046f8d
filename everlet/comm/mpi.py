"""Ghost atoms on several ranks: each owns the atoms of its part of the box and gets those that others have near it.

There are no stages: a rank sends to every other one that needs atoms of it, to itself too (its own periodic images),
once for each shift of the box. Ghost rows are in the order of the ranks they come from. Positions are received straight
into the rows of x, forces are sent straight from the rows of f.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm import send_kernels as kernels
from everlet.comm.cuts import Cuts, Target
from everlet.comm.serial import SerialComm
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.state.control import TOTAL
from everlet.state.parts import packed, unpacked
from everlet.state.system import System
from everlet.world import Channel

BODIES = (kernels.find_owner, kernels.mark_edge, kernels.edge_fractions, kernels.count_sends, kernels.list_sends,
          kernels.pack_positions)
SPARE = 1.2


class MpiComm(SerialComm):
    """The interface is SerialComm's; wrapping, shrinking and the search for lost atoms are too."""

    def __init__(self, system: System, world: Any, cuts: Cuts):
        super().__init__(system)
        self.world, self.ranks = world, world.size
        space = system.space
        self.staged = space.memory != "host"  # messages go through host memory
        self.nodes, self.inner = Constants(4 * max(self.ranks - 1, 1), space), Constants(6, space)
        self.part = Constants(7, space)
        self.owner = self.edge = self.sent = self.target = View(0, np.int32, space)
        self.packed, self.back = View((1, 4), np.float64, space), View((1, 3), np.float64, space)
        self.shifts = View((1, 3), np.float64, space)
        self.homes = self.entry = View(0, np.int32, space)
        self.first = View(1, np.int32, space)
        self.sends = self.ghosts = 0
        self.there = self.home = self.speeds = Channel()
        self._targets_found: list[Target] = []
        self._targets_of: tuple[Any, ...] = ()
        self.use(cuts)

    def use(self, cuts: Cuts) -> None:
        """Other cuts: the next exchange sends atoms to their new owners."""
        self.cuts, self._targets_of = cuts, ()
        self.nodes.set(cuts.nodes.ravel())
        self.part.set([*cuts.corners[self.world.rank].ravel(), self.world.rank])

    def kernels(self, system: System, upper: bool) -> list[Kernel]:
        bodies = [*BODIES, kernels.add_forces, *([kernels.pack_velocities] if system.ghost_velocity else [])]
        return [self._wrap(system), *(Kernel(body) for body in bodies)]

    # ---- who owns what
    def owners(self, system: System) -> np.ndarray:
        """The rank that owns each atom, on the host."""
        n, space = system.atoms.n, system.space
        self.box.set(system.need_box().params())
        if self.owner.shape[0] < n:
            self.owner = View(int(SPARE * n), np.int32, space)
        parallel_for(space, n, kernels.find_owner, system.atoms.view("x"), self.box.view, self.nodes.view, self.part.view,
                     self.owner)
        return space.to_host(self.owner.data[:n])

    def exchange(self, system: System) -> None:
        """Wrap atoms into the box as one rank does, then send those that left the part to their new owners."""
        super().exchange(system)
        atoms, owner = system.atoms, self.owners(system)
        leaving = np.flatnonzero(owner != self.world.rank)
        leaving = leaving[np.argsort(owner[leaving], kind="stable")]
        counts = np.bincount(owner[leaving], minlength=self.ranks)
        came, _ = self.world.swap(packed(atoms, leaving), counts)
        atoms.drop(leaving)
        if len(came):
            unpacked(atoms, came)

    # ---- ghosts
    def borders(self, system: System, cutoff: float, upper: bool = False) -> None:
        """Make all ghosts within `cutoff` of this rank's part; `upper`: see Cuts.targets."""
        atoms, box = system.atoms, system.need_box()
        reach = box.ghost_fraction(cutoff)
        images = float(np.prod(1.0 + 2.0 * reach * np.array(box.periodic)))
        self._refuse_too_many(atoms.n, images, cutoff, box)
        targets = self._targets(reach, box.periodic, upper)
        start = self._list(system, targets, reach)
        ranks = np.array([target.rank for target in targets], int)
        counts = np.bincount(ranks, np.diff(start), minlength=self.ranks).astype(np.int64)
        labels = [name for name, field in atoms.fields.items() if field.ghost and name != "x"]
        rows, came = self.world.swap(packed(atoms, system.space.to_host(self.sent.data[: self.sends]), labels), counts)
        self.ghosts = len(rows)
        atoms.reserve(atoms.n + self.ghosts, self.ghosts // 20 + 16)
        atoms.nghost = self.ghosts
        unpacked(atoms, rows, labels, ghosts=True)
        if self.staged:
            system.space.control[TOTAL] = atoms.total
        self._connect(system, counts, came)
        if upper:
            self._find_homes(system)
        self.forward(system)

    def _targets(self, reach: np.ndarray, periodic: tuple[bool, ...], upper: bool) -> list[Target]:
        """Whom we may have to send to; found again only if the box has changed."""
        key = (*reach.tolist(), *periodic, upper)
        if key != self._targets_of:
            self._targets_found, self._targets_of = self.cuts.targets(self.world.rank, reach, periodic, upper), key
        return self._targets_found

    def _list(self, system: System, targets: list[Target], reach: np.ndarray) -> np.ndarray:
        """Which atoms go to which target; where each target's begin."""
        atoms, space, x = system.atoms, system.space, system.atoms.view("x")
        low, high = self.cuts.corners[self.world.rank]
        self.inner.set(np.concatenate([low + reach, high - reach]))
        if self.edge.shape[0] < atoms.n:  # more than before others have sent theirs
            self.edge = View(int(SPARE * atoms.n), np.int32, space)
        parallel_for(space, atoms.n, kernels.mark_edge, x, self.box.view, self.inner.view, self.edge)
        rows = np.flatnonzero(space.to_host(self.edge.data[: atoms.n]))
        edges, count = len(rows), max(len(targets), 1)
        edge, s = View(max(edges, 1), np.int32, space), View((max(edges, 1), 3), np.float64, space)
        edge.data[:edges] = space.from_host(rows.astype(np.int32))
        parallel_for(space, edges, kernels.edge_fractions, x, self.box.view, edge, s)
        window, counts = View(6 * count, np.float64, space), View(count, np.int32, space)
        self.shifts = View((count, 3), np.float64, space)
        if targets:
            window.put(np.array([(*target.low, *target.high) for target in targets]).ravel())
            self.shifts.put([target.shift for target in targets])
        flat = s.data
        parallel_for(space, len(targets), kernels.count_sends, edges, flat, window, counts)
        start = np.concatenate([[0], np.cumsum(counts.get()[: len(targets)])]).astype(np.int64)
        self.sends = int(start[-1])
        if self.sent.shape[0] < self.sends:
            room = int(SPARE * self.sends)
            self.sent, self.target = (View(room, np.int32, space) for _ in range(2))
            self.packed, self.back = View((room, 4), np.float64, space), View((room, 3), np.float64, space)
        begin = View(len(start), np.int32, space)
        begin.put(start)
        parallel_for(space, len(targets), kernels.list_sends, edges, edge, flat, window, begin, self.sent, self.target)
        return start

    def _connect(self, system: System, counts: np.ndarray, came: np.ndarray) -> None:
        """Channels for positions and forces, which are used until ghosts are made anew."""
        for channel in (self.there, self.home, self.speeds):
            channel.close()
        atoms, n = system.atoms, system.atoms.n
        x, f = atoms.view("x", modify=True), atoms.view("f", modify=True)
        self.out_x, self.out_f = self.packed.data[: 4 * self.sends], f.data[3 * n : 3 * (n + self.ghosts)]
        self.in_x, self.in_f = x.data[4 * n : 4 * (n + self.ghosts)], self.back.data[: 3 * self.sends]
        if self.staged:
            self.out_x, self.in_x = np.zeros(4 * self.sends), np.zeros(4 * self.ghosts)
            self.out_f, self.in_f = np.zeros(3 * self.ghosts), np.zeros(3 * self.sends)
        to, of = np.concatenate([[0], np.cumsum(counts)]), np.concatenate([[0], np.cumsum(came)])
        me = self.world.rank
        self.own_sends, self.own_ghosts = slice(to[me], to[me + 1]), slice(of[me], of[me + 1])
        others = [rank for rank in range(self.ranks) if rank != me]
        mine, theirs = [r for r in others if counts[r]], [r for r in others if came[r]]
        self.there = self.world.channel({r: self.out_x[4 * to[r] : 4 * to[r + 1]] for r in mine},
                                        {r: self.in_x[4 * of[r] : 4 * of[r + 1]] for r in theirs})
        self.home = self.world.channel({r: self.out_f[3 * of[r] : 3 * of[r + 1]] for r in theirs},
                                       {r: self.in_f[3 * to[r] : 3 * to[r + 1]] for r in mine})
        self.speeds = Channel()
        if system.ghost_velocity:  # from the place of forces that come back, which is free then
            self.in_v = atoms.view("v", modify=True).data[3 * n : 3 * (n + self.ghosts)]
            self.in_v = np.zeros(3 * self.ghosts) if self.staged else self.in_v
            self.speeds = self.world.channel({r: self.in_f[3 * to[r] : 3 * to[r + 1]] for r in mine},
                                             {r: self.in_v[3 * of[r] : 3 * of[r + 1]] for r in theirs})

    def _find_homes(self, system: System) -> None:
        """The atoms that were sent, and for each the places in the buffer of what comes back."""
        space = system.space
        sent = space.to_host(self.sent.data[: self.sends])
        order = np.argsort(sent, kind="stable")
        atoms, first = np.unique(sent[order], return_index=True)
        if self.entry.shape[0] < len(order):
            room = int(SPARE * len(order))
            self.homes, self.entry, self.first = (View(room + k, np.int32, space) for k in (0, 0, 1))
        self.home_count = len(atoms)
        for view, values in ((self.homes, atoms), (self.entry, order), (self.first, np.append(first, len(order)))):
            view.data[: len(values)] = space.from_host(values.astype(np.int32))

    def forward(self, system: System) -> None:
        """Ghost positions from their owners, and velocities if they are asked for."""
        space, x = system.space, system.atoms.view("x", modify=True)
        parallel_for(space, self.sends, kernels.pack_positions, x, self.sent, self.target, self.shifts, self.box.view,
                     self.packed)
        if self.staged:
            self.out_x[:] = space.to_host(self.packed.data[: 4 * self.sends])
        self._rows(self.in_x, 4, self.own_ghosts)[:] = self._rows(self.out_x, 4, self.own_sends)
        self.there.go()
        if self.staged:
            n = system.atoms.n
            x.data[4 * n : 4 * (n + self.ghosts)] = space.from_host(self.in_x)
        if system.ghost_velocity:
            self._forward_velocities(system)

    def _forward_velocities(self, system: System) -> None:
        space, v, n = system.space, system.atoms.view("v", modify=True), system.atoms.n
        parallel_for(space, self.sends, kernels.pack_velocities, v, self.sent, self.back)
        if self.staged:
            self.in_f[:] = space.to_host(self.back.data[: 3 * self.sends])
        self._rows(self.in_v, 3, self.own_ghosts)[:] = self._rows(self.in_f, 3, self.own_sends)
        self.speeds.go()
        if self.staged:
            v.data[3 * n : 3 * (n + self.ghosts)] = space.from_host(self.in_v)

    def reverse(self, system: System) -> None:
        """Forces on ghosts to their owners."""
        space, n, f = system.space, system.atoms.n, system.atoms.view("f", modify=True)
        if self.staged:
            self.out_f[:] = space.to_host(f.data[3 * n : 3 * (n + self.ghosts)])
        self._rows(self.in_f, 3, self.own_sends)[:] = self._rows(self.out_f, 3, self.own_ghosts)
        self.home.go()
        if self.staged:
            self.back.data[: 3 * self.sends] = space.from_host(self.in_f)
        parallel_for(space, self.home_count, kernels.add_forces, self.homes, self.first, self.entry, self.back, f)

    @staticmethod
    def _rows(array: np.ndarray, width: int, rows: slice) -> np.ndarray:
        return array[width * rows.start : width * rows.stop]

    def bytes(self) -> int:
        views = (self.owner, self.edge, self.sent, self.target, self.packed, self.back, self.homes, self.entry)
        return sum(view.data.nbytes for view in views)
