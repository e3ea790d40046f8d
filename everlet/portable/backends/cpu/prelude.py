"""The kernel words for CPUs, as text that goes before the functions of a kernel."""

from __future__ import annotations

WORDS = """
from numba import types
from everlet.portable.backends.cpu.pipeline import device
from everlet.portable.backends.cpu.intrinsics import array_f64, array_f32, array_i32, array_i64, array_u8, word_f64
from everlet.portable.simd.lanes import *
from everlet.portable.simd.records import fields1, fields2, fields4, place_of_kind
from everlet.portable.simd.lookup import leading_bits, lookup, lookup2, lookup4, lookup8, octave_row, single
{mathematics}f64, f32, i32, i64, u8 = types.float64, types.float32, types.int32, types.int64, types.uint8
u64 = types.uint64
real, accum = {real}, {accum}
W = {width}
load, live, lanes, lane_ids = loader(W), live(W), splatter(W, real), lane_ids(W)
as_real, as_accum = as_{real}, as_{accum}
gather3, gather4, subtract3, subtract3_distinct = gather_rows3, gather_rows4, scatter_rows3_sub, scatter_rows3_sub_distinct
subtract = scatter_sub
@device
def difference(a, b): return as_real(a - b)
@device
def load4(array, n, k): return load(array, k), load(array, n + k), load(array, 2 * n + k), load(array, 3 * n + k)
@device
def item4(array, n, k): return array[u64(k)], array[u64(n + k)], array[u64(2 * n + k)], array[u64(3 * n + k)]
@device
def store4(array, n, k, a, b, c, d):
    array[u64(k)] = a; array[u64(n + k)] = b; array[u64(2 * n + k)] = c; array[u64(3 * n + k)] = d
at = u64
@device
def append(array, base, found, stride, value, mask): return compress_store(array, base + found, value, mask)
@device
def add3(rows, m, i, x, y, z):
    rows[m * i] += x; rows[m * i + 1] += y; rows[m * i + 2] += z
@device
def scatter_add(array, k, value): array[k] += value
@device
def lane_range(n, ahead=1): return range(0, n, ahead * W)
@device
def lane_steps(first, last): return range(first, last, W)
@device
def lane_stride(): return W
@device
def leader(): return True
"""
# for leagues: teams with scratch memory
TEAM = """
TEAM = 1
from everlet.portable.backends.cpu.intrinsics import stack_array as scratch_array
@device
def team_range(n): return range(n)
@device
def team_rank(): return 0
@device
def team_size(): return 1
@device
def team_sum(value, shared): return f64(value)
@device
def barrier(): pass
"""
# only where the word is used
ADD_SUMS = """
@device
def add_sums(array, k, step, a, b, fresh):
    one, two = lane_sum(a), lane_sum(b)
    if not fresh:
        one += array[u64(k)]
        two += array[u64(k + step)]
    array[u64(k)] = one
    array[u64(k + step)] = two
"""
# add_at(array, k, value): lanes side by side are added to array[k], …; array is a scatter argument
ADD_AT = """
@device
def add_at(array, k, value): store(array, k, load(array, k) + value)
"""
# only where the words are used: threads that wait for each other
TURNS = """
from everlet.portable.backends.cpu.intrinsics import announce, wait_for
"""
SOMETIMES = {"add_at": ADD_AT, "wait_for announce": TURNS, "add_sums": ADD_SUMS}  # by the words that they are for
