"""Kernels as CUDA C++, which NVRTC translates to PTX, and the driver loads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.portable.backends.base import Backend, Shape
from everlet.portable.backends.c.emit import HEAD, emit
from everlet.portable.backends.cuda import TRAITS, nvrtc
from everlet.portable.backends.cuda.found import architecture
from everlet.portable.backends.grid import entries
from everlet.portable.spaces import NEVER
from everlet.portable.traits import WIDEST

THREADS = TRAITS.block
WITH_NVRTC = f"{HEAD}from everlet.portable.backends.cuda.nvrtc import ptx\n"


class Cuda(Backend):
    target = "cuda"
    suffix = ".ptx"
    array_words = 1
    while_loops = gated = True

    def prelude(self, shape: Shape) -> str:
        return entries.words(WITH_NVRTC, shape, NEVER)

    def entry(self, shape: Shape, calls: list[str]) -> str:
        return entries.entry(shape, calls, THREADS, WIDEST)

    def surroundings(self) -> str:
        return f"nvrtc {nvrtc.version()} sm_{architecture()}"

    def translation(self, path: Path, name: str) -> bytes:
        return nvrtc.ptx(emit(path.read_text(), self.target, name, THREADS), name, architecture())

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


BACKEND = Cuda()
