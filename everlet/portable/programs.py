"""Kernels and the programs that they become, one for each target.

A process keeps the programs that it used last, up to MOST_PROGRAMS of them. Others are closed, with their machine code; they
are loaded again from disk when they are needed again.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import cache, recall
from everlet.portable.arguments import Arguments, Slot, slots
from everlet.portable.backends import traits_of
from everlet.portable.backends.base import Backend, Shape, backend
from everlet.portable.language.compiler import Variant
from everlet.portable.language.counted_loops import counted_loops
from everlet.portable.language.dtypes import dtype
from everlet.portable.language.flatten import flatten
from everlet.portable.language.functions import Portable
from everlet.portable.traits import MEMBERS, WIDEST, powers

MOST_PROGRAMS = 256
_programs: OrderedDict[tuple[Any, ...], Program] = OrderedDict()
LOADING = threading.RLock()  # simulations may run in several threads


@dataclass
class Kernel:
    """What a kernel is made of, apart from its arguments: enough to compile it ahead of time."""

    body: Portable
    sums: int = 0  # values summed by a reduction; 0 for parallel_for and parallel_team
    precision: str = "double"
    fields: tuple[str, ...] = ()
    team: int = 1  # GPU threads per item: lane loops are shared among them, or in a league, team loops
    statics: tuple[tuple[str, Any], ...] = ()
    layouts: tuple[tuple[str, str], ...] = ()  # of two-dimensional views, where not row
    league: bool = False  # for parallel_team: an item is a team with scratch memory
    parts: tuple[Kernel, ...] = ()  # of a fused kernel: the kernels that it runs for each item, in this order
    same: tuple[int, ...] = ()  # of a fused kernel: for each argument of the parts, which of the kernel's own it is
    width: int = 0  # SIMD lanes of a step on a CPU; 0: as many as are best for most kernels
    block: int = 1  # items of parallel_for that one CPU thread does in turn, from a multiple of this on
    fast: tuple[tuple[str, int], ...] = ()  # array arguments that a GPU block copies to shared memory, and their lengths
    carveout: int | None = None  # percent of a GPU's L1 cache to use as shared memory; the program stays the same
    registers: int = 0  # most registers of a GPU thread, so that more of them run at once; 0: as many as it likes
    ranged: bool = False  # a reduction that gives the sums of each range of items (segments.py)

    @property
    def key(self) -> tuple[Any, ...]:
        # the type of a static counts: 2 and 2.0 are equal, but not the same text
        statics = tuple([(name, type(value), value) for name, value in self.statics])
        return (self.body, self.sums, self.precision, self.fields, self.team, statics, self.layouts, self.league, self.width,
                self.same, self.fast, self.ranged, *[part.key for part in self.parts])

    @property
    def name(self) -> str:
        return "_and_".join([part.body.__name__ for part in self.parts]) or self.body.__name__

    def program(self, target: str, widest: int = 0) -> Program:
        """Its program for a target, and for so many threads that can share an item (0: as the target says). One that this
        object has used stays with it: launches must be quick."""
        used = self.__dict__.get("_used")
        if used is None or used[0] != target or used[1] != widest:
            used = self.__dict__["_used"] = target, widest, self._program(target, widest or traits_of(target).widest)
        return used[2]

    def _program(self, target: str, widest: int) -> Program:
        key = (target, widest, self.key)
        with LOADING:
            program = _programs.get(key)
            if program is None:
                program = _programs[key] = Program(self, target, widest=widest)
                if len(_programs) > MOST_PROGRAMS:
                    _programs.popitem(last=False)
            else:
                _programs.move_to_end(key)
        return program


class Program:
    """A kernel for one target: its generated module and, once loaded, its entry."""

    def __init__(self, kernel: Kernel, target: str, other: Backend | None = None, origins: bool = False, widest: int = 0):
        """other: who completes the text in place of the target's back end; origins: the text says where it is from; widest:
        threads that can share an item, where that is not what the target says."""
        self.kernel, self.backend, self.made = kernel, other or backend(target), False
        most = MEMBERS if kernel.league else WIDEST
        if kernel.team not in powers(most):
            raise InputError(f"a team of {kernel.team}", f"use a power of two up to {most}")
        parts = kernel.parts or (kernel,)
        expected = [part_slots(part, f"_{k}" if kernel.parts else "") for k, part in enumerate(parts)]
        all_slots = sum(expected, [])
        own = [all_slots[kernel.same.index(k)] for k in range(max(kernel.same) + 1)] if kernel.same else all_slots
        self.arguments = Arguments(kernel.name, own, target, kernel.sums, self.backend.array_words, kernel.ranged,
                                   self.backend.gated)
        width = kernel.width or lane_width(target, kernel.precision)
        self.team = kernel.team if kernel.league else min(kernel.team, widest or traits_of(target).widest)
        self.recalled = "" if other or origins or self.backend.checks_bounds else recall.key(kernel, target, self.team, width)
        self.text = recall.text(self.recalled, target)
        if not self.text:
            self.text, self.made = self.written(own, expected, width, origins), True
        self.entry: Any = None
        self.built = False  # seen on disk, whole, by this process: not looked for again

    def written(self, own: list[Slot], expected: list[list[Slot]], width: int, origins: bool) -> str:
        """The text: words of the target, functions, and an entry for the kernel's `own` arguments, of which the bodies of its
        parts expect theirs."""
        kernel = self.kernel
        parts = kernel.parts or (kernel,)
        text, entries, scratches = flatten([(part.body, variant(part, self.backend.checks_bounds)) for part in parts], origins)
        text = counted_loops(text) if self.backend.while_loops else text
        casts, calls = iter(self.arguments.casts), []
        cast = [[next(casts) for _ in range(1 + slot.counted)] for slot in own]  # of each of the kernel's arguments
        staged = [(slot.name, slot.type, size) for slot in own for name, size in kernel.fast if name == slot.name]
        if self.backend.gated:
            copied = dict(kernel.fast)
            cast = [[f"_fast_{slot.name}"] if slot.name in copied else given for slot, given in zip(own, cast, strict=True)]
        which = iter(kernel.same or range(len(own)))
        for name, slots_of_part in zip(entries, expected, strict=True):
            given = sum([cast[next(which)] for _ in slots_of_part], [])
            calls.append(f"{name}({', '.join(['_i', *given, *(f'_scratch_{s.name}' for s in scratches)])})")
        shape = Shape(kernel.precision, self.team, kernel.league, width, kernel.sums, self.arguments, text, scratches, staged,
                      kernel.ranged)
        return self.backend.prelude(shape) + text + self.backend.entry(shape, calls)

    @property
    def path(self) -> Path:
        path = cache.store(self.kernel.name, self.text, self.backend.target)
        if self.made:
            recall.keep(self.recalled, path)
            self.made = False
        return path

    def load(self) -> Any:
        """Compile if needed; the entry is a function (plain), machine code (cpu) or a module path (cuda, hip, opencl)."""
        with LOADING:  # a second entry would take the place of one that another thread runs, and close its machine code
            if self.entry is None:
                path = self.path
                if self.backend.suffix and not cache.built(path):
                    cache.report(1, 1, path.stem)
                    cache.build(path)
                self.entry, self.built = self.backend.load(path), True
        return self.entry


def variant(kernel: Kernel, bounds: bool = False) -> Variant:
    """What the text of a kernel is rewritten for."""
    return Variant(kernel.fields, dict(kernel.statics), dict(kernel.layouts), kernel.league, bounds)


def part_slots(kernel: Kernel, suffix: str) -> list[Slot]:
    """The arguments of a kernel; names get the suffix, so that those of several kernels differ."""
    given = dict(kernel.statics)
    annotations = {name: one for name, one in kernel.body.annotations().items() if name not in given}
    found = slots(annotations, dict(kernel.layouts), kernel.precision)
    for slot in found:
        slot.name += suffix
    return found


def lane_width(target: str, precision: str) -> int:
    """SIMD lanes per loop step."""
    if target != "cpu":
        return 1
    from everlet.portable.backends.cpu.machine import default_lanes

    return default_lanes(np.dtype(dtype("real", precision)).itemsize)


def register_lanes(number_type: Any, least: int = 16) -> int:
    """Lanes of one register of this CPU, or of so many bytes at least: for loops that hold many numbers of each lane."""
    from everlet.portable.backends.cpu.machine import host_bytes

    return int(max(host_bytes(), least) // np.dtype(number_type).itemsize)
