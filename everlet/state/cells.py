"""Cells of any orientation and handedness as boxes of the engine, and back.

A cell has its edges in rows, as in ASE: C. The box has lower-triangular ones, L, with a positive diagonal. They differ by a
rotation, with a reflection if the cell is left-handed: C = L Rᵀ, with Rᵀ R = 1. For rows of positions, velocities or forces

    x' = x R      x = x' Rᵀ      T' = Rᵀ T R      T = R T' Rᵀ           (T: a stress or another tensor, primes: of the box)

A box is only tilted along edges that are periodic; an edge that is not, bounds atoms and repeats none, and stands at right
angles to those before it. A box that is slanted by more than half an edge is replaced by one of the same lattice that is not:
L = M C R with whole numbers M.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from everlet.errors import InputError
from everlet.state.box import SKEW, Box

ROUNDING = 16 * np.finfo(float).eps  # of an edge: smaller tilts are rounding of the rotation
FLAT = 1e-12  # of the product of edges: cells with a smaller volume are flat
AROUND = 1.0  # room beside atoms along edges that were not given


@dataclass(frozen=True)
class Cell:
    """given     (3, 3)  edges in rows; zeros where there is none
    periodic  (3,)    along each edge
    edges     (3, 3)  L: edges of the box in rows; of length 1 where none was given
    turn      (3, 3)  R
    flips     (3, 3)  M, whole numbers
    """

    given: np.ndarray
    periodic: tuple[bool, bool, bool]
    edges: np.ndarray
    turn: np.ndarray
    flips: np.ndarray

    @classmethod
    def of(cls, cell: ArrayLike | None, periodic: bool | Sequence[bool] | np.ndarray = True, reduce: bool = True) -> Cell:
        """cell      (3, 3): edges in rows, zeros for none; (3,): lengths of a box; None: no edges
        periodic  along all edges or along each
        reduce    replace slanted boxes
        """
        given, along = _edges(cell), _flags(periodic)
        missing = np.array([not edge.any() for edge in given])
        for k in range(3):
            if missing[k] and along[k]:
                raise InputError(f"the cell is periodic along edge {k + 1}, which has no length",
                                 "give that edge, or say that the cell is not periodic there: pbc=(…)")
        whole = _completed(given, missing)
        lengths = np.linalg.norm(whole, axis=1)
        if not abs(np.linalg.det(whole)) > FLAT * lengths.prod():
            raise InputError(f"the cell has no volume: {given.tolist()}", "give three edges that do not lie in a plane, or "
                             "zeros for edges that there are none of")
        edges, turn = _turned(whole)
        for row, column in ((1, 0), (2, 0), (2, 1)):
            if not along[row] or abs(edges[row, column]) < ROUNDING * lengths[row]:
                edges[row, column] = 0.0
        flips = _reduced(edges, along) if reduce else np.eye(3)
        return cls(given, along, edges, turn, flips)

    @property
    def volume(self) -> float:
        """0 if an edge is missing."""
        return abs(float(np.linalg.det(self.given)))

    @property
    def missing(self) -> tuple[bool, bool, bool]:
        """Edges that were not given."""
        x, y, z = (not edge.any() for edge in self.given)
        return x, y, z

    def boundary(self, closed: str = "f") -> str:
        """p where it is periodic, s along edges that were not given; elsewhere `closed`: f, faces that stay where they are, or
        m, which follow atoms outwards."""
        return " ".join("p" if along else "s" if missing else closed
                        for along, missing in zip(self.periodic, self.missing, strict=True))

    # ---- vectors and tensors
    def into_box(self, vectors: ArrayLike) -> np.ndarray:
        """Rows of positions, velocities or forces, (…, 3), turned into the box."""
        return np.asarray(vectors, float) @ self.turn

    def out_of_box(self, vectors: ArrayLike) -> np.ndarray:
        return np.asarray(vectors, float) @ self.turn.T

    def tensor_into_box(self, tensors: ArrayLike) -> np.ndarray:
        """Tensors, (…, 3, 3), turned into the box."""
        return self.turn.T @ np.asarray(tensors, float) @ self.turn

    def tensor_out_of_box(self, tensors: ArrayLike) -> np.ndarray:
        return self.turn @ np.asarray(tensors, float) @ self.turn.T

    # ---- boxes
    def faces(self, x: ArrayLike, origin: ArrayLike = (0.0, 0.0, 0.0)) -> tuple[np.ndarray, np.ndarray]:
        """Low and high corner of a box around atoms at x, (n, 3), in the box's axes: those of the cell at its origin, farther
        apart along edges that are not periodic if atoms are outside; around atoms along edges that were not given."""
        lo, high = np.array(origin, float), self.edges.diagonal().copy()
        place = (np.reshape(np.asarray(x, float), (-1, 3)) - lo) @ np.linalg.inv(self.edges)
        low = np.zeros(3)
        for k in range(3):
            if self.periodic[k] or not len(place):
                continue
            first, last = place[:, k].min() * high[k], place[:, k].max() * high[k]
            if self.missing[k]:
                low[k], high[k] = first - AROUND, last + AROUND
            else:  # the high face itself is outside
                beyond = 1e-6 * high[k]
                low[k], high[k] = first - beyond if first < 0.0 else 0.0, last + beyond if last >= high[k] else high[k]
        return lo + low, lo + high

    def box(self, x: ArrayLike, origin: ArrayLike = (0.0, 0.0, 0.0), boundary: str = "", triclinic: bool = False) -> Box:
        """The box around atoms at x, (n, 3), which are already turned into it."""
        lo, hi = self.faces(x, origin)
        xy, xz, yz = (float(self.edges[place]) for place in ((1, 0), (2, 0), (2, 1)))
        return Box(lo, hi, xy, xz, yz, boundary or self.boundary(), triclinic=triclinic)

    def now(self, box: Box) -> np.ndarray:
        """The cell, (3, 3), that a box which has changed since is of: edges that are not periodic keep their direction."""
        edges = edges_of(box)
        rows = np.linalg.inv(self.flips) @ edges @ self.turn.T
        for k in range(3):
            if self.missing[k]:
                rows[k] = 0.0
            elif not self.periodic[k]:
                rows[k] = self.given[k] * (edges[k, k] / self.edges[k, k])
        return rows


def edges_of(box: Box) -> np.ndarray:
    """Edges of a box in rows, (3, 3)."""
    xx, yy, zz, yz, xz, xy = box.h
    return np.array([[xx, 0.0, 0.0], [xy, yy, 0.0], [xz, yz, zz]])


def tensor(six: ArrayLike) -> np.ndarray:
    """Symmetric tensors, (…, 3, 3), of xx yy zz xy xz yz, as pressures and virials are printed, (…, 6)."""
    return np.asarray(six, float)[..., [[0, 3, 4], [3, 1, 5], [4, 5, 2]]]


def voigt(tensors: ArrayLike) -> np.ndarray:
    """xx yy zz yz xz xy, (…, 6), as ASE has them, of symmetric tensors (…, 3, 3)."""
    return np.asarray(tensors, float)[..., [0, 1, 2, 1, 0, 0], [0, 1, 2, 2, 2, 1]]


def _edges(cell: ArrayLike | None) -> np.ndarray:
    try:
        given = np.zeros((3, 3)) if cell is None else np.array(cell, float)
    except (TypeError, ValueError):  # no numbers, or rows of different lengths
        given = np.zeros(0)
    given = np.diag(given) if given.shape == (3,) else given
    if given.shape != (3, 3) or not np.isfinite(given).all():
        raise InputError(f"a cell is three edges in rows, or three lengths; found {cell!r}",
                         "give finite numbers of shape (3, 3)")
    return given


def _flags(periodic: bool | Sequence[bool] | np.ndarray) -> tuple[bool, bool, bool]:
    flags = np.broadcast_to(np.asarray(periodic), (3,)) if np.shape(periodic) in ((), (3,)) else np.array([])
    if len(flags) != 3 or not np.isin(flags, (0, 1)).all():
        raise InputError(f"pbc must be True or False, for all edges or for each of three, found {periodic!r}",
                         "for instance pbc=(True, True, False)")
    x, y, z = (bool(flag) for flag in flags)
    return x, y, z


def _completed(given: np.ndarray, missing: np.ndarray) -> np.ndarray:
    """Edges that were not given: of length 1, at right angles to the others and to each other, right-handed."""
    if not missing.any():
        return given
    if missing.all():
        return np.eye(3)
    whole = given.copy()
    there = np.flatnonzero(~missing)
    if len(there) == 2:
        k = int(np.flatnonzero(missing)[0])
        normal = np.cross(given[(k + 1) % 3], given[(k + 2) % 3])
        whole[k] = normal / (np.linalg.norm(normal) or 1.0)
        return whole
    k = int(there[0])
    across = np.eye(3)[int(np.argmin(np.abs(given[k])))]
    first = np.cross(across, given[k])
    whole[(k + 1) % 3] = first / np.linalg.norm(first)
    last = np.cross(given[k], first)
    whole[(k + 2) % 3] = last / np.linalg.norm(last)
    return whole


def _turned(whole: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """L and R; a cell that is a box already is not turned at all."""
    if not np.triu(whole, 1).any() and (whole.diagonal() > 0.0).all():
        return whole.copy(), np.eye(3)
    q, r = np.linalg.qr(whole.T)
    signs = np.sign(r.diagonal())
    return np.tril(r.T * signs), q * signs


def _reduced(edges: np.ndarray, periodic: Sequence[bool]) -> np.ndarray:
    """Make tilts of edges, in place, at most half of an edge by adding whole edges that are periodic; what was added: M."""
    flips = np.eye(3)
    for row, column in ((1, 0), (2, 1), (2, 0)):
        part = edges[row, column] / edges[column, column]
        if periodic[row] and periodic[column] and abs(part) > SKEW * (1.0 + ROUNDING):
            edges[row] -= round(part) * edges[column]
            flips[row] -= round(part) * flips[column]
            edges[row, column] = 0.0 if abs(edges[row, column]) < ROUNDING * edges[column, column] else edges[row, column]
    return flips
