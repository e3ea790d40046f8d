"""A batch of defects: a crystal, a vacancy and pairs of vacancies, relaxed together in one launch for all of them.

    python examples/recipes/defects.py

What one learns: many small systems at once, their energies as an array, relaxation of each until it is at rest.
"""

import numpy as np

import everlet as ev

CELLS, EDGE, CUT = 3, 1.56, 2.34  # the cutoff is between two shells
corners = np.array(list(np.ndindex(CELLS, CELLS, CELLS)))
basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
positions = (corners[:, None] + basis).reshape(-1, 3) * EDGE
side = CELLS * EDGE


def without(*rows: int) -> dict[str, object]:
    """The crystal without these atoms, in the words of sim.create."""
    kept = np.delete(positions, rows, axis=0)
    return {"positions": kept, "species": ["Ar"] * len(kept), "masses": np.ones(len(kept)), "cell": [side] * 3}


def apart(row: int) -> float:
    """From atom 0 to this one, or its nearest image."""
    d = positions[row] - positions[0]
    return float(np.linalg.norm(d - np.rint(d / side) * side))


pairs = {round(apart(row), 6): row for row in range(len(positions) - 1, 0, -1)}  # one of each distance
distances = sorted(pairs)[:4]
potential = ev.pair.lj_cut(CUT, epsilon=1.0, sigma=1.0).modify(shift=True)
runs = ev.Batch([without(), without(0), *(without(0, pairs[d]) for d in distances)], units="lj", pair=potential)


def formation(energies: np.ndarray) -> np.ndarray:
    """Energies of the vacancies, against as many atoms of the crystal."""
    return np.asarray(energies[1:] - energies[0] / runs.n[0] * np.array(runs.n[1:]))


stiff = formation(runs.energies)
left = runs.minimize(ftol=1e-6)
relaxed = formation(runs.energies)
print(f"forces left: {left.max():.1e}; vacancy: {stiff[0]:.4f} stiff, {relaxed[0]:.4f} relaxed")
for d, before, after in zip(distances, 2 * stiff[0] - stiff[1:], 2 * relaxed[0] - relaxed[1:], strict=True):
    bond = 4 * (CUT**-12 - CUT**-6) - 4 * (d**-12 - d**-6)  # two vacancies share the bond between them
    print(f"two of them, {d:.4f} apart: bound by {before:.4f} stiff (exactly {bond:.4f}), {after:.4f} relaxed")
    assert np.isclose(before, bond, atol=1e-9)
assert np.all(relaxed < stiff) and left.max() < 1e-6

with ev.Simulation(units="lj") as sim:  # one of them alone
    sim.create(runs[1].positions, species="Ar", cell=[side] * 3)
    sim.pair = potential
    assert np.isclose(sim.energy, runs.energies[1], rtol=1e-10) and np.linalg.norm(sim.forces) < 1e-5
