"""The order of a sweep: which points, and when messages come and go.

A sweep goes from the corner (0, 0, 0) of a block of nx ny nz points to the opposite one; the second sweep of an iteration is
the same with all directions turned. A step is one of

    Receive(block)             what the neighbours behind have for these planes k must be here
    Planes(((p, low, high),…)) points with i + j + k = p and low <= k < high, one p after the other
    Strips(low, high)          all points with low <= k < high, by strips of j that wait for each other
    Send(block)                these planes are done: the neighbours ahead may have their faces

    hyperplane   all planes p, one after the other; one block
    blocked old  the same in each block of `kblock` planes k, one block after the other
    blocked new  planes p of the whole, as in hyperplane; messages for each block as soon as they can
    pipeline     strips, block by block; one block if there are no other ranks
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

ALGORITHMS = ("hyperplane", "pipeline", "blocked")
POLICIES = ("old", "new")


@dataclass(frozen=True)
class Block:
    low: int
    high: int


class Receive(Block): ...


class Send(Block): ...


class Strips(Block): ...


@dataclass(frozen=True)
class Planes:
    planes: tuple[tuple[int, int, int], ...]


Step = Receive | Send | Planes | Strips


def blocks(nz: int, kblock: int) -> list[tuple[int, int]]:
    """Planes k in blocks.

    >>> blocks(5, 2)
    [(0, 2), (2, 4), (4, 5)]
    """
    return [(low, min(low + kblock, nz)) for low in range(0, nz, kblock)]


def planes(nx: int, ny: int, low: int, high: int) -> tuple[tuple[int, int, int], ...]:
    """The planes i + j + k = p of the points with low <= k < high, each with the k that it has.

    >>> planes(2, 1, 0, 2)
    ((0, 0, 1), (1, 0, 2), (2, 1, 2))
    """
    reach = nx + ny - 2  # the largest i + j
    return tuple((p, max(low, p - reach), min(high, p + 1)) for p in range(low, high + reach))


def schedule(algorithm: str, policy: str, nx: int, ny: int, nz: int, kblock: int) -> list[Step]:
    """The steps of a sweep."""
    if algorithm == "blocked" and policy == "new":
        return list(_continued(nx, ny, nz, kblock))
    found: list[Step] = []
    for low, high in blocks(nz, nz if algorithm == "hyperplane" else kblock):
        work: Step = Strips(low, high) if algorithm == "pipeline" else Planes(planes(nx, ny, low, high))
        found += [Receive(low, high), work, Send(low, high)]
    return found


def _continued(nx: int, ny: int, nz: int, kblock: int) -> Iterator[Step]:
    """Planes keep their slope over the borders of blocks: block b is needed from plane b*kblock on, and done nx + ny - 2
    planes after its last k has begun."""
    reach = nx + ny - 2
    waiting: list[tuple[int, int, int]] = []
    begins = {low: (low, high) for low, high in blocks(nz, kblock)}
    ends = {high - 1 + reach: (low, high) for low, high in blocks(nz, kblock)}
    for plane in planes(nx, ny, 0, nz):
        if plane[0] in begins:
            if waiting:
                yield Planes(tuple(waiting))
                waiting = []
            yield Receive(*begins[plane[0]])
        waiting.append(plane)
        if plane[0] in ends:
            yield Planes(tuple(waiting))
            waiting = []
            yield Send(*ends[plane[0]])


def turned(step: Step, nx: int, ny: int, nz: int) -> Step:
    """The same step of the sweep back."""
    if isinstance(step, Planes):
        last = nx + ny + nz - 3
        return Planes(tuple((last - p, nz - high, nz - low) for p, low, high in step.planes))
    return type(step)(nz - step.high, nz - step.low)
