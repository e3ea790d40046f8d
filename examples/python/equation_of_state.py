"""Pressure of a liquid against its density: one Simulation for each density, means from the table of its rows.

    python examples/python/equation_of_state.py [steps]
"""

from __future__ import annotations

import sys

import numpy as np

from everlet import Simulation


def pressure(density: float, steps: int) -> tuple[float, float]:
    """Mean and standard error of the pressure at T = 1.5."""
    with Simulation(device="cpu", threads=1) as sim:
        sim.commands(f"""
            units lj
            lattice fcc {density}
            region box block 0 4 0 4 0 4
            create_box 1 box
            create_atoms 1 box
            mass 1 1.0
            pair_style lj/cut 2.5
            pair_coeff 1 1 1.0 1.0
            pair_modify tail yes
            velocity all create 1.5 87287 loop all
            fix 1 all nvt temp 1.5 1.5 0.5
            thermo 10
        """)
        sim.run(steps)
        values = sim.thermo.table()["press"]
    values = values[len(values) // 3 :]  # the first third: melting
    return float(values.mean()), float(values.std() / np.sqrt(len(values)))


if __name__ == "__main__":
    steps = int(sys.argv[1]) if len(sys.argv) > 1 else 1500
    for density in (0.3, 0.5, 0.7, 0.8):
        mean, error = pressure(density, steps)
        print(f"density {density:.1f}: pressure {mean:7.3f} +- {error:.3f}")
