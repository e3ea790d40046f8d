"""Regions: shapes, sides, scales, bounding boxes, refusals. Against the reference: tests/oracle/test_create.py."""

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable.spaces import Serial
from everlet.state.box import Box
from everlet.state.lattice import Lattice
from everlet.state.regions import make_region, region_style
from everlet.state.system import System


@pytest.fixture
def system():
    made = System(Serial())
    made.box = Box([0, 0, 0], [4, 5, 6])
    made.regions["left"] = make_region(made, "left", "block", "0 2 INF INF INF INF".split())
    made.regions["low"] = make_region(made, "low", "block", "INF INF INF INF 0 2".split())
    return made


def make(system, text):
    style, *args = text.split()
    return make_region(system, "r", style, args)


SHAPES = ["block 0 2 1 3 EDGE 2", "prism 1 3 1 3 1 3 0.5 -0.5 0.3", "sphere 2 2 2 1.5", "cylinder x 2 2 1 0 3",
          "cone y 2 2 0.5 1.5 1 4", "plane 2 2 2 1 1 0", "ellipsoid 2 2 2 1 1.5 2", "union 2 left low", "intersect 2 left low"]


@pytest.mark.parametrize("text", SHAPES)
def test_sides_share_space(system, text):
    """In or out, never both or neither; what is inside is inside the bounding box."""
    x = np.random.default_rng(5).uniform(0, 5, (500, 3))
    region = make(system, text)
    inside, outside = region.inside(x), make(system, f"{text} side out").inside(x)
    assert (inside != outside).all() and inside.any() and outside.any()
    if region.extent is not None:
        low, high = region.extent
        assert ((x[inside] >= low) & (x[inside] <= high)).all()
    assert make(system, f"{text} side out").extent is None


def test_every_style_is_covered():
    assert sorted(region_style) == sorted(text.split()[0] for text in SHAPES)


def test_surfaces_are_inside(system):
    assert make(system, "block 0 1 0 1 0 1").inside(np.array([[0, 0, 0], [1, 1, 1.0], [1, 1, 1.0001]])).tolist() == [
        True, True, False]
    assert make(system, "sphere 0 0 0 1").inside(np.array([[1.0, 0, 0]])).all()
    assert make(system, "plane 0 0 0 0 0 2").inside(np.array([[1.0, 1, 0], [0, 0, -1e-9]])).tolist() == [True, False]
    assert make(system, "cylinder z 0 0 1 2 2").inside(np.array([[1.0, 0, 2], [0, 0, 2.1]])).tolist() == [True, False]


def test_units(system):
    system.lattice = Lattice("fcc", 2.0, system.units.named("metal"), spacing=(1.0, 2.0, 3.0))
    assert make(system, "block 0 1 0 1 0 1").extent[1].tolist() == [2, 4, 6]
    assert make(system, "block 0 1 0 1 0 1 units box").extent[1].tolist() == [1, 1, 1]
    assert make(system, "sphere 1 1 1 0.5").extent[1].tolist() == [3, 5, 7]
    assert make(system, "cylinder x 1 1 0.5 0 1").extent[1].tolist() == [2, 6, 8]
    assert make(system, "cylinder y 1 1 0.5 0 1").extent[1].tolist() == [3, 4, 7]


def test_no_atoms(system):
    for text in SHAPES:
        assert make(system, text).inside(np.empty((0, 3))).shape == (0,)


def test_edges_follow_the_box(system):
    system.box = Box([0, 0, 0], [4, 5, 6], xy=1.0)
    assert make(system, "block EDGE EDGE EDGE EDGE EDGE EDGE").extent[1].tolist() == [5, 5, 6]
    assert make(system, "prism EDGE EDGE EDGE EDGE EDGE EDGE 1 0 0").hi.tolist() == [4, 5, 6]


@pytest.mark.parametrize("text,cause", [
    ("blok 0 1", "style 'blok'"), ("ellipsoid 0 0 0 1 1 -1", "negative"), ("block 0 1 0 1 0", "6 or more"),
    ("block 1 0 0 1 0 1", "low < high"), ("prism 0 0 0 1 0 1 0 0 0", "low < high"), ("block a 1 0 1 0 1", "'a'"),
    ("prism INF INF 0 1 0 1 0.5 0 0", "tilt xy"), ("sphere 0 0 0 -1", "negative"), ("sphere 0 0 0 v_r", "variable 'r'"),
    ("cylinder w 0 0 1 0 1", "'w'"), ("cylinder z 0 0 0 0 1", "no radius"), ("plane 0 0 0 0 0 0", "normal"),
    ("union 1 left", "two or more"), ("union 2 left lof", "'lof'"), ("union x left low", "'x'"),
    ("union", "two or more"), ("sphere 0 0 0 1 side left", "'left'"), ("sphere 0 0 0 1 units real", "'real'"),
    ("sphere 0 0 0 1 side", "argument"),
    ("sphere 0 0 0 1 move 1 NULL NULL", "move"), ("sphere 0 0 0 1 rotate v_t 0 0 0 0 0 0", "zero length"),
    ("block 0 1 0 1 0 1 open 7", "face 7"), ("sphere 0 0 0 1 sides in", "option 'sides'")])
def test_refusals(system, text, cause):
    with pytest.raises(InputError, match=cause):
        make(system, text)


def test_faces_need_a_box():
    with pytest.raises(InputError, match="no box"):
        make(System(Serial()), "block 0 1 0 1 INF INF")
