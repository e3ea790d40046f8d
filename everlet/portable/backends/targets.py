"""What the kernel words mean on each target, and the loop a kernel body is put into.

A generated module is: prelude (preludes.py) + functions (compiler.flatten) + entry (this file). An entry takes one block
of 64-bit words (arguments.py).

    target   items of parallel_for      lanes                                   a team of parallel_team
    plain    one after the other        1                                       one member
    cpu      chunks, one per thread     SIMD lanes of one core                  one member, scratch on its stack
    cuda     TEAM threads per item      those TEAM threads                      a block of TEAM threads, shared memory
"""

from __future__ import annotations

from everlet.portable.arguments import Arguments
from everlet.portable.backends.preludes import ADD_SUMS, CPU, CPU_TEAM, CUDA, CUDA_LANES, CUDA_ONE, CUDA_TEAM, PLAIN, PLAIN_TEAM
from everlet.portable.language.compiler import Scratch
from everlet.portable.language.dtypes import PRECISION
from everlet.portable.spaces import NEVER

BLOCK = 1024  # items per partial sum of a reduction: fixed, so that sums do not depend on the thread count
GPU_BLOCK = 128  # threads per GPU block

NUMPY_NAMES = {"f64": "np.float64", "f32": "np.float32"}


def prelude(target: str, precision: str, team: int, league: bool, width: int, text: str) -> str:
    """The words of a target, for functions of this text."""
    real, accum = PRECISION[precision]
    kind = target if target != "cuda" else "one" if league or team == 1 else "lanes"
    sums = ADD_SUMS[kind] if "add_sums(" in text else ""  # only where used: other kernels keep their text
    if target == "plain":
        words = PLAIN.format(real=NUMPY_NAMES[real], accum=NUMPY_NAMES[accum]) + sums
        return words + (PLAIN_TEAM if league else "")
    if target == "cpu":
        used = [word for word in ("exp", "log", "erfc", "sin", "cos") if f"{word}(" in text]
        mathematics = f"from everlet.portable.simd.vecmath import {', '.join(used)}\n" if used else ""
        words = CPU.format(real=real, accum=accum, width=width, mathematics=mathematics)
        return words + sums + (CPU_TEAM if league else "")
    words = CUDA.format(real=real, accum=accum, team=team, never=NEVER)
    return words + (CUDA_ONE + CUDA_TEAM if league else CUDA_ONE if team == 1 else CUDA_LANES) + sums


def entry(target: str, calls: list[str], sums: int, args: Arguments, league: bool, scratches: list[Scratch],
          staged: list[tuple[str, str, int]]) -> str:
    """The loop around a body: one of parallel_for, parallel_team (sums = 0) or parallel_reduce (so many sums).

    `calls` are the bodies, ready to be called; several if kernels were fused. Scratch memory is made here and passed to
    the body: not every GPU compiler lets other functions have shared memory. `staged` are arrays (name, type, length) that
    a GPU block copies to shared memory first.
    """
    make = "cuda.shared.array" if target == "cuda" else "scratch_array"
    memory = [f"_scratch_{s.name} = {make}({s.size}, {s.kind})" for s in scratches]
    values = ", ".join(f"_t{k}" for k in range(sums))
    if target == "cuda":
        threads = "TEAM" if league else str(GPU_BLOCK)
        for name, kind, size in staged:
            memory += [f"_fast_{name} = cuda.shared.array({size}, {kind})", "_k = i64(cuda.threadIdx.x)",
                       f"while _k < {size}:", f"    _fast_{name}[u64(_k)] = {name}[u64(_k)]", f"    _k += {threads}"]
        memory += ["cuda.syncthreads()"] if staged else []
        return _cuda_entry(calls, sums, args, values, league, memory)
    lines = []
    if target == "plain":
        lines.append(f"def entry(_begin, _end, _chunk, _thread, {', '.join([*args.names, '_partial'])}):")
    else:
        lines += ["@cfunc(ENTRY, cache=True, nopython=True, **OPTIONS)",
                  "def entry(_begin, _end, _chunk, _thread, _words):"]
        lines += [f"    {line}" for line in args.unpack]
    if not sums:
        lines += [f"    {line}" for line in memory if target == "cpu"]  # once: every team of the thread uses it
        lines += ["    for _i in range(_begin, _end):"]
        lines += [f"        {line}" for line in memory if target == "plain"]  # anew: what one team left is not seen
        lines += [f"        {call}" for call in calls]
        return "\n".join(lines) + "\n"
    if target == "cpu":
        lines.append(f"    _partial = array_f64(_words, {args.words}, 0)")
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    lines += ["    for _i in range(_begin, _end):", f"        {values} = {calls[0]}"]
    lines += [f"        _s{k} += _t{k}" for k in range(sums)]
    lines += [f"    _partial[_chunk * {sums} + {k}] = _s{k}" for k in range(sums)]
    return "\n".join(lines) + "\n"


# Every GPU kernel looks at the control words first (spaces.py): was everything that follows called off, and, if the
# number of items is known on the GPU alone, how many are there?
CUDA_GATE = """    if _control[0] < _limit or (_limit > NEVER and _control[1] != 0):
        return
    if _counter > 0:
        _n = min(_n, _control[_counter])
"""
CUDA_GATE_TYPES = ("i64", "types.Array(i64, 1, 'C')", "i64", "i64")  # _n, _control, _limit, _counter


def _cuda_entry(calls: list[str], sums: int, args: Arguments, values: str, league: bool, memory: list[str]) -> str:
    names = ", ".join(["_n", "_control", "_limit", "_counter", *args.names])
    if not sums:
        return (f"def entry({names}):\n" + CUDA_GATE + "".join(f"    {line}\n" for line in memory) +
                f"    _i = {'cuda.blockIdx.x' if league else 'cuda.grid(1) // TEAM'}\n"
                "    if _i < _n:\n" + "".join(f"        {call}\n" for call in calls))
    # every block sums BLOCK // TEAM items in a fixed order: registers first, then a tree in shared memory
    lines = [f"def entry({names}, _partial):", CUDA_GATE.rstrip(),
             *(f"    {line}" for line in memory),
             f"    _shared = cuda.shared.array({GPU_BLOCK}, f64)",
             "    _t = cuda.threadIdx.x"]
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    lines += [f"    for _q in range(_t // TEAM, {BLOCK} // TEAM, {GPU_BLOCK} // TEAM):",
              f"        _i = cuda.blockIdx.x * ({BLOCK} // TEAM) + _q",
              "        if _i < _n:",
              f"            {values} = {calls[0]}",
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
