"""The kernel words for devices with many threads, as text that goes before the functions of a kernel.

Primitives are spelled as numba.cuda spells them (cuda.threadIdx.x …), which takes the text as it is; for all others emit.py
writes them in C. Each target begins the text with what these and the types are.

    WORDS         for every kernel
    ONE, LANES    one thread for an item, or several as its lanes
    TEAM          for leagues: teams with scratch memory
    ANGLES        atan2 and acos, only where they are used
    WARP_SUM      for reductions
    ADD_SUMS      only where the word is used; with one thread, or lanes
"""

from __future__ import annotations

WORDS = """
@device
def at(k): return u64(k)
real, accum = {real}, {accum}
W = 1
TEAM = {team}
NEVER = {never}
@device
def where(c, a, b): return a if c else b
@device
def both(a, b): return a and b
@device
def either(a, b): return a or b
@device
def negate(a): return not a
@device
def least(a, b): return min(a, b)
@device
def most(a, b): return max(a, b)
@device
def magnitude(a): return abs(a)
@device
def rsqrt_f32(a):  # the estimate is off by up to 1.3e-7, mostly to one side; a Newton step mends it, but not that of 0 or inf
    y = cuda.libdevice.rsqrtf(a)
    miss = f32(1.0) - a * y * y
    return y + f32(0.5) * y * miss if abs(miss) < f32(1.0) else y
@device
def rsqrt(a): return {rsqrt}(real(a))
@device
def lookup(data, index): return data[u64(index)]
@device
def lookup2(data, index): return row2(data, u64(index))
@device
def lookup4(data, index): return row4(data, u64(index))
@device
def lookup8(data, index): return row4(data, u64(index)) + row4(data, u64(index) + u64(4))
@device
def single(x): return real(f32(x))
@device
def leading_bits(x, shift): return real(cuda.libdevice.float_as_int(f32(x)) >> i32(shift))
@device
def lanes(value): return accum(value)
@device
def load(array, k): return array[u64(k)]
@device
def store(array, k, value): array[u64(k)] = value
@device
def load4(array, n, k): return row4(array, u64(4) * u64(k))
@device
def item4(array, n, k): return row4(array, u64(4) * u64(k))
@device
def store4(array, n, k, a, b, c, d):
    at = u64(4) * u64(k)
    array[at] = a; array[at + u64(1)] = b; array[at + u64(2)] = c; array[at + u64(3)] = d
@device
def lane_ids(): return i32(0)
@device
def gather(array, j, mask): return array[u64(j)]
@device
def gather3(rows, m, j, mask):
    if m == 4:
        return row3(rows, u64(m) * u64(j))
    return rows[u64(m) * u64(j)], rows[u64(m) * u64(j) + u64(1)], rows[u64(m) * u64(j) + u64(2)]
@device
def gather4(rows, m, j, mask): return row4(rows, u64(m) * u64(j))
@device
def place_of_kind(kind, j, row, size): return u64((i32(row) + kind[u64(j)]) * i32(size))
@device
def fields1(table, place, k): return table[place + u64(k)]
@device
def fields2(table, place, k): return table[place + u64(k)], table[place + u64(k + 1)]
@device
def fields4(table, place, k):
    return table[place + u64(k)], table[place + u64(k + 1)], table[place + u64(k + 2)], table[place + u64(k + 3)]
@device
def subtract3(rows, m, j, x, y, z, mask):
    if mask:
        cuda.atomic.add(rows, m * j, -f64(x)); cuda.atomic.add(rows, m * j + 1, -f64(y))
        cuda.atomic.add(rows, m * j + 2, -f64(z))
subtract3_distinct = subtract3
@device
def prefetch3(rows, m, j): pass
@device
def subtract(array, j, x, mask):
    if mask: cuda.atomic.add(array, j, -f64(x))
@device
def add3(rows, m, i, x, y, z):
    cuda.atomic.add(rows, m * i, x); cuda.atomic.add(rows, m * i + 1, y); cuda.atomic.add(rows, m * i + 2, z)
@device
def as_real(value): return real(value)
@device
def as_accum(value): return accum(value)
@device
def as_f64(value): return f64(value)
@device
def as_i64(value): return i64(value)
@device
def difference(a, b): return real(i32(a - b))
@device
def fma(a, b, c): return a * b + c
@device
def any_lane(mask): return mask
@device
def atomic_add(array, k, value): return cuda.atomic.add(array, k, value)
@device
def scatter_add(array, k, value): cuda.atomic.add(array, k, value)
"""
ONE = """
LANES = 1
@device
def _lane(): return i64(0)
@device
def _whole(first, last): return last
@device
def lane_stride(): return i64(1)
@device
def live(q, n): return q < n  # loops that read ahead come behind the end
@device
def count_lanes(mask): return i64(1) if mask else i64(0)
@device
def append(array, base, found, stride, value, mask):
    if mask: array[u64(base + found * stride)] = value
    return i64(1) if mask else i64(0)
@device
def lane_sum(value): return value
@device
def leader(): return True
"""
LANES = """
LANES = TEAM
@device
def _lane(): return i64(cuda.threadIdx.x % TEAM)
@device
def _whole(first, last): return first + (last - first + TEAM - 1) // TEAM * TEAM  # lanes make the same steps
@device
def lane_stride(): return i64(TEAM)
@device
def live(q, n): return q < n
@device
def _members():  # only this item's threads are sure to come here
    first = cuda.laneid - cuda.laneid % TEAM
    return i32(((i64(1) << TEAM) - 1) << first)
@device
def _votes(mask):  # bit k: lane k of this item says yes
    first = cuda.laneid - cuda.laneid % TEAM
    return (i64(cuda.ballot_sync(_members(), mask)) >> first) & ((i64(1) << TEAM) - 1)
@device
def count_lanes(mask): return i64(cuda.popc(i32(_votes(mask))))
@device
def append(array, base, found, stride, value, mask):
    votes = _votes(mask)
    before = i64(cuda.popc(i32(votes & ((i64(1) << _lane()) - 1))))
    if mask: array[u64(base + (found + before) * stride)] = value
    return i64(cuda.popc(i32(votes)))
@device
def lane_sum(value):
    mask = _members()
    width = TEAM // 2
    total = f64(value)
    while width > 0:  # in halves: numba-cuda-mlir 0.6 shuffles 32 bits and would round without a word
        high = cuda.shfl_down_sync(mask, cuda.libdevice.double2hiint(total), width)
        low = cuda.shfl_down_sync(mask, cuda.libdevice.double2loint(total), width)
        total += cuda.libdevice.hiloint2double(high, low)
        width //= 2
    return total
@device
def leader(): return cuda.threadIdx.x % TEAM == 0
"""
# for reductions: the sum over the 32 threads of a warp, in its first one
WARP_SUM = """
@device
def _warp_sum(total):
    width = 16
    while width > 0:
        high = cuda.shfl_down_sync(i32(-1), cuda.libdevice.double2hiint(total), width)
        low = cuda.shfl_down_sync(i32(-1), cuda.libdevice.double2loint(total), width)
        total += cuda.libdevice.hiloint2double(high, low)
        width //= 2
    return total
"""
ANGLES = """
from math import atan2
@device
def acos(x): return math.atan2(math.sqrt(max((1 - x) * (1 + x), 0 * x)), x)
"""
# add_sums(array, k, step, a, b, fresh): the sums of a and b over the lanes are added to array[k] and array[k + step], or are
# put there if `fresh`
ADD_SUMS = {"one": """
@device
def add_sums(array, k, step, a, b, fresh):
    array[u64(k)] = a if fresh else a + array[u64(k)]
    array[u64(k + step)] = b if fresh else b + array[u64(k + step)]
""", "lanes": """
@device
def _from_lane(mask, value, other):  # of the lane whose number differs from this one's in the bits `other`
    high = cuda.shfl_xor_sync(mask, cuda.libdevice.double2hiint(value), other)
    low = cuda.shfl_xor_sync(mask, cuda.libdevice.double2loint(value), other)
    return cuda.libdevice.hiloint2double(high, low)
@device
def add_sums(array, k, step, a, b, fresh):  # even lanes make the sum of a, odd ones that of b
    mask, rank = _members(), _lane()
    odd = rank % 2 == 1
    total = f64(b if odd else a) + _from_lane(mask, f64(a if odd else b), 1)
    width = 2
    while width < TEAM:
        total += _from_lane(mask, total, width)
        width *= 2
    if rank < 2:
        place = u64(k + rank * step)
        array[place] = total if fresh else total + array[place]
"""}
TEAM = """
@device
def team_rank(): return i64(cuda.threadIdx.x)
@device
def team_size(): return i64(TEAM)
@device
def barrier(): cuda.syncthreads()
@device
def team_sum(value, shared):  # a tree: the same order every time
    rank = cuda.threadIdx.x
    cuda.syncthreads()
    shared[rank] = value
    cuda.syncthreads()
    half = TEAM // 2
    while half > 0:
        if rank < half:
            shared[rank] += shared[rank + half]
        cuda.syncthreads()
        half //= 2
    return shared[0]
"""
# add_at(array, k, value): the lane is added to array[k]; array is a scatter argument
ADD_AT = """
@device
def add_at(array, k, value): cuda.atomic.add(array, u64(k), value)
"""
# only where the words are used, in leagues: teams that wait for each other. All members must come there
TURNS = """
@device
def wait_for(array, k, value):
    if cuda.threadIdx.x == 0:
        while cuda.atomic.add(array, u64(k), 0) < value:
            pass
        cuda.threadfence()
    cuda.syncthreads()
@device
def announce(array, k, value):
    cuda.threadfence()
    cuda.syncthreads()
    if cuda.threadIdx.x == 0:
        cuda.atomic.exch(array, u64(k), value)
"""
# by the words that they are for, with one thread for an item or several
SOMETIMES = {kind: {"atan2 acos": ANGLES, "add_at": ADD_AT, "wait_for announce": TURNS, "add_sums": text}
             for kind, text in ADD_SUMS.items()}
