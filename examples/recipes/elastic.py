"""Elastic constants of a crystal by small strains, checked against sums over its shells.

    python examples/recipes/elastic.py

What one learns: cells that are set, stresses as properties, bisection with energies as a function.
"""

import numpy as np

import everlet as ev

CUT = 2.5
corners = np.array(list(np.ndindex(3, 3, 3)))
basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
fractions = (corners[:, None] + basis).reshape(-1, 3) / 3.0

with ev.Simulation(units="lj") as sim:
    sim.create(fractions * 3 * 1.56, species="Ar", cell=np.eye(3) * 3 * 1.56)
    sim.pair = ev.pair.lj_cut(CUT, epsilon=1.0, sigma=1.0)

    low, high = 1.50, 1.60  # the lattice constant without stress
    while high - low > 1e-10:
        middle = 0.5 * (low + high)
        sim.set_cell(np.eye(3) * 3 * middle, scale=True)
        low, high = (low, middle) if np.trace(sim.stress) > 0 else (middle, high)
    cell = sim.cell

    def slope(row: int, column: int, size: float = 1e-5) -> np.ndarray:
        """d(stress)/d(strain) of one component of the strain."""
        strain = np.zeros((3, 3))
        strain[row, column] = strain[column, row] = size if row == column else size / 2
        found = []
        for sign in (1, -1):
            sim.set_cell(cell @ (np.eye(3) + sign * strain), scale=True)
            found.append(sim.stress)
        sim.set_cell(cell, scale=True)
        return np.asarray((found[0] - found[1]) / (2 * size))

    c11, c12, c44 = slope(0, 0)[0, 0], slope(0, 0)[1, 1], slope(1, 2)[1, 2]
    volume, edge = sim.volume / sim.n, cell[0, 0] / 3
    print(f"lattice constant {edge:.6f}   C11 {c11:.4f}   C12 {c12:.4f}   C44 {c44:.4f} {sim.units.name}")

# forces between pairs: C_abcd = sum over neighbours of (phi'' - phi'/r) ra rb rc rd / r² / (2 V), without stress
shells = np.array([(i, j, k) for i, j, k in np.ndindex(9, 9, 9) if (i + j + k) % 2 == 0]) - 4
vectors = shells[np.any(shells != 0, axis=1)] * edge / 2
r = np.linalg.norm(vectors, axis=1)
vectors, r = vectors[r < CUT], r[r < CUT]
curvature = 4 * (156 * r**-14 - 42 * r**-8) - 4 * (-12 * r**-14 + 6 * r**-8)
exact11 = (curvature * vectors[:, 0] ** 4 / r**2).sum() / 2 / volume
exact12 = (curvature * vectors[:, 0] ** 2 * vectors[:, 1] ** 2 / r**2).sum() / 2 / volume
print(f"sums over shells:             C11 {exact11:.4f}   C12 {exact12:.4f}   C44 {exact12:.4f} (Cauchy)")
assert np.allclose([c11, c12, c44], [exact11, exact12, exact12], rtol=1e-6)
