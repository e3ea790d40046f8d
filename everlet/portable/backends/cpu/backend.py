"""Kernels as machine code for CPUs, run by one thread or several."""

from __future__ import annotations

import functools
import sys
from pathlib import Path
from typing import Any

from everlet.portable.backends.base import Backend, Shape, scratch_lines, texts_for
from everlet.portable.backends.cpu import loops, machine, prelude
from everlet.portable.backends.cpu.code import Code
from everlet.portable.backends.cpu.ready import Ready
from everlet.portable.language.dtypes import PRECISION
from everlet.portable.libraries import versions
from everlet.portable.views import View

MATHEMATICS = {"vecmath": ("exp", "log", "erfc", "sin", "cos"), "angles": ("atan2", "acos")}  # by file of simd/
MATHEMATICS_TEXT = """from everlet.portable.backends.cpu.pipeline import Mathematics
from everlet.portable.simd.{file} import CHOICES
"""


class Cpu(Backend):
    target = "cpu"
    suffix = ".o"

    def prelude(self, shape: Shape) -> str:
        real, accum = PRECISION[shape.precision]
        mathematics = ""
        for file, words in MATHEMATICS.items():
            used = [word for word in words if f"{word}(" in shape.functions]
            if used:
                mathematics += MATHEMATICS_TEXT.format(file=file)
                mathematics += "".join(f"{word} = Mathematics(CHOICES['{word}'])\n" for word in used)
        text = prelude.WORDS.format(real=real, accum=accum, width=shape.width, mathematics=mathematics)
        return text + texts_for(shape.functions, prelude.SOMETIMES) + (prelude.TEAM if shape.league else "")

    def entry(self, shape: Shape, calls: list[str]) -> str:
        lines = ["def entry(_begin, _end, _chunk, _thread, _words):", *(f"    {line}" for line in shape.arguments.unpack)]
        partial = f"    _partial = array_f64(_words, {shape.arguments.words}, 0)"
        # scratch memory once: every team of the thread uses it
        return "\n".join(lines + self.loop(shape, calls, scratch_lines(shape, "scratch_array"), True, partial)) + "\n"

    @functools.cache  # noqa: B019  there is one backend of each target
    def surroundings(self) -> str:
        found = versions()
        return f"{found['numba']} {found['llvmlite']} {found['numpy']} {sys.version} {machine.description()}"

    def translate(self, module: dict[str, Any], name: str) -> bytes:
        from everlet.portable.backends.cpu.pipeline import object_code  # late: only compiling needs Numba

        return object_code(module["entry"])

    def load(self, path: Path) -> Any:
        return Code(path.with_suffix(self.suffix).read_bytes())

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        block = program.arguments.packed(space, args, tail=() if partial is None else partial.words())
        loops.run(program.entry.address, n, chunk, block, space.threads, space.most)

    def ready(self, space: Any, program: Any, n: int, args: tuple[Any, ...], chunk: int, partial: Any) -> Ready:
        block = program.arguments.packed(space, args, tail=() if partial is None else partial.words())
        return Ready((args, partial), program.entry.address, n, chunk, block, space.threads, space.most)

    def ready_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                     partial: Any) -> Ready:
        block = program.arguments.packed(space, args, tail=space.words(partial) if kernel.sums else ())
        begins, ends = (one.words() if isinstance(one, View) else space.words(one) for one in (begin, end))
        return Ready((args, begin, end, partial), program.entry.address, begin.shape[0], 0, block, space.threads,
                           space.most, begins[0], ends[0])

    def launch_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                      partial: Any) -> None:
        self.ready_ranges(space, kernel, program, begin, end, args, partial)()


BACKEND = Cpu()
