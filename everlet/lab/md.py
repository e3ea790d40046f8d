"""Molecular dynamics on bricks of a box, by equations.

    T       = λ T_local + T_halo + T_global + T_rebuild / n_rebuild
    T_local = start + n/rate + surface n^(2/3)                     n atoms of a rank; what starts, its bulk and its ghosts
    T_halo  = 26 o + L + B G                                       every neighbour at once, B bytes in all; or in three
              3 (L + 2 o) + B G                                    stages of two messages; copies to the host at both ends
    T_global = ceil(log2 P) (L + 2 o + 8 k G)                      for each sum over ranks
    T_fft   = (1 + 3) 2 [(√P - 1)(o + L) + 16 M/P G]               transposes of M mesh points; (1 + 1) with ad
    n_ghost = h ρ [Π(edge + 2 r) - Π edge],  r = cutoff + skin     h = 1/2 where one of two opposite ghosts is enough
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from everlet.lab.machine import Link, Machine, between

GHOST_BYTES = 24  # a position; again for a force that goes home
NUMBER = 8
COMPLEX = 16


def ghosts(brick: tuple[float, float, float], density: float, reach: float, share: float = 1.0) -> float:
    """Ghosts of a brick.

    >>> [round(ghosts((edge, edge, edge), 0.8442, 2.8)) for edge in ((n / 0.8442) ** (1 / 3) for n in (4000, 32000, 256000))]
    [5483, 18820, 69500]
    """
    inner = math.prod(brick)
    return share * density * (math.prod(edge + 2.0 * reach for edge in brick) - inner)


def grid(ranks: int, box: tuple[float, float, float]) -> tuple[int, int, int]:
    """Bricks along the edges, with the least surface.

    >>> grid(8, (1.0, 1.0, 1.0)), grid(2, (1.0, 1.0, 3.0))
    ((2, 2, 2), (1, 1, 2))
    """
    found = (float("inf"), (ranks, 1, 1))
    for px in _divisors(ranks):
        for py in _divisors(ranks // px):
            pz = ranks // px // py
            a, b, c = box[0] / px, box[1] / py, box[2] / pz
            found = min(found, (a * b + b * c + c * a, (px, py, pz)))
    return found[1]


def _divisors(n: int) -> list[int]:
    low = [k for k in range(1, math.isqrt(n) + 1) if n % k == 0]
    return sorted({*low, *(n // k for k in low)})


@dataclass(frozen=True)
class Rate:
    """T_local of a potential on a device, by lines between measured points if there are some; `error` is relative."""

    start: float
    rate: float
    surface: float = 0.0
    error: float = 0.1
    points: tuple[tuple[float, float], ...] = ()  # atoms, seconds

    def time(self, atoms: float) -> float:
        if self.points:
            return between(list(self.points), atoms)
        return self.start + atoms / self.rate + self.surface * atoms ** (2.0 / 3.0)


@dataclass
class Matter:
    """What is simulated. Bytes are those of a ghost and a step."""

    atoms: int
    box: tuple[float, float, float]
    reach: float  # cutoff and skin
    share: float = 1.0  # of ghosts that are needed
    forward: float = GHOST_BYTES
    reverse: float = 0.0  # forces that go home
    sums: float = 0.0  # over ranks, per step
    sum_numbers: int = 1
    rebuild: float = 0.0  # seconds per atom of one
    every: float = 20.0
    mesh: int = 0  # points
    transforms: int = 4
    iterations: int = 0  # of a conjugate gradient, per step
    imbalance: float = 1.0

    @property
    def density(self) -> float:
        return self.atoms / math.prod(self.box)


@dataclass
class Step:
    """Seconds of a step by cause, on so many ranks."""

    ranks: int
    atoms: float
    ghosts: float
    parts: dict[str, float] = field(default_factory=dict)

    @property
    def total(self) -> float:
        return sum(self.parts.values())


def halo(network: Link, size: float, stages: bool, link: Link | None = None) -> float:
    """T_halo of `size` bytes: to all 26 neighbours at once, or in three stages."""
    wire, copies = network.time(0.0) - 2.0 * network.overhead, 2.0 * link.time(size) if link else 0.0
    starts = 3.0 * (wire + 2.0 * network.overhead) if stages else 26.0 * network.overhead + wire
    return starts + network.gap(size) + copies


def allreduce(network: Link, ranks: int, numbers: int = 1) -> float:
    """A sum over all ranks."""
    return math.ceil(math.log2(ranks)) * network.time(NUMBER * numbers) if ranks > 1 else 0.0


def transpose(network: Link, ranks: int, mesh: int) -> float:
    """Of a mesh in pencils, among the √P ranks of a row."""
    if ranks == 1:
        return 0.0
    wire = network.time(0.0) - 2.0 * network.overhead
    return (math.sqrt(ranks) - 1.0) * (network.overhead + wire) + network.gap(COMPLEX * mesh / ranks)


def step(matter: Matter, rate: Rate, machine: Machine, nodes: int, stages: bool = False) -> Step:
    """A step on all devices of so many nodes."""
    ranks = nodes * machine.devices
    network = machine.network
    if network.nics < machine.devices and not network.points:  # that ranks of a node share
        network = type(network)(**{**vars(network), "bandwidth": network.bandwidth * network.nics / machine.devices})
    parts_of = grid(ranks, matter.box)
    brick = (matter.box[0] / parts_of[0], matter.box[1] / parts_of[1], matter.box[2] / parts_of[2])
    mine = matter.atoms / ranks
    outer = ghosts(brick, matter.density, matter.reach, matter.share)
    parts = {"local": matter.imbalance * rate.time(mine), "rebuild": mine * matter.rebuild / matter.every}
    if ranks > 1:
        there = halo(network, matter.forward * outer, stages, machine.link)
        back = halo(network, matter.reverse * outer, stages, machine.link) if matter.reverse else 0.0
        turn = halo(network, COMPLEX * outer, stages, machine.link) + allreduce(network, ranks)
        parts["halo"] = there + back + matter.iterations * turn
        parts["global"] = matter.sums * allreduce(network, ranks, matter.sum_numbers)
        parts["rebuild"] += 2.0 * ranks * network.overhead / matter.every
        if matter.mesh:
            parts["global"] += 2 * matter.transforms * transpose(network, ranks, matter.mesh)
    return Step(ranks, mine, outer, parts)


def half_point(matter: Matter, rate: Rate, machine: Machine, nodes: int) -> float:
    """Atoms of a rank at which half of the time is bulk work: n* = rate T_min, T_min with no atoms at all."""
    empty = Matter(**{**vars(matter), "atoms": 1, "reach": 0.0})
    return rate.rate * (step(empty, rate, machine, nodes).total - 1.0 / rate.rate)
