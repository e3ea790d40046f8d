"""Metropolis Monte Carlo from Python: swaps of unlike atoms of an alloy, energies by the engine, decisions here.

    python examples/python/monte_carlo.py [swaps]
"""

from __future__ import annotations

import sys

import numpy as np

from everlet import Simulation

SYSTEM = """
    units lj
    lattice fcc 1.0
    region box block 0 3 0 3 0 3
    create_box 2 box
    create_atoms 1 box
    set type 1 type/ratio 2 0.5 4711
    mass * 1.0
    pair_style lj/cut 2.5
    pair_coeff * * 1.0 1.0
    pair_coeff 1 2 1.4 1.0
    thermo_modify norm no
"""


def swap(sim: Simulation, swaps: int, temperature: float = 0.4, seed: int = 1) -> tuple[float, int]:
    """The energy at the end, and how many swaps were kept."""
    draw, kept = np.random.default_rng(seed), 0
    types, energy = sim.gather("type"), sim.thermo.value("pe")
    for _ in range(swaps):
        one, two = draw.choice(np.flatnonzero(types == 1)), draw.choice(np.flatnonzero(types == 2))
        trial = types.copy()
        trial[[one, two]] = types[[two, one]]
        sim.set_array("type", trial)
        new = sim.thermo.value("pe")
        if draw.random() < np.exp(min(0.0, energy - new) / temperature):
            types, energy, kept = trial, new, kept + 1
        else:
            sim.set_array("type", types)
    return energy, kept


if __name__ == "__main__":
    alloy = Simulation(device="cpu", threads=1).commands(SYSTEM)
    alloy.run(0)
    swaps = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    start = alloy.thermo.value("pe")
    energy, kept = swap(alloy, swaps)
    print(f"energy {start:.2f} -> {energy:.2f}, {kept} of {swaps} swaps kept")
