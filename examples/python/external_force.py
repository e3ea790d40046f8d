"""Forces from a Python function: a rotating field pushes the atoms of a liquid (fix external).

    python examples/python/external_force.py [steps]
"""

from __future__ import annotations

import sys

import numpy as np

from everlet import Simulation


def stir(strength: float, step: int, n: int, ids: np.ndarray, x: np.ndarray, f: np.ndarray) -> None:
    """Fill in the forces f of n atoms at positions x."""
    angle = 0.01 * step
    f[:, 0], f[:, 1], f[:, 2] = strength * np.cos(angle), strength * np.sin(angle), 0.0


def main(steps: int) -> None:
    sim = Simulation(device="cpu", threads=1).commands("""
        units lj
        lattice fcc 0.7
        region box block 0 4 0 4 0 4
        create_box 1 box
        create_atoms 1 box
        mass 1 1.0
        pair_style lj/cut 2.5
        pair_coeff 1 1 1.0 1.0
        velocity all create 1.0 87287 loop all
        fix 1 all nve
        fix stir all external pf/callback 1 1
        variable vx equal vcm(all,x)
        variable vy equal vcm(all,y)
        thermo_style custom step temp pe v_vx v_vy
        thermo 50
    """)
    sim.set_fix_external_callback("stir", stir, 0.5)
    sim.run(steps)
    rows = sim.thermo.table()
    for step, vx, vy in zip(rows["step"], rows["v_vx"], rows["v_vy"], strict=True):
        print(f"step {step:5.0f}: the centre moves with ({vx:7.4f}, {vy:7.4f})")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 300)
