"""Reading ahead: CPU loops over rows of a list ask for the positions that they will need a few steps later.

The indices of those positions are read from the list itself, so that the last row is read beyond its end. Every array of
rows has SLACK entries more for that. What stands there is never used as an atom: a prefetch of any address is harmless.
"""

from __future__ import annotations

from everlet.portable import Space

PREFETCH = 2  # steps of lanes between asking for positions and using them
SLACK = 64  # entries of an array of rows behind its last row: PREFETCH steps of the widest lanes, and more
NARROW, WIDE = 16, 64  # bytes of a register


def narrow(space: Space) -> bool:
    """A CPU that does two float64 at a time: gathers cost it no more than loads."""
    return space.simd and _register_bytes() <= NARROW


def wide(space: Space) -> bool:
    """A CPU that does eight float64 at a time, and packs lanes in one instruction."""
    return space.simd and _register_bytes() >= WIDE


def _register_bytes() -> int:
    from everlet.portable.backends.cpu.machine import host_bytes

    return host_bytes()


def steps_ahead(space: Space) -> int:
    """Steps that loops over rows prefetch ahead. Wide registers gather a step in few instructions, to which one prefetch for
    each lane would add many; GPUs hide latencies by themselves. Plain Python only looks whether the entries can be read.
    """
    return PREFETCH if space.interpreted or narrow(space) else 0
