"""The kernel words in plain Python, as text that goes before the functions of a kernel."""

from __future__ import annotations

WORDS = """
import numpy as np
from everlet.portable.language.words import *
f64, f32, i32, i64, u8 = np.float64, np.float32, np.int32, np.int64, np.uint8
real, accum = {real}, {accum}
W = 1
def device(function): return function
def lanes(value): return accum(value)
def at(k): return k
def lane_range(n, ahead=1): return range(0, n, ahead)
def lane_steps(first, last): return range(first, last)
def lane_stride(): return 1
def live(q, n): return True
def load(array, k): return array[k]
def store(array, k, value): array[k] = value
def load4(array, n, k): return array[4 * k], array[4 * k + 1], array[4 * k + 2], array[4 * k + 3]
item4 = load4
def store4(array, n, k, a, b, c, d): array[4 * k : 4 * k + 4] = a, b, c, d
def lane_ids(): return 0
def gather(array, j, mask): return array[j]
def gather3(rows, m, j, mask): return rows[m * j], rows[m * j + 1], rows[m * j + 2]
def gather4(rows, m, j, mask): return rows[m * j], rows[m * j + 1], rows[m * j + 2], rows[m * j + 3]
def place_of_kind(kind, j, row, size): return (row + i64(kind[j])) * size
def fields1(table, place, k): return table[place + k]
def fields2(table, place, k): return table[place + k], table[place + k + 1]
def fields4(table, place, k): return tuple(table[place + k : place + k + 4])
def subtract3(rows, m, j, x, y, z, mask):
    if mask:
        rows[m * j] -= x; rows[m * j + 1] -= y; rows[m * j + 2] -= z
subtract3_distinct = subtract3
def prefetch3(rows, m, j): pass
def subtract(array, j, x, mask):
    if mask: array[j] -= x
def add3(rows, m, i, x, y, z):
    rows[m * i] += x; rows[m * i + 1] += y; rows[m * i + 2] += z
def lane_sum(value): return value
def leader(): return True
def as_real(value): return real(value)
def as_accum(value): return accum(value)
def as_f64(value): return f64(value)
def as_i64(value): return i64(value)
def difference(a, b): return real(i32(a) - i32(b))
def fma(a, b, c): return a * b + c
def any_lane(mask): return mask
def count_lanes(mask): return int(mask)
def append(array, base, found, stride, value, mask):
    if mask: array[base + found * stride] = value
    return int(mask)
def atomic_add(array, k, value):
    old = array[k]
    array[k] += value
    return old
def scatter_add(array, k, value): array[k] += value
"""
# for leagues: teams with scratch memory
TEAM = """
TEAM = 1
def team_range(n): return range(n)
def team_rank(): return 0
def team_size(): return 1
def team_sum(value, shared): return f64(value)
def barrier(): pass
def scratch_array(size, dtype):  # no meaning until written, as on the other targets: reading it too early must show
    return np.full(size, np.nan if issubclass(dtype, np.floating) else np.iinfo(dtype).max, dtype)
"""
# only where the word is used
ADD_SUMS = """
def add_sums(array, k, step, a, b, fresh):
    array[k] = a + (0 if fresh else array[k])
    array[k + step] = b + (0 if fresh else array[k + step])
"""
ADD_AT = """
def add_at(array, k, value): array[k] += value
"""
TURNS = """
def wait_for(array, k, value):
    if array[k] < value: raise RuntimeError("an item waits for one that comes later: number them the other way round")
def announce(array, k, value): array[k] = value
"""
SOMETIMES = {"add_at": ADD_AT, "wait_for announce": TURNS, "add_sums": ADD_SUMS}  # by the words that they are for
