"""Loops of `everlet micro`: chains of one operation, reads and writes of arrays, and nothing at all.

A chain is x = f(x) + c, again and again: CHAINS of them do not depend on each other. Loops over arrays take ahead steps of
lanes at once, so that sums do not wait for each other.
"""

from __future__ import annotations

import functools

from everlet.portable import Portable, f64, i32, i64, lookup, portable, real
from everlet.portable.language.functions import written


@functools.cache
def operation(formula: str) -> Portable:
    """A step of a chain: a formula of x and c."""
    return written(f"def step(x, c):\n    return {formula}\n", formula)


@portable
def total(x: unrolled[CHAINS]):
    s = lanes(0.0)
    for u in unroll(CHAINS):
        s += x[u]
    return f64(lane_sum(s))


@portable
def chains(i, rounds: i64, c: f64, out: f64[:]):
    """CHAINS chains x = f(x)."""
    a = lanes(0.0) + real(c)
    for u in unroll(CHAINS):
        x[u] = lanes(1.0) + real(0.01 * u)
    for _ in range(rounds):
        for u in unroll(CHAINS):
            x[u] = OPERATION(x[u], a)
    out[i] = total(x[:CHAINS])


@portable
def lookup_chains(i, rounds: i64, table: real[:], out: f64[:]):
    """CHAINS walks through a table whose entries say where to look next."""
    for u in unroll(CHAINS):
        x[u] = lanes(1.0) + real(1.0 * u)
    for _ in range(rounds):
        for u in unroll(CHAINS):
            x[u] = lookup(table, x[u])
    out[i] = total(x[:CHAINS])


@portable
def sum_chains(i, rounds: i64, c: f64, out: f64[:]):
    """CHAINS chains x = sum of the lanes of x, times c."""
    for u in unroll(CHAINS):
        x[u] = lanes(1.0) + real(0.01 * u)
    for _ in range(rounds):
        for u in unroll(CHAINS):
            x[u] = lanes(0.0) + real(c) * real(lane_sum(x[u]))
    out[i] = total(x[:CHAINS])


@portable
def whole_numbers(i, rounds: i64, a: i64, b: i64, out: i64[:]):
    """A chain of 16 additions and exclusive ors in each round: each of them takes one cycle on every CPU."""
    k = a
    for _ in range(rounds):
        for _u in unroll(8):
            k = (k + a) ^ b
    out[i] = k


@portable
def read(i, rounds: i64, n: i64, step: i64, x: real[:], out: f64[:]):
    """Sums of n numbers side by side, from i step on."""
    for u in unroll(8):
        s[u] = lanes(0.0)
    for _ in range(rounds):
        for q in lane_range(n, 8):
            for u in unroll(8):
                s[u] += load(x, i * step + q + u * lane_stride())
    for u in unroll(7):
        s[0] += s[u + 1]
    out[i] = f64(lane_sum(s[0]))


@portable
def read_by_index(i, rounds: i64, n: i64, step: i64, index: i32[:], x: real[:], out: f64[:]):
    """Sums of n numbers whose places a list says."""
    for u in unroll(8):
        s[u] = lanes(0.0)
    for _ in range(rounds):
        for q in lane_range(n, 8):
            for u in unroll(8):
                j[u] = load(index, i * step + q + u * lane_stride())
            for u in unroll(8):
                s[u] += gather(x, j[u], live(q, n))
    for u in unroll(7):
        s[0] += s[u + 1]
    out[i] = f64(lane_sum(s[0]))


@portable
def write(i, rounds: i64, n: i64, step: i64, x: real[:], out: f64[:]):
    """n numbers side by side are written, from i step on."""
    value = lanes(1.0) + real(i)
    for _ in range(rounds):
        for q in lane_range(n):
            store(x, i * step + q, value)
        value = value + real(1.0)
    out[i] = f64(lane_sum(value))


@portable
def count(i, rounds: i64, n: i64, stride: i64, counters: i32[:], out: f64[:]):
    """Additions that cannot be interrupted, to one of n counters: all items to the same ones, or each to others."""
    k = i * stride
    for r in range(rounds):
        atomic_add(counters, (k + r) % n, i32(1))
    out[i] = 1.0


@portable
def nothing(i, out: f64[:]):
    """What a launch costs."""
    if i < 0:
        out[0] = 1.0
