"""Launches of kernels that take their arguments as one block of words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from everlet.errors import InputError
from everlet.portable.backends.base import Backend, Shape
from everlet.portable.backends.c.emit import HEAD, emit
from everlet.portable.backends.grid import entries
from everlet.portable.spaces import NEVER
from everlet.portable.traits import WIDEST


class InBlocks(Backend):
    """A target whose device, `space.gpu`, has control_words, kernel(path, carveout, registers), which loads the file beside a
    text, and launch(kernel, blocks, threads, words).

    threads         of a block
    translate       what its compiler makes of a text in C that has one kernel: translate(text, name, architecture)
    version         of that compiler
    architecture    of the device, or what is compiled for where there is none
    """

    array_words = 1
    while_loops = gated = True

    def __init__(self, target: str, suffix: str, threads: int, translate: Callable[[str, str, Any], bytes],
                 version: Callable[[], str], architecture: Callable[[], Any]):
        self.target, self.suffix, self.threads = target, suffix, threads
        self.translate_text, self.version, self.architecture = translate, version, architecture
        # imports say what a translation depends on
        self.head = f"{HEAD}from {translate.__module__} import {translate.__name__}\n"

    def surroundings(self) -> str:
        return f"{self.version()} {self.architecture()}"

    def prelude(self, shape: Shape) -> str:
        return entries.words(self.head, shape, NEVER)

    def entry(self, shape: Shape, calls: list[str]) -> str:
        return entries.entry(shape, calls, self.threads, WIDEST)

    def translation(self, path: Path, name: str) -> bytes:
        text = emit(path.read_text(), self.target, name, self.threads)
        return self.translate_text(text, name, self.architecture())

    def load(self, path: Path) -> Any:
        return path

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        gpu = space.gpu
        block = program.arguments.block(space, args, head=(n, *gpu.control_words, space.limit, counter),
                                        tail=() if partial is None else (*partial.words(), chunk))
        threads, blocks = self.threads, -(-n * kernel.team // self.threads)
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
        gpu.launch(gpu.kernel(program.entry, kernel.carveout, kernel.registers), count, self.threads, block)
