"""Ghost atoms on several ranks: each owns the atoms of its part of the box and gets those that others have near it.

There are no stages: a rank sends to every other one that needs atoms of it, to itself too (its own periodic images),
once for each shift of the box. Ghost rows are in the order of the ranks they come from; where half of them is enough for
pairs and the others are wanted too, that half comes first. Positions are received straight into the rows of x, forces are
sent straight from the rows of f.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.comm import send_kernels as kernels
from everlet.comm.cuts import Cuts, Target
from everlet.comm.routes import Routes
from everlet.comm.serial import SerialComm
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.state.control import TOTAL
from everlet.state.packing import packed, unpacked
from everlet.state.system import System

BODIES = (kernels.find_owner, kernels.mark_edge, kernels.edge_fractions, kernels.count_sends, kernels.list_sends,
          kernels.pack_positions)
AT_HOME = Kernel(kernels.at_home)
SPARE = 1.2


@dataclass
class Batch:
    """Ghosts that are in the order of ranks: sent atoms first … last - 1, ghosts begin … end - 1, and their routes."""

    first: int
    last: int
    begin: int
    end: int
    routes: Routes


class MpiComm(SerialComm):
    """The interface is SerialComm's; wrapping, shrinking and the search for lost atoms are too."""

    def __init__(self, system: System, world: Any, cuts: Cuts):
        super().__init__(system)
        self.world, self.ranks = world, world.size
        space = system.space
        self.staged = space.memory != "host" and not world.reads_device_memory(space)  # messages go through host memory
        self.nodes, self.inner = Constants(4 * max(self.ranks - 1, 1), space), Constants(6, space)
        self.part = Constants(7, space)
        self.owner = self.edge = self.sent = self.target = View(0, np.int32, space)
        self.packed, self.back = View((1, 4), np.float64, space), View((1, 3), np.float64, space)
        self.shifts = View((1, 3), np.float64, space)
        self.homes = self.entry = View(0, np.int32, space)
        self.first = View(1, np.int32, space)
        self.sends = self.ghosts = 0
        self.bundles: dict[str, View] = {}  # fields as they are sent
        self.batches: list[Batch] = []
        self._homes_found = False
        self._targets_found: list[Target] = []
        self._targets_of: tuple[Any, ...] = ()
        self._take(cuts)

    def use(self, cuts: Cuts) -> None:
        """Other cuts: the next exchange sends atoms to their new owners."""
        if cuts is not self.cuts:
            self._take(cuts)

    def _take(self, cuts: Cuts) -> None:
        self.cuts, self._targets_of = cuts, ()
        self.nodes.set(cuts.nodes.ravel())
        self.part.set([*cuts.corners[self.world.rank].ravel(), self.world.rank])

    # ---- who owns what
    def owners(self, system: System) -> np.ndarray:
        """The rank that owns each atom, on the host."""
        n, space = system.atoms.n, system.space
        system.put_box()
        if self.owner.shape[0] < n:
            self.owner = View(int(SPARE * n), np.int32, space)
        parallel_for(space, n, kernels.find_owner, system.atoms.view("x"), system.box_view(), self.nodes.view, self.part.view,
                     self.owner)
        return space.to_host(self.owner.data[:n]) if space.notes is None else np.full(n, self.world.rank)

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
    def borders(self, system: System, cutoff: float, upper: bool = False, rest: bool = False) -> None:
        """Make all ghosts within `cutoff` of this rank's part; `upper`: only those (Cuts.targets), with `rest` those first."""
        atoms, box = system.atoms, system.need_box()
        atoms.ghost_sets += 1
        reach = box.ghost_fraction(cutoff)
        images = float(np.prod(1.0 + 2.0 * reach * np.array(box.periodic)))
        self._refuse_too_many(atoms.n, images, cutoff, box)
        found = self._targets(reach, box.periodic)
        groups = [[target for target in found if target.upper]] if upper else [found]
        groups += [[target for target in found if not target.upper]] if upper and rest else []
        start = self._list(system, sum(groups, []), reach)
        labels, sent = atoms.ghosts_have("borders", "step"), system.space.to_host(self.sent.data[: self.sends])
        for batch in self.batches:
            batch.routes.close()
        self.batches, arrived, first, ghosts = [], [], 0, 0
        for group in groups:
            ends, first = start[first : first + len(group) + 1], first + len(group)
            ranks = np.array([target.rank for target in group], int)
            counts = np.bincount(ranks, np.diff(ends), minlength=self.ranks).astype(np.int64)
            rows, came = self.world.swap(packed(atoms, sent[ends[0] : ends[-1]], labels), counts)
            routes = Routes(self.world, system.space, counts, came, self.staged)
            self.batches.append(Batch(int(ends[0]), int(ends[-1]), ghosts, ghosts + len(rows), routes))
            arrived.append(rows)
            ghosts += len(rows)
        self.ghosts, self.paired = ghosts, self.batches[0].end
        atoms.reserve(atoms.n + ghosts, ghosts // 20 + 16)
        atoms.nghost = ghosts
        unpacked(atoms, np.concatenate(arrived), labels, ghosts=True)
        if system.space.memory != "host":
            system.space.control[TOTAL] = atoms.total
        self._homes_found = False
        self.forward(system)

    def _targets(self, reach: np.ndarray, periodic: tuple[bool, ...]) -> list[Target]:
        """Whom we may have to send to; found again only if the box has changed."""
        key = (*reach.tolist(), *periodic)
        if key != self._targets_of:
            self._targets_found, self._targets_of = self.cuts.targets(self.world.rank, reach, periodic), key
        return self._targets_found

    def _to_ghosts(self, name: str, packed: Any, ghosts: Any, width: int) -> None:
        """All messages are on their way before any is waited for."""
        routes = [one.routes.known_route(name, packed[width * one.first : width * one.last],
                                         ghosts[width * one.begin : width * one.end], width, True) for one in self.batches]
        for route in routes:
            route.start()
        for route in routes:
            route.wait()

    def _from_ghosts(self, name: str, ghosts: Any, back: Any, width: int) -> None:
        """From those that are in rows: nothing is added to others."""
        one = self.batches[0]
        one.routes.backward(name, ghosts[width * one.begin : width * one.end], back[width * one.first : width * one.last],
                            width)

    def _list(self, system: System, targets: list[Target], reach: np.ndarray) -> np.ndarray:
        """Which atoms go to which target; where each target's begin."""
        atoms, space, x = system.atoms, system.space, system.atoms.view("x")
        low, high = self.cuts.corners[self.world.rank]
        self.inner.set(np.concatenate([low + reach, high - reach]))
        if self.edge.shape[0] < atoms.n:  # more than before others have sent theirs
            self.edge = View(int(SPARE * atoms.n), np.int32, space)
        parallel_for(space, atoms.n, kernels.mark_edge, x, system.box_view(), self.inner.view, self.edge)
        rows = np.flatnonzero(space.to_host(self.edge.data[: atoms.n]))
        edges, count = len(rows), max(len(targets), 1)
        edge, s = View(max(edges, 1), np.int32, space), View((max(edges, 1), 3), np.float64, space)
        edge.data[:edges] = space.from_host(rows.astype(np.int32))
        parallel_for(space, edges, kernels.edge_fractions, x, system.box_view(), edge, s)
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

    def _find_homes(self, system: System) -> None:
        """The atoms that were sent, and for each the places in the buffer of what comes back; once for a set of ghosts."""
        if self._homes_found:
            return
        self._homes_found = True
        space = system.space
        sent = space.to_host(self.sent.data[: self.batches[0].last])  # what comes back is of these alone
        order = np.argsort(sent, kind="stable")
        atoms, first = np.unique(sent[order], return_index=True)
        if self.entry.shape[0] < len(order):
            room = int(SPARE * len(order))
            self.homes, self.entry, self.first = (View(room + k, np.int32, space) for k in (0, 0, 1))
        self.home_count = len(atoms)
        for view, values in ((self.homes, atoms), (self.entry, order), (self.first, np.append(first, len(order)))):
            view.data[: len(values)] = space.from_host(values.astype(np.int32))

    def ghost_owners(self) -> np.ndarray:
        """The rank that each ghost comes from, on the host."""
        found = [np.repeat(np.arange(self.ranks), np.diff(one.routes.into)) for one in self.batches]
        return np.concatenate(found) if found else np.zeros(0, int)

    def own_images(self) -> Iterator[tuple[int, int, int]]:
        """Ghosts that are images of this rank's own atoms: the first, its place among the atoms that were sent, how many."""
        me = self.world.rank
        for one in self.batches:
            out, into = one.routes.out, one.routes.into
            yield one.begin + int(into[me]), one.first + int(out[me]), int(into[me + 1] - into[me])

    def own_rows(self, system: System, home: View) -> None:
        n = system.atoms.n
        parallel_for(system.space, system.atoms.total, AT_HOME, home)
        for ghost, atom, many in self.own_images():
            home.data[n + ghost : n + ghost + many] = self.sent.data[atom : atom + many]

    def _ghost_rows(self, view: View, n: int) -> Any:
        return view.data[view.width * n : view.width * (n + self.ghosts)]

    def forward(self, system: System, *names: str) -> None:
        space, n, x = system.space, system.atoms.n, system.atoms.view("x", modify=True)
        if not names or "x" in names:
            parallel_for(space, self.sends, kernels.pack_positions, x, self.sent, self.target, self.shifts, system.box_view(),
                         self.packed)
            self._to_ghosts("x", self.packed.data[: 4 * self.sends], self._ghost_rows(x, n), 4)
        for name in names or self.carried(system):
            if name != "x":
                self._send_words(system, f"field {name}", *system.atoms.words(name))

    def reverse(self, system: System) -> None:
        """Forces and torques on ghosts to their owners."""
        self._find_homes(system)
        for name in system.atoms.ghosts_have("home"):
            f = system.atoms.view(name, modify=True)
            self._from_ghosts(name, self._ghost_rows(f, system.atoms.n), self.back.data[: 3 * self.sends], 3)
            parallel_for(system.space, self.home_count, kernels.add_forces, self.homes, self.first, self.entry, self.back, f)

    def forward_values(self, system: System, name: str, values: View) -> None:
        if values.width > 1:
            self._send_words(system, f"to {name}", 2 * values.width, values.data.view(np.int32))
            return
        back = self.back.data[: self.sends]
        parallel_for(system.space, self.sends, kernels.pack_values, values, self.sent, back)
        self._to_ghosts(f"to {name}", back, self._ghost_rows(values, system.atoms.n), 1)

    def _send_words(self, system: System, name: str, width: int, words: Any) -> None:
        """Rows of so many words of 4 bytes, of any kind of numbers."""
        n, out = system.atoms.n, self.bundles.get(name)
        if out is None or out.shape[0] < width * self.sends:
            out = self.bundles[name] = View(int(SPARE * width * self.sends) + 1, np.int32, system.space)
        parallel_for(system.space, self.sends, kernels.pack_words, width, words, self.sent, out)
        self._to_ghosts(name, out.data[: width * self.sends], words[width * n : width * (n + self.ghosts)], width)

    def reverse_values(self, system: System, name: str, values: View) -> None:
        if values.width > 1:
            self._add_rows(system, f"of {name}", values.width, values)
            return
        back = self.back.data[: self.sends]
        self._from_ghosts(f"of {name}", self._ghost_rows(values, system.atoms.n), back, 1)
        self._find_homes(system)
        parallel_for(system.space, self.home_count, kernels.add_values, self.homes, self.first, self.entry, back, values)

    def _add_rows(self, system: System, name: str, width: int, values: View) -> None:
        """The same for rows of so many numbers."""
        back = self.bundles.get(name)
        if back is None or back.shape[0] < width * self.sends:
            back = self.bundles[name] = View(int(SPARE * width * self.sends) + 1, np.float64, system.space)
        self._from_ghosts(name, self._ghost_rows(values, system.atoms.n), back.data[: width * self.sends], width)
        self._find_homes(system)
        parallel_for(system.space, self.home_count, kernels.add_rows, width, self.homes, self.first, self.entry, back.data,
                     values.data)
