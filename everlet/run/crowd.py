"""Simulations of this process that are still in memory, also those that the program has dropped.

The parts of a simulation refer to each other, so that a dropped one waits for Python's collector. That counts objects, and a
simulation has few: dozens with their arrays and open files may wait for it. A new simulation therefore asks for a
collection when those that are there may have doubled since the last one: so the time for collections stays small even if
the program keeps all of them.
"""

from __future__ import annotations

import gc
import threading
import weakref
from typing import Protocol

FEW = 4  # simulations, and
MUCH = 2**26  # bytes: for less nobody collects


class Member(Protocol):
    weight: int  # bytes of its arrays, when they were looked at last


class Crowd:
    def __init__(self) -> None:
        self.members: weakref.WeakSet[Member] = weakref.WeakSet()
        self.count, self.bytes = 0, 0  # of those that stayed after the last collection
        self._lock = threading.Lock()

    def enter(self, new: Member) -> None:
        """A simulation is made."""
        with self._lock:
            count, held = self._present()
            self.count, self.bytes = min(self.count, count), min(self.bytes, held)  # some have gone by themselves
            if count > FEW + 2 * self.count or held > MUCH + 2 * self.bytes:
                gc.collect()
                self.count, self.bytes = self._present()
            self.members.add(new)

    def _present(self) -> tuple[int, int]:
        members = list(self.members)
        return len(members), sum(one.weight for one in members)


CROWD = Crowd()
