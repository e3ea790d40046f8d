"""Several ranks in one process: a thread each, and mailboxes instead of MPI."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.state.ranks import Channel, SingleRank


class Meeting:
    """Where the ranks leave things for each other."""

    def __init__(self, ranks: int):
        self.barrier = threading.Barrier(ranks, timeout=60)
        self.left: list[Any] = [None] * ranks
        self.turn = threading.Lock()  # one thread works at a time: kernels are loaded by one thread only

    def wait(self) -> None:
        self.turn.release()
        try:
            self.barrier.wait()
        finally:
            self.turn.acquire()


class FakeChannel(Channel):
    def __init__(self, world: FakeWorld, sends: dict[int, np.ndarray], receives: dict[int, np.ndarray]):
        self.world, self.sends, self.receives = world, sends, receives

    def start(self) -> None:
        for source, messages in enumerate(self.world.all_of({rank: array.copy() for rank, array in self.sends.items()})):
            if source in self.receives or self.world.rank in messages:
                self.receives[source][:] = messages[self.world.rank]


class FakeWorld(SingleRank):
    """One of several ranks, all of which live in this process."""

    def __init__(self, meeting: Meeting, rank: int, size: int):
        self.meeting, self.rank, self.size = meeting, rank, size

    def all_of(self, item: Any) -> list[Any]:
        self.meeting.left[self.rank] = item
        self.meeting.wait()
        found = list(self.meeting.left)
        self.meeting.wait()
        return found

    def sum(self, values: Any) -> np.ndarray:
        return np.sum(self.all_of(np.array(values, float)), axis=0)

    def total(self, counts: np.ndarray) -> np.ndarray:
        return np.sum(self.all_of(counts), axis=0)

    def max(self, values: Any) -> np.ndarray:
        return np.max(self.all_of(np.array(values, float)), axis=0)

    def any(self, flag: bool) -> bool:
        return any(self.all_of(flag))

    def from_first(self, item: Any) -> Any:
        return self.all_of(item)[0]

    def swap(self, rows: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        ends = np.concatenate([[0], np.cumsum(counts)])
        parts = [part[self.rank] for part in self.all_of([rows[ends[r] : ends[r + 1]] for r in range(self.size)])]
        return np.concatenate(parts), np.array([len(part) for part in parts])

    def collect(self, rows: np.ndarray, everywhere: bool) -> np.ndarray:
        parts = self.all_of(rows)
        return np.concatenate(parts if everywhere or self.first else [rows[:0]])

    def channel(self, sends: dict[int, np.ndarray], receives: dict[int, np.ndarray]) -> Channel:
        return FakeChannel(self, sends, receives)


def together(ranks: int, work: Callable[[FakeWorld], Any]) -> list[Any]:
    """What `work` gives on each rank."""
    meeting, found, errors = Meeting(ranks), [None] * ranks, []

    def begin(rank: int) -> None:
        try:
            with meeting.turn:
                found[rank] = work(FakeWorld(meeting, rank, ranks))
        except threading.BrokenBarrierError:
            pass
        except BaseException as error:
            errors.append(error)
            meeting.barrier.abort()

    threads = [threading.Thread(target=begin, args=(rank,)) for rank in range(ranks)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]
    return found
