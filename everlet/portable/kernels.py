"""parallel_for, parallel_reduce, parallel_team and parallel_scan over any space, parallel_ranges on CPUs.

    @portable
    def axpy(i, a: f64, x: f64[:], y: f64[:]):
        y[i] += a * x[i]

    parallel_for(Threads(2), n, axpy, 2.0, x, y)

A body's first parameter is the index. Statics (keyword arguments: numbers, functions) are compiled in. `fields` names
the parameters of a record `p`. Arguments are views, or arrays in the space's memory.
"""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import cache
from everlet.portable.arguments import Arguments, Slot, slots
from everlet.portable.backends import targets
from everlet.portable.language import compiler
from everlet.portable.language.compiler import Variant
from everlet.portable.language.counted_loops import counted_loops
from everlet.portable.language.dtypes import Array, dtype
from everlet.portable.language.functions import portable
from everlet.portable.spaces import Space
from everlet.portable.views import View

_programs: dict[tuple[Any, ...], Program] = {}
_launchers: Any = None
_threads_set = 0


@dataclass(frozen=True)
class Counted:
    """A number of items that is known on the device: control word `counter` of the space, at most `most`."""

    counter: int
    most: int


@dataclass
class Kernel:
    """What a kernel is made of, apart from its arguments: enough to compile it ahead of time."""

    body: portable
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

    @property
    def key(self) -> tuple[Any, ...]:
        # the type of a static counts: 2 and 2.0 are equal, but not the same text
        statics = tuple([(name, type(value), value) for name, value in self.statics])
        return (self.body, self.sums, self.precision, self.fields, self.team, statics, self.layouts, self.league, self.width,
                self.same, self.fast, *[part.key for part in self.parts])

    @property
    def name(self) -> str:
        return "_and_".join([part.body.__name__ for part in self.parts]) or self.body.__name__

    def program(self, target: str) -> Program:
        key = (target, self.key)
        program = _programs.get(key)
        if program is None:
            program = _programs[key] = Program(self, target)
        return program


class Program:
    """A kernel for one target: its generated module and, once loaded, its entry."""

    def __init__(self, kernel: Kernel, target: str):
        self.kernel, self.target = kernel, target
        most = 1024 if kernel.league else 32
        if kernel.team not in [2**k for k in range(11)] or kernel.team > most:
            raise InputError(f"a team of {kernel.team}", f"use a power of two up to {most}")
        parts = kernel.parts or (kernel,)
        expected = [part_slots(part, f"_{k}" if kernel.parts else "") for k, part in enumerate(parts)]
        array_words = 2
        if target == "cuda":
            from everlet.portable.backends.cuda import gpu

            array_words = gpu.words_per_array()
        all_slots = sum(expected, [])
        own = [all_slots[kernel.same.index(k)] for k in range(max(kernel.same) + 1)] if kernel.same else all_slots
        self.arguments = Arguments(kernel.name, own, target, kernel.sums, array_words)
        text, entries, scratches = compiler.flatten([(part.body, variant(part)) for part in parts])
        text = counted_loops(text) if target == "cuda" else text
        width = kernel.width or lane_width(target, kernel.precision)
        casts, calls = iter(self.arguments.casts), []
        cast = [[next(casts) for _ in range(1 + slot.counted)] for slot in own]  # of each of the kernel's arguments
        staged = [(slot.name, slot.type, size) for slot in own for name, size in kernel.fast if name == slot.name]
        if target == "cuda":
            copied = dict(kernel.fast)
            cast = [[f"_fast_{slot.name}"] if slot.name in copied else given for slot, given in zip(own, cast, strict=True)]
        which = iter(kernel.same or range(len(own)))
        for name, slots_of_part in zip(entries, expected, strict=True):
            given = sum([cast[next(which)] for _ in slots_of_part], [])
            calls.append(f"{name}({', '.join(['_i', *given, *(f'_scratch_{s.name}' for s in scratches)])})")
        self.text = (targets.prelude(target, kernel.precision, kernel.team, kernel.league, width, text) + text
                     + targets.entry(target, calls, kernel.sums, self.arguments, kernel.league, scratches, staged))
        if target == "cuda":
            types = ", ".join([*targets.CUDA_GATE_TYPES, *self.arguments.types])
            self.text += ("def finish(path):\n    from everlet.portable.backends.cuda.gpu import translate\n"
                          f"    translate(entry, types.void({types}), path{f', {kernel.team}' if kernel.league else ''})\n"
                          f"# {gpu.compiler_name()} sm_{gpu.architecture()}\n")
        self.entry: Any = None

    @property
    def path(self) -> Path:
        return cache.store(self.kernel.name, self.text)

    def load(self) -> Any:
        """Compile if needed; the entry is a function (plain), an address (cpu) or a module path (cuda)."""
        if self.entry is None:
            path = self.path
            ready = cache.built(path)
            if not ready:
                cache.report(1, 1, path.stem)
            if self.target == "cuda":
                if not ready:
                    cache.build(path)
                self.entry = path
            else:
                module = cache.build(path)
                self.entry = module.entry.address if self.target == "cpu" else module.entry
        return self.entry


def variant(kernel: Kernel) -> Variant:
    """What the text of a kernel is rewritten for."""
    return Variant(kernel.fields, dict(kernel.statics), dict(kernel.layouts), kernel.league)


def part_slots(kernel: Kernel, suffix: str) -> list[Slot]:
    """The arguments of a kernel; names get the suffix, so that those of several kernels differ."""
    given = dict(kernel.statics)
    kinds = {name: kind for name, kind in kernel.body.kinds().items() if name not in given}
    found = slots(kinds, dict(kernel.layouts), kernel.precision)
    for slot in found:
        slot.name += suffix
    return found


def lane_width(target: str, precision: str) -> int:
    """SIMD lanes per loop step."""
    if target != "cpu":
        return 1
    from everlet.portable.simd.lanes import default_width

    return default_width(dtype("real", precision))


def register_lanes(kind: Any, least: int = 16) -> int:
    """Lanes of one register of this CPU, or of so many bytes at least: for loops that hold many numbers of each lane."""
    from everlet.portable.simd.lanes import host_bytes

    return int(max(host_bytes(), least) // np.dtype(kind).itemsize)


def _kernel(body: portable | Kernel, args: tuple[Any, ...], sums: int, statics: dict[str, Any],
            team: int = 0) -> Kernel:
    """A kernel for a bare body: the layouts are those of the views it is given."""
    if isinstance(body, Kernel):
        if statics:
            raise InputError(f"statics {', '.join(statics)} given with a Kernel", "give them when the Kernel is made")
        return body
    if not isinstance(body, portable):
        raise InputError(f"{body!r} is not a portable function", "mark it with @portable")
    layouts: tuple[tuple[str, str], ...] = ()
    if any([isinstance(value, View) and value.layout != "row" for value in args]):
        named = [(name, kind) for name, kind in body.kinds().items() if name not in statics]
        layouts = tuple((name, value.layout) for (name, kind), value in zip(named, args, strict=False)
                        if isinstance(kind, Array) and kind.width and isinstance(value, View) and value.layout != "row")
    return Kernel(body, sums, statics=tuple(statics.items()), layouts=layouts, team=team or 1, league=team > 0)


def _launch(space: Space, kernel: Kernel, n: int | Counted, args: tuple[Any, ...], chunk: int,
            partial: View | None = None) -> None:
    program = kernel.program(space.target)
    entry = program.entry or program.load()
    sums = () if partial is None else partial.words()
    n, counter = (n.most, n.counter) if isinstance(n, Counted) else (n, 0)
    if space.target == "cpu":
        block = program.arguments.block(space, args, tail=sums)
        _launcher(space)(entry, n, chunk, ctypes.addressof(block))
    elif space.target == "cuda":
        gpu = space.gpu  # type: ignore[attr-defined]
        block = program.arguments.block(space, args, head=(n, *gpu.control_words, space.limit, counter), tail=sums)
        threads, blocks = targets.GPU_BLOCK, -(-n * kernel.team // targets.GPU_BLOCK)
        if kernel.league:
            threads, blocks = kernel.team, n
        elif partial is not None:
            blocks = -(-n // summed(kernel, space))
        gpu.launch(gpu.kernel(entry, kernel.carveout), blocks, threads, block)
    else:
        values = program.arguments.values(space, args)
        with np.errstate(all="ignore"):
            for c, begin in enumerate(range(0, n, chunk)):
                entry(begin, min(n, begin + chunk), c, 0, *values, partial and partial.data)


def _launcher(space: Space, kind: str = "") -> Any:
    global _launchers, _threads_set
    if _launchers is None:
        from everlet.portable.backends.cpu.cpu import LAUNCHERS

        _launchers = cache.build(cache.store("launchers", LAUNCHERS))
    if space.threads == 1:
        return getattr(_launchers, f"serial{kind}")
    if _threads_set != space.threads:
        import numba

        numba.set_num_threads(space.threads)
        _threads_set = space.threads
    return getattr(_launchers, f"threaded{kind}")


def parallel_for(space: Space, n: int | Counted, body: portable | Kernel, *args: Any, **statics: Any) -> None:
    """Run body(i, *args) for i in 0 … n-1, in any order."""
    kernel = _kernel(body, args, 0, statics)
    if kernel.sums or kernel.league:
        raise InputError(f"kernel '{kernel.name}' was made for another loop", "use parallel_reduce or parallel_team")
    run(space, kernel, n, args)


def run(space: Space, kernel: Kernel, n: int | Counted, args: tuple[Any, ...]) -> None:
    """Launch a kernel, or put it into the queue of the space if there is one.

    The last argument of a reduction is a View for the sums of its blocks.
    """
    if space.queue is not None:
        space.queue.append((kernel, n, args, space.limit))
        return
    if isinstance(n, Counted) and space.target != "cuda":
        n = min(n.most, int(space.control[n.counter]))
    items = n.most if isinstance(n, Counted) else n
    if items <= 0:
        return
    share = -(-items // space.threads)
    chunk = summed(kernel, space) if kernel.sums else -(-share // kernel.block) * kernel.block
    given, partial = (args[:-1], args[-1]) if kernel.sums else (args, None)
    if space.watch is not None:
        space.watch(kernel, n, args, lambda: _launch(space, kernel, n, given, chunk, partial))
    else:
        _launch(space, kernel, n, given, chunk, partial)


def parallel_team(space: Space, league: int, body: portable | Kernel, *args: Any, team: int = 64,
                  **statics: Any) -> None:
    """Run body(t, *args) for teams t in 0 … league-1, in any order; the members of a team share scratch memory.

    A GPU runs each team as a block of `team` threads (a power of two up to 1024); elsewhere a team has one member.
    Words: team_range(n), barrier(), scratch(kind, SIZE), team_sum(value), team_rank(), team_size(). Every member must
    come to the same barriers and sums. A Kernel brings its own team size.
    """
    if team < 1:
        raise InputError(f"a team of {team}", "use a power of two up to 1024")
    kernel = _kernel(body, args, 0, statics, team)
    if not kernel.league:
        raise InputError(f"kernel '{kernel.name}' is not a team kernel", "make it with league=True")
    run(space, kernel, league, args)


def parallel_reduce(space: Space, n: int | Counted, body: portable | Kernel, *args: Any, sums: int = 1,
                    into: View | None = None, at: int = 0, add: bool = False, **statics: Any) -> np.ndarray:
    """Sums over i of the values that body(i, *args) returns (one value, or a tuple of `sums`).

    Items are summed in blocks of fixed size and blocks in order, so the result does not depend on the thread count.
    With `into`, a View of float64, the sums are put there from element `at` on, or are added to what is there; nothing
    comes to the host, and the array returned is empty.
    """
    from everlet.portable.sums import ADD_UP, memory

    kernel = _kernel(body, args, sums, statics)
    if not kernel.sums:
        raise InputError(f"kernel '{kernel.name}' sums nothing", "make it with sums=1 or more")
    if space.queue is not None and into is None:
        raise InputError(f"kernel '{kernel.name}' gives sums while launches are collected",
                         "sum before or after, or into a View")
    most, counter = (n.most, n.counter) if isinstance(n, Counted) else (max(n, 0), 0)
    if not most and into is None:
        return np.zeros(kernel.sums)
    size = summed(kernel, space)
    used = -(-most // size) * kernel.sums
    partial = memory(space, used + kernel.sums)
    target, first = (partial, used) if into is None else (into, at)
    if first < 0 or target.data.size < first + kernel.sums:
        raise InputError(f"kernel '{kernel.name}' gives {kernel.sums} sums from element {first} on, the view has "
                         f"{target.data.size}", "make it larger")
    run(space, kernel, n, (*args, partial))
    run(space, ADD_UP, kernel.sums, (most, counter, size, kernel.sums, first, int(add and into is not None), space.control,
                                     partial, target))
    return np.zeros(0) if into is not None else np.array(space.to_host(partial.data[used : used + kernel.sums]))


def summed(kernel: Kernel, space: Space) -> int:
    """Items of one partial sum: a GPU block with teams has fewer items at a time."""
    return targets.BLOCK // kernel.team if space.target == "cuda" else targets.BLOCK


def parallel_ranges(space: Space, begin: np.ndarray, end: np.ndarray, body: portable | Kernel, *args: Any,
                    **statics: Any) -> np.ndarray:
    """Run body(i, *args) for i in begin[k] … end[k]-1 of every range k: in order and by one thread inside of a range,
    ranges in any order. For items that may write to the same places as others of their range, not of other ranges.

    Returns the sums of each range, one row per range; a kernel that sums nothing has rows of length 0.
    """
    kernel = _kernel(body, args, 0, statics)
    if space.target == "cuda":
        raise InputError("parallel_ranges does not run on a GPU: its threads do items in no order",
                         "use parallel_for and a ScatterView there")
    if space.queue is not None:
        raise InputError(f"kernel '{kernel.name}' runs over ranges while launches are collected", "run it before or after")
    partial = np.zeros(len(begin) * kernel.sums)
    if not len(begin):
        return partial.reshape(0, kernel.sums)
    if space.watch is not None:
        space.watch(kernel, int((end - begin).sum()), args, lambda: _ranges(space, kernel, begin, end, args, partial))
    else:
        _ranges(space, kernel, begin, end, args, partial)
    return partial.reshape(len(begin), kernel.sums)


def _ranges(space: Space, kernel: Kernel, begin: np.ndarray, end: np.ndarray, args: tuple[Any, ...], partial: np.ndarray
            ) -> None:
    program = kernel.program(space.target)
    entry = program.entry or program.load()
    if space.target == "cpu":
        block = program.arguments.block(space, args, tail=space.words(partial) if kernel.sums else ())
        _launcher(space, "_ranges")(entry, begin, end, ctypes.addressof(block))
    else:
        values = program.arguments.values(space, args)
        with np.errstate(all="ignore"):
            for c, (first, last) in enumerate(zip(begin.tolist(), end.tolist(), strict=True)):
                entry(first, last, c, 0, *values, partial)


def parallel_scan(space: Space, counts: Any, starts: Any) -> int:
    """Exclusive prefix sums: starts[k] = counts[0] + … + counts[k-1], for k up to len(counts); returns the total."""
    source = counts.array if isinstance(counts, View) else counts
    target = starts.array if isinstance(starts, View) else starts
    n = source.size
    if source.ndim != 1 or target.ndim != 1 or target.size < n + 1:
        raise InputError(f"parallel_scan of shape {source.shape} into {target.shape}",
                         "starts needs one item more than counts")
    target[0] = 0
    target[1 : n + 1] = source.cumsum()
    return int(target[n])


def warm(space: Space, kernels: list[Kernel]) -> None:
    """Compile kernels ahead of their first use, several at a time."""
    if space.target == "plain":
        return
    if any(kernel.sums for kernel in kernels):
        from everlet.portable.sums import ADD_UP

        kernels = [*kernels, ADD_UP]
    paths = [kernel.program(space.target).path for kernel in kernels]
    if space.target == "cpu":
        from everlet.portable.backends.cpu.cpu import LAUNCHERS

        paths.append(cache.store("launchers", LAUNCHERS))
    cache.build_all(paths)
