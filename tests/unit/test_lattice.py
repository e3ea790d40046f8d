"""Lattices: cells, scales, spacings, transforms, refusals."""

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.state.lattice import KINDS, Lattice
from everlet.state.units import Units

LJ, METAL = Units.named("lj"), Units.named("metal")


def lattice(text: str, units: Units = METAL, dimension: int = 3) -> Lattice:
    return Lattice.parse(text.split(), units, dimension)


@pytest.mark.parametrize("style", [name for name, kind in KINDS.items() if kind.basis])
def test_density_in_lj_units(style):
    """Atoms per volume (area in 2-d) of the scaled cell is the density asked for."""
    dimension = KINDS[style].dimension
    made = lattice(f"{style} 0.8442", LJ, dimension)
    volume = np.linalg.det(made.primitive[:dimension, :dimension]) * made.scale**dimension
    assert len(made.basis) / volume == pytest.approx(0.8442, rel=1e-14)


@pytest.mark.parametrize("style,neighbours,distance", [
    ("sc", 6, 1.0), ("bcc", 8, np.sqrt(3) / 2), ("fcc", 12, np.sqrt(0.5)), ("hcp", 12, 1.0),
    ("diamond", 4, np.sqrt(3) / 4), ("sq", 4, 1.0), ("sq2", 4, np.sqrt(0.5)), ("hex", 6, 1.0)])
def test_nearest_neighbours(style, neighbours, distance):
    """Every basis site has the coordination of its crystal."""
    dimension = KINDS[style].dimension
    made = lattice(f"{style} 1.0", METAL, dimension)
    deep = range(-2, 3) if dimension == 3 else range(1)
    cells = np.array([[i, j, k] for i in range(-2, 3) for j in range(-2, 3) for k in deep], float)
    sites = made.to_box((cells[:, None] + made.basis).reshape(-1, 3))
    for site in made.to_box(made.basis):
        r = np.sort(np.linalg.norm(sites - site, axis=1))
        assert np.allclose(r[1 : 1 + neighbours], distance) and r[1 + neighbours] > distance + 0.05


def test_spacing():
    assert lattice("fcc 3.5").spacing.tolist() == [3.5, 3.5, 3.5]
    assert np.allclose(lattice("hcp 2.0").spacing, [2, 2 * np.sqrt(3), 2 * np.sqrt(8 / 3)])
    assert np.allclose(lattice("fcc 4 orient x 1 1 0 orient y -1 1 0").spacing, [4 * np.sqrt(2), 4 * np.sqrt(2), 4])
    assert lattice("fcc 2.0 spacing 1.5 2 3 origin 0.5 0 0").spacing.tolist() == [3, 4, 6]
    assert lattice("none 2.5", LJ).spacing.tolist() == [2.5, 2.5, 2.5]


def test_message():
    assert str(lattice("fcc 0.8442", LJ)) == "Lattice spacing in x,y,z = 1.6795962 1.6795962 1.6795962"


def test_there_and_back():
    made = lattice("custom 2.5 a1 1 0.2 0 a2 0 1.1 0.3 a3 0.1 0 0.9 basis 0 0 0 origin 0.3 0.1 0.9 "
                   "orient x 1 1 0 orient y -1 1 0")
    x = np.random.default_rng(3).uniform(-9, 9, (10, 3))
    assert np.allclose(made.to_box(made.to_lattice(x)), x, atol=1e-13)


@pytest.mark.parametrize("text,cause", [
    ("fbc 1.0", "style 'fbc'"), ("fcc", "2 or more"), ("fcc x", "scale"), ("fcc 0", "positive"), ("fcc -1", "positive"),
    ("sq 1.0", "2-d"), ("none 1.0 origin 0 0 0", "nothing else"), ("fcc 1 origin 1 0 0", "origin"),
    ("fcc 1 orient x 1 1 0", "orthogonal"), ("fcc 1 orient x -1 0 0", "right-handed"), ("fcc 1 orient w 1 0 0", "'w'"),
    ("fcc 1 orient x 1.5 0 0", "1.5"), ("fcc 1 a1 1 0 0", "custom"), ("fcc 1 basis 0 0 0", "custom"),
    ("custom 1 a1 1 0 0", "basis"), ("custom 1 basis 0 0 1", "less than 1"), ("fcc 1 spacing 0 1 1", "positive"),
    ("custom 1 basis 0 0 0 a2 2 0 0", "plane"), ("fcc 1 triclinic/general", "triclinic/general"),
    ("custom 1 basis 0 0 0 a1 0 1 0 a2 1 0 0 triclinic/general", "right-handed"),
    ("custom 1 basis 0 0 0 origin 0.1 0 0 triclinic/general", "neither origin"),
    ("fcc 1 orgin 0 0 0", "option 'orgin'"), ("fcc 1 origin 0 0", "3 arguments")])
def test_refusals(text, cause):
    with pytest.raises(InputError, match=cause):
        lattice(text)


@pytest.mark.parametrize("text", ["sq2 1 origin 0 0 0.1", "custom 1 basis 0 0 0.5",
                                  "sq 1 orient y 0 0 1 orient z 0 -1 0", "custom 1 basis 0 0 0 a1 1 0 0.1"])
def test_two_dimensions_have_no_z(text):
    with pytest.raises(InputError, match="along z"):
        lattice(text, METAL, 2)
