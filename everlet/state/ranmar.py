"""Marsaglia and Zaman's stream (random.py) as a kernel: many numbers at once, with the state in the memory of a space.

All its numbers are whole multiples of 2^-24, so whole numbers do:  x[n] = x[n-97] - x[n-33] mod 2^24, and what is drawn is
x[n] - c[n] mod 2^24 with c[n] = c[n-1] - 7654321 mod 16777213. Up to 33 numbers do not need each other: the members of a
team on a GPU make 32 at a time.
"""
# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.portable import Kernel, View, f64, i64, parallel_team, portable

LAG, NEAR = 97, 33
BITS = 2**24 - 1
DOWN, AROUND = 7654321, 16777213  # c goes down by one number, modulo the other
CHUNK = 32
LAST = 255  # of the numbers that are remembered; a power of two, less one
UNIT = 1.0 / 2.0**24
WORDS = LAG + 1  # of a state: the last 97 numbers, the oldest first, and c


@portable
def draw(t, count: i64, state: i64[:], out: f64[:]):
    """The next `count` numbers of a stream."""
    x = scratch(i64, LAST + 1)
    for k in team_range(LAG):
        x[k] = state[k]
    c = state[LAG]
    barrier()
    for first in range(0, count, CHUNK):
        size = min(CHUNK, count - first)
        for k in team_range(size):
            n = LAG + first + k
            new = (x[(n - LAG) & LAST] - x[(n - NEAR) & LAST]) & BITS
            x[n & LAST] = new
            out[first + k] = f64((new - (c - (k + 1) * DOWN) % AROUND) & BITS) * UNIT
        c = (c - size * DOWN) % AROUND
        barrier()
    for k in team_range(LAG):
        state[k] = x[(count + k) & LAST]
    if team_rank() == 0:
        state[LAG] = c


DRAW = Kernel(draw, team=CHUNK, league=True)


class Ranmar:
    """A stream whose state lives in a space: numbers are drawn by a kernel, also in replayed graphs."""

    def __init__(self, space, words):
        self.space, self.state = space, View(WORDS, np.int64, space)
        self.state.put(words)

    def fill(self, count, out):
        """Put the next `count` uniform numbers into a View of float64."""
        parallel_team(self.space, 1, DRAW, count, self.state, out)
