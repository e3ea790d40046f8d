"""How a barostat changes the box: dilation and shear by strain rates, and flips of a box that is tilted too far."""

from __future__ import annotations

from math import exp

import numpy as np

from everlet.errors import RunError
from everlet.fixes.nose_hoover.words import Words
from everlet.state.box import Box

FARTHEST = 1.5  # edges: a tilt beyond that within one step is a mistake
TOO_FAR = 0.6  # of an edge: such a tilt is flipped; half an edge would flip back and forth


def deform(box: Box, rates: np.ndarray, dt: float, words: Words, point: np.ndarray) -> None:
    """Move the box for a time dt with h' = rates h about a point, in place; components are in the order of Box.h.

    Shears act for half of the time before the edges grow and for the other half after it, so that the order of
    everything is the same backwards. As in the reference, both use the edges from before.
    """
    h, driven = box.h, words.driven
    lengths = h[:3].copy()
    if driven[3:].any():
        _shear(h, lengths, rates, dt, driven)
    for axis in range(3):
        if driven[axis]:
            factor = exp(dt * rates[axis])
            box.lo[axis] = (box.lo[axis] - point[axis]) * factor + point[axis]
            box.hi[axis] = (box.hi[axis] - point[axis]) * factor + point[axis]
            for place in ((), (5,), (4, 3))[axis]:
                if words.scaled[place]:
                    h[place] *= factor
    if driven[3:].any():
        _shear(h, lengths, rates, dt, driven)
    box.yz, box.xz, box.xy = (float(tilt) for tilt in h[3:])
    lx, ly, _ = box.lengths
    if abs(box.yz) > FARTHEST * ly or max(abs(box.xz), abs(box.xy)) > FARTHEST * lx:
        raise RunError("the barostat has tilted the box too far in one step", "the system may be far from equilibrium: a "
                       "longer damping time of the pressure, or flip yes")


def _shear(h: np.ndarray, lengths: np.ndarray, rates: np.ndarray, dt: float, driven: np.ndarray) -> None:
    """Half of the shear of a step of length dt: xz for a quarter, yz, xy, xz for another quarter."""
    ly, lz = lengths[1:]

    def turn(place: int, rate: float, push: float, time: float) -> None:
        if driven[place]:
            factor = exp(0.5 * time * rate)
            h[place] = (h[place] * factor + time * push) * factor

    turn(4, rates[0], rates[5] * h[3] + rates[4] * lz, 0.25 * dt)
    turn(3, rates[1], rates[3] * lz, 0.5 * dt)
    turn(5, rates[0], rates[5] * ly, 0.5 * dt)
    turn(4, rates[0], rates[5] * h[3] + rates[4] * lz, 0.25 * dt)


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
