"""What NPB LU takes here: planes and points of its sweeps on one core, planes on a GPU.

On a core a block takes H T_h + points W_p; blocks of several sizes tell the two apart, by the least relative squares. On a GPU
a hyperplane takes a time that hardly grows with its points until these fill the card: it is measured for some classes, by the
mean number of points of a plane, and lines are drawn in between; so is what is left of an iteration, by the points of the cube.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.lab.machine import between
from everlet.lab.wavefront import CLASSES as SIZES
from everlet.lab.wavefront import Sweeps
from everlet.lu.command import measured as run
from everlet.lu.problem import CLASSES
from everlet.lu.solver import Choice, Outcome
from everlet.portable import choose

BLOCKS, ITERATIONS = (("W", 2), ("W", 31), ("A", 2), ("A", 16), ("A", 62)), 6  # classes and thicknesses
CARD, REPLAYS = ("S", "A", "C"), 20  # classes on a GPU, iterations


def on_core() -> tuple[dict[str, float], str]:
    """plane and point: seconds of a hyperplane and of a point of a sweep; other: of all the rest of class C."""
    from scipy.optimize import nnls

    rows, rest, edge = [], 0.0, 1
    for name, kblock in BLOCKS:
        edge = CLASSES[name].n - 2
        outcome, _ = run(Choice(CLASSES[name], "blocked", kblock=kblock), choose("serial"), ITERATIONS, 2)
        sweeps = Sweeps((edge, edge, edge), (1, 1, 1), kblock)
        sweep, rest = parts(outcome)
        rows.append((sweeps.planes * sweeps.blocks / sweep, sweeps.points * sweeps.blocks / sweep))
    plane, point = map(float, nnls(np.array(rows), np.ones(len(rows)))[0])
    whole, iterations = SIZES["C"]
    other = rest * iterations * (whole / edge) ** 3
    return {"plane": plane, "point": point, "other": other}, (
        f"LU on one core: {1e6 * plane:.2f} us for a hyperplane, {1e9 * point:.1f} ns for a point of a sweep, "
        f"{other:.1f} s of class C for the rest")


def on_gpu() -> tuple[dict[str, Any], str]:
    """planes: points of a hyperplane and its seconds; rest: points of the cube and seconds of an iteration without sweeps."""
    planes, rest = [], []
    for name in CARD:
        edge = CLASSES[name].n - 2
        outcome, _ = run(Choice(CLASSES[name]), choose("cuda"), REPLAYS, 2)
        sweep, left = parts(outcome)
        planes.append((edge**3 / hyperplanes(edge), sweep / hyperplanes(edge)))
        rest.append((edge**3, left))
    said = ", ".join(f"{1e6 * seconds:.2f} us for {points:.0f} points" for points, seconds in planes)
    return {"planes": planes, "rest": rest}, f"LU on the GPU: a hyperplane takes {said}"


def parts(outcome: Outcome) -> tuple[float, float]:
    """Seconds of one sweep, and of an iteration without sweeps."""
    sweeps = outcome.sections["lower"] + outcome.sections["upper"]
    return 0.5 * sweeps / outcome.iterations, (sum(outcome.sections.values()) - sweeps) / outcome.iterations


def hyperplanes(edge: int) -> int:
    """Of a cube."""
    return 3 * edge - 2


def card_time(known: dict[str, Any], edge: int) -> float:
    """Seconds of an iteration on a GPU.

    >>> card_time({"planes": [(10.0, 1.0), (30.0, 2.0)], "rest": [(0.0, 0.0), (1000.0, 7.0)]}, 10)
    135.0
    """
    count = hyperplanes(edge)
    sweep = count * between([(x, y) for x, y in known["planes"]], edge**3 / count)
    return 2.0 * sweep + between([(x, y) for x, y in known["rest"]], float(edge**3))
