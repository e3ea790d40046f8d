"""Programs for simulated machines (events.py): sweeps of LU, steps of molecular dynamics with PPPM or QEq, and traces.

A trace is a file of JSON lines, each an operation of a rank in the order of that rank:

    {"rank": 0, "do": "compute", "seconds": 1e-3}         {"rank": 0, "do": "send", "to": 1, "bytes": 4096, "tag": 0}
    {"rank": 1, "do": "receive", "from": 0, "tag": 0}     {"rank": 1, "do": "copy", "bytes": 4096}
    {"rank": 0, "do": "isend", "to": 1, "bytes": 8}       {"rank": 0, "do": "wait"}
    {"rank": 0, "do": "allreduce", "numbers": 1}          {"rank": 0, "do": "signal", "to": 1, "tag": 2}
    {"rank": 0, "do": "together", "key": "sweep", "ranks": 4, "seconds": 0.0}
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from typing import IO, Any

from everlet.errors import InputError, unknown
from everlet.lab import events, md
from everlet.lab.events import Operation, Program
from everlet.lab.machine import Machine
from everlet.lab.md import Matter, Rate
from everlet.lab.wavefront import Sweeps


def sweeps(what: Sweeps, block: float, iterations: int = 1, both: bool = True, edges: str = "real", other: float = 0.0
           ) -> list[Program]:
    """Iterations of a sweep forward and, if `both`, one backward; `other` seconds of each rank follow.

    edges: real ranks send what they must; all: those at the edges pay for two messages as well and messages arrive together,
    which the equation S W + (S - 1) T_c assumes.
    """
    px, py, pz = what.array

    def one(rank: int) -> Program:
        i, j, k = rank // (py * pz), rank // pz % py, rank % pz
        for _ in range(iterations):
            for forward in (True, False) if both else (True,):
                yield from _sweep(what, block, (i, j, k) if forward else (px - 1 - i, py - 1 - j, pz - 1 - k), forward, edges)
                yield events.together("sweep", px * py * pz, 0.0)  # the next one begins where this one ends
            if other:
                yield events.compute(other)

    return [one(rank) for rank in range(px * py * pz)]


def _sweep(what: Sweeps, block: float, place: tuple[int, int, int], forward: bool, edges: str) -> Iterator[Operation]:
    px, py, pz = what.array
    i, j, k = place
    east, south = what.messages

    def rank(i: int, j: int, k: int) -> int:
        if not forward:
            i, j, k = px - 1 - i, py - 1 - j, pz - 1 - k
        return (i * py + j) * pz + k

    if k:  # the rank above has ended its part
        yield events.receive(rank(i, j, k - 1), 2)
    for number in range(what.blocks):
        if i:
            yield events.receive(rank(i - 1, j, k), 0)
            if edges == "real":
                yield events.copy(east)
        if j:
            yield events.receive(rank(i, j - 1, k), 1)
            if edges == "real":
                yield events.copy(south)
        yield events.compute(block)
        last = number == what.blocks - 1 and k == pz - 1
        if edges == "all":
            if not last or i + 1 < px or j + 1 < py:
                both: list[tuple[int | None, float, int]] = [(rank(i + 1, j, k) if i + 1 < px else None, east, 0),
                                                             (rank(i, j + 1, k) if j + 1 < py else None, south, 1)]
                yield events.exchange([one for one in both if one[1]])
            continue
        if i + 1 < px:
            yield events.copy(east)
            yield events.send(rank(i + 1, j, k), east, 0)
        if j + 1 < py:
            yield events.copy(south)
            yield events.send(rank(i, j + 1, k), south, 1)
    if k + 1 < pz:  # planes of the last block came with it
        yield events.signal(rank(i, j, k + 1), 2)


def steps(matter: Matter, rate: Rate, machine: Machine, nodes: int, count: int, stages: bool = False) -> list[Program]:
    """Steps of molecular dynamics on bricks: local work, ghosts, sums, transforms, and a rebuild now and then."""
    ranks = nodes * machine.devices
    grid = md.grid(ranks, matter.box)
    brick = (matter.box[0] / grid[0], matter.box[1] / grid[1], matter.box[2] / grid[2])
    mine = matter.atoms / ranks
    outer = md.ghosts(brick, matter.density, matter.reach, matter.share)
    local = matter.imbalance * rate.time(mine)
    every = max(1, round(matter.every))

    def around(rank: int) -> tuple[int, int, int]:
        return rank // (grid[1] * grid[2]), rank // grid[2] % grid[1], rank % grid[2]

    def at(place: tuple[int, int, int], shift: tuple[int, int, int]) -> int:
        i, j, k = ((a + b) % n for a, b, n in zip(place, shift, grid, strict=True))
        return (i * grid[1] + j) * grid[2] + k

    def halo(rank: int, size: float) -> Iterator[Operation]:
        yield events.copy(size)
        place = around(rank)
        if stages:
            for axis in range(3):
                ways = [(0,) * axis + (sign,) + (0,) * (2 - axis) for sign in (1, -1)]
                yield from swap(place, ways, size / 6.0)
        else:
            ways = [(a, b, c) for a in (-1, 0, 1) for b in (-1, 0, 1) for c in (-1, 0, 1) if (a, b, c) != (0, 0, 0)]
            yield from swap(place, ways, size / 26.0)
        yield events.copy(size)

    def swap(place: tuple[int, int, int], ways: list[Any], size: float) -> Iterator[Operation]:
        for tag, way in enumerate(ways):
            yield events.isend(at(place, way), size, tag)
        for tag, way in enumerate(ways):
            yield events.receive(at(place, tuple(-w for w in way)), tag)

    def one(rank: int) -> Program:
        place = around(rank)
        rows = [(axis, *place[:axis], *place[axis + 1:]) for axis in (1, 2)]
        for number in range(count):
            yield events.compute(local)
            if (number + 1) % every == 0:
                yield events.compute(mine * matter.rebuild + (2.0 * ranks * machine.network.overhead if ranks > 1 else 0.0))
            if ranks == 1:
                continue
            yield from halo(rank, matter.forward * outer)
            if matter.reverse:
                yield from halo(rank, matter.reverse * outer)
            for _ in range(matter.iterations):
                yield from halo(rank, md.COMPLEX * outer)
                yield events.allreduce(1)
            for _ in range(round(matter.sums)):
                yield events.allreduce(matter.sum_numbers)
            if matter.mesh:
                seconds = md.transpose(machine.network, ranks, matter.mesh)
                for _ in range(matter.transforms):
                    for row, size in zip(rows, grid[1:], strict=True):
                        yield events.together(row, size, seconds)

    return [one(rank) for rank in range(ranks)]


WORDS = {"compute": ("seconds",), "copy": ("bytes",), "send": ("to", "bytes", "tag"), "isend": ("to", "bytes", "tag"),
         "receive": ("from", "tag"), "wait": (), "allreduce": ("numbers",), "signal": ("to", "tag"),
         "together": ("key", "ranks", "seconds")}
USUAL = {"tag": 0, "numbers": 1}


def trace(path: str) -> list[Program]:
    """The programs of a trace."""
    lists: dict[int, list[Operation]] = defaultdict(list)
    try:
        with open(path, encoding="utf-8") as stream:
            lines = stream.read().splitlines()
    except OSError as error:
        raise InputError(f"cannot read the trace '{path}': {error.strerror}", "check the path") from None
    for count, line in enumerate(lines, 1):
        if line.strip():
            rank, operation = _operation(line, f"{path}:{count}")
            lists[rank].append(operation)
    if not lists:
        raise InputError(f"the trace '{path}' is empty", "everlet simulate lu --trace FILE writes one")

    def one(operations: list[Operation]) -> Program:
        yield from operations

    return [one(lists[rank]) for rank in range(max(lists) + 1)]


def _operation(line: str, place: str) -> tuple[int, Operation]:
    try:
        found = json.loads(line)
        rank, do = found.pop("rank"), found.pop("do")
    except (ValueError, KeyError, AttributeError, TypeError):
        raise InputError(f"{place}: not an operation: {line[:60]}", 'write {"rank": 0, "do": "wait"}') from None
    if do not in WORDS:
        raise unknown(f"operation in {place}", str(do), WORDS)
    values = {**{key: USUAL[key] for key in WORDS[do] if key in USUAL}, **found}
    numbers = [value for key, value in values.items() if key != "key"]
    fine = all(isinstance(value, int | float) and math.isfinite(value) and value >= 0 for value in numbers)
    if set(values) != set(WORDS[do]) or not fine:
        raise InputError(f"{place}: {do} needs {' '.join(WORDS[do]) or 'nothing'}, as numbers, found {found}",
                         "correct the line")
    if not isinstance(rank, int) or rank < 0:
        raise InputError(f"{place}: rank must be a whole number from 0, found {rank!r}", "correct the line")
    if isinstance(values.get("key"), list):
        values["key"] = tuple(values["key"])
    return rank, (do, *(values[key] for key in WORDS[do]))


class Recorder:
    """Writes the operations of a simulation as a trace."""

    def __init__(self, stream: IO[str]):
        self.stream = stream

    def __call__(self, rank: int, operation: Operation) -> None:
        do, *values = operation
        if do not in WORDS:
            raise InputError(f"a trace cannot hold '{do}'", "use --edges real")
        content = dict(zip(WORDS[do], values, strict=True))
        self.stream.write(json.dumps({"rank": rank, "do": do, **content}) + "\n")
