"""What the kernel words mean on each target, and the loop a kernel body is put into.

A generated module is: prelude (this file) + functions (compiler.flatten) + entry (this file). An entry takes one block
of 64-bit words: for every argument the scalar itself, or what the target needs to know of an array.

    target   array words                                  lanes
    plain    the NumPy array itself                       1
    cpu      address, length                              SIMD lanes of one core
    cuda     the compiler's array descriptor (gpu.py)     threads of a team (TEAM of them per item)
"""

from __future__ import annotations

from everlet.portable.kinds import PRECISION, Array, Kind, resolve

BLOCK = 1024  # items per partial sum of a reduction: fixed, so that sums do not depend on the thread count
GPU_BLOCK = 128  # threads per GPU block

PLAIN = """
import numpy as np
from everlet.portable.words import *
f64, f32, i32, i64, u8 = np.float64, np.float32, np.int32, np.int64, np.uint8
real, accum = {real}, {accum}
W = 1
def device(function): return function
def lanes(value): return accum(value)
def lane_range(n): return range(n)
team_range = lane_range
def live(q, n): return True
def load(array, k): return array[k]
def gather(array, j, mask): return array[j]
def gather3(rows, m, j, mask): return rows[m * j], rows[m * j + 1], rows[m * j + 2]
def subtract3(rows, m, j, x, y, z, mask):
    if mask:
        rows[m * j] -= x; rows[m * j + 1] -= y; rows[m * j + 2] -= z
def add3(rows, m, i, x, y, z):
    rows[m * i] += x; rows[m * i + 1] += y; rows[m * i + 2] += z
def lane_sum(value): return value
def leader(): return True
def barrier(): pass
def as_real(value): return real(value)
def fma(a, b, c): return a * b + c
def any_lane(mask): return mask
def count_lanes(mask): return int(mask)
def append(array, k, value, mask):
    if mask: array[k] = value
    return int(mask)
def atomic_add(array, k, value):
    old = array[k]
    array[k] += value
    return old
"""

CPU = """
from numba import types, njit, cfunc
from everlet.portable.cpu import ENTRY, array_f64, array_f32, array_i32, array_i64, array_u8, word_f64
from everlet.portable.simd import *
from everlet.portable.lookup import lookup
{mathematics}f64, f32, i32, i64, u8 = types.float64, types.float32, types.int32, types.int64, types.uint8
real, accum = {real}, {accum}
W = {width}
OPTIONS = dict(error_model='numpy', fastmath={{'contract', 'nsz', 'reassoc', 'arcp'}}, boundscheck=False)
device = njit(forceinline=True, **OPTIONS)  # a call per item would cost more than most bodies
load, live, lanes = loader(W), live(W), splatter(W, real)
as_real = as_{real}
gather3, subtract3 = gather_rows3, scatter_rows3_sub
append = compress_store
@device
def add3(rows, m, i, x, y, z):
    rows[m * i] += x; rows[m * i + 1] += y; rows[m * i + 2] += z
@device
def lane_range(n): return range(0, n, W)
@device
def team_range(n): return range(n)
@device
def leader(): return True
@device
def barrier(): pass
"""

CUDA = """
from everlet.portable.gpu import compiler
cuda, types, device = compiler()
import math
from math import sqrt, exp, log, erfc, sin, cos, floor
f64, f32, i32, i64, u8 = types.float64, types.float32, types.int32, types.int64, types.uint8
real, accum = {real}, {accum}
W = 1
TEAM = {team}
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
def rsqrt(a): return real(1.0) / math.sqrt(a)
@device
def lookup(data, index): return data[int(index)]
@device
def lanes(value): return accum(value)
@device
def live(q, n): return True
@device
def load(array, k): return array[k]
@device
def gather(array, j, mask): return array[j]
@device
def gather3(rows, m, j, mask): return rows[m * j], rows[m * j + 1], rows[m * j + 2]
@device
def subtract3(rows, m, j, x, y, z, mask):
    if mask:
        cuda.atomic.add(rows, m * j, -f64(x)); cuda.atomic.add(rows, m * j + 1, -f64(y))
        cuda.atomic.add(rows, m * j + 2, -f64(z))
@device
def add3(rows, m, i, x, y, z):
    cuda.atomic.add(rows, m * i, x); cuda.atomic.add(rows, m * i + 1, y); cuda.atomic.add(rows, m * i + 2, z)
@device
def as_real(value): return real(value)
@device
def fma(a, b, c): return a * b + c
@device
def any_lane(mask): return mask
@device
def count_lanes(mask): return i64(1) if mask else i64(0)
@device
def append(array, k, value, mask):
    if mask: array[k] = value
    return i64(1) if mask else i64(0)
@device
def atomic_add(array, k, value): return cuda.atomic.add(array, k, value)
@device
def barrier(): cuda.syncthreads()
"""
CUDA_ONE = """
@device
def lane_range(n): return range(n)
@device
def lane_sum(value): return value
@device
def leader(): return True
"""
CUDA_TEAM = """
@device
def lane_range(n): return range(cuda.threadIdx.x % TEAM, n, TEAM)
@device
def lane_sum(value):
    width = TEAM // 2
    while width > 0:
        value += cuda.shfl_down_sync(0xffffffff, value, width)
        width //= 2
    return value
@device
def leader(): return cuda.threadIdx.x % TEAM == 0
"""
NUMPY_NAMES = {"f64": "np.float64", "f32": "np.float32"}


def prelude(target: str, precision: str, team: int, width: int, text: str) -> str:
    """The words of a target, for functions of this text."""
    real, accum = PRECISION[precision]
    if target == "plain":
        return PLAIN.format(real=NUMPY_NAMES[real], accum=NUMPY_NAMES[accum])
    if target == "cpu":
        used = [word for word in ("exp", "log", "erfc", "sin", "cos") if f"{word}(" in text]
        mathematics = f"from everlet.portable.vecmath import {', '.join(used)}\n" if used else ""
        return CPU.format(real=real, accum=accum, width=width, mathematics=mathematics)
    return CUDA.format(real=real, accum=accum, team=team) + (CUDA_ONE if team == 1 else CUDA_TEAM)


class Arguments:
    """Names under which an entry passes its arguments on to the body, and how it unpacks them from words (cpu)."""

    def __init__(self, kinds: dict[str, Kind | Array], layouts: dict[str, str], precision: str):
        self.names: list[str] = []
        self.unpack: list[str] = []
        self.casts: list[str] = []  # what is passed to the body
        self.arrays: dict[str, str] = {}  # entry name -> kind
        word = 0
        for name, kind in kinds.items():
            self.names.append(name)
            type_name = resolve(kind.kind if isinstance(kind, Array) else kind.name, precision)
            if isinstance(kind, Array):
                copy = f"_thread * _words[{word + 2}]" if kind.scatter else "0"
                self.unpack.append(f"{name} = array_{type_name}(_words, {word}, {copy})")
                self.casts.append(name)
                self.arrays[name] = type_name
                word += 3 if kind.scatter else 2
                if kind.width and layouts.get(name, "row") == "column":
                    self.names.append(f"{name}_n")
                    self.unpack.append(f"{name}_n = _words[{word}]")
                    self.casts.append(f"{name}_n")
                    word += 1
            else:
                source = f"word_f64(_words, {word})" if type_name[0] == "f" else f"_words[{word}]"
                self.unpack.append(f"{name} = {source}")
                self.casts.append(f"{type_name}({name})")
                word += 1
        self.words = word


def entry(target: str, name: str, sums: int, args: Arguments, team: int) -> str:
    """The loop around a body: one of parallel_for (sums = 0) or parallel_reduce (so many sums)."""
    call = f"{name}({', '.join(['_i', *args.casts])})"
    values = ", ".join(f"_t{k}" for k in range(sums))
    if target == "cuda":
        return _cuda_entry(call, sums, args, values)
    lines = []
    if target == "plain":
        lines.append(f"def entry(_begin, _end, _chunk, _thread, {', '.join([*args.names, '_partial'])}):")
    else:
        lines += ["@cfunc(ENTRY, cache=True, nopython=True, **OPTIONS)", "def entry(_begin, _end, _chunk, _thread, _words):"]
        lines += [f"    {line}" for line in args.unpack]
    if not sums:
        lines += ["    for _i in range(_begin, _end):", f"        {call}"]
        return "\n".join(lines) + "\n"
    if target == "cpu":
        lines.append(f"    _partial = array_f64(_words, {args.words}, 0)")
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    lines += ["    for _i in range(_begin, _end):", f"        {values} = {call}"]
    lines += [f"        _s{k} += _t{k}" for k in range(sums)]
    lines += [f"    _partial[_chunk * {sums} + {k}] = _s{k}" for k in range(sums)]
    return "\n".join(lines) + "\n"


def _cuda_entry(call: str, sums: int, args: Arguments, values: str) -> str:
    names = ", ".join(["_n", *args.names])
    if not sums:
        return (f"def entry({names}):\n"
                f"    _i = cuda.grid(1) // TEAM\n"
                f"    if _i < _n:\n        {call}\n")
    # every block sums BLOCK items in a fixed order: registers first, then a tree in shared memory
    lines = [f"def entry({names}, _partial):",
             f"    _shared = cuda.shared.array({GPU_BLOCK}, f64)",
             "    _t = cuda.threadIdx.x"]
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    lines += [f"    for _q in range(_t // TEAM, {BLOCK}, {GPU_BLOCK} // TEAM):",
              f"        _i = cuda.blockIdx.x * {BLOCK} + _q",
              "        if _i < _n:",
              f"            {values} = {call}",
              "            if leader():"]
    lines += [f"                _s{k} += _t{k}" for k in range(sums)]
    for k in range(sums):
        lines += [f"    _shared[_t] = _s{k}", "    cuda.syncthreads()", f"    _half = {GPU_BLOCK // 2}",
                  "    while _half > 0:",
                  "        if _t < _half:",
                  "            _shared[_t] += _shared[_t + _half]",
                  "        cuda.syncthreads()",
                  "        _half //= 2",
                  "    if _t == 0:",
                  f"        _partial[cuda.blockIdx.x * {sums} + {k}] = _shared[0]",
                  "    cuda.syncthreads()"]
    return "\n".join(lines) + "\n"

