"""Kernels for GPUs: PTX, which the driver loads."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.portable.backends.base import Backend, Shape, scratch_lines, texts_for
from everlet.portable.backends.cuda import TRAITS, prelude, translate
from everlet.portable.backends.cuda.found import architecture, compiler_name, installed
from everlet.portable.language.dtypes import PRECISION
from everlet.portable.spaces import NEVER

# Every GPU kernel looks at the control words first (spaces.py): was everything that follows called off, and, if the
# number of items is known on the GPU alone, how many are there?
GATE = """    if _control[0] < _limit or (_limit > NEVER and _control[1] != 0):
        return
    if _counter > 0:
        _n = min(_n, _control[_counter])
"""
THREADS = TRAITS.block
GATE_NAMES = ("_n", "_control", "_limit", "_counter")
GATE_TYPES = ("i64", "types.Array(i64, 1, 'C')", "i64", "i64")


class Cuda(Backend):
    target = "cuda"
    suffix = ".ptx"
    while_loops = True

    @property
    def array_words(self) -> int:  # type: ignore[override]
        return translate.words_per_array()

    def prelude(self, shape: Shape) -> str:
        real, accum = PRECISION[shape.precision]
        one = shape.league or shape.team == 1
        words = prelude.WORDS.format(real=real, accum=accum, team=shape.team, never=NEVER,
                                     rsqrt="cuda.libdevice.rsqrt" if real == "f64" else "rsqrt_f32")
        words += (prelude.ONE if one else prelude.LANES) + (prelude.TEAM if shape.league else "")
        words += prelude.WARP_SUM if shape.sums else ""
        return words + texts_for(shape.functions, prelude.SOMETIMES["one" if one else "lanes"])

    def entry(self, shape: Shape, calls: list[str]) -> str:
        memory = scratch_lines(shape, "cuda.shared.array")
        for name, dtype, size in shape.staged:
            memory += [f"_fast_{name} = cuda.shared.array({size}, {dtype})", "_k = i64(cuda.threadIdx.x)",
                       f"while _k < {size}:", f"    _fast_{name}[u64(_k)] = {name}[u64(_k)]",
                       f"    _k += {'TEAM' if shape.league else THREADS}"]
        memory += ["cuda.syncthreads()"] if shape.staged else []
        text = _reduction(shape, calls, memory) if shape.sums else _loop(shape, calls, memory)
        types = ", ".join([*GATE_TYPES, *shape.arguments.types])
        return (f"{text}def signature(): return types.void({types})\nBLOCK_THREADS = {shape.team if shape.league else 0}\n")

    def surroundings(self) -> str:
        return _versions(compiler_name(), architecture())

    def translate(self, module: dict[str, Any], name: str) -> bytes:
        return translate.translate(module["entry"], module["signature"](), name, module["BLOCK_THREADS"]).encode()

    def load(self, path: Path) -> Any:
        return path

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        gpu = space.gpu
        block = program.arguments.block(space, args, head=(n, *gpu.control_words, space.limit, counter),
                                        tail=() if partial is None else (*partial.words(), chunk))
        threads, blocks = THREADS, -(-n * kernel.team // THREADS)
        if kernel.league:
            threads, blocks = kernel.team, n
        elif partial is not None:
            blocks = -(-n // chunk)
        gpu.launch(gpu.kernel(program.entry, kernel.carveout, kernel.registers), blocks, threads, block)

    def launch_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                      partial: Any) -> None:
        if not kernel.ranged:
            raise InputError("parallel_ranges does not run on a GPU: its threads do items in no order",
                             "use parallel_for and a ScatterView there")
        gpu, count = space.gpu, begin.shape[0]
        block = program.arguments.block(space, args, head=(count, *gpu.control_words, space.limit, 0),
                                        tail=(*partial.words(), *begin.words(), *end.words()))
        gpu.launch(gpu.kernel(program.entry, kernel.carveout, kernel.registers), count, THREADS, block)


@functools.cache
def _versions(compiler: str, architecture: tuple[int, int]) -> str:
    packages = [f"{package} {installed(package)}" for package in (compiler, "numba", "llvmlite", "numpy")]
    return f"{packages} {sys.version} sm_{architecture}"


def _loop(shape: Shape, calls: list[str], memory: list[str]) -> str:
    return (f"def entry({', '.join([*GATE_NAMES, *shape.arguments.names])}):\n" + GATE
            + "".join(f"    {line}\n" for line in memory)
            + f"    _i = {'cuda.blockIdx.x' if shape.league else 'cuda.grid(1) // TEAM'}\n"
            + "    if _i < _n:\n" + "".join(f"        {call}\n" for call in calls))


def _reduction(shape: Shape, calls: list[str], memory: list[str]) -> str:
    # every block sums _span items in a fixed order: registers first, then the threads of a warp, then warps
    warps, sums = THREADS // 32, shape.sums
    last = "_begins, _ends" if shape.ranged else "_span"
    lines = [f"def entry({', '.join([*GATE_NAMES, *shape.arguments.names])}, _partial, {last}):", GATE.rstrip(),
             *(f"    {line}" for line in memory),
             f"    _shared = cuda.shared.array({warps * sums}, f64)",
             "    _t = cuda.threadIdx.x"]
    lines += [f"    _s{k} = 0.0" for k in range(sums)]
    if shape.ranged:
        lines += ["    _first, _n = _begins[cuda.blockIdx.x], _ends[cuda.blockIdx.x]", "    _span = _n - _first"]
    lines += [f"    for _q in range(_t // TEAM, _span, {THREADS} // TEAM):",
              f"        _i = {'_first' if shape.ranged else 'cuda.blockIdx.x * _span'} + _q",
              "        if _i < _n:",
              f"            {shape.values} = {calls[0]}",
              "            if leader():"]
    lines += [f"                _s{k} += _t{k}" for k in range(sums)]
    lines += [f"    _s{k} = _warp_sum(_s{k})" for k in range(sums)]
    lines += ["    if _t % 32 == 0:"] + [f"        _shared[_t // 32 * {sums} + {k}] = _s{k}" for k in range(sums)]
    lines += ["    cuda.syncthreads()",
              f"    if _t < {sums}:",
              "        _whole_sum = 0.0",
              f"        for _w in range({warps}):",
              f"            _whole_sum += _shared[_w * {sums} + _t]",
              f"        _partial[cuda.blockIdx.x * {sums} + _t] = _whole_sum"]
    return "\n".join(lines) + "\n"


BACKEND = Cuda()
