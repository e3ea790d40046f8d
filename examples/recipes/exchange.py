"""Replica exchange: a molecule that is caught behind a barrier when it is cold, and is let out where it is hot.

    python examples/recipes/exchange.py

What one learns: a batch with a temperature for each system, swaps, and comparing populations with Boltzmann's law.
"""

import numpy as np

import everlet as ev

TEMPERATURES = [0.25, 0.35, 0.5, 0.7, 1.0]
MOLECULES = 6  # in each system; they do not feel each other
# energy of the torsion by its angle: trans (180°) is the ground state, gauche (60°, 300°) 0.375 above, barriers of 2
K1, K2, K3 = 0.5, 0.0, 2.0
chain = np.array([[-0.33, 0.94, 0], [0, 0, 0], [1, 0, 0], [1.33, -0.94, 0]])  # four atoms, trans
first = np.arange(MOLECULES)[:, None] * 4
system = {"positions": np.vstack([chain + [0, 0, 3.0 * k] for k in range(MOLECULES)]), "types": [1] * 4 * MOLECULES,
          "masses": [1.0] * 4 * MOLECULES, "cell": [20.0] * 3, "bonds": np.vstack([first + [k, k + 1] for k in range(3)]),
          "angles": np.vstack([first + [k, k + 1, k + 2] for k in range(2)]), "dihedrals": first + np.arange(4)}
styles = [ev.pair.zero(1.0).coeff("*", "*"), ev.bond.harmonic().coeff(1, 20.0, 1.0), ev.angle.harmonic().coeff(1, 10.0, 109.5),
          ev.dihedral.opls().coeff(1, K1, K2, K3, 0.0)]


def torsions(x: np.ndarray) -> np.ndarray:
    """The angle of each molecule, in radians; trans is π."""
    a, b, c = np.moveaxis(np.diff(x.reshape(-1, 4, 3), axis=1), 1, 0)
    n, m = np.cross(a, b), np.cross(b, c)
    found = np.arctan2(np.linalg.norm(b, axis=1) * (a * m).sum(axis=1), (n * m).sum(axis=1))
    return np.asarray(found % (2 * np.pi))


runs = ev.Batch([system] * len(TEMPERATURES), units="lj", pair=styles, seed=11)
runs.commands("timestep 0.04\nneighbor 4.0 bin")
runs.set_temperature(TEMPERATURES)
runs.fix.langevin(temp=TEMPERATURES, damp=1.0)
runs.fix.nve()
swaps = runs.exchange(every=25)
seen: list[list[np.ndarray]] = [[] for _ in TEMPERATURES]
for _ in range(400):
    runs.run(25)
    for place, x in zip(swaps.places, runs.positions, strict=True):
        seen[place].append(torsions(x))

angles = np.linspace(0, 2 * np.pi, 2001)
energy = 0.5 * (K1 * (1 + np.cos(angles)) + K2 * (1 - np.cos(2 * angles)) + K3 * (1 + np.cos(3 * angles)))
trans = np.abs(angles - np.pi) < np.pi / 3
print("swaps made:", np.round(swaps.ratios, 2))
for temperature, found in zip(TEMPERATURES, seen, strict=True):
    weights = np.exp(-energy / temperature)
    exact = 1 - weights[trans].sum() / weights.sum()
    gauche = np.mean(np.abs(np.array(found[20:]) - np.pi) > np.pi / 3)
    print(f"T = {temperature:.2f}: gauche {gauche:.2f}, by Boltzmann's law {exact:.2f}")
    assert abs(gauche - exact) < 0.2
assert swaps.ratios.min() > 0.1
