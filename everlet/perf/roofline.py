"""The roofline of this machine: its measured peaks, and the least time that the pair forces need by them.

    least time = max(operations / peak of fused multiply-adds, bytes / bandwidth of a copy)

Operations and bytes are those that the answer needs, whatever scheme finds it: each pair within the cutoff once, every
index of the list read once, positions and forces of every atom moved once. A fraction of 1 is out of reach: a division
takes many times as long as a multiplication, pairs beyond the cutoff are visited too, and only some operations pair up
to a fused one. The fraction serves to compare schemes, precisions and machines.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import partial

import numpy as np

from everlet.io import remembered
from everlet.perf.kernels import adding, copy, copy_four
from everlet.portable import Space, View, parallel_for
from everlet.portable.kernels import lane_width

# a Lennard-Jones pair: difference 3, squared distance 5, 1/r2 1, r^-6 2, strength 4, force 3, onto i and j 6
PAIR_OPERATIONS = 24
ATOM_BYTES = 4 * 8 + 4 + 2 * 3 * 8  # position row and type read, force read and written
ITEMS, ROUNDS = 64, 20000  # items so that every thread has some; GPUs get more
COPY = 1 << 22  # float64 of each array of a copy: 32 MiB, more than caches hold
GPU_COPY = 1 << 27  # the same for a GPU: 1 GiB


@dataclass
class Peaks:
    """Operations per second (a fused multiply-add counts two) and bytes per second (read and written) of a space."""

    double: float
    single: float
    copy: float

    def of(self, precision: str) -> float:
        """The peak of the pair arithmetic in a precision."""
        return self.double if precision == "double" else self.single


def peaks(space: Space, again: bool = False) -> Peaks:
    """The peaks of a space; measured once for each machine and remembered in `roofline.json` of the cache directory."""
    key = f"{space.machine()} | {space}"
    kept = remembered.get("roofline", key)
    if not again and set(kept) == {"double", "single", "copy"} and all(isinstance(v, float) for v in kept.values()):
        return Peaks(**kept)
    found = Peaks(arithmetic(space, "double"), arithmetic(space, "single"), bandwidth(space))
    remembered.put("roofline", key, asdict(found))
    return found


def arithmetic(space: Space, precision: str) -> float:
    """Fused multiply-adds, as operations per second: on CPUs the best of few and many chains."""
    width = lane_width(space.target, precision)
    items = ITEMS * space.threads if not space.many_threads else 1 << 20
    rounds = ROUNDS if space.target != "plain" else 2
    out, best = View(items, np.float64, space), 0.0
    made = [(chains, adding(chains, precision)) for chains in (4, 8)]
    if space.many_threads:
        made = [(8, adding(8, precision, chained=True))]
    for chains, kernel in made:
        seconds = least_of(space, partial(parallel_for, space, items, kernel, rounds, 0.5, out))
        best = max(best, 2.0 * chains * width * items * rounds / seconds)
    return best


def bandwidth(space: Space) -> float:
    """Bytes per second that a copy reads and writes."""
    size = GPU_COPY if space.many_threads else {"plain": 1000}.get(space.target, COPY)
    source, target = (View(size, np.float64, space) for _ in range(2))
    seconds = least_of(space, lambda: parallel_for(space, size, copy, source, target))
    if space.many_threads:
        seconds = min(seconds, least_of(space, lambda: parallel_for(space, size // 4, copy_four, size // 4, source, target)))
    return 2.0 * 8.0 * size / seconds


def least_of(space: Space, action: Callable[[], None], repeats: int = 7) -> float:
    """Least seconds of several, after one that compiles. On CPUs these are CPU seconds per thread, so that other work
    on the machine does not lower its peaks."""
    clock, share = (time.perf_counter, 1) if space.many_threads else (time.process_time, space.threads)
    action()
    least = float("inf")
    for _ in range(repeats):
        space.synchronize()
        begin = clock()
        action()
        space.synchronize()
        least = min(least, (clock() - begin) / share)
    return least


def busy(space: Space) -> None:
    """Keep a GPU at work for some milliseconds, so that its clock is that of work."""
    out = View(1 << 20, np.float64, space)
    parallel_for(space, out.shape[0], adding(8, chained=True), 2000, 0.5, out)


def least_seconds(pairs: int, listed: int, atoms: int, peak: Peaks, precision: str) -> float:
    """The roofline's time for the forces of so many pairs within the cutoff, found by a list of so many entries."""
    operations = PAIR_OPERATIONS * pairs
    moved = 4 * listed + ATOM_BYTES * atoms
    return max(operations / peak.of(precision), moved / peak.copy)
