"""Phonons of a crystal by ASE, with forces of Everlet, checked against the exact dynamical matrix.

    python examples/recipes/phonons.py        (needs ase)

What one learns: a calculator for everything that ASE can do. It is kept alive from one displacement to the next.
"""

import tempfile

import numpy as np
from ase import units
from ase.build import bulk
from ase.phonons import Phonons

from everlet.ase import Everlet

EPSILON, SIGMA, CUT, EDGE = 0.0104, 3.40, 6.0, 5.26  # argon: eV, Å
atoms = bulk("Ar", "fcc", a=EDGE)

with Everlet(pair_style=f"lj/cut {CUT}", pair_coeff=f"* * {EPSILON} {SIGMA}") as calc, tempfile.TemporaryDirectory() as folder:
    phonons = Phonons(atoms, calc, supercell=(5, 5, 5), delta=0.01, name=f"{folder}/argon")
    phonons.run()
    phonons.read(acoustic=True)
    points = np.array([[0, 0, 0], [0.2, 0, 0.2], [0.4, 0, 0.4], [0.5, 0, 0.5], [0.5, 0.5, 0.5], [0.3, 0.1, 0.2]])
    found = np.array(phonons.band_structure(points)) / units.invcm  # 1/cm, sorted


def exact(fraction: np.ndarray) -> np.ndarray:
    """Frequencies by the sum over neighbours: D(q) = sum (1 - cos q·r) phi_ab(r) / m."""
    r = np.array([vector for vector in np.array(list(np.ndindex(9, 9, 9))) - 4 if np.any(vector)]) @ atoms.cell[:]
    size = np.linalg.norm(r, axis=1)
    r, size = r[size < CUT], size[size < CUT]
    first = 4 * EPSILON * (-12 * SIGMA**12 / size**13 + 6 * SIGMA**6 / size**7)
    second = 4 * EPSILON * (156 * SIGMA**12 / size**14 - 42 * SIGMA**6 / size**8)
    unit = r / size[:, None]
    along = unit[:, :, None] * unit[:, None, :]
    tensors = second[:, None, None] * along + (first / size)[:, None, None] * (np.eye(3) - along)
    wave = 1 - np.cos(2 * np.pi * r @ np.linalg.inv(atoms.cell[:]) @ fraction)
    matrix = (wave[:, None, None] * tensors).sum(axis=0) / atoms.get_masses()[0]  # eV / Å² / u
    squares = np.maximum(np.linalg.eigvalsh(matrix), 0) * units._hbar**2 * 1e20 / (units._e * units._amu)  # eV²
    return np.asarray(np.sqrt(squares) / units.invcm)


for point, modes in zip(points, found, strict=True):
    print(point, np.round(modes, 3), "exact", np.round(exact(point), 3))
    assert np.allclose(modes, exact(point), atol=0.02)
