"""The loops around bodies on devices with many threads: an entry for each kernel."""

from __future__ import annotations

from everlet.portable.backends.base import Shape, scratch_lines, texts_for
from everlet.portable.backends.grid import prelude
from everlet.portable.language.dtypes import PRECISION

# Every kernel looks at the control words first (spaces.py): was everything that follows called off, and, if the number of items
# is known on the device alone, how many are there?
GATE = """    if _control[0] < _limit or (_limit > NEVER and _control[1] != 0):
        return
    if _counter > 0:
        _n = min(_n, _control[_counter])
"""
GATE_NAMES = ("_n", "_control", "_limit", "_counter")
GATE_TYPES = ("i64", "types.Array(i64, 1, 'C')", "i64", "i64")


def entry(shape: Shape, calls: list[str], threads: int, together: int) -> str:
    """Text of the entry, the types that it takes, and how many threads a block has if that is not the usual number.

    threads: of a block; together: those of them that can add up numbers without memory (_warp_sum), 1 if there are none.
    """
    memory = scratch_lines(shape, "cuda.shared.array")
    for name, dtype, size in shape.staged:
        memory += [f"_fast_{name} = cuda.shared.array({size}, {dtype})", "_k = i64(cuda.threadIdx.x)",
                   f"while _k < {size}:", f"    _fast_{name}[u64(_k)] = {name}[u64(_k)]",
                   f"    _k += {'TEAM' if shape.league else threads}"]
    memory += ["cuda.syncthreads()"] if shape.staged else []
    text = _reduction(shape, calls, memory, threads, together) if shape.sums else _loop(shape, calls, memory)
    types = ", ".join([*GATE_TYPES, *shape.arguments.types])
    return f"{text}def signature(): return types.void({types})\nBLOCK_THREADS = {shape.team if shape.league else 0}\n"


def _loop(shape: Shape, calls: list[str], memory: list[str]) -> str:
    return (f"def entry({', '.join([*GATE_NAMES, *shape.arguments.names])}):\n" + GATE
            + "".join(f"    {line}\n" for line in memory)
            + f"    _i = {'cuda.blockIdx.x' if shape.league else 'cuda.grid(1) // TEAM'}\n"
            + "    if _i < _n:\n" + "".join(f"        {call}\n" for call in calls))


def _reduction(shape: Shape, calls: list[str], memory: list[str], threads: int, together: int) -> str:
    # every block sums _span items in a fixed order: registers first, then the threads of a warp, then warps
    parts, sums = threads // together, shape.sums
    last = "_begins, _ends" if shape.ranged else "_span"
    lines = [f"def entry({', '.join([*GATE_NAMES, *shape.arguments.names])}, _partial, {last}):", GATE.rstrip(),
             *(f"    {line}" for line in memory),
             f"    _shared = cuda.shared.array({parts * sums}, f64)",
             "    _t = cuda.threadIdx.x"]
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    if shape.ranged:
        lines += ["    _first, _n = _begins[cuda.blockIdx.x], _ends[cuda.blockIdx.x]", "    _span = _n - _first"]
    lines += [f"    for _q in range(_t // TEAM, _span, {threads} // TEAM):",
              f"        _i = {'_first' if shape.ranged else 'cuda.blockIdx.x * _span'} + _q",
              "        if _i < _n:",
              f"            {shape.values} = {calls[0]}",
              "            if leader():"]
    lines += [f"                _s{k} += _t{k}" for k in range(sums)]
    if together > 1:
        lines += [f"    _s{k} = _warp_sum(_s{k})" for k in range(sums)]
        lines += [f"    if _t % {together} == 0:"]
        lines += [f"        _shared[_t // {together} * {sums} + {k}] = _s{k}" for k in range(sums)]
    else:
        lines += [f"    _shared[_t * {sums} + {k}] = _s{k}" for k in range(sums)]
    lines += ["    cuda.syncthreads()",
              f"    if _t < {sums}:",
              "        _whole_sum = 0.0",
              f"        for _w in range({parts}):",
              f"            _whole_sum += _shared[_w * {sums} + _t]",
              f"        _partial[cuda.blockIdx.x * {sums} + _t] = _whole_sum"]
    return "\n".join(lines) + "\n"


def words(head: str, shape: Shape, never: int) -> str:
    """The words that a kernel of this shape needs, behind what the target begins with: its primitives and types."""
    real, accum = PRECISION[shape.precision]
    one = shape.league or shape.team == 1
    text = head + prelude.WORDS.format(real=real, accum=accum, team=shape.team, never=never,
                                       rsqrt="cuda.libdevice.rsqrt" if real == "f64" else "rsqrt_f32")
    text += (prelude.ONE if one else prelude.LANES) + (prelude.TEAM if shape.league else "")
    text += prelude.WARP_SUM if shape.sums else ""
    return text + texts_for(shape.functions, prelude.SOMETIMES["one" if one else "lanes"])
