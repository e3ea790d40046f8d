"""Kernels for GPUs: PTX, which the driver loads."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.portable.backends.base import Backend, Shape
from everlet.portable.backends.cuda import TRAITS, translate
from everlet.portable.backends.cuda.found import architecture, compiler_name, installed
from everlet.portable.backends.grid import entries
from everlet.portable.spaces import NEVER
from everlet.portable.traits import WIDEST

THREADS = TRAITS.block
HEAD = """
from everlet.portable.backends.cuda.translate import compiler, row_reader
cuda, types, device = compiler()
import math
from math import sqrt, exp, log, erfc, sin, cos, floor
f64, f32, i32, i64, u8 = types.float64, types.float32, types.int32, types.int64, types.uint8
u64 = types.uint64
row2, row3, row4 = row_reader(2), row_reader(3), row_reader(4)
"""


class Cuda(Backend):
    target = "cuda"
    suffix = ".ptx"
    while_loops = gated = True

    @property
    def array_words(self) -> int:  # type: ignore[override]
        return translate.words_per_array()

    def prelude(self, shape: Shape) -> str:
        return entries.words(HEAD, shape, NEVER)

    def entry(self, shape: Shape, calls: list[str]) -> str:
        return entries.entry(shape, calls, THREADS, WIDEST)

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


BACKEND = Cuda()
