"""Flips of a box that a barostat has tilted too far."""

from __future__ import annotations

from everlet.state.box import Box

TOO_FAR = 0.6  # of an edge: such a tilt is flipped; half an edge would flip back and forth


def flip(box: Box) -> tuple[int, int, int] | None:
    """Give a box that is tilted too far the least tilt of the same lattice, in place.

    Gives how many edges were added to xy, xz and yz: image flags change with them.
    """
    lx, ly, _ = box.lengths
    x, y, _ = box.periodic
    xy = xz = yz = 0
    if y and not -TOO_FAR * ly <= box.yz < TOO_FAR * ly:
        yz = 1 if box.yz < 0 else -1
        box.yz += yz * float(ly)
        box.xz += yz * box.xy
    if x and not -TOO_FAR * lx <= box.xz < TOO_FAR * lx:
        xz = 1 if box.xz < 0 else -1
        box.xz += xz * float(lx)
    if x and not -TOO_FAR * lx <= box.xy < TOO_FAR * lx:
        xy = 1 if box.xy < 0 else -1
        box.xy += xy * float(lx)
    return (xy, xz, yz) if xy or xz or yz else None
