"""A machine as discrete events: ranks are generators of operations, and a heap says which comes next.

    def program(rank):
        yield compute(1e-3)
        yield send(rank + 1, 4096)

    compute(s)                  the rank is busy
    copy(B)                     between host and device; copies of one device follow each other
    send(to, B, tag)            busy until the message has arrived; one longer than `eager` waits for its receiver first
    isend(to, B, tag)           busy for the overhead; the message leaves when the rank next waits or receives
    receive(from, tag)          until it is there
    wait()                      until all messages of isend have left
    exchange([(to, B, tag)])    several sends that arrive together at the end of the last; to None: paid, but nobody gets it
    allreduce(numbers)          all ranks: the equation of md.py from the moment at which the last one comes
    together(key, ranks, s)     the ranks that give the same key: s seconds from the moment at which the last of them comes
    signal(to, tag)             a message that costs nothing: what it stands for was paid before

A NIC sends one message after the other. Each message also gets `hop` seconds for every switch on its way, and with a seed
noise: max(0, N(0, σ(B))). Equal times are taken in the order in which they were made, so that a run repeats to the last bit.
"""

from __future__ import annotations

import heapq
import math
from collections import defaultdict, deque
from collections.abc import Callable, Generator
from typing import Any

import numpy as np

from everlet.errors import InputError, RunError
from everlet.lab.machine import Machine, between
from everlet.lab.md import allreduce as sum_time

Operation = tuple[Any, ...]
Program = Generator[Operation, None, None]


def compute(seconds: float) -> Operation:
    return ("compute", seconds)


def copy(size: float) -> Operation:
    return ("copy", size)


def send(to: int, size: float, tag: int = 0) -> Operation:
    return ("send", to, size, tag)


def isend(to: int, size: float, tag: int = 0) -> Operation:
    return ("isend", to, size, tag)


def receive(source: int, tag: int = 0) -> Operation:
    return ("receive", source, tag)


def wait() -> Operation:
    return ("wait",)


def exchange(messages: list[tuple[int | None, float, int]]) -> Operation:
    return ("exchange", messages)


def allreduce(numbers: int = 1) -> Operation:
    return ("allreduce", numbers)


def together(key: Any, ranks: int, seconds: float) -> Operation:
    return ("together", key, ranks, seconds)


def signal(to: int, tag: int) -> Operation:
    return ("signal", to, tag)


class Machinery:
    """Runs programs, one for each rank, on a machine."""

    def __init__(self, machine: Machine, programs: list[Program], seed: int | None = None):
        self.machine, self.programs, self.ranks = machine, programs, len(programs)
        self.noise = np.random.default_rng(seed) if seed is not None else None
        self.heap: list[tuple[float, int, int]] = []
        self.count = 0
        self.now = [0.0] * self.ranks
        self.spent: list[dict[str, float]] = [defaultdict(float) for _ in programs]
        self.nic: dict[tuple[int, int], float] = defaultdict(float)
        self.link = [0.0] * self.ranks
        self.inbox: dict[tuple[int, int, int], deque[float]] = defaultdict(deque)
        self.awaited: dict[tuple[int, int, int], float] = {}  # receives that wait: since when
        self.held: dict[tuple[int, int, int], deque[tuple[float, float, bool]]] = defaultdict(deque)  # long messages
        self.queue: list[list[tuple[int, float, int]]] = [[] for _ in programs]
        self.left = [0.0] * self.ranks  # when the last message of isend has left
        self.outstanding = [0] * self.ranks  # long messages of isend that wait for their receivers
        self.waiting: dict[int, float] = {}  # ranks that wait for them: since when
        self.gathering: dict[Any, list[tuple[int, float]]] = defaultdict(list)
        self.doing: list[str] = [""] * self.ranks
        self.done = 0
        network = machine.network
        self.overhead, self.wire = network.overhead, network.time(0.0) - 2.0 * network.overhead
        self.record: Callable[[int, Operation], None] | None = None

    def run(self) -> float:
        """Seconds until the last rank has ended."""
        for rank in range(self.ranks):
            self._at(rank, 0.0)
        while self.heap:
            time, _, rank = heapq.heappop(self.heap)
            self.now[rank] = time
            operation = next(self.programs[rank], None)
            if operation is None:
                self.done += 1
                self.doing[rank] = ""
                continue
            if self.record is not None:
                self.record(rank, operation)
            self.doing[rank] = operation[0]
            getattr(self, f"_{operation[0]}")(rank, time, *operation[1:])
        if self.done < self.ranks:
            stuck = next(rank for rank in range(self.ranks) if self.doing[rank])
            key = next((key for key in self.awaited if key[1] == stuck), None)
            what = f"{self.doing[stuck]} from rank {key[0]}, tag {key[2]}" if key else self.doing[stuck]
            raise RunError(f"{self.ranks - self.done} ranks wait for ever, rank {stuck} for: {what}",
                           "every receive needs a send with the same tag, and collective operations all of their ranks")
        return max(self.now)

    def _at(self, rank: int, time: float, kind: str = "") -> None:
        if kind:
            self.spent[rank][kind] += time - self.now[rank]
        self.count += 1
        heapq.heappush(self.heap, (time, self.count, rank))

    # what ranks do

    def _compute(self, rank: int, time: float, seconds: float) -> None:
        self._at(rank, time + seconds, "compute")

    def _copy(self, rank: int, time: float, size: float) -> None:
        link = self.machine.link
        if link is None:
            self._at(rank, time)
            return
        self.link[rank] = max(time, self.link[rank]) + link.time(size)
        self._at(rank, self.link[rank], "copy")

    def _send(self, rank: int, time: float, to: int, size: float, tag: int) -> None:
        key = self._key(rank, to, tag)
        if size > self.machine.network.eager and key not in self.awaited:
            self.held[key].append((time, size, True))
            return
        self._at(rank, self._deliver(key, time, size, 2.0 * self.machine.network.overhead), "network")

    def _isend(self, rank: int, time: float, to: int, size: float, tag: int) -> None:
        self._key(rank, to, tag)
        self.queue[rank].append((to, size, tag))
        self._at(rank, time + self.overhead, "network")

    def _flush(self, rank: int, time: float) -> None:
        """Messages of isend leave."""
        queue, self.queue[rank] = self.queue[rank], []
        for to, size, tag in queue:
            key = (rank, to, tag)
            if size > self.machine.network.eager and key not in self.awaited:
                self.held[key].append((time, size, False))
                self.outstanding[rank] += 1
            else:
                self._deliver(key, time, size, 0.0)

    def _receive(self, rank: int, time: float, source: int, tag: int) -> None:
        self._flush(rank, time)
        key = self._key(source, rank, tag)
        if self.held[key] and not self.inbox[key]:
            since, size, blocking = self.held[key].popleft()
            over = 2.0 * self.machine.network.overhead if blocking else 0.0
            arrived = self._deliver(key, max(time, since), size, over)
            if blocking:
                self._at(source, arrived, "network")
            else:
                self._gone(source)
        if self.inbox[key]:
            self._at(rank, max(time, self.inbox[key].popleft()), "network")
        else:
            self.awaited[key] = time

    def _wait(self, rank: int, time: float) -> None:
        self._flush(rank, time)
        if self.outstanding[rank]:
            self.waiting[rank] = time
        else:
            self._at(rank, max(time, self.left[rank]), "network")

    def _gone(self, rank: int) -> None:
        """A long message of isend has left."""
        self.outstanding[rank] -= 1
        if not self.outstanding[rank] and rank in self.waiting:
            self._at(rank, max(self.waiting.pop(rank), self.left[rank]), "network")

    def _exchange(self, rank: int, time: float, messages: list[tuple[int | None, float, int]]) -> None:
        end = time
        for to, size, _ in messages:
            end += self._link_time(rank, to, size) + (2.0 * self.machine.link.time(size) if self.machine.link else 0.0)
        for to, _, tag in messages:
            if to is not None:
                self._arrive(self._key(rank, to, tag), end)
        self._at(rank, end, "network")

    def _allreduce(self, rank: int, time: float, numbers: int) -> None:
        self._flush(rank, time)
        self._meet("allreduce", self.ranks, rank, time, sum_time(self.machine.network, self.ranks, numbers))

    def _together(self, rank: int, time: float, key: Any, ranks: int, seconds: float) -> None:
        self._flush(rank, time)
        self._meet(key, ranks, rank, time, seconds)

    def _signal(self, rank: int, time: float, to: int, tag: int) -> None:
        self._arrive(self._key(rank, to, tag), time)
        self._at(rank, time)

    # how

    def _key(self, source: int, to: int, tag: int) -> tuple[int, int, int]:
        for rank in (source, to):
            if not (isinstance(rank, int) and 0 <= rank < self.ranks):
                raise InputError(f"a message to or from rank {rank}, but ranks are 0 to {self.ranks - 1}",
                                 "correct the program or the trace")
        return source, to, tag

    def _link_time(self, source: int, to: int | None, size: float) -> float:
        network = self.machine.network
        return network.time(size) + (network.hop * self.hops(source, to) if to is not None else 0.0) + self._jitter(size)

    def _jitter(self, size: float) -> float:
        if self.noise is None or not self.machine.network.noise:
            return 0.0
        return max(0.0, float(self.noise.normal(0.0, between(self.machine.network.noise, size))))

    def _deliver(self, key: tuple[int, int, int], time: float, size: float, overheads: float) -> float:
        """A message goes through the NIC of its sender; when it arrives."""
        source, to, _ = key
        network, devices = self.machine.network, self.machine.devices
        nic = (source // devices, source % devices % network.nics)
        busy = network.gap(size) if network.points else size / network.bandwidth
        self.nic[nic] = self.left[source] = max(time, self.nic[nic]) + busy
        arrived = self.nic[nic] + overheads + self.wire
        if network.hop:
            arrived += network.hop * self.hops(source, to)
        if self.noise is not None:
            arrived += self._jitter(size)
        self._arrive(key, arrived)
        return arrived

    def _arrive(self, key: tuple[int, int, int], time: float) -> None:
        since = self.awaited.pop(key, None)
        if since is None:
            self.inbox[key].append(time)
        else:
            self._at(key[1], max(since, time), "network")

    def _meet(self, key: Any, ranks: int, rank: int, time: float, seconds: float) -> None:
        here = self.gathering[key]
        here.append((rank, time))
        if len(here) == ranks:
            end = max(when for _, when in here) + seconds
            del self.gathering[key]
            for one, _ in here:
                self._at(one, end, "network")

    def hops(self, source: int, to: int) -> int:
        """Switches between two ranks beyond the first."""
        a, b = source // self.machine.devices, to // self.machine.devices
        if a == b:
            return 0
        return hops(self.machine.network.topology, a, b, max(1, math.ceil(self.ranks / self.machine.devices)))


PORTS = 32  # nodes of a leaf switch, and of a dragonfly group


def hops(topology: str, a: int, b: int, nodes: int) -> int:
    """Switches between two nodes beyond the first.

    >>> hops("fat-tree", 0, 1, 64), hops("fat-tree", 0, 40, 64), hops("torus", 0, 63, 64), hops("dragonfly", 0, 40, 64)
    (0, 2, 3, 2)
    """
    if topology == "fat-tree":
        level, a, b = 0, a // PORTS, b // PORTS
        while a != b:
            level, a, b = level + 1, a // PORTS, b // PORTS
        return 2 * level
    if topology == "dragonfly":
        return 2 if a // PORTS != b // PORTS else 0
    if topology == "torus":
        edge, total = max(1, math.ceil(round(nodes ** (1 / 3), 9))), 0
        for place in (1, edge, edge * edge):
            apart = abs(a // place % edge - b // place % edge)
            total += min(apart, edge - apart)
        return max(0, total)
    return 0
