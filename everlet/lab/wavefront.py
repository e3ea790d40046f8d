"""Pipelined wavefronts, such as the sweeps of NPB LU, by equations.

    T = iterations (sweeps (T_comp + T_comm)) + other / P
    S = Px + Py + ceil(ceil(Nz/Pz)/kB) Pz - 2        steps of a sweep: blocks of kB planes go through the array of ranks
    W = Wg points, or H T_h + Wp points              time of a block; H = Nx/Px + Ny/Py + kB - 2 hyperplanes, T_h for each
    T_comp = S W      T_comm = (S - 1) T_c           T_c: a message each to the east and the south, and copies to the host

The new blocking keeps the slope of hyperplanes over block borders, so that they are filled once:

    T_comp = [(Px + Py - 1) H + (Nz/kB - 1) kB] T_h      T_comm = [m (Px + Py - 3) + Nz/kB] T_c,  m = min(Nz, H)/kB
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from everlet.errors import InputError
from everlet.lab.machine import Machine

CLASSES = {"S": (12, 50), "W": (33, 300), "A": (64, 250), "B": (102, 250), "C": (162, 250), "D": (408, 300), "E": (1020, 300)}
POINT_BYTES = 40  # five numbers of a point of a face


@dataclass(frozen=True)
class Sweeps:
    """What is swept: points, ranks along x, y, z, planes of a block."""

    size: tuple[int, int, int]
    array: tuple[int, int, int]
    kblock: int = 1

    @property
    def local(self) -> tuple[int, int, int]:
        """Points of the largest part of a rank."""
        nx, ny, nz = (math.ceil(n / p) for n, p in zip(self.size, self.array, strict=True))
        return nx, ny, nz

    @property
    def blocks(self) -> int:
        """Blocks of a rank, one after the other."""
        return math.ceil(self.local[2] / self.kblock)

    @property
    def steps(self) -> int:
        """S.

        >>> Sweeps((960, 960, 960), (8, 8, 1), 120).steps, Sweeps((960, 960, 960), (4, 4, 4), 240).steps
        (22, 10)
        """
        return self.array[0] + self.array[1] + self.blocks * self.array[2] - 2

    @property
    def planes(self) -> int:
        """H, the hyperplanes of a block."""
        return self.local[0] + self.local[1] + self.kblock - 2

    @property
    def points(self) -> int:
        """Of a block."""
        return self.local[0] * self.local[1] * self.kblock

    @property
    def messages(self) -> tuple[int, int]:
        """Bytes to the east and to the south, of one block; 0 where the array has one rank."""
        east = POINT_BYTES * self.local[1] * self.kblock if self.array[0] > 1 else 0
        return east, POINT_BYTES * self.local[0] * self.kblock if self.array[1] > 1 else 0


@dataclass(frozen=True)
class Times:
    """Seconds of one sweep by cause."""

    compute: float
    messages: float

    @property
    def total(self) -> float:
        return self.compute + self.messages


@dataclass(frozen=True)
class Grind:
    """What a block takes: `plane` seconds of each hyperplane and `point` seconds of each point."""

    plane: float = 0.0
    point: float = 0.0

    def block(self, sweeps: Sweeps) -> float:
        return self.plane * sweeps.planes + self.point * sweeps.points


def exchange(sweeps: Sweeps, machine: Machine) -> float:
    """T_c of a machine."""
    return sum(message_time(machine, size) for size in sweeps.messages)


def message_time(machine: Machine, size: int) -> float:
    """A message from rank to rank, with the copies from and to the device at both ends; 0 without one."""
    if not size:
        return 0.0
    return machine.network.time(size) + (2.0 * machine.link.time(size) if machine.link else 0.0)


def old(sweeps: Sweeps, block: float, exchange: float) -> Times:
    """Blocks one after the other: every block is filled and drained."""
    return Times(sweeps.steps * block, (sweeps.steps - 1) * exchange)


def new(sweeps: Sweeps, plane: float, exchange: float) -> Times:
    """Hyperplanes go on from block to block."""
    px, py, pz = sweeps.array
    if pz > 1:
        raise InputError("the new blocking is for arrays of ranks in x and y", "use an array such as 8x8x1, or --policy old")
    high, nz = sweeps.planes, sweeps.size[2]
    blocks = math.ceil(nz / sweeps.kblock)
    between = math.ceil(min(nz, high) / sweeps.kblock)
    return Times(((px + py - 1) * high + (blocks - 1) * sweeps.kblock) * plane, (between * (px + py - 3) + blocks) * exchange)


def recursion(sweeps: Sweeps, block: float, east: float, south: float, copy_east: float = 0.0, copy_south: float = 0.0
              ) -> float:
    """One sweep by following every block (the full form): ranks at the edges send less, and blocks may overtake waits.

    A rank takes what comes from the west, then from the north, computes, and sends to the east, then to the south; a send
    keeps it busy until the message has arrived. `copy_`: seconds of a copy between host and device at each end.
    """
    px, py, pz = sweeps.array
    begin = [[0.0] * py for _ in range(px)]  # when a rank may begin: the one above it in z has ended
    for _ in range(pz):
        free = begin
        for _ in range(sweeps.blocks):
            arrived = [[(0.0, 0.0)] * py for _ in range(px)]
            after = [[0.0] * py for _ in range(px)]
            for i in range(px):
                for j in range(py):
                    now = free[i][j]
                    if i:
                        now = max(now, arrived[i][j][0]) + copy_east
                    if j:
                        now = max(now, arrived[i][j][1]) + copy_south
                    now += block
                    if i + 1 < px:
                        now += copy_east + east
                        arrived[i + 1][j] = (now, arrived[i + 1][j][1])
                    if j + 1 < py:
                        now += copy_south + south
                        arrived[i][j + 1] = (arrived[i][j + 1][0], now)
                    after[i][j] = now
            free = after
        begin = free
    return max(max(row) for row in begin)


def fitted(size: tuple[int, int, int], array: tuple[int, int, int], kblock: int) -> Sweeps:
    """Sweeps with blocks that are no higher than the part of a rank.

    >>> fitted((960, 960, 960), (4, 4, 4), 960).kblock
    240
    """
    if any(ranks > points for points, ranks in zip(size, array, strict=True)):
        raise InputError(f"an array of {'x'.join(map(str, array))} ranks for {'x'.join(map(str, size))} points: some have none",
                         "ask for fewer ranks, or for a larger --class or --size")
    return Sweeps(size, array, min(kblock, math.ceil(size[2] / array[2])))


def squarish(ranks: int) -> tuple[int, int, int]:
    """The array of ranks as square as it can be.

    >>> squarish(8), squarish(16), squarish(1)
    ((2, 4, 1), (4, 4, 1), (1, 1, 1))
    """
    first = next(p for p in range(math.isqrt(ranks), 0, -1) if ranks % p == 0)
    return first, ranks // first, 1


def operations(edge: int, iterations: int) -> float:
    """Of NPB LU, by its own formula."""
    return iterations * (1984.77 * edge**3 - 10923.3 * edge**2 + 27770.9 * edge - 144010.0)
