"""Atoms of other ranks, each once: for numbers that are sent many times between two rebuilds, such as directions of a solver.

Ghosts are images: in a small box a rank has several of each atom, and images of its own atoms. A vector for such numbers has a
row for each atom of this rank, then one for each atom that other ranks have ghosts of here, in the order of ranks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm import send_kernels as kernels
from everlet.comm.routes import Route, Routes
from everlet.comm.serial import SerialComm
from everlet.portable import View, parallel_for
from everlet.portable.batch import collected
from everlet.portable.graphs import Repeated
from everlet.state.system import System


class Distinct:
    def __init__(self, system: System):
        self.system, self.others = system, 0
        self.routes: Routes | None = None
        self.sent = View(0, np.int32, system.space)
        self.ways: dict[str, tuple[Repeated, Route]] = {}

    def update(self, comm: SerialComm, home: View) -> None:
        """For new ghosts: home[k] is the row of such vectors that atom or ghost k has."""
        comm.own_rows(self.system, home)
        if comm.ranks > 1:
            self._others(comm, home)

    def _others(self, comm: Any, home: View) -> None:
        atoms, space, world = self.system.atoms, self.system.space, comm.world
        n, ids = atoms.n, space.to_host(atoms.view("id").data[: atoms.total])
        rows, owner = space.to_host(home.data[: atoms.total]), comm.ghost_owners()
        away = np.flatnonzero(owner != world.rank)
        names, first, place = np.unique(ids[n + away], return_index=True, return_inverse=True)
        order = np.argsort(owner[away[first]], kind="stable")
        back = np.empty(len(order), np.int32)
        back[order] = np.arange(n, n + len(order))
        rows[n + away] = back[place]
        wanted = np.bincount(owner[away[first]], minlength=world.size)
        asked, counts = world.swap(names[order], wanted)
        by_id = np.argsort(ids[:n], kind="stable")
        given = by_id[np.searchsorted(ids[:n], asked, sorter=by_id)] if len(asked) else np.zeros(0, int)
        self.sent = View(max(len(given), 1), np.int32, space)
        self.sent.data[: len(given)] = space.from_host(given.astype(np.int32))
        home.data[: len(rows)] = space.from_host(rows)
        self.close()
        self.others, self.ways = len(order), {}
        self.routes = Routes(world, space, counts, wanted, comm.staged)

    def forward(self, name: str, vector: View) -> None:
        """Rows of others' atoms, from the ranks that have them. Under one name it is always the same vector."""
        if name not in self.ways:
            self.ways[name] = self._way(vector)
        pack, route = self.ways[name]
        pack.run()
        route.go()

    def _way(self, vector: View) -> tuple[Repeated, Route]:
        """What packs rows of a vector for others, and what sends them."""
        assert self.routes is not None
        width, n, many, space = 2 * vector.width, self.system.atoms.n, int(self.routes.out[-1]), self.system.space
        words, out = vector.data.view(np.int32), View(max(width * many, 1), np.int32, space)
        with collected(space) as launches:
            parallel_for(space, many, kernels.pack_words, width, words, self.sent, out)
        route = self.routes.route(out.data[: width * many], words[width * n : width * (n + self.others)], width)
        return Repeated(space, launches), route

    def close(self) -> None:
        for _, route in self.ways.values():
            route.channel.close()
