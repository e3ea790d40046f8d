"""Dry runs: launches are noted instead of run, to know what a piece of work would launch, compile and allocate.

    with dry(space) as notes:          # in the space of a simulation, beside its arrays
        evaluator.rebuild()
    notes.kernels()                    # all kernels that it would have launched

    space = Dry("cuda")                # a device that is not there: the real set-up, and steps, run through it
    Engine(space) …
    space.notes.kernels(), space.reserved

No number comes from kernels: arrays hold zeros, or what the host has put there. Where as much memory is made as kernels have
counted, the code that makes it gives a bound (`Space.counted`). Loops over no items are noted like others.
"""

from __future__ import annotations

import mmap
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from everlet.portable.backends import traits_of
from everlet.portable.programs import Kernel
from everlet.portable.spaces import LINE, Space

# without it pages are promised, and still not taken
NO_RESERVE = getattr(mmap, "MAP_NORESERVE", 0x4000 if sys.platform == "linux" else 0)


class Notes:
    """What was launched. `whole`: arrays are as long as bounds say; otherwise as short as can be."""

    def __init__(self, whole: bool):
        self.whole = whole
        self.launched: dict[tuple[Any, ...], tuple[Kernel, int]] = {}  # by kernel: it, and how often

    def add(self, kernel: Kernel) -> None:
        self.launched[kernel.key] = kernel, self.times(kernel) + 1

    def times(self, kernel: Kernel) -> int:
        return self.launched.get(kernel.key, (kernel, 0))[1]

    def kernels(self) -> list[Kernel]:
        """All of them, each once, in the order of their first launch."""
        return [kernel for kernel, _ in self.launched.values()]

    def counted(self, bound: int) -> int:
        """What stands for a number that kernels would have counted."""
        return max(bound, 1) if self.whole else 1


@contextmanager
def dry(space: Space) -> Iterator[Notes]:
    """Inside, launches in this space are noted and not run. What is made meanwhile has no meaning: make it again."""
    before, space.notes = space.notes, Notes(whole=False)
    try:
        yield space.notes
    finally:
        space.notes = before


class Dry(Space):
    """A device that is not there: it has the traits of a target, and arrays without memory until somebody writes to them."""

    def __init__(self, target: str):
        self.target, self.name = target, f"dry({target})"
        vars(self).update(vars(traits_of(target)))
        self.notes: Notes = Notes(whole=True)
        self.reserved = 0  # bytes of all arrays that were made

    def zeros(self, size: int, dtype: Any) -> Any:
        number, count = np.dtype(dtype), max(int(size), 0)
        self.reserved += count * number.itemsize
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NO_RESERVE
        return np.frombuffer(mmap.mmap(-1, max(count * number.itemsize, LINE), flags=flags), number, count)
