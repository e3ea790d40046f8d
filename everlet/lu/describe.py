"""LU as models and simulated machines see it: sizes, steps, messages, and measured times of points and planes.

    description = described(Choice(CLASSES["C"], "blocked", kblock=8), ranks=16)
    rates = measured_rates(choose("cpu", 1), "pipeline")

A sweep on a rank is a chain of blocks, each of `points` and, where planes i + j + k are launched, of `planes` launches; before
a block come messages of `messages` bytes from the west, north and below, after it go as many to the east, south and above.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from everlet.lu.fields import HALO
from everlet.lu.problem import CLASSES
from everlet.lu.ranks import arranged
from everlet.lu.schedule import Planes, blocks, schedule
from everlet.lu.solver import Choice, Solver
from everlet.portable import Space
from everlet.state.ranks import SingleRank

SWEEPS = 2  # of an iteration


@dataclass(frozen=True)
class Description:
    """One rank's part of an iteration; the largest part where parts differ."""

    name: str
    iterations: int
    size: tuple[int, int, int]  # inner points of the whole
    array: tuple[int, int, int]  # ranks
    local: tuple[int, int, int]  # points of a rank
    algorithm: str
    blocking: str
    kblock: int
    blocks: int  # of a sweep
    planes: int  # launches of a block; in all for new blocking. 0 where there are none
    points: int  # of a block
    messages: tuple[int, int, int]  # bytes along x and y for each block, and along z for each sweep; 0 where there is one rank
    halo: tuple[int, int, int]  # bytes of u to one side along x, y, z in an iteration
    sweeps: int = SWEEPS

    def dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True)
class Rates:
    """Seconds of this machine: T = planes T_h + points W of a sweep, and of all other sections."""

    plane: float  # T_h: a launch of a plane; 0 for strips
    point: float  # W: a point of a sweep
    other: float  # a point of all other sections together
    sections: dict[str, float]  # seconds of a point, by section

    def dict(self) -> dict[str, Any]:
        return asdict(self)


def described(choice: Choice, ranks: int = 1) -> Description:
    """Sizes of a choice on so many ranks. Open choices: pipeline, one block."""
    problem, number = choice.problem, 4 if choice.precision == "single" else 8
    array = arranged(ranks, choice.ranks, problem).shape
    inner = problem.n - 2
    nx, ny, nz = (-(-inner // parts) for parts in array)
    algorithm = choice.algorithm or "pipeline"
    kblock = nz if algorithm == "hyperplane" else min(choice.kblock or nz, nz)
    steps = schedule(algorithm, choice.blocking, nx, ny, nz, kblock)
    launched = [len(step.planes) for step in steps if isinstance(step, Planes)]
    in_all = sum(launched) if choice.blocking == "new" else max(launched, default=0)
    edges = (ny * kblock, nx * kblock, nx * ny)
    messages = tuple(5 * number * edge if parts > 1 else 0 for edge, parts in zip(edges, array, strict=True))
    faces = (ny * nz, nx * nz, nx * ny)
    halo = tuple(5 * number * HALO * face if parts > 1 else 0 for face, parts in zip(faces, array, strict=True))
    return Description(problem.name, problem.iterations, (inner,) * 3, array, (nx, ny, nz), algorithm, choice.blocking, kblock,
                       len(blocks(nz, kblock)), in_all, nx * ny * kblock, messages, halo)  # type: ignore[arg-type]


def measured_rates(space: Space, algorithm: str = "", precision: str = "double", classes: str = "WA", iterations: int = 5
                   ) -> Rates:
    """Rates of one rank of this machine. With planes T_h and W are fitted to two classes."""
    found = []
    for name in classes:
        solver = Solver(Choice(CLASSES[name], algorithm, precision=precision), space, SingleRank())
        outcome = solver.run(iterations)
        points = (outcome.choice.problem.n - 2) ** 3
        each = {section: seconds / iterations for section, seconds in outcome.sections.items()}
        sweeps = (each["lower"] + each["upper"]) / SWEEPS
        found.append((described(replace(outcome.choice, ranks=None)).planes, points, sweeps, each))
    planes, points, sweeps, each = found[-1]
    plane, point = 0.0, sweeps / points
    if planes and len(found) > 1:
        fit = np.linalg.lstsq(np.array([row[:2] for row in found], float), np.array([row[2] for row in found]), rcond=None)[0]
        plane, point = (float(max(value, 0.0)) for value in fit)
    other = sum(seconds for section, seconds in each.items() if section not in ("lower", "upper"))
    return Rates(plane, point, other / points, {section: seconds / points for section, seconds in each.items()})
