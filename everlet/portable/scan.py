"""Prefix sums as kernels: no sum comes to the host, so they can be part of a replayed sequence."""

from __future__ import annotations

import numpy as np

from everlet.portable.kernels import Kernel, parallel_team
from everlet.portable.language.dtypes import i32, i64
from everlet.portable.language.functions import portable
from everlet.portable.spaces import Space
from everlet.portable.views import View

SEGMENT = 4096  # items of one team
TEAM = 512


@portable
def segment_sum(t, n: i64, count: i32[:], sums: i32[:]):
    """sums[t] = the sum of segment t."""
    last = min(n, (t + 1) * SEGMENT)
    total = i64(0)
    for k in team_range(last - t * SEGMENT):
        total += count[t * SEGMENT + k]
    whole = team_sum(total)
    if team_rank() == 0:
        sums[t] = i32(whole)


@portable
def scan_segment(t, n: i64, count: i32[:], sums: i32[:], start: i32[:]):
    """start[k] = the sum of all items before k, for the items of segment t; sums[t] is that of all segments before it.

    Each member adds up a run of items, members' sums are added up in a tree, and each member writes its run.
    """
    ends = scratch(i32, SIZE)
    other = scratch(i32, SIZE)
    first = t * SEGMENT
    items = min(n - first, i64(SEGMENT))
    run = (items + team_size() - 1) // team_size()
    low = min(items, team_rank() * run)
    high = min(items, low + run)
    total = i32(0)
    for k in range(low, high):
        total += count[first + k]
    ends[team_rank()] = total
    barrier()
    step = i64(1)
    while step < team_size():
        value = ends[team_rank()]
        if team_rank() >= step:
            value += ends[team_rank() - step]
        other[team_rank()] = value
        barrier()
        ends[team_rank()] = other[team_rank()]
        barrier()
        step *= 2
    before = ends[team_rank()] - total
    if SEGMENTS:
        before += sums[t]
    for k in range(low, high):
        value = count[first + k]
        start[first + k] = before
        before += value
    if high == items and low < high and first + items == n:
        start[n] = before


SUMS = Kernel(segment_sum, team=TEAM, league=True)
ONE = Kernel(scan_segment, team=TEAM, league=True, statics=(("SIZE", TEAM), ("SEGMENTS", 0)))
EACH = Kernel(scan_segment, team=TEAM, league=True, statics=(("SIZE", TEAM), ("SEGMENTS", 1)))
KERNELS = [SUMS, ONE, EACH]


class Scan:
    """Prefix sums of arrays in one space; keeps the sums of segments between uses."""

    def __init__(self, space: Space):
        self.space = space
        self.levels: list[tuple[View, View]] = []

    def __call__(self, n: int, count: View, start: View, level: int = 0) -> None:
        """start[k] = count[0] + … + count[k-1], for k up to n. The number n is known on the host."""
        space = self.space
        if not space.replays and space.queue is None:
            space.ask("prefix sums")
            start.data[0] = 0
            np.cumsum(count.data[:n], out=start.data[1 : n + 1])
            return
        segments = -(-n // SEGMENT)
        if segments <= 1:
            parallel_team(space, segments, ONE, n, count, start, start)
            return
        if len(self.levels) <= level or self.levels[level][0].shape[0] < segments:
            self.levels[level:] = [(View(segments, np.int32, space), View(segments + 1, np.int32, space))]
        sums, before = self.levels[level]
        parallel_team(space, segments, SUMS, n, count, sums)
        self(segments, sums, before, level + 1)
        parallel_team(space, segments, EACH, n, count, before, start)
