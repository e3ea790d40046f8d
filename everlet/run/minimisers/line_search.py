"""Line searches: how far to go along a direction h. min_modify line backtrack|quadratic|forcezero

Each begins at an energy E0 with the slope F·h and ends lower, or says why not (an entry of REASONS). No atom moves by more than
dmax. Energies and slopes are per atom where thermo output is.
"""

from __future__ import annotations

from collections.abc import Callable

from everlet.registry import Registry
from everlet.run.minimisers.landscape import FORCE, WAY, Landscape

Found = tuple[str, float, float]  # why it failed or nothing, the energy, alpha
Search = Callable[[Landscape, float, float], Found]
line_search: Registry[Search] = Registry("line search")

LONGEST = 1.0  # alpha
SHRINK, SLOPE = 0.5, 0.4  # of alpha, and the part of the slope that must be won
CURVED = 0.1  # relative error of the energy up to which it is taken as a parabola
SMALL, FLAT = 1e-8, 1e-28  # energies, slopes
WON, LEVEL = 1e-12, 0.1  # forcezero: an energy that does not rise, the part of the first slope that is near enough to zero
BOOST, SPLIT, NEAREST = 4.0, 0.1, 1e-14  # forcezero: how its step grows, shrinks when the energy rises; too short a way


def _begin(land: Landscape, dmax: float, most: float) -> tuple[str, float, float, float]:
    """Why there is nowhere to go, the slope, the largest alpha, and the largest component of the direction."""
    slope = land.products(FORCE, WAY, WAY)[0] * land.per
    if slope <= 0.0:
        return "downhill", 0.0, 0.0, 0.0
    component = land.largest(WAY)[0]
    longest = min(most, dmax / component) if component > 0.0 else most
    if land.box is not None:
        longest = min(longest, land.box.longest(land.extra[WAY]))
    component = max(component, *abs(land.extra[WAY]), 0.0)
    if component == 0.0:
        return "zero force", 0.0, 0.0, 0.0
    land.keep_start()
    return "", slope, longest, component


def _done(land: Landscape, energy: float, alpha: float) -> Found:
    """Success. A fix that relaxes the box may want a new reference, with other energies."""
    if land.box is not None and land.box.new_reference():
        energy = land.energy(counted=False)
    return "", energy, alpha


@line_search("backtrack")
def backtrack(land: Landscape, start: float, dmax: float) -> Found:
    """Halve alpha until E - E0 <= -0.4 alpha F·h."""
    reason, slope, alpha, _ = _begin(land, dmax, LONGEST)
    if reason:
        return reason, start, alpha
    while True:
        energy = land.go(alpha)
        wanted = -SLOPE * alpha * slope
        if energy - start <= wanted:
            return _done(land, energy, alpha)
        alpha *= SHRINK
        if alpha <= 0.0 or wanted >= -SMALL:
            reason = "energy" if energy - start < 0.0 else "zero alpha"
            return reason, land.go(0.0), alpha


@line_search("quadratic")
def quadratic(land: Landscape, start: float, dmax: float) -> Found:
    """The same, but where the energy looks like a parabola go to its lowest point: F·h = 0 by the secant of two points."""
    reason, slope, longest, _ = _begin(land, dmax, LONGEST)
    if reason:
        return reason, start, longest
    alpha, before, last_slope, last_energy = longest, 0.0, slope, start
    while True:
        energy = land.go(alpha)
        now = land.products(FORCE, WAY, WAY)[0] * land.per
        change = now - last_slope
        if abs(now) < FLAT or abs(change) < FLAT:
            return "flat", land.go(0.0), alpha
        expected = 0.5 * (alpha - before) * (now + last_slope) + energy
        lowest = alpha - (alpha - before) * now / change
        if last_energy != 0.0 and abs(1.0 - expected / last_energy) <= CURVED and 0.0 < lowest < longest:
            energy = land.go(lowest)
            if energy - start < SMALL:
                return _done(land, energy, alpha)
        wanted = -SLOPE * alpha * slope
        if energy - start <= wanted:
            return _done(land, energy, alpha)
        last_slope, last_energy, before = now, energy, alpha
        alpha *= SHRINK
        if alpha <= 0.0 or wanted >= -SMALL:
            return "zero alpha", land.go(0.0), alpha


@line_search("forcezero")
def forcezero(land: Landscape, start: float, dmax: float) -> Found:
    """Go on in steps until F·h is a tenth of what it was and the energy has not risen; steps follow the secant."""
    reason, slope, longest, component = _begin(land, dmax, float("inf"))
    if reason:
        return reason, start, longest
    step, alpha, last_slope, last_energy = min(0.1 * abs(start) / slope, 0.5 * longest), 0.0, slope, start
    while True:
        if alpha + step > longest:
            return _done(land, last_energy, alpha)
        alpha += step
        energy = land.go(alpha)
        now = land.products(FORCE, WAY, WAY)[0] * land.per
        risen = energy - last_energy >= WON
        if not risen and abs(now) <= LEVEL * slope:
            return _done(land, energy, alpha)
        if risen or now < 0.0:
            alpha -= step
            step *= last_slope / (last_slope - now) if now < 0.0 else SPLIT
            if component * step <= NEAREST:
                return "zero alpha", land.go(0.0), alpha
        else:
            step *= min(BOOST, now / (last_slope - now)) if now < last_slope else BOOST
            last_slope, last_energy = now, energy
