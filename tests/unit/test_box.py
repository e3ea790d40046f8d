"""Box: shape, fractions, wrapping, shrink-wrapping."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everlet.errors import InputError, RunError
from everlet.state.box import Box, parse_boundary

TILTED = Box([-1, 0, 2], [3, 5, 8], 1.5, -0.5, 2.0)


def matrix(box: Box) -> np.ndarray:
    xx, yy, zz, yz, xz, xy = box.h
    return np.array([[xx, xy, xz], [0, yy, yz], [0, 0, zz]])


@pytest.mark.parametrize("text", ["p p", "p p p p", "q p p", "pf p p", "p p fp", "p p fff"])
def test_bad_boundaries(text):
    with pytest.raises(InputError):
        parse_boundary(text)


def test_shape():
    assert TILTED.triclinic and not Box([0, 0, 0], [1, 1, 1]).triclinic
    assert Box([0, 0, 0], [1, 1, 1], triclinic=True).triclinic
    assert TILTED.volume == pytest.approx(np.linalg.det(matrix(TILTED)))
    xx, yy, zz, yz, xz, xy = TILTED.h_inverse
    assert np.allclose(np.linalg.inv(matrix(TILTED)), [[xx, xy, xz], [0, yy, yz], [0, 0, zz]])
    assert Box([0, 0, -0.5], [2, 3, 0.5], dimension=2).volume == 6.0


def test_params_for_kernels():
    params = Box([1, 2, 3], [4, 6, 8], 0.5, boundary="p f s").params()
    assert params.shape == (21,) and params.dtype == np.float64
    assert params[:9].tolist() == [1, 2, 3, 3, 4, 5, 0, 0, 0.5]
    assert params[15:].tolist() == [1, 0, 0, 4, 6, 8]


def test_bounds_hold_all_corners():
    corners = TILTED.from_fraction(np.array([[i, j, k] for i in (0, 1) for j in (0, 1) for k in (0, 1)], float))
    low, high = TILTED.bounds()
    assert np.allclose(corners.min(axis=0), low) and np.allclose(corners.max(axis=0), high)


def test_ghost_fraction_is_the_distance_between_faces():
    """A point at fraction g from a face is at the given distance from that face's plane."""
    for k, g in enumerate(TILTED.ghost_fraction(0.7)):
        edges = matrix(TILTED).T
        normal = np.cross(edges[(k + 1) % 3], edges[(k + 2) % 3])
        assert abs(g * edges[k] @ normal / np.linalg.norm(normal)) == pytest.approx(0.7)


def test_bad_boxes():
    with pytest.raises(InputError):
        Box([0, 0, 0], [1, 0, 1])
    with pytest.raises(InputError):
        Box([0, 0, 0], [1, 1, np.inf])
    with pytest.raises(InputError, match="2-d"):
        Box([0, 0, -1], [1, 1, 1], xz=0.1, dimension=2)


def test_skew():
    assert Box([0, 0, 0], [2, 2, 2], xy=1.0).skew() == ""
    assert Box([0, 0, 0], [2, 2, 2], xy=-1.01).skew() == "xy"
    assert Box([0, 0, 0], [2, 2, 2], xy=1.01, boundary="p f p").skew() == ""
    assert Box([0, 0, 0], [2, 2, 2], yz=1.01, boundary="f f p").skew() == "yz"


def test_text():
    assert str(Box([0, 0, 0], [1, 2, 1 / 3])) == "orthogonal box = (0 0 0) to (1 2 0.33333333)"
    assert str(TILTED) == "triclinic box = (-1 0 2) to (3 5 8) with tilt (1.5 -0.5 2)"


positions = st.lists(st.tuples(*[st.floats(-1e3, 1e3)] * 3), min_size=1, max_size=5)


@settings(max_examples=50, deadline=None)
@given(positions, st.floats(-2, 2), st.floats(-2, 2), st.floats(-2, 2), st.sampled_from(["p p p", "p f p", "s p m"]))
def test_wrap_moves_by_whole_boxes_into_the_box(x0, xy, xz, yz, boundary):
    box = Box([-1, 0, 2], [3, 5, 8], xy, xz, yz, boundary)
    start = np.array(x0)
    x, image = start.copy(), np.zeros((len(start), 3), np.int32)
    box.wrap(x, image)
    s = box.to_fraction(x)
    for k in range(3):
        if box.periodic[k]:
            assert (s[:, k] >= -1e-12).all() and (s[:, k] <= 1 + 1e-12).all()
        else:
            assert (image[:, k] == 0).all()
    assert np.allclose(x + image @ matrix(box).T, start, atol=1e-9)


def test_wrap_keeps_faces_half_open_and_leaves_what_is_not_finite():
    box = Box([0, 0, 0], [1, 1, 1])
    x = np.array([[0.0, 1.0, -1e-20], [np.nan, np.inf, 1e6], [-1.0, 2.0, 0.5]])
    image = np.zeros((3, 3), np.int32)
    box.wrap(x, image)
    assert x[0].tolist() == [0.0, 0.0, 0.0]  # -1e-20 + 1 rounds to the high face, which is the low one
    assert image[0].tolist() == [0, 1, 0]
    assert np.isnan(x[1, 0]) and np.isinf(x[1, 1]) and image[1].tolist() == [0, 0, 10**6]
    assert x[2].tolist() == [0.0, 0.0, 0.5] and image[2].tolist() == [-1, 2, 0]


def test_fraction_round_trip():
    x = np.random.default_rng(1).uniform(-5, 5, (20, 3))
    assert np.allclose(TILTED.from_fraction(TILTED.to_fraction(x)), x, atol=1e-13)


def test_shrink():
    box = Box([0, 0, 0], [10, 10, 10], boundary="s m fs")
    box.expand()
    assert box.lo.tolist() == [-0.001, 0, 0] and box.hi.tolist() == [10.001, 10, 10.001]
    x = np.array([[2.0, 2.0, 2.0], [3.0, 12.0, 3.0]])
    assert box.shrink(x)
    assert np.allclose(box.lo, [1.999, 0, 0]) and np.allclose(box.hi, [3.001, 12.001, 3.001])
    assert not box.shrink(x)
    assert box.shrink(x - [0, 2.5, 0]) and box.lo[1] == -0.501 and box.hi[1] == 10  # never inside the first faces


def test_shrink_without_atoms_or_shrinking_faces():
    assert not Box([0, 0, 0], [1, 1, 1], boundary="s s s").shrink(np.empty((0, 3)))
    assert not Box([0, 0, 0], [1, 1, 1], boundary="p f p").shrink(np.full((1, 3), 0.5))


def test_shrink_tilted():
    """Faces stop at the margin outside the outermost fractions."""
    box = Box([0, 0, 0], [10, 10, 10], xy=2.0, boundary="p s p")
    box.expand()
    box.shrink(np.array([[5.0, 4.0, 1.0], [5.0, 6.0, 1.0]]))
    assert np.allclose(box.lo, [0, 3.999, 0]) and np.allclose(box.hi, [10, 6.001, 10])


def test_shrink_onto_nonsense():
    with pytest.raises(RunError, match="shrink-wrapping"):
        Box([0, 0, 0], [1, 1, 1], boundary="fs p p").shrink(np.array([[-5.0, 0, 0]]))
    with pytest.raises(RunError):
        Box([0, 0, 0], [1, 1, 1], boundary="s s s").shrink(np.full((1, 3), np.nan))
