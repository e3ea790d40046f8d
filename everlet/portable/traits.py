"""Traits: what code that chooses between ways to do its work needs to know of a space. They are data of each back end
(`TRAITS` in its place in backends/), and a space has those of its target as attributes: so no such code asks for a name."""

from __future__ import annotations

from dataclasses import dataclass

WIDEST = 32  # threads that can share an item (Kernel.team): the most of any back end
MEMBERS = 1024  # of a team with scratch memory (Kernel.league): the most of any back end


def powers(most: int) -> tuple[int, ...]:
    """Sizes of teams: powers of two up to the most.

    >>> powers(8)
    (1, 2, 4, 8)
    """
    return tuple(2**k for k in range(most.bit_length()))


@dataclass(eq=False)
class Traits:
    """As they are for one thread that runs plain Python, unless a back end says otherwise."""

    kind: str = "CPU"  # what people call such a device
    interpreted: bool = False  # nothing is compiled: Python runs the text
    simd: bool = False  # lanes are those of SIMD registers; otherwise there is one, or threads are lanes
    asynchronous: bool = False  # launches return before the work is done: synchronize() before taking times
    ordered: bool = True  # a thread does its items in order, so that a range can be one thread's own (parallel_ranges)
    atomics: bool = False  # many items may add float64 to one place at little cost; otherwise: private copies, or turns
    many_threads: bool = False  # thousands of them: loops need many items, or several threads for each (Kernel.team)
    side_by_side: bool = False  # value k of all items should be side by side in memory; otherwise all values of an item
    replays: bool = False  # sequences of launches are replayed as one (graphs.py): lengths and decisions stay in control words
    repeats: bool = False  # launches that were run can be run again as one list, with the same arguments (tapes.py)
    calls_apart: bool = False  # of those sequences functions of libraries are no part: the host calls them at every replay
    transforming: bool = True  # a library makes Fourier transforms (Space.plans, or transforms); otherwise kernels do (fft.py)
    timed: bool = True  # benchmarks know how to take times of what it does
    widest: int = 1  # threads that can share an item
    members: int = 1  # of a team with scratch memory, at most
    processors: int = 1  # with a cache of their own, which work on teams at the same time
    busy: int = 1  # threads that keep all of it busy
    block: int = 1  # threads that add up the items of a partial sum of a reduction
    blocks: int = 1  # partial sums that keep all of it busy
