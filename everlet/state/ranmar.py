"""Marsaglia and Zaman's stream (random.py) as a kernel: many numbers at once, with the state in the memory of a space.

All its numbers are whole multiples of 2^-24, so whole numbers do:  x[n] = x[n-97] - x[n-33] mod 2^24, and what is drawn is
x[n] - c[n] mod 2^24 with c[n] = c[n-1] - 7654321 mod 16777213. Up to 33 numbers do not need each other: the members of a
team on a GPU make 32 at a time.
"""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.portable import Kernel, Space, View, f64, i64, log, parallel_team, portable, sqrt

LAG, NEAR = 97, 33
BITS = 2**24 - 1
DOWN, AROUND = 7654321, 16777213  # c goes down by one number, modulo the other
CHUNK = NEAR - 1  # none of these follows from another of them; a power of two
LAST = 255  # of the numbers that are remembered; a power of two, less one
UNIT = 1.0 / 2.0**24
PLACE = LAG + 1  # of the oldest number, for streams that are drawn from one by one
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


@portable
def next_uniform(state: i64[:]):
    """One number of a stream, for a kernel of one item; the oldest of the numbers is at state[PLACE]."""
    here = state[PLACE]
    new = (state[here] - state[(here + LAG - NEAR) % LAG]) & BITS
    state[here] = new
    state[PLACE] = (here + 1) % LAG
    state[LAG] = (state[LAG] - DOWN) % AROUND
    return f64((new - state[LAG]) & BITS) * UNIT


@portable
def next_gaussian(state: i64[:], kept: f64[:]):
    """By the polar method; kept: 1 and the second number of the last pair, or 0."""
    value = kept[1]
    if kept[0] != 0.0:
        kept[0] = 0.0
    else:
        r2 = 0.0
        a = 0.0
        b = 0.0
        while r2 >= 1.0 or r2 == 0.0:
            a = 2.0 * next_uniform(state) - 1.0
            b = 2.0 * next_uniform(state) - 1.0
            r2 = a * a + b * b
        f = sqrt(-2.0 * log(r2) / r2)
        kept[0] = 1.0
        kept[1] = a * f
        value = b * f
    return value


DRAW = Kernel(draw, team=CHUNK, league=True)


class Ranmar:
    """A stream whose state lives in a space: numbers are drawn by a kernel, also in replayed graphs."""

    def __init__(self, space: Space, words: np.ndarray):
        self.space, self.state = space, View(WORDS, np.int64, space)
        self.state.put(words)

    def fill(self, count: int, out: View) -> None:
        """Put the next `count` uniform numbers into a View of float64."""
        parallel_team(self.space, 1, DRAW, count, self.state, out)
