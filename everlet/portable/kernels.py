"""parallel_for, parallel_reduce, parallel_team and parallel_scan over any space.

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
from everlet.portable import cache, compiler, targets
from everlet.portable.arguments import Arguments, slots
from everlet.portable.compiler import Variant
from everlet.portable.functions import portable
from everlet.portable.kinds import Array, dtype
from everlet.portable.spaces import Space
from everlet.portable.views import View

_programs: dict[tuple[Any, ...], Program] = {}
_launchers: Any = None
_threads_set = 0


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
    width: int = 0  # SIMD lanes of a step on a CPU; 0: as many as are best for most kernels

    def program(self, target: str) -> Program:
        # the type of a static counts: 2 and 2.0 are equal, but not the same text
        statics = tuple([(name, type(value), value) for name, value in self.statics])
        key = (self.body, target, self.sums, self.precision, self.fields, self.team, statics, self.layouts, self.league,
               self.width)
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
        name, statics, layouts = kernel.body.__name__, dict(kernel.statics), dict(kernel.layouts)
        kinds = {k: v for k, v in kernel.body.kinds().items() if k not in statics}
        array_words = 2
        if target == "cuda":
            from everlet.portable import gpu

            array_words = gpu.words_per_array()
        self.arguments = Arguments(name, slots(kinds, layouts, kernel.precision), target, kernel.sums, array_words)
        text, entry, scratches = compiler.flatten(kernel.body, Variant(kernel.fields, statics, layouts, kernel.league))
        width = kernel.width or lane_width(target, kernel.precision)
        self.text = (targets.prelude(target, kernel.precision, kernel.team, kernel.league, width, text) + text
                     + targets.entry(target, entry, kernel.sums, self.arguments, kernel.league, scratches))
        if target == "cuda":
            types = ", ".join(["i64", *self.arguments.types])
            self.text += ("def finish(path):\n    from everlet.portable.gpu import translate\n"
                          f"    translate(entry, types.void({types}), path)\n"
                          f"# {gpu.compiler_name()} sm_{gpu.architecture()}\n")
        self.entry: Any = None

    @property
    def path(self) -> Path:
        return cache.store(self.kernel.body.__name__, self.text)

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


def lane_width(target: str, precision: str) -> int:
    """SIMD lanes per loop step."""
    if target != "cpu":
        return 1
    from everlet.portable.simd import default_width

    return default_width(dtype("real", precision))


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


def _launch(space: Space, kernel: Kernel, n: int, args: tuple[Any, ...], chunk: int, partial: Any = None) -> None:
    program = kernel.program(space.target)
    entry = program.entry or program.load()
    sums = () if partial is None else space.words(partial)
    if space.target == "cpu":
        block = program.arguments.block(space, args, tail=sums)
        _launcher(space)(entry, n, chunk, ctypes.addressof(block))
    elif space.target == "cuda":
        block = program.arguments.block(space, args, head=(n,), tail=sums)
        threads, blocks = targets.GPU_BLOCK, -(-n * kernel.team // targets.GPU_BLOCK)
        if kernel.league:
            threads, blocks = kernel.team, n
        elif partial is not None:
            blocks = -(-n // targets.BLOCK)
        gpu = space.gpu  # type: ignore[attr-defined]
        gpu.launch(gpu.kernel(entry), blocks, threads, block)
    else:
        values = program.arguments.values(space, args)
        with np.errstate(all="ignore"):
            for c, begin in enumerate(range(0, n, chunk)):
                entry(begin, min(n, begin + chunk), c, 0, *values, partial)


def _launcher(space: Space) -> Any:
    global _launchers, _threads_set
    if _launchers is None:
        from everlet.portable.cpu import LAUNCHERS

        _launchers = cache.build(cache.store("launchers", LAUNCHERS))
    if space.threads == 1:
        return _launchers.serial
    if _threads_set != space.threads:
        import numba

        numba.set_num_threads(space.threads)
        _threads_set = space.threads
    return _launchers.threaded


def parallel_for(space: Space, n: int, body: portable | Kernel, *args: Any, **statics: Any) -> None:
    """Run body(i, *args) for i in 0 … n-1, in any order."""
    kernel = _kernel(body, args, 0, statics)
    if kernel.sums or kernel.league:
        raise InputError(f"kernel '{kernel.body.__name__}' was made for another loop",
                         "use parallel_reduce or parallel_team")
    if n > 0:
        _launch(space, kernel, n, args, -(-n // space.threads))


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
        raise InputError(f"kernel '{kernel.body.__name__}' is not a team kernel", "make it with league=True")
    if league > 0:
        _launch(space, kernel, league, args, -(-league // space.threads))


def parallel_reduce(space: Space, n: int, body: portable | Kernel, *args: Any, sums: int = 1,
                    **statics: Any) -> np.ndarray:
    """Sums over i of the values that body(i, *args) returns (one value, or a tuple of `sums`).

    Items are summed in blocks of fixed size and blocks in order, so the result does not depend on the thread count.
    """
    kernel = _kernel(body, args, sums, statics)
    if not kernel.sums:
        raise InputError(f"kernel '{kernel.body.__name__}' sums nothing", "make it with sums=1 or more")
    if n <= 0:
        return np.zeros(kernel.sums)
    blocks = -(-n // targets.BLOCK)
    partial = space.zeros(blocks * kernel.sums, np.float64)
    _launch(space, kernel, n, args, targets.BLOCK, partial)
    return space.to_host(partial.reshape(blocks, kernel.sums).sum(axis=0))


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
    paths = [kernel.program(space.target).path for kernel in kernels]
    if space.target == "cpu":
        from everlet.portable.cpu import LAUNCHERS

        paths.append(cache.store("launchers", LAUNCHERS))
    cache.build_all(paths)
