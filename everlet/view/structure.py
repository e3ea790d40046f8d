"""What atoms of a trajectory do: the radial distribution function and the mean squared displacement of some of them.

    g(r) = pairs at r / (N/2 · 4 π r² dr · ρ)          in two dimensions 2 π r dr
    MSD(t) = <|x(t0 + t) - x(t0)|²>                     over atoms and all t0, along the path that atoms took
"""

from __future__ import annotations

from itertools import product

import numpy as np
from scipy.spatial import cKDTree

from everlet.io.trajectories import TrajectoryFrame

CENTRES, FRAMES = 2000, 8  # of an average
NEAR = 400.0  # atoms around one that distances are counted for
BINS = 200
FOLLOWED = 2000  # atoms whose displacements are averaged
SHELL = 4.0 * np.pi / 3.0


def surroundings(x: np.ndarray, cell: np.ndarray, origin: np.ndarray, periodic: tuple[bool, ...], reach: float) -> np.ndarray:
    """Atoms, wrapped into the cell, and their periodic images within `reach` of its faces."""
    heights = abs(np.linalg.det(cell)) / np.linalg.norm(np.cross(np.roll(cell, -1, 0), np.roll(cell, -2, 0)), axis=1)
    inside = (x - origin) @ np.linalg.inv(cell)
    inside = np.where(periodic, inside % 1.0, inside)
    margin, found = reach / heights, [inside]
    for shift in product(*((-1, 0, 1) if one else (0,) for one in periodic)):
        if any(shift):
            moved = inside + shift
            found.append(moved[((moved > -margin) & (moved < 1.0 + margin)).all(axis=1)])
    return np.concatenate(found) @ cell


class Distances:
    """g(r) of frames that are given one after the other."""

    def __init__(self, dimension: int = 3):
        self.dimension, self.frames = dimension, 0
        self.edges = np.zeros(0)
        self.sum = np.zeros(BINS)

    def add(self, frame: TrajectoryFrame) -> None:
        x, cell = frame.positions, frame.cell
        if x is None or cell is None or len(x) < 2 or abs(np.linalg.det(cell)) <= 0.0:
            return
        periodic = frame.periodic if self.dimension == 3 else (*frame.periodic[:2], False)
        volume = abs(np.linalg.det(cell)) if self.dimension == 3 else float(np.linalg.norm(np.cross(cell[0], cell[1])))
        density = len(x) / volume
        if not len(self.edges):
            lengths = np.linalg.norm(cell, axis=1)[: self.dimension]
            near = (NEAR / (density * (SHELL if self.dimension == 3 else np.pi))) ** (1.0 / self.dimension)
            self.edges = np.linspace(0.0, min(near, 0.5 * float(lengths.min())), BINS + 1)
        around = surroundings(x, cell, np.zeros(3) if frame.origin is None else frame.origin, periodic, self.edges[-1])
        some = around[: len(x)][:: max(1, len(x) // CENTRES)]
        pairs = cKDTree(some).sparse_distance_matrix(cKDTree(around), self.edges[-1], output_type="ndarray")
        counts = np.histogram(pairs["v"][pairs["v"] > 0.0], self.edges)[0]
        shells = np.diff(self.edges**self.dimension) * (SHELL if self.dimension == 3 else np.pi)
        self.sum += counts / (len(some) * density * shells)
        self.frames += 1

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """Distances and g, without the atom itself."""
        if not self.frames:
            return np.zeros(0), np.zeros(0)
        return 0.5 * (self.edges[1:] + self.edges[:-1]), self.sum / self.frames


class Displacements:
    """Mean squared displacements of some atoms; paths are followed through the box from frame to frame."""

    def __init__(self) -> None:
        self.steps: list[int] = []
        self.paths: list[np.ndarray] = []
        self.ids: np.ndarray | None = None
        self.count = 0  # atoms of the first frame
        self.before: np.ndarray | None = None

    def add(self, frame: TrajectoryFrame) -> None:
        x = frame.positions
        if x is None or not len(x) or frame.ids is None and self.paths and len(x) != self.count:
            return
        ids = np.arange(len(x)) if frame.ids is None else frame.ids
        if self.ids is None:
            self.ids = np.sort(ids)[:: max(1, len(ids) // FOLLOWED)]
            self.count = len(x)
        order = np.argsort(ids, kind="stable")
        place = np.searchsorted(ids, self.ids, sorter=order).clip(max=len(ids) - 1)
        rows = order[place]
        if (ids[rows] != self.ids).any():
            return  # atoms have gone
        chosen = x[rows]
        if self.before is None:
            self.paths.append(chosen)
        else:
            move = chosen - self.before
            if frame.cell is not None and not frame.unwrapped:
                turns = np.round(np.linalg.solve(frame.cell.T, move.T).T)
                move = move - np.where(frame.periodic, turns, 0.0) @ frame.cell
            self.paths.append(self.paths[-1] + move)
        self.before = chosen
        self.steps.append(frame.step)

    def result(self) -> tuple[np.ndarray, np.ndarray]:
        """Steps between two frames, and displacements squared; of frames at equal distances over all of them."""
        if len(self.paths) < 3:
            return np.zeros(0), np.zeros(0)
        steps, path = np.array(self.steps), np.stack(self.paths)
        if len(set(np.diff(steps).tolist())) > 1:
            return steps - steps[0], ((path - path[0]) ** 2).sum(axis=2).mean(axis=1)
        lags = np.arange(len(steps) // 2 + 1)
        found = [float(((path[lag:] - path[: len(path) - lag]) ** 2).sum(axis=2).mean()) for lag in lags]
        return steps[lags] - steps[0], np.array(found)
