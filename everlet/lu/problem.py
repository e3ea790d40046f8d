"""LU of the NAS parallel benchmarks: the problem, its classes, and the numbers that a right answer has.

The problem is three-dimensional gas flow in a unit cube of n^3 points, driven to a steady state by symmetric successive
over-relaxation (SSOR). See Bailey et al., The NAS Parallel Benchmarks, RNR-94-007.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

OMEGA = 1.2  # over-relaxation
DISSIPATION = (0.75, 0.75, 1.0)  # second order, along x y z
FOURTH = 0.25  # fourth order
TOLERANCE = 1e-8  # of all norms, relative


@dataclass(frozen=True)
class Problem:
    """A class of the benchmark: points along an edge, iterations, time step, and the norms that verify it."""

    name: str
    n: int
    iterations: int
    dt: float
    residuals: tuple[float, ...]  # root mean squares of the last residual
    errors: tuple[float, ...]  # of the distance to the exact solution
    integral: float  # of the pressure over the surface of a box

    @property
    def h(self) -> float:
        return 1.0 / (self.n - 1)

    def operations(self, iterations: int) -> float:
        """What the benchmark counts as operations, whatever a program does."""
        n = self.n
        return iterations * (1984.77 * n**3 - 10923.3 * n**2 + 27770.9 * n - 144010.0)


CLASSES = {one.name: one for one in (
    Problem("S", 12, 50, 0.5,
            (1.6196343210976702e-2, 2.1976745164821318e-3, 1.5179927653399185e-3, 1.5029584435994323e-3, 3.4264073155896461e-2),
            (6.4223319957960924e-4, 8.4144342047347926e-5, 5.8588269616485186e-5, 5.8474222595157350e-5, 1.3103347914111294e-3),
            7.8418928865937083),
    Problem("W", 33, 300, 1.5e-3,
            (12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252, 28.26799444189),
            (0.4867877144216, 0.05064652880982, 0.09281818101960, 0.08570126542733, 1.084277417792),
            11.61399311023),
    Problem("A", 64, 250, 2.0,
            (7.7902107606689367e2, 6.3402765259692870e1, 1.9499249727292479e2, 1.7845301160418537e2, 1.8384760349464247e3),
            (2.9964085685471943e1, 2.8194576365003349, 7.3473412698774742, 6.7139225687777051, 7.0715315688392578e1),
            26.030925604886277),
    Problem("B", 102, 250, 2.0,
            (3.5532672969982736e3, 2.6214750795310692e2, 8.8333721850952190e2, 7.7812774739425265e2, 7.3087969592545314e3),
            (1.1401176380212709e2, 8.1098963655421574, 2.8480597317698308e1, 2.5905394567832939e1, 2.6054907504857413e2),
            47.887162703308227),
    Problem("C", 162, 250, 2.0,
            (1.03766980323537846e4, 8.92212458801008552e2, 2.56238814582660871e3, 2.19194343857831427e3, 1.78078057261061185e4),
            (2.15986399716949279e2, 1.55789559239863600e1, 5.41318863077207766e1, 4.82262643154045421e1, 4.55902910043250358e2),
            66.640455357218130))}

# u_m = C1 + x (C2 + x (C5 + x (C8 + x C11))) + y (C3 + …) + z (C4 + …)
COEFFICIENTS = np.array([
    [2, 0, 0, 4, 5, 3, .5, .02, .01, .03, .5, .4, .3],
    [1, 0, 0, 0, 1, 2, 3, .01, .03, .02, .4, .3, .5],
    [2, 2, 0, 0, 0, 2, 3, .04, .03, .05, .3, .5, .4],
    [2, 2, 0, 0, 0, 2, 3, .03, .05, .04, .2, .1, .3],
    [5, 4, 3, 2, .1, .4, .3, .05, .04, .03, .1, .3, .2]])


def exact(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """The exact solution at points, one row for each of the five values."""
    shape = np.broadcast_shapes(np.shape(x), np.shape(y), np.shape(z))
    found = np.empty((5, *shape))
    for m, c in enumerate(COEFFICIENTS):
        found[m] = c[0]
        for axis, s in enumerate((x, y, z)):
            found[m] += s * (c[1 + axis] + s * (c[4 + axis] + s * (c[7 + axis] + s * c[10 + axis])))
    return found


def start(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> np.ndarray:
    """What inner points begin with: blended from the exact values on the six faces. x, y, z broadcast to [k, j, i]."""
    zero, one = np.zeros((1, 1, 1)), np.ones((1, 1, 1))
    px = (1.0 - x) * exact(zero, y, z) + x * exact(one, y, z)
    py = (1.0 - y) * exact(x, zero, z) + y * exact(x, one, z)
    pz = (1.0 - z) * exact(x, y, zero) + z * exact(x, y, one)
    return px + py + pz - px * py - py * pz - pz * px + px * py * pz


def fourth_difference(n: int) -> np.ndarray:
    """Weights of the points two before … two after, for each place 0 … n - 1 of an axis; none on the walls."""
    found = np.tile([[1.0], [-4.0], [6.0], [-4.0], [1.0]], n)
    found[:, [0, -1]] = 0.0
    found[:, 1], found[:, 2] = (0, 0, 5, -4, 1), (0, -4, 6, -4, 1)
    found[:, -3], found[:, -2] = (1, -4, 6, -4, 0), (1, -4, 5, 0, 0)
    return found


def surface_integral(u: np.ndarray, h: float) -> float:
    """A quarter of the trapezoid sums of the pressure over the faces of a box; u[m, k, j, i] of all points."""
    n = u.shape[1]
    pressure = 0.4 * (u[4] - 0.5 * (u[1] ** 2 + u[2] ** 2 + u[3] ** 2) / u[0])
    box = pressure[2 : n - 1, 1 : n - 2, 1 : n - 1]
    faces = (box[[0, -1]], box[:, [0, -1]].transpose(1, 0, 2), box[:, :, [0, -1]].transpose(2, 0, 1))
    corners = sum(float((a[:, 1:, 1:] + a[:, 1:, :-1] + a[:, :-1, 1:] + a[:, :-1, :-1]).sum()) for a in faces)
    return 0.25 * h * h * corners


@dataclass
class Norms:
    """What is compared with the numbers of a class."""

    residuals: list[float]
    errors: list[float]
    integral: float

    def deviation(self, problem: Problem) -> float:
        """The largest relative difference."""
        found = np.array([*self.residuals, *self.errors, self.integral])
        right = np.array([*problem.residuals, *problem.errors, problem.integral])
        worst = np.abs(found - right) / np.abs(right)
        return float(worst.max()) if np.isfinite(worst).all() else float("inf")
