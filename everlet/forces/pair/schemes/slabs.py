"""Slabs: the box is cut along x, and slabs that are far enough apart are computed at the same time.

A row of the list reaches no further than the list radius, and so does what it writes to. Slabs are no thinner than that:
each writes to itself and its two neighbours, and every third one can be done at once; where they are twice as thick,
every second one. With one colour after the other no two threads ever write to one atom, and any number of threads, one
included, adds in the same order.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from everlet.forces.pair.loops import refill
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for, parallel_ranges
from everlet.portable.copies import CLEAR
from everlet.portable.tapes import fill_zero
from everlet.state.system import System

FEW_THREADS = 4  # so many can share the slabs; cutting thinner costs time: borders are read again for every colour
MANY = 2**40  # colours, for loops that find fillers of their own for slabs of one colour: all have the same
APART = 8  # rows of forces from one filler to the next: they must not share a cache line


def cut(first: np.ndarray, reach: int, threads: int = FEW_THREADS) -> tuple[np.ndarray, int]:
    """Bins along x where slabs begin and the last one ends, and the number of colours.

    `first[a]`: items before bin a; rows reach `reach` bins; `threads`: the most that slabs are made for.
    """
    used = np.flatnonzero(np.diff(first))
    low, high = (int(used[0]), int(used[-1]) + 1) if len(used) else (0, 1)
    for colours, least in ((2, 2 * reach), (3, reach)):
        slabs = (high - low) // max(least, 1)
        if slabs >= colours * threads:
            slabs = colours * threads
            break
    else:
        slabs = max(slabs - slabs % 6 if slabs > 6 else slabs, 1)  # two threads share 6 evenly
    return low + (high - low) * np.arange(slabs + 1) // slabs, min(colours, slabs)


def turns(slabs: int, colours: int) -> list[np.ndarray]:
    """The slabs of each colour."""
    return [np.arange(c, slabs, colours) for c in range(colours)]


def sweep(slabs: int, colours: int) -> np.ndarray:
    """An order for one thread: once through the box, while slabs that write to the same atoms keep the order of colours."""
    s = np.arange(slabs)
    return np.argsort(s + (colours - 0.9) * (s % colours))


class Slabs:
    """The slabs of a neighbour list, as ranges of slots of its bins. Of many systems each is cut by itself."""

    def __init__(self, system: System, neighbor: Neighbor):
        self.system, self.neighbor = system, neighbor
        self.edges, self.colours = View(2, np.int64, system.space), 1
        self.cuts: list[tuple[int, int]] = [(1, 1)]  # of each system: its slabs and their colours
        self._turns: tuple[Any, int, list[tuple[View, View]]] = (None, 0, [])
        self._ranges: tuple[Any, int, list[tuple[list[int], View, View]]] = (None, 0, [])  # of these edges, these threads

    @property
    def order(self) -> View:
        """Atoms, slab by slab, as their bins follow each other: dense rows of the list lie in that order, too."""
        return self.neighbor.bins.order

    def __len__(self) -> int:
        return self.edges.shape[0] - 1

    def enough(self, threads: int) -> bool:
        """Whether every thread has a slab of each colour."""
        return threads == 1 or all(slabs >= colours * threads for slabs, colours in self.cuts) or len(self.cuts) >= threads

    def rebuild(self) -> None:
        """Cut anew, after a neighbour build."""
        bins = self.neighbor.bins
        edges, self.cuts = [np.zeros(1, np.int64)], []
        known: dict[tuple[int, ...], tuple[np.ndarray, int]] = {}  # by bins that have atoms and reach: where to cut
        for (begin, along, column), reach in zip(bins.columns, self.neighbor.grids.reaches.tolist(), strict=True):
            first = bins.start.data[begin : begin + along * column + 1 : column]
            low, high = int(first.searchsorted(first[0], "right")) - 1, int(first.searchsorted(first[-1]))
            if (low, high, along, reach) not in known:
                known[low, high, along, reach] = cut(first, reach)
            found, colours = known[low, high, along, reach]
            edges.append(first[found[1:]])
            self.cuts.append((len(found) - 1, colours))
        self.colours = self.cuts[0][1] if len(self.cuts) == 1 else MANY
        ends = np.concatenate(edges)
        self.edges = View(len(ends), np.int64, self.system.space)
        self.edges.put(ends)

    def filler(self, slab: int) -> int:
        """The index that fills up the rows of a slab: threads that add nothing to one atom would slow each other, so
        those of one colour have different ones. All rows of the atoms' arrays past the capacity are far away."""
        return self.neighbor.filler + APART * (slab // self.colours)

    def clear(self, view: View) -> None:
        """Forces, or what else is added up, set to zero wherever slabs add to them."""
        system = self.system
        rows = system.atoms.total if system.newton else system.atoms.n
        if system.space.threads == 1:
            fill_zero(system.space, view.data[: rows * view.width])
        else:
            parallel_for(system.space, rows * view.width, CLEAR, 1, 0, view.data)

    def launch(self, kernel: Kernel, edges: np.ndarray, *args: Any) -> np.ndarray:
        """Run a kernel over the items between each two edges, one colour after the other; the sums of all of them."""
        space, slabs = self.system.space, len(edges) - 1
        rows: list[Any] = [()] * slabs
        for turn, begin, end in self._in_turns(edges, space.threads):
            found = parallel_ranges(space, begin, end, kernel, *args)
            for slab, row in zip(turn, found.tolist(), strict=True) if kernel.sums else ():
                rows[slab] = row
        if not kernel.sums:
            return np.zeros(0)
        if self.system.members is not None:  # of each system
            ends = np.cumsum([0, *(slabs for slabs, _ in self.cuts)])
            return np.array([[sum(column) for column in zip(*rows[a:b], strict=True)] for a, b in pairwise(ends)])
        return np.array([sum(column) for column in zip(*rows, strict=True)])

    def launch_slabs(self, kernel: Kernel, *args: Any) -> None:
        """Run a kernel whose items are slabs and whose first argument is where they begin, one colour after the other."""
        space, slabs = self.system.space, len(self)
        if self._turns[0] is not self.edges or self._turns[1] != space.threads:
            found = self._order(slabs, space.threads)
            self._turns = self.edges, space.threads, [(self._view(turn), self._view(turn + 1)) for turn in found]
        for begin, end in self._turns[2]:
            parallel_ranges(space, begin, end, kernel, self.edges, *args)

    def _order(self, slabs: int, threads: int) -> list[np.ndarray]:
        """Which slabs are done at once, one turn after the other; `slabs` of them, if there is one system."""
        cuts = [(slabs, self.colours)] if len(self.cuts) == 1 else self.cuts
        first = np.cumsum([0, *(count for count, _ in cuts)])
        if threads == 1:
            ways = {one: sweep(*one) for one in set(cuts)}
            return [np.concatenate([begin + ways[one] for begin, one in zip(first.tolist(), cuts, strict=False)])]
        most, rounds = max(colours for _, colours in cuts), {one: turns(*one) for one in set(cuts)}
        found = [[begin + turn for begin, one in zip(first.tolist(), cuts, strict=False) for turn in rounds[one][k : k + 1]]
                 for k in range(most)]
        return [np.concatenate(turn) for turn in found]

    def _view(self, items: np.ndarray) -> View:
        found = View(len(items), np.int64, self.system.space)
        found.put(items)
        return found

    def _in_turns(self, edges: np.ndarray, threads: int) -> list[tuple[list[int], View, View]]:
        """Slabs that are computed at the same time, and where their items begin and end, one turn after the other."""
        known, for_threads, ranges = self._ranges
        if known is not edges or for_threads != threads:
            slabs = len(edges) - 1
            found = self._order(slabs, threads)
            ranges = [(turn.tolist(), self._view(edges[turn]), self._view(edges[turn + 1])) for turn in found]
            self._ranges = edges, threads, ranges
        return ranges


class ListSlabs(Slabs):
    """Slabs for the rows of the list itself."""

    @property
    def _refill(self) -> Kernel:
        return Kernel(refill, statics=(("APART", APART), ("PAD", self.neighbor.pad)))

    def rebuild(self) -> None:
        super().rebuild()
        if not self.system.newton or self.system.space.threads == 1 or len(self.cuts) > 1:
            return  # nothing is added to fillers, or by one thread alone; slabs of many systems share one
        near = self.neighbor
        parallel_for(self.system.space, len(self), self._refill, self.colours, self.edges, self.order, near.count,
                     near.first, near.filler, near.neigh)
