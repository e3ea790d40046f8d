"""What a backend is: how the text of kernels is completed for a target, translated, loaded and launched.

The text of a kernel is: prelude (the meaning of words) + functions (language/compiler.py) + entry (the loop around the
body). An entry takes one block of 64-bit words (arguments.py).

    target   items of parallel_for      lanes                                   a team of parallel_team
    plain    one after the other        1                                       one member
    bounds   as plain, and every index is checked
    cpu      chunks, one per thread     SIMD lanes of one core                  one member, scratch on its stack
    cuda     TEAM threads per item      those TEAM threads                      a block of TEAM threads, shared memory
    hip      as cuda
    opencl   one thread per item        1                                       a group of TEAM threads, local memory
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from everlet.portable.arguments import Arguments
from everlet.portable.backends import places
from everlet.portable.language.compiler import Scratch

BLOCK = 1024  # items per partial sum of a reduction: fixed, so that sums do not depend on the thread count


@dataclass
class Shape:
    """What the text of a kernel depends on, besides its functions."""

    precision: str
    team: int  # GPU threads per item, or members of a team
    league: bool  # items are teams with scratch memory
    width: int  # SIMD lanes of a step
    sums: int  # values that are summed; 0 for a loop
    arguments: Arguments
    functions: str = ""  # the text of all functions
    scratches: list[Scratch] = field(default_factory=list)
    staged: list[tuple[str, str, int]] = field(default_factory=list)  # arrays (name, type, length) to copy to fast memory
    ranged: bool = False  # of a reduction: the sums of ranges of items are wanted

    @property
    def values(self) -> str:
        return ", ".join(f"_t{k}" for k in range(self.sums))


def texts_for(functions: str, texts: dict[str, str]) -> str:
    """Of parts of a prelude, by the words that they give a meaning, those that functions of this text need."""
    return "".join(text for words, text in texts.items() if any(f"{word}(" in functions for word in words.split()))


class Backend:
    """One target."""

    target = ""
    suffix = ""  # of the file with the translation of a kernel, beside its text; '': the text itself is run
    array_words = 2  # 64-bit words that tell a kernel of an array
    checks_bounds = False  # indices are looked at, and statements know where they come from
    while_loops = False  # the compiler likes `while` better than `for`
    gated = False  # entries look at control words, and may copy tables to memory of a team (grid/entries.py)

    def prelude(self, shape: Shape) -> str:
        """The words of the target, for functions of this text."""
        raise NotImplementedError

    def entry(self, shape: Shape, calls: list[str]) -> str:
        """The loop around a body: one of parallel_for, parallel_team (sums = 0) or parallel_reduce (so many sums).

        `calls` are the bodies, ready to be called; several if kernels were fused. Scratch memory is made here and passed
        to the body: not every GPU compiler lets other functions have shared memory.
        """
        raise NotImplementedError

    def surroundings(self) -> str:
        """Versions and machine: what a translation depends on besides its text and the modules that this imports."""
        raise NotImplementedError

    def translation(self, path: Path, name: str) -> bytes:
        """Of the kernel with this text, which is run as a module first: most compilers take functions of Python."""
        module: dict[str, Any] = {"__name__": path.stem, "__file__": str(path)}
        exec(compile(path.read_text(), str(path), "exec"), module)
        return self.translate(module, name)

    def translate(self, module: dict[str, Any], name: str) -> bytes:
        """The translation of a kernel whose text has been run as a module."""
        raise NotImplementedError

    def load(self, path: Path) -> Any:
        """What launches need of a kernel with this text, whose translation is beside it."""
        raise NotImplementedError

    def launch(self, space: Any, kernel: Any, program: Any, n: int, counter: int, args: tuple[Any, ...], chunk: int,
               partial: Any) -> None:
        """Run a kernel for n items, or for as many as control word `counter` says; `partial` is a View for sums of blocks."""
        raise NotImplementedError

    def ready(self, space: Any, program: Any, n: int, args: tuple[Any, ...], chunk: int, partial: Any) -> Callable[[], None]:
        """A launch to call again and again, if the target has it."""
        raise NotImplementedError

    def ready_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                     partial: Any) -> Callable[[], None]:
        """The same for ranges of items."""
        raise NotImplementedError

    def launch_ranges(self, space: Any, kernel: Any, program: Any, begin: Any, end: Any, args: tuple[Any, ...],
                      partial: Any) -> None:
        """Run a kernel for ranges of items."""
        raise NotImplementedError

    def loop(self, shape: Shape, calls: list[str], memory: list[str], once: bool, partial: str) -> list[str]:
        """The lines of an entry that goes through items one by one. Scratch memory is made once, or anew for each item."""
        lines = [f"    {line}" for line in memory if once]
        begin = ["    for _i in range(_begin, _end):", *(f"        {line}" for line in memory if not once)]
        if not shape.sums:
            return lines + begin + [f"        {call}" for call in calls]
        lines += [partial] if partial else []
        lines += [f"    _s{k} = 0.0" for k in range(shape.sums)]
        lines += [*begin, f"        {shape.values} = {calls[0]}"]
        lines += [f"        _s{k} += _t{k}" for k in range(shape.sums)]
        return lines + [f"    _partial[_chunk * {shape.sums} + {k}] = _s{k}" for k in range(shape.sums)]


def scratch_lines(shape: Shape, make: str) -> list[str]:
    return [f"_scratch_{s.name} = {make}({s.size}, {s.dtype})" for s in shape.scratches]


@functools.cache
def backend(target: str) -> Backend:
    """The backend of a target: plain, bounds, cpu, cuda, hip or opencl."""
    found: Backend = importlib.import_module(f"{places()[target].__name__}.backend").BACKEND
    return found
