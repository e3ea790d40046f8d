"""A sequence of launches that is replayed as one: on a GPU a CUDA graph, elsewhere the same launches in a loop."""

from __future__ import annotations

import functools
import itertools
from typing import Any

from everlet.portable import kernels
from everlet.portable.batch import Launch
from everlet.portable.garbage import no_collections
from everlet.portable.spaces import NEVER, STOP, TROUBLE, Space


class Graph:
    """Launches with the arguments they had when collected. Whoever makes a graph knows when arrays have been replaced.

    A call that cannot be captured (kernels.Call, outside; or any, where the space has calls_apart) divides them: on a GPU there
    is a graph for those before it and one for those behind it.
    """

    def __init__(self, space: Space, launches: list[Launch]):
        self.space = space
        self.launches = launches  # keeps the arrays alive, too
        self.pieces: list[Any] = []  # on a GPU: graphs, and calls between them
        if space.gpu is not None:
            for launch in launches:
                if isinstance(launch[0], kernels.Call):
                    continue
                kernel = launch[0]
                path = kernel.program(space.target, space.widest).load()
                space.gpu.kernel(path, kernel.carveout, kernel.registers)
            for apart, part in itertools.groupby(launches, self._apart):
                found = list(part)
                with no_collections():  # the end of a plan for transforms gives memory back, which ends a capture
                    self.pieces += found if apart else [space.gpu.capture(functools.partial(self._start, found))]

    def _apart(self, launch: Launch) -> bool:
        return isinstance(launch[0], kernels.Call) and (launch[0].outside or self.space.calls_apart)

    def _start(self, launches: list[Launch]) -> None:
        """Each with its limit; a call outside of graphs may ask the host, which knows what was called off."""
        try:
            for kernel, items, args, limit in launches:
                self.space.limit = NEVER if isinstance(kernel, kernels.Call) and kernel.outside else limit
                kernels.run(self.space, kernel, items, args)
        finally:
            self.space.limit = NEVER

    def replay(self) -> None:
        """Run all launches, up to the one that calls off the rest."""
        for piece in self.pieces:
            if isinstance(piece, tuple):
                self._start([piece])
            else:
                self.space.gpu.replay(piece)
        if self.space.gpu is not None:
            return
        control = self.space.control
        for kernel, items, args, limit in self.launches:
            if control[STOP] >= limit and not control[TROUBLE]:
                kernels.run(self.space, kernel, items, args)

    def close(self) -> None:
        for piece in self.pieces:
            if not isinstance(piece, tuple):
                self.space.gpu.forget(piece)


class Repeated:
    """A few launches that are run many times in a row, with arguments that are packed once where that can be. Nothing that they
    name may be replaced meanwhile."""

    def __init__(self, space: Space, launches: list[Launch]):
        self.space = space
        self.ready = [kernels.ready(space, kernel, items, args) for kernel, items, args, _ in launches]

    def run(self) -> None:
        self.space.ask("launches that were packed before")
        for launch in self.ready:
            launch()
