"""Kernels as plain Python: no translation, arrays and numbers are passed as they are."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

import numpy as np

from everlet.portable.backends.base import Backend, Shape, scratch_lines, texts_for
from everlet.portable.backends.reference import prelude
from everlet.portable.language.dtypes import PRECISION
from everlet.portable.views import View

NUMPY_NAMES = {"f64": "np.float64", "f32": "np.float32"}


class Reference(Backend):
    target = "plain"

    def prelude(self, shape: Shape) -> str:
        real, accum = PRECISION[shape.precision]
        words = prelude.WORDS.format(real=NUMPY_NAMES[real], accum=NUMPY_NAMES[accum])
        return words + texts_for(shape.functions, prelude.SOMETIMES) + (prelude.TEAM if shape.league else "")

    def entry(self, shape: Shape, calls: list[str]) -> str:
        head = f"def entry(_begin, _end, _chunk, _thread, {', '.join([*shape.arguments.names, '_partial'])}):"
        # scratch memory anew for each team: what one team left is not seen
        return "\n".join([head, *self.loop(shape, calls, scratch_lines(shape, "scratch_array"), once=False, partial="")]) + "\n"

    def surroundings(self) -> str:
        return ""

    def load(self, path: Path) -> Any:
        module: dict[str, Any] = {"__name__": path.stem}
        exec(compile(path.read_text(), str(path), "exec"), module)
        return module["entry"]

    def values(self, space: Any, program: Any, args: tuple[Any, ...]) -> list[Any]:
        """What the entry is called with."""
        found: list[Any] = program.arguments.values(space, args)
        return found

    def running(self, program: Any) -> contextlib.AbstractContextManager[None]:
        """Surrounds a launch."""
        return contextlib.nullcontext()

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        values = self.values(space, program, args)
        with np.errstate(all="ignore"), self.running(program):
            for c, begin in enumerate(range(0, n, chunk)):
                program.entry(begin, min(n, begin + chunk), c, 0, *values, partial and partial.data)

    def launch_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                      partial: Any) -> None:
        values = self.values(space, program, args)
        begins, ends = ((one.array if isinstance(one, View) else one).tolist() for one in (begin, end))
        with np.errstate(all="ignore"), self.running(program):
            for c, (first, last) in enumerate(zip(begins, ends, strict=True)):
                program.entry(first, last, c, 0, *values, partial)


BACKEND = Reference()
