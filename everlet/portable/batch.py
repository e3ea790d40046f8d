"""Launches that wait: collected in order, then run with neighbouring loops fused, or replayed as one graph.

    with fused(space):
        parallel_for(space, n, kick_drift, …)     # both are @local: one loop runs both bodies for each item
        parallel_for(space, n, mark_moved, …)

Loops may be fused if both bodies are marked @local, run over the same number of items, and agree in their statics; not if the
first may call off the second (control words).
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from typing import Any

from everlet.portable import kernels
from everlet.portable.kernels import Kernel
from everlet.portable.language.functions import Portable
from everlet.portable.spaces import Space
from everlet.portable.views import View

MOST_KNOWN = 64
_KNOWN: dict[tuple[Any, ...], tuple[list[tuple[Kernel, int, list[int]]], list[Kernel]]] = {}
Launch = tuple[Kernel, Any, tuple[Any, ...], int]  # kernel, items, arguments, limit (spaces.py: STOP)


@contextmanager
def collected(space: Space) -> Iterator[list[Launch]]:
    """Launches made inside are not run but put into a list."""
    before, space.queue = space.queue, []
    try:
        yield space.queue
    finally:
        space.queue = before


@contextmanager
def aside(space: Space) -> Iterator[None]:
    """Launches made inside may run beside those that follow, up to `met(space)`; while they are collected for a GPU."""
    if space.gpu is not None:
        kernels.call(space, space.gpu.leave)
    yield
    if space.gpu is not None:
        kernels.call(space, space.gpu.come_back)


def met(space: Space) -> None:
    """What follows waits for all that was launched aside."""
    if space.gpu is not None:
        kernels.call(space, space.gpu.meet)


@contextmanager
def fused(space: Space) -> Iterator[None]:
    """Launches made inside run at the end, as few loops as possible."""
    before, space.queue = space.queue, []
    found = space.queue
    try:
        yield
    finally:
        space.queue = before
    for kernel, items, args, _ in _joined(found) if len(found) > 1 else found:
        kernels.run(space, kernel, items, args)


def _joined(found: list[Launch]) -> list[Launch]:
    """`join` for launches that come again at every step: what it found is kept, with the places of the arguments it takes."""
    given = [value for launch in found for value in launch[2]]
    key = (*[(id(launch[0]), launch[1] == before[1]) for before, launch in zip([found[0], *found], found, strict=False)],
           *[id(value) if isinstance(value, View) else 0 for value in given])
    known = _KNOWN.get(key)
    if known is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        first, parts = 0, []
        for kernel, _, _, _ in join(found):
            count, begin = len(kernel.parts) or 1, sum(len(launch[2]) for launch in found[:first])
            places = range(begin, begin + sum(len(launch[2]) for launch in found[first : first + count]))
            same = kernel.same or tuple(range(len(places)))
            parts.append((kernel, first, [begin + same.index(k) for k in range(len(set(same)))]))
            first += count
        known = _KNOWN[key] = parts, [launch[0] for launch in found]  # kernels stay, so that nothing else gets their ids
    return [(kernel, found[first][1], tuple([given[k] for k in places]), found[first][3]) for kernel, first, places in known[0]]


def join(launches: list[Launch]) -> list[Launch]:
    """The same work in fewer launches. A loop takes in one of a higher limit unless something of its own limit may have stopped
    the sequence: items that had not begun would then be called off with it."""
    out: list[Launch] = []
    stops: set[int] = set()  # limits of loops that may stop the sequence
    for launch in launches:
        alike = bool(out) and (launch[3] == out[-1][3] or launch[3] > out[-1][3] not in stops)
        if alike and _together(out[-1], launch):
            kernel, items, args, _ = out.pop()
            parts = (*(kernel.parts or (kernel,)), launch[0])
            fused_kernel = Kernel(parts[0].body, precision=kernel.precision, parts=parts)
            out.append((fused_kernel, items, args + launch[2], launch[3]))
        else:
            out.append(launch)
        if isinstance(launch[0], Kernel) and any(_stops(part.body) for part in launch[0].parts or (launch[0],)):
            stops.add(launch[3])
    return [_share(launch) if launch[0].parts else launch for launch in out]


@cache
def _stops(body: Portable) -> bool:
    """A kernel that may stop the sequence: `control[STOP] = …`."""
    return any(isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store) and ast.unparse(node) == "control[STOP]"
               for node in ast.walk(body.tree()))


def _share(launch: Launch) -> Launch:
    """An array that several parts take is passed once: the compiler then knows that it is the same."""
    kernel, items, args, limit = launch
    own: list[Any] = []
    same: list[int] = []
    seen: dict[int, int] = {}
    for value in args:
        place = seen.get(id(value)) if isinstance(value, View) else None
        if place is None:
            place = len(own)
            own.append(value)
            seen[id(value)] = place
        same.append(place)
    return replace(kernel, same=tuple(same)), items, tuple(own), limit


def _together(first: Launch, second: Launch) -> bool:
    one, other = first[0], second[0]
    if first[1] != second[1] or not _plain(one) or not _plain(other) or one.precision != other.precision:
        return False
    statics: dict[str, Any] = {}
    for part in (*(one.parts or (one,)), other):
        for name, value in part.statics:
            if statics.setdefault(name, value) != value:
                return False
    return True


def _plain(kernel: Kernel) -> bool:
    return all(part.body.local and part.team == 1 and not part.league and not part.sums and not part.fields
               for part in kernel.parts or (kernel,))
