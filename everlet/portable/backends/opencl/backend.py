"""Kernels as OpenCL C, which drivers compile."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable.backends.base import Backend, Shape
from everlet.portable.backends.c.emit import HEAD, emit
from everlet.portable.backends.grid import entries
from everlet.portable.backends.opencl import TRAITS
from everlet.portable.spaces import NEVER
from everlet.portable.views import Scattered, View

THREADS = TRAITS.block


class OpenCL(Backend):
    target = "opencl"
    suffix = ".cl"
    array_words = 1
    while_loops = gated = True

    def prelude(self, shape: Shape) -> str:
        return entries.words(HEAD, shape, NEVER)

    def entry(self, shape: Shape, calls: list[str]) -> str:
        return entries.entry(shape, calls, THREADS, 1)

    def surroundings(self) -> str:
        return ""  # the text alone: drivers keep what they make of it

    def translation(self, path: Path, name: str) -> bytes:
        return emit(path.read_text(), "opencl", name, THREADS).encode()

    def load(self, path: Path) -> Any:
        return path

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        threads, groups = THREADS, -(-n * program.team // THREADS)
        if kernel.league:
            threads, groups = kernel.team, n
        elif partial is not None:
            groups = -(-n // chunk)
        sums, more = ((), ()) if partial is None else ((partial,), (chunk,))
        self._start(space, kernel, program, (groups, threads), (n, counter), args, sums, more)

    def launch_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                      partial: Any) -> None:
        if not kernel.ranged:
            raise InputError("parallel_ranges does not run on a GPU: its threads do items in no order",
                             "use parallel_for and a ScatterView there")
        count = begin.shape[0]
        self._start(space, kernel, program, (count, THREADS), (count, 0), args, (partial, begin, end), ())

    def _start(self, space: Any, kernel: Any, program: Any, shape: tuple[int, int], items: tuple[int, int],
               args: tuple[Any, ...], sums: tuple[View, ...], more: tuple[int, ...]) -> None:
        """shape: groups, and threads of each; items: how many, and the control word that may say so; sums: views behind the
        arguments of the body; more: numbers behind them."""
        arguments = program.arguments
        head = items[0], *space.words(space.control), space.limit, items[1]
        values = arguments.listed(space, args, head, (*[word for one in sums for word in one.words()], *more))
        arguments.check(args)
        kinds = [{"i64": np.int64, "f64": np.float64}.get(one) for one in [*entries.GATE_TYPES, *arguments.types]]
        built = space.gpu.kernel(program.entry, kernel.carveout, kernel.registers)
        space.gpu.launch(built, *shape, values, kinds, [memory(one) for one in (space.control, *args, *sums)])


def memory(given: Any) -> Any:
    """What a view, or an array that many add to, is over now."""
    view = given.view if isinstance(given, Scattered) else given
    return view.data if isinstance(view, View) else view


BACKEND = OpenCL()
