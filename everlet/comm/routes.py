"""Routes: how numbers of atoms travel between ranks, from when ghosts are made until they are made anew.

A route carries one quantity, so many numbers per atom, always between the same arrays: forward from the copies that were
packed for others to the rows of ghosts, backward from the rows of ghosts to where owners fetch it. What a rank sends to
itself is copied. Where MPI cannot read the memory that arrays are in, messages go through arrays on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.portable import Space


class Route:
    def __init__(self, routes: Routes, source: Any, target: Any, width: int, forward: bool):
        sends, comes = (routes.out, routes.into) if forward else (routes.into, routes.out)
        self.source, self.target, self.space, self.staged = source, target, routes.space, routes.staged
        self.sent, self.got = source, target
        if self.staged:
            self.sent, self.got = np.zeros(len(source), source.dtype), np.zeros(len(target), target.dtype)
        me = routes.world.rank
        self.own_sent, self.own_got = (array[width * start[me] : width * start[me + 1]]
                                       for array, start in ((self.sent, sends), (self.got, comes)))
        others = [rank for rank in range(routes.world.size) if rank != me]
        self.channel = routes.world.channel(
            {r: self.sent[width * sends[r] : width * sends[r + 1]] for r in others if sends[r + 1] > sends[r]},
            {r: self.got[width * comes[r] : width * comes[r + 1]] for r in others if comes[r + 1] > comes[r]})

    def go(self) -> None:
        self.start()
        self.wait()

    def start(self) -> None:
        if self.staged:
            self.sent[:] = self.space.to_host(self.source)
        self.own_got[:] = self.own_sent
        if not self.staged:
            self.space.synchronize()  # MPI knows nothing of what a GPU has yet to do
        self.channel.start()

    def wait(self) -> None:
        self.channel.wait()
        if self.staged:
            self.target[:] = self.space.from_host(self.got)


class Routes:
    """All routes for one set of ghosts: `counts` rows go to each rank, `came` rows come from each."""

    def __init__(self, world: Any, space: Space, counts: np.ndarray, came: np.ndarray, staged: bool):
        self.world, self.space, self.staged = world, space, staged
        self.out, self.into = (np.concatenate([[0], np.cumsum(rows)]).astype(int) for rows in (counts, came))
        self.known: dict[str, Route] = {}

    def forward(self, name: str, source: Any, target: Any, width: int) -> None:
        self.known_route(name, source, target, width, True).go()

    def backward(self, name: str, source: Any, target: Any, width: int) -> None:
        self.known_route(name, source, target, width, False).go()

    def route(self, source: Any, target: Any, width: int) -> Route:
        """One that whoever asks for it keeps, and closes."""
        return Route(self, source, target, width, True)

    def known_route(self, name: str, source: Any, target: Any, width: int, forward: bool) -> Route:
        """All ranks ask for the same names in the same order; arrays under one name stay the same."""
        if name not in self.known:
            self.known[name] = Route(self, source, target, width, forward)
        return self.known[name]

    def close(self) -> None:
        for route in self.known.values():
            route.channel.close()
        self.known = {}
