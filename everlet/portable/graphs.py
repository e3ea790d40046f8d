"""A sequence of launches on a GPU that is replayed as one."""

from __future__ import annotations

from typing import Any

from everlet.portable import kernels
from everlet.portable.batch import Launch
from everlet.portable.spaces import NEVER, Space


class Graph:
    """Launches with the arguments they had when collected. Whoever makes a graph knows when arrays have been replaced."""

    def __init__(self, space: Space, launches: list[Launch]):
        self.gpu: Any = space.gpu  # type: ignore[attr-defined]
        self.launches = launches  # keeps the arrays alive
        for launch in launches:
            self.gpu.kernel(launch[0].program(space.target).load(), launch[0].carveout)  # nothing is loaded while capturing

        def start() -> None:
            try:
                for kernel, items, args, limit in launches:
                    space.limit = limit
                    kernels.run(space, kernel, items, args)
            finally:
                space.limit = NEVER

        self.handle: Any = self.gpu.capture(start)

    def replay(self) -> None:
        self.gpu.replay(self.handle)

    def close(self) -> None:
        self.gpu.forget(self.handle)
