"""The text of kernels in C for people to read, with the files and lines that it comes from."""

from __future__ import annotations

from everlet.portable.backends.base import Backend, Shape
from everlet.portable.backends.c.dialects import DIALECTS
from everlet.portable.backends.c.emit import emit
from everlet.portable.backends.grid import entries
from everlet.portable.programs import Kernel, Program
from everlet.portable.spaces import NEVER
from everlet.portable.traits import WIDEST

THREADS = 128  # of a group, where a kernel does not say how many


class Printed(Backend):
    """What a target makes of a kernel, without its compiler. `together`: threads that can share an item."""

    array_words = 1
    while_loops = gated = True

    def __init__(self, target: str, together: int):
        self.target, self.together = target, together

    def prelude(self, shape: Shape) -> str:
        return entries.words("", shape, NEVER)

    def entry(self, shape: Shape, calls: list[str]) -> str:
        return entries.entry(shape, calls, THREADS, self.together)


BACKENDS = {"opencl": Printed("opencl", 1), "hip": Printed("hip", WIDEST), "cuda": Printed("cuda", WIDEST)}


def c_text(kernel: Kernel, dialect: str) -> str:
    """A kernel in C."""
    one = BACKENDS[dialect]
    program = Program(kernel, one.target, one, origins=True)
    return f"// {kernel.name} in {DIALECTS[dialect].name}\n" + emit(program.text, dialect, kernel.name, THREADS)
