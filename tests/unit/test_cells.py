"""Cells of any orientation as boxes: the same atoms with the same neighbours, and all of it back again."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from everlet import InputError
from everlet.state.cells import Cell, edges_of, tensor, voigt

part = st.floats(-4.0, 4.0, allow_nan=False)
flags = st.tuples(st.booleans(), st.booleans(), st.booleans())


@st.composite
def cells(draw: st.DrawFn) -> np.ndarray:
    """Of any handedness, not too flat."""
    rows = np.array(draw(st.lists(part, min_size=9, max_size=9))).reshape(3, 3)
    assume(abs(np.linalg.det(rows)) > 1e-2)
    return rows


def images(x: np.ndarray, edges: np.ndarray, periodic: tuple[bool, ...], reach: float) -> np.ndarray:
    """All distances below reach between the first atom and images of all others, sorted."""
    heights = 1.0 / np.linalg.norm(np.linalg.inv(edges), axis=0)
    spread = np.abs((x - x[0]) @ np.linalg.inv(edges)).max(axis=0)
    ranges = [range(-n, n + 1) if on else range(1)
              for on, n in zip(periodic, np.ceil(reach / heights + spread).astype(int) + 1, strict=True)]
    shifts = np.stack(np.meshgrid(*ranges, indexing="ij"), axis=-1).reshape(-1, 3) @ edges
    d = np.linalg.norm(x[None] + shifts[:, None] - x[0], axis=-1).ravel()
    return np.sort(d[d < reach])


@settings(max_examples=100, deadline=None, derandomize=True)
@given(cells(), flags, st.booleans(), st.integers(1, 4))
def test_distances_and_volumes_stay(rows: np.ndarray, periodic: tuple[bool, bool, bool], reduce: bool, n: int) -> None:
    cell = Cell.of(rows, periodic, reduce)
    assert not np.triu(cell.edges, 1).any() and (cell.edges.diagonal() > 0.0).all()
    assert np.allclose(cell.turn.T @ cell.turn, np.eye(3), atol=1e-14)
    assert np.linalg.det(cell.turn) * np.linalg.det(rows) > 0.0  # left-handed ones are reflected
    assert np.isclose(cell.edges.diagonal().prod(), abs(np.linalg.det(rows)), rtol=1e-12) and np.isclose(
        cell.volume, abs(np.linalg.det(rows)), rtol=1e-12)
    x = np.random.default_rng(1).uniform(-1.0, 2.0, (n, 3)) @ rows
    turned = cell.into_box(x)
    assert np.allclose(cell.out_of_box(turned), x, atol=1e-12)
    if np.linalg.cond(rows) > 20.0:
        return  # too many images for a search over all
    reach = 1.2 * float(np.linalg.norm(rows, axis=1).max())
    before, after = images(x, rows, periodic, reach), images(turned, cell.edges, periodic, reach)
    near = min(len(before), len(after))  # one at the very end may be on this or that side of it
    assert np.allclose(before[:near], after[:near], atol=1e-12) and (np.concatenate([before[near:], after[near:]])
                                                                   > reach - 1e-9).all()


@settings(max_examples=100, deadline=None, derandomize=True)
@given(cells(), flags)
def test_boxes_hold_their_atoms_and_give_the_cell_back(rows: np.ndarray, periodic: tuple[bool, bool, bool]) -> None:
    cell = Cell.of(rows, periodic)
    x = cell.into_box(np.random.default_rng(2).uniform(-1.0, 2.0, (5, 3)) @ rows)
    box = cell.box(x, boundary=cell.boundary("m"))
    s, closed = box.to_fraction(x), ~np.array(periodic)
    assert (s[:, closed] >= 0.0).all() and (s[:, closed] < 1.0).all() and box.periodic == periodic
    if all(periodic):
        assert not box.skew() or np.isclose(abs(np.array([box.xy, box.xz, box.yz])) / box.lengths[[0, 0, 1]], 0.5).any()
        assert np.allclose(cell.now(box), rows, atol=1e-10)
        grown = cell.box(x)
        grown.hi, grown.xy, grown.xz, grown.yz = grown.lo + 1.5 * grown.lengths, 1.5 * grown.xy, 1.5 * grown.xz, 1.5 * grown.yz
        assert np.allclose(cell.now(grown), 1.5 * rows, atol=1e-10)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(cells(), st.lists(part, min_size=6, max_size=6))
def test_tensors_turn_with_vectors(rows: np.ndarray, six: list[float]) -> None:
    cell, t = Cell.of(rows), tensor(six)
    a, b = np.array([1.0, 2.0, 3.0]), np.array([-0.5, 0.2, 0.7])
    turned = cell.tensor_into_box(t)
    assert np.isclose(a @ t @ b, cell.into_box(a) @ turned @ cell.into_box(b), atol=1e-10)
    assert np.allclose(cell.tensor_out_of_box(turned), t, atol=1e-12)
    assert np.allclose(voigt(t), np.array(six)[[0, 1, 2, 5, 4, 3]])
    assert np.allclose(cell.tensor_into_box(np.stack([t, 2 * t]))[1], 2 * turned)


def test_boxes_are_not_turned() -> None:
    rows = np.array([[3.0, 0, 0], [0.5, 4.0, 0], [0.2, -0.7, 5.0]])
    cell = Cell.of(rows)
    assert (cell.edges == rows).all() and (cell.turn == np.eye(3)).all() and (edges_of(cell.box([])) == rows).all()
    assert (Cell.of([2.0, 3.0, 4.0]).edges == np.diag([2.0, 3.0, 4.0])).all()
    turned = Cell.of([[0.0, 3.1, 0.0], [0.0, 0.0, 4.1], [5.1, 0.0, 0.0]])  # no tilt is made of rounding
    assert (turned.edges == np.diag([3.1, 4.1, 5.1])).all()


def test_edges_that_are_not_given() -> None:
    x = np.array([[0.0, 0.0, 7.0], [1.0, 1.0, 9.0]])
    wire = Cell.of([[0, 0, 0], [0, 0, 3.0], [0, 0, 0]], (False, True, False))
    assert wire.boundary() == "s p s" and wire.volume == 0.0 and np.isclose(wire.edges[1, 1], 3.0)
    assert not wire.now(wire.box(x))[[0, 2]].any() and np.allclose(wire.now(wire.box(x))[1], (0, 0, 3.0))
    slab = Cell.of([[3.0, 0, 0], [1.0, 3.0, 0], [0, 0, 0]], (True, True, False))
    box = slab.box(x)
    assert slab.boundary() == "p p s" and box.lo[2] == 6.0 and box.hi[2] == 10.0 and box.xy == 1.0
    gas = Cell.of(None, False)
    assert gas.boundary() == "s s s" and (gas.box(x).lo == x.min(axis=0) - 1.0).all()
    walled = Cell.of([4.0, 4.0, 8.0], (True, True, False))
    assert walled.boundary() == "p p f" and walled.boundary("m") == "p p m"
    assert walled.box(x).lo[2] == 0.0 and 9.0 < walled.box(x).hi[2] < 9.1


@pytest.mark.parametrize("cell, periodic, word", [
    ([[1, 0, 0], [0, 1, 0], [0, 0, 0]], True, "no length"), ([[1, 0, 0], [2, 0, 0], [0, 0, 1]], True, "no volume"),
    ([[1, 0], [0, 1]], True, "three edges"), (np.diag([1, np.nan, 1]), True, "three edges"), ([1, 1, 1], (True, False), "pbc"),
    ([1, 1, 1], "yes", "pbc"), ([[1, 0, 0], [-3, 0, 0], [0, 0, 0]], False, "no volume"),
])
def test_cells_that_are_refused(cell: object, periodic: object, word: str) -> None:
    with pytest.raises(InputError, match=word):
        Cell.of(cell, periodic)  # type: ignore[arg-type]
