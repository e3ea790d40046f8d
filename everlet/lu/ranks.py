"""LU on several ranks: who has which points, and what they tell each other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.lu.fields import HALO, Block, Fields
from everlet.lu.problem import Problem
from everlet.portable import Space, View
from everlet.state.ranks import Channel, SingleRank

SMALLEST = HALO  # points along an axis that a rank must have: what its neighbours need of it


@dataclass(frozen=True)
class Ranks:
    """An array of px py pz ranks; rank (x, y, z) has number (z*py + y)*px + x."""

    shape: tuple[int, int, int]

    def place(self, rank: int) -> tuple[int, int, int]:
        px, py, _ = self.shape
        return rank % px, rank // px % py, rank // (px * py)

    def neighbour(self, rank: int, axis: int, way: int) -> int | None:
        """The rank one further along an axis; None at the wall."""
        place = list(self.place(rank))
        place[axis] += way
        if not 0 <= place[axis] < self.shape[axis]:
            return None
        x, y, z = place
        return (z * self.shape[1] + y) * self.shape[0] + x

    def block(self, problem: Problem, rank: int) -> Block:
        """The points of a rank: parts as equal as can be."""
        inner, low, size = problem.n - 2, [], []
        for place, parts in zip(self.place(rank), self.shape, strict=True):
            begin, end = place * inner // parts, (place + 1) * inner // parts
            low.append(1 + begin)
            size.append(end - begin)
        return Block(problem, tuple(low), tuple(size))  # type: ignore[arg-type]


def arranged(ranks: int, shape: tuple[int, int, int] | None, problem: Problem) -> Ranks:
    """The array that is asked for, or the squarest of two dimensions."""
    if shape is None:
        py = max(n for n in range(1, ranks + 1) if ranks % n == 0 and n * n <= ranks)
        shape = (ranks // py, py, 1)
    if int(np.prod(shape)) != ranks:
        raise InputError(f"an array of {'x'.join(map(str, shape))} ranks, but there are {ranks}",
                         "start as many with mpiexec -n, or leave --ranks out")
    if (problem.n - 2) // max(shape) < SMALLEST:
        raise InputError(f"class {problem.name} has {problem.n - 2} inner points along an edge: too few for {max(shape)} ranks",
                         f"use at most {(problem.n - 2) // SMALLEST} along an axis")
    return Ranks(shape)


class Face:
    """Points that go to a neighbour or come from it, through memory of the host."""

    def __init__(self, world: SingleRank, space: Space, rank: int, inside: Any, sends: bool):
        self.space, self.inside = space, inside
        self.buffer = np.empty(inside.shape, inside.dtype)
        self.channel: Channel = world.channel(*(({rank: self.buffer}, {}) if sends else ({}, {rank: self.buffer})))

    def pack(self) -> None:
        np.copyto(self.buffer, self.space.to_host(self.inside))

    def unpack(self) -> None:
        self.inside[...] = self.space.from_host(self.buffer)


class Around:
    """u and w of the points around a block, as the neighbours have them now."""

    def __init__(self, fields: Fields, ranks: Ranks, world: SingleRank):
        self.fields, self.out, self.into, self.new = fields, [], [], []
        for axis, way in _sides():
            other = ranks.neighbour(world.rank, axis, way)
            if other is not None:
                self.out.append(Face(world, fields.space, other, self._slab(fields.u, axis, way, True), True))
                self.into.append(Face(world, fields.space, other, self._slab(fields.u, axis, way, False), False))
                self.new.append((self._slab(fields.u, axis, way, False), self._slab(fields.w, axis, way, False)))

    def _slab(self, view: View, axis: int, way: int, own: bool) -> Any:
        """The HALO layers of points on one side of the block: its own, or those beyond."""
        low, size = [0, 0, 0], list(self.fields.block.size)
        n, size[axis] = size[axis], HALO
        low[axis] = (0 if own else -HALO) if way < 0 else (n - HALO if own else n)
        return self.fields.places.view(view.data, tuple(low), tuple(size))  # type: ignore[arg-type]

    def exchange(self) -> None:
        for face in self.into:
            face.channel.start()
        for face in self.out:
            face.pack()
            face.channel.start()
        for face in self.into:
            face.channel.wait()
            face.unpack()
        for u, w in self.new:
            w[0] = 1 / u[0]
            w[1:] = u[1:] * w[0]
        for face in self.out:
            face.channel.wait()

    def close(self) -> None:
        for face in (*self.out, *self.into):
            face.channel.close()


class Passed:
    """Residuals that a sweep gets from the neighbours behind and passes on to those ahead; way is 1 or -1."""

    def __init__(self, fields: Fields, ranks: Ranks, world: SingleRank, way: int, blocks: list[tuple[int, int]]):
        self.behind: dict[tuple[int, int], list[Face]] = {}
        self.ahead: dict[tuple[int, int], list[Face]] = {}
        size = fields.block.size
        for low, high in blocks:
            for axis in range(3):
                last = (high if way > 0 else low) == (size[2] if way > 0 else 0)
                first = (low if way > 0 else high) == (0 if way > 0 else size[2])
                for where, ahead in ((self.behind, False), (self.ahead, True)):
                    other = ranks.neighbour(world.rank, axis, way if ahead else -way)
                    if other is None or (axis == 2 and not (last if ahead else first)):
                        continue  # what goes along k is passed once, with the block next to that face
                    begin, box = [0, 0, low], [size[0], size[1], high - low]
                    box[axis] = 1
                    begin[axis] = (size[axis] if way < 0 else -1) if not ahead else (0 if way < 0 else size[axis] - 1)
                    inside = fields.swept.view(fields.r_swept.data, tuple(begin), tuple(box))  # type: ignore[arg-type]
                    where.setdefault((low, high), []).append(Face(world, fields.space, other, inside, ahead))
        self.waiting: list[Channel] = []  # sends that are under way

    def begin(self) -> None:
        """All that will come may come."""
        for face in _faces(self.behind):
            face.channel.start()

    def receive(self, block: tuple[int, int]) -> None:
        for face in self.behind.get(block, ()):
            face.channel.wait()
            face.unpack()

    def send(self, block: tuple[int, int]) -> None:
        for face in self.ahead.get(block, ()):
            face.pack()
            face.channel.start()
            self.waiting.append(face.channel)
        self.push()

    def push(self) -> None:
        """Let sends go on: without it the ranks ahead would wait until this one has ended its sweep."""
        self.waiting = [channel for channel in self.waiting if not channel.push()]

    def end(self) -> None:
        for channel in self.waiting:
            channel.wait()
        self.waiting = []

    def close(self) -> None:
        for face in (*_faces(self.behind), *_faces(self.ahead)):
            face.channel.close()


def _faces(groups: dict[tuple[int, int], list[Face]]) -> Iterator[Face]:
    for group in groups.values():
        yield from group


def _sides() -> Iterator[tuple[int, int]]:
    for axis in range(3):
        yield from ((axis, -1), (axis, 1))
