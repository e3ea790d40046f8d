"""Cubic splines and the resampling of a tabulated potential on a grid in r^2.

A file's energies and forces become two clamped cubic splines in r. These are sampled at n points of
s = r^2 from inner^2 to cut^2, as F/r and E, in one of four ways:

    lookup    values at the middle of each interval             rows of (F/r, E)
    linear    values and differences                            rows of (F/r, d(F/r), E, dE)
    spline    values and second derivatives of splines in s     rows of (F/r, (F/r)'', E, E'')
    bitmap    values and slopes at parts of octaves             rows of (s, F/r, d(F/r)/ds, E, dE/ds)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.styles.table_bits import divide
from everlet.forces.pair.styles.table_file import Section

SECANT = 0.1  # part of an interval over which the slope at an end is estimated


class Spline:
    """Cubic spline through (x, y) with the slopes `first` and `last` at its ends."""

    def __init__(self, x: np.ndarray, y: np.ndarray, first: float, last: float):
        self.x, self.y = x, y
        h = np.diff(x)
        slope = np.diff(y) / h
        # second derivatives m: h[k-1] m[k-1] + 2 (h[k-1] + h[k]) m[k] + h[k] m[k+1] = 6 (slope[k] - slope[k-1])
        steps = h.tolist()
        right = (6.0 * np.diff(np.concatenate(([first], slope, [last])))).tolist()
        diagonal = (2.0 * (np.concatenate(([0.0], h)) + np.concatenate((h, [0.0])))).tolist()
        for k in range(1, len(x)):  # elimination downwards, then substitution upwards
            factor = steps[k - 1] / diagonal[k - 1]
            diagonal[k] -= factor * steps[k - 1]
            right[k] -= factor * right[k - 1]
        right[-1] /= diagonal[-1]
        for k in range(len(x) - 2, -1, -1):
            right[k] = (right[k] - steps[k] * right[k + 1]) / diagonal[k]
        self.second = np.array(right)

    def __call__(self, at: np.ndarray) -> np.ndarray:
        k = np.clip(np.searchsorted(self.x, at, "right") - 1, 0, len(self.x) - 2)
        h = self.x[k + 1] - self.x[k]
        a, b = (self.x[k + 1] - at) / h, (at - self.x[k]) / h
        bend = (a**3 - a) * self.second[k] + (b**3 - b) * self.second[k + 1]
        return a * self.y[k] + b * self.y[k + 1] + bend * (h * h / 6.0)


@dataclass
class Grid:
    """A table for look-ups."""

    inner: float  # the first s = r^2
    delta: float  # the interval; 0: bitmap
    rows: np.ndarray
    shift: int = 0  # bitmap: bits that do not count, and the count of the first row
    first: float = 0.0


def resample(section: Section, method: str, n: int, cut: float) -> Grid:
    """The table up to `cut`, with n points, for bitmap with 2^n rows."""
    r, force = section.r, section.force
    slope = np.diff(force) / np.diff(r)
    ends = section.slopes or (float(slope[0]), float(slope[-1]))
    energy_of = Spline(r, section.energy, -float(force[0]), -float(force[-1]))
    force_of = Spline(r, force, *ends)
    if section.spacing == "BITMAP" and (method != "bitmap" or len(r) != 1 << n or section.hi != cut):
        raise InputError(f"a BITMAP table of {len(r)} rows cannot be interpolated",
                         f"use pair_style table bitmap {len(r).bit_length() - 1} and the cutoff of the file, {section.hi:g}")
    if method == "bitmap":
        return _by_bits(section, energy_of, force_of, n, cut)
    inner = section.lo**2
    delta = (cut * cut - inner) / (n - 1)
    if method == "lookup":
        middle = np.sqrt(inner + (np.arange(n - 1) + 0.5) * delta)
        return Grid(inner, delta, np.stack([force_of(middle) / middle, energy_of(middle)], 1))
    s = inner + np.arange(n) * delta
    distance = np.sqrt(s)
    if method == "linear" and len(r) == n and section.spacing == "RSQ" and section.hi == cut:
        energy, over_r = section.energy, force / distance  # the file has this very grid: take its numbers as they are
    else:
        energy, over_r = energy_of(distance), force_of(distance) / distance
    if method == "linear":
        return Grid(inner, delta, np.stack([over_r, _differences(over_r), energy, _differences(energy)], 1))
    first, last = _end_slopes(force_of, section, s, over_r, cut, delta)
    bend_force = Spline(s, over_r, first, last).second
    # dE/ds = -F / (2 r)
    bend_energy = Spline(s, energy, -0.5 * float(over_r[0]), -0.5 * float(over_r[-1])).second
    return Grid(inner, delta, np.stack([over_r, bend_force, energy, bend_energy], 1))


def _by_bits(section: Section, energy_of: Spline, force_of: Spline, n: int, cut: float) -> Grid:
    bits = divide(section.lo, cut, n)
    s = bits.s[bits.order]
    if section.spacing == "BITMAP":  # the file has this very grid
        energy, over_r = section.energy, section.force / np.sqrt(s)
    else:
        energy, over_r = energy_of(np.sqrt(s)), force_of(np.sqrt(s)) / np.sqrt(s)
    steps, forces, energies = np.diff(s), np.diff(over_r), np.diff(energy)
    end = float(np.float32(cut * cut))
    if s[-1] < end and section.spacing != "BITMAP":  # the last row reaches to the cutoff
        r = np.sqrt(np.array([end]))
        steps, forces = np.append(steps, end - s[-1]), np.append(forces, force_of(r) / r - over_r[-1])
        energies = np.append(energies, energy_of(r) - energy[-1])
    else:  # it is not needed, or goes on as the one before
        steps, forces, energies = (np.append(values, values[-1]) for values in (steps, forces, energies))
    return Grid(float(s[0]), 0.0, np.stack([s, over_r, forces / steps, energy, energies / steps], 1), bits.shift, bits.first)


def _differences(values: np.ndarray) -> np.ndarray:
    """values[k+1] - values[k]; the last row is never used as the start of an interval."""
    return np.append(np.diff(values), 0.0)


def _end_slopes(force_of: Spline, section: Section, s: np.ndarray, over_r: np.ndarray, cut: float,
                delta: float) -> tuple[float, float]:
    """d(F/r)/ds at both ends: from the slopes of the file if it has them, else by a short secant."""

    def exact(slope: float, r: float, value: float) -> float:
        return (slope / r - value / r) / (2.0 * r)  # d(F/r)/dr = F'/r - (F/r)/r, ds = 2 r dr

    def secant(a: float, b: float) -> float:
        values = force_of(np.sqrt(np.array([a, b]))) / np.sqrt(np.array([a, b]))
        return float(values[1] - values[0]) / (b - a)

    step = SECANT * delta
    first, last = secant(s[0], s[0] + step), secant(cut * cut - step, cut * cut)
    if section.slopes is not None:
        first = exact(section.slopes[0], float(np.sqrt(s[0])), float(over_r[0]))
        if cut == section.r[-1]:
            last = exact(section.slopes[1], cut, float(over_r[-1]))
    return first, last
