"""parallel_for, parallel_reduce, parallel_team and parallel_scan over any space, parallel_ranges on CPUs.

    @portable
    def axpy(i, a: f64, x: f64[:], y: f64[:]):
        y[i] += a * x[i]

    parallel_for(Threads(2), n, axpy, 2.0, x, y)

A body's first parameter is the index. Statics (keyword arguments: numbers, functions) are compiled in. `fields` names
the parameters of a record `p`. Arguments are views, or arrays in the space's memory.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import cache
from everlet.portable.backends.base import BLOCK
from everlet.portable.language.dtypes import Array
from everlet.portable.language.functions import Portable
from everlet.portable.programs import Kernel, Program, lane_width, register_lanes
from everlet.portable.spaces import Space
from everlet.portable.sums import ADD_UP
from everlet.portable.traits import MEMBERS
from everlet.portable.views import View

__all__ = ["Call", "Counted", "Kernel", "Program", "call", "lane_width", "parallel_for", "parallel_ranges", "parallel_reduce",
           "parallel_scan", "parallel_team", "register_lanes", "run", "warm"]


@dataclass(frozen=True)
class Counted:
    """A number of items that is known on the device: control word `counter` of the space, at most `most`."""

    counter: int
    most: int


@dataclass(frozen=True)
class Call:
    """A function of a library among launches: it starts work of its own, in order with them, and asks nothing of the host;
    or, `outside` of graphs, one that may ask."""

    function: Callable[..., None]
    outside: bool = False
    parts, sums, body = (), 0, Portable(lambda i: None)


def call(space: Space, function: Callable[..., None], *args: Any, outside: bool = False) -> None:
    """Call it now, or when the launches that are being collected are run: captured with them, or `outside` of graphs, which end
    before it and begin anew behind it."""
    if space.queue is not None:
        space.queue.append((Call(function, outside), 0, args, space.limit))
    elif space.notes is None:
        space.ask("what a library computes")
        function(*args)


def _kernel(body: Portable | Kernel, args: tuple[Any, ...], sums: int, statics: dict[str, Any],
            team: int = 0) -> Kernel:
    """A kernel for a bare body: the layouts are those of the views it is given."""
    if isinstance(body, Kernel):
        if statics:
            raise InputError(f"statics {', '.join(statics)} given with a Kernel", "give them when the Kernel is made")
        return body
    if not isinstance(body, Portable):
        raise InputError(f"{body!r} is not a portable function", "mark it with @portable")
    layouts: tuple[tuple[str, str], ...] = ()
    bare = not statics and not any([isinstance(value, View) and value.layout != "row" for value in args])
    if bare and (sums, team) in body.kernels:
        return body.kernels[sums, team]
    if not bare and any([isinstance(value, View) and value.layout != "row" for value in args]):
        named = [(name, one) for name, one in body.annotations().items() if name not in statics]
        layouts = tuple((name, value.layout) for (name, one), value in zip(named, args, strict=False)
                        if isinstance(one, Array) and one.width and isinstance(value, View) and value.layout != "row")
    kernel = Kernel(body, sums, statics=tuple(statics.items()), layouts=layouts, team=team or 1, league=team > 0)
    if bare:
        body.kernels[sums, team] = kernel
    return kernel


def _launch(space: Space, kernel: Kernel, n: int | Counted, args: tuple[Any, ...], chunk: int,
            partial: View | None = None) -> None:
    program = kernel.program(space.target, space.widest)
    if program.entry is None:
        program.load()
    n, counter = (n.most, n.counter) if isinstance(n, Counted) else (n, 0)
    program.backend.launch(space, kernel, program, n, counter, args, chunk, partial)


def parallel_for(space: Space, n: int | Counted, body: Portable | Kernel, *args: Any, **statics: Any) -> None:
    """Run body(i, *args) for i in 0 … n-1, in any order."""
    kernel = _kernel(body, args, 0, statics)
    if kernel.sums or kernel.league:
        raise InputError(f"kernel '{kernel.name}' was made for another loop", "use parallel_reduce or parallel_team")
    run(space, kernel, n, args)


def run(space: Space, kernel: Kernel | Call, n: int | Counted, args: tuple[Any, ...]) -> None:
    """Launch a kernel, or put it into the queue of the space if there is one.

    The last argument of a reduction is a View for the sums of its blocks; before it, of ranges, where these begin and end.
    """
    if space.queue is not None:
        space.queue.append((kernel, n, args, space.limit))
        return
    if space.notes is not None:
        if not isinstance(kernel, Call):
            space.notes.add(kernel)
        return
    if isinstance(kernel, Call):
        kernel.function(*args)
        return
    if isinstance(n, Counted) and not space.many_threads:
        space.ask("a number of items")
        n = min(n.most, int(space.control[n.counter]))
    items = n.most if isinstance(n, Counted) else n
    if items <= 0:
        return
    if kernel.ranged:
        *given_to_body, begin, end, sums = args
        _ranges(space, kernel, begin, end, tuple(given_to_body), sums if space.many_threads else sums.data)
        return
    if space.tape is not None:
        space.tape.run(ready(space, kernel, n, args))
        return
    given, partial, chunk = _divided(space, kernel, items, args)
    if space.watch is not None:
        space.watch(kernel, n, args, lambda: _launch(space, kernel, n, given, chunk, partial))
    else:
        _launch(space, kernel, n, given, chunk, partial)


def _divided(space: Space, kernel: Kernel, items: int, args: tuple[Any, ...]) -> tuple[tuple[Any, ...], View | None, int]:
    """The arguments of the body, where sums of blocks go, and how many items are a piece of work."""
    if kernel.sums:
        return args[:-1], args[-1], summed(kernel, space, items)
    share = -(-items // space.threads)
    return args, None, -(-share // kernel.block) * kernel.block


def ready(space: Space, kernel: Kernel | Call, n: int | Counted, args: tuple[Any, ...]) -> Callable[[], None]:
    """`run` as something to call again and again, on a CPU with its arguments packed once: as long as arrays stay in place."""
    if (not space.simd or space.watch is not None or space.notes is not None or isinstance(kernel, Call)
            or isinstance(n, Counted) or n <= 0):
        return functools.partial(run, space, kernel, n, args)
    given, partial, chunk = _divided(space, kernel, n, args)
    program = kernel.program(space.target, space.widest)
    program.load()
    return program.backend.ready(space, program, n, given, chunk, partial)


def parallel_team(space: Space, league: int, body: Portable | Kernel, *args: Any, team: int = 64,
                  **statics: Any) -> None:
    """Run body(t, *args) for teams t in 0 … league-1, in any order; the members of a team share scratch memory.

    A GPU runs each team as a block of `team` threads (a power of two up to 1024); elsewhere a team has one member.
    Words: team_range(n), barrier(), scratch(dtype, SIZE), team_sum(value), team_rank(), team_size(). Every member must
    come to the same barriers and sums. A Kernel brings its own team size.
    """
    if team < 1:
        raise InputError(f"a team of {team}", f"use a power of two up to {MEMBERS}")
    kernel = _kernel(body, args, 0, statics, team)
    if not kernel.league:
        raise InputError(f"kernel '{kernel.name}' is not a team kernel", "make it with league=True")
    run(space, kernel, league, args)


def parallel_reduce(space: Space, n: int | Counted, body: Portable | Kernel, *args: Any, sums: int = 1,
                    into: View | None = None, at: int = 0, add: bool = False, **statics: Any) -> np.ndarray:
    """Sums over i of the values that body(i, *args) returns (one value, or a tuple of `sums`).

    Items are summed in blocks of fixed size and blocks in order, so the result does not depend on the thread count.
    With `into`, a View of float64, the sums are put there from element `at` on, or are added to what is there; nothing
    comes to the host, and the array returned is empty.
    """
    kernel = _kernel(body, args, sums, statics)
    if not kernel.sums:
        raise InputError(f"kernel '{kernel.name}' sums nothing", "make it with sums=1 or more")
    if space.queue is not None and into is None:
        space.ask(f"sums of kernel '{kernel.name}'")
        raise InputError(f"kernel '{kernel.name}' gives sums while launches are collected",
                         "sum before or after, or into a View")
    if space.notes is not None and space.queue is None:
        run(space, kernel, n, args)
        run(space, ADD_UP, n, ())
        return np.zeros(kernel.sums if into is None else 0)
    most, counter = (n.most, n.counter) if isinstance(n, Counted) else (max(n, 0), 0)
    if not most and into is None:
        return np.zeros(kernel.sums)
    size = summed(kernel, space, most)
    used = -(-most // size) * kernel.sums
    partial = _partial(space, used + kernel.sums)
    target, first = (partial, used) if into is None else (into, at)
    if first < 0 or target.data.size < first + kernel.sums:
        raise InputError(f"kernel '{kernel.name}' gives {kernel.sums} sums from element {first} on, the view has "
                         f"{target.data.size}", "make it larger")
    run(space, kernel, n, (*args, partial))
    if into is None:
        space.ask(f"sums of kernel '{kernel.name}'")
    if 0 < most <= size and not counter and not space.counts_on_device and space.tape is None and target.dtype == np.float64:
        # one block: there is nothing to add up
        whole = partial.data[: kernel.sums]
        if into is None:
            return np.array(whole)
        target.data[first : first + kernel.sums] = whole + target.data[first : first + kernel.sums] if add else whole
        return np.zeros(0)
    run(space, ADD_UP, kernel.sums, (most, counter, size, kernel.sums, first, int(add and into is not None), space.control,
                                     partial, target))
    return np.zeros(0) if into is not None else np.array(space.to_host(partial.data[used : used + kernel.sums]))


def _partial(space: Space, size: int) -> View:
    """Memory for so many sums of blocks. All reductions of a space use the same, one after the other.

    Launches that were collected keep the one they were given, if a larger one is made later.
    """
    if space.partial is None or space.partial.shape[0] < size:
        space.partial = View(size + size // 4 + 64, np.float64, space)
    return space.partial


def summed(kernel: Kernel, space: Space, items: int) -> int:
    """Items of one partial sum: always the same on CPUs; on a GPU few if there are few, so that all of it has work."""
    if not space.many_threads:
        return BLOCK
    at_once = max(space.block // kernel.team, 1)
    return at_once * min(max(items // (at_once * space.blocks), 1), BLOCK // space.block)


def parallel_ranges(space: Space, begin: np.ndarray | View, end: np.ndarray | View, body: Portable | Kernel, *args: Any,
                    **statics: Any) -> np.ndarray:
    """Run body(i, *args) for i in begin[k] … end[k]-1 of every range k: in order and by one thread inside of a range,
    ranges in any order. For items that may write to the same places as others of their range, not of other ranges.

    Returns the sums of each range, one row per range; a kernel that sums nothing has rows of length 0. Ranges that are used
    many times are Views of int64.
    """
    kernel = _kernel(body, args, 0, statics)
    if not space.ordered:
        raise InputError("parallel_ranges does not run on a GPU: its threads do items in no order",
                         "use parallel_for and a ScatterView there")
    if space.queue is not None:
        space.ask(f"ranges of kernel '{kernel.name}'")
        raise InputError(f"kernel '{kernel.name}' runs over ranges while launches are collected", "run it before or after")
    first, last = (one if isinstance(one, View) else np.ascontiguousarray(one, np.int64) for one in (begin, end))
    count = first.shape[0]
    partial = np.zeros(count * kernel.sums)
    if space.notes is not None:
        space.notes.add(kernel)
    if not count or space.notes is not None:
        return partial.reshape(count, kernel.sums)
    if kernel.sums:
        space.ask(f"sums of kernel '{kernel.name}'")
    if space.watch is not None:
        items = np.subtract(*(one.array if isinstance(one, View) else one for one in (last, first))).sum()
        space.watch(kernel, int(items), args, lambda: _ranges(space, kernel, first, last, args, partial))
    else:
        _ranges(space, kernel, first, last, args, partial)
    return partial.reshape(count, kernel.sums)


def _ranges(space: Space, kernel: Kernel, begin: Any, end: Any, args: tuple[Any, ...], partial: np.ndarray) -> None:
    program = kernel.program(space.target, space.widest)
    if program.entry is None:
        program.load()
    if space.tape is not None:
        space.tape.run(program.backend.ready_ranges(space, kernel, program, begin, end, args, partial))
    else:
        program.backend.launch_ranges(space, kernel, program, begin, end, args, partial)


def parallel_scan(space: Space, counts: Any, starts: Any) -> int:
    """Exclusive prefix sums: starts[k] = counts[0] + … + counts[k-1], for k up to len(counts); returns the total."""
    source = counts.array if isinstance(counts, View) else counts
    target = starts.array if isinstance(starts, View) else starts
    n = source.size
    if source.ndim != 1 or target.ndim != 1 or target.size < n + 1:
        raise InputError(f"parallel_scan of shape {source.shape} into {target.shape}",
                         "starts needs one item more than counts")
    space.ask("prefix sums")
    target[0] = 0
    target[1 : n + 1] = source.cumsum()
    return int(target[n])


def warm(space: Space, kernels: list[Kernel]) -> None:
    """Compile kernels ahead of their first use, several at a time. Those that are known to be on disk cost nothing."""
    kernels = [kernel for kernel in kernels if not isinstance(kernel, Call)]
    if space.notes is not None:
        for kernel in kernels:
            space.notes.add(kernel)
        return
    if space.interpreted:
        return
    if any(kernel.sums for kernel in kernels):
        kernels = [*kernels, ADD_UP]
    missing = [program for program in [kernel.program(space.target, space.widest) for kernel in kernels] if not program.built]
    if missing:
        cache.build_all([program.path for program in missing])
    for program in missing:
        program.built = True
