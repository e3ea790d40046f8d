"""Ways of the c axis of hexagonal crystals at atoms (Barrett, Tschopp and El Kadiri, Scripta Materialia 66, 666, 2012)."""

from __future__ import annotations

from itertools import combinations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.ackland_atom import EDGES
from everlet.computes.peratom.near_points import NearPoints
from everlet.errors import arguments
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("basal/atom")
class BasalAtom(NearPoints):
    """compute ID group basal/atom: a vector of length 1 across the plane of the neighbours j and k that lie on opposite sides
    of an atom (the cosine of their angle is below -0.945); 0 if there are not two or three such lines.

    It is the sum of the products (x_j - x_k) x (x_j' - x_k') of any two of these lines, all to one side: up, or where that is
    no side along y or x. Neighbours are those within sqrt(1.45) of the root of the mean r^2 of the six nearest.
    """

    gives = Gives(columns=3)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group basal/atom")

    def peratom(self) -> np.ndarray:
        rows, inside, d, r2 = self.near()
        found = np.zeros((self.system.atoms.n, 3))
        for row, ways, squares in zip(rows[inside >= 6], d[inside >= 6], r2[inside >= 6], strict=True):
            near = squares < 1.45 * squares[:6].mean()
            found[row] = across(ways[near])
        return found


def across(ways: np.ndarray) -> np.ndarray:
    """Of the ways to the neighbours of an atom (n, 3)."""
    r = np.sqrt((ways**2).sum(axis=1))
    j, k = np.nonzero(np.triu((ways @ ways.T) / np.outer(r, r) < EDGES[0]))
    if len(j) not in (2, 3):
        return np.zeros(3)
    lines = ways[j] - ways[k]
    normals = [np.cross(one, other) for one, other in combinations(lines, 2)]
    total = sum((normal if normal @ normals[0] > 0.0 else -normal for normal in normals), np.zeros(3))
    side = next(value for value in total[::-1] if abs(value) > 1e-9 * np.abs(total).max())
    return total / np.copysign(np.sqrt((total**2).sum()), side)
