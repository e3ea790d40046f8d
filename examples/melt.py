"""The melt from Python: build it with script commands, run it, look at thermo and at arrays by name."""

import numpy as np

from everlet import Simulation

melt = Simulation(device="auto", screen="none")
melt.commands("""
    units lj
    lattice fcc 0.8442
    region box block 0 10 0 10 0 10
    create_box 1 box
    create_atoms 1 box
    mass 1 1.0
    velocity all create 1.44 87287
    pair_style lj/cut 2.5
    pair_coeff 1 1 1.0 1.0
    fix 1 all nve
    thermo 20
""")
melt.run(100)

table = melt.thermo.table()
for step, temperature in zip(table["step"], table["temp"], strict=True):
    print(f"step {step:4.0f}   temperature {temperature:.4f}")

forces = melt.gather("f")  # sorted by atom id; melt.array("f") is in the order of storage and costs no copy
print(f"largest force {np.abs(forces).max():.3f}, sum of all forces {np.abs(forces.sum(axis=0)).max():.1e}")
