"""Rigid water (SPC/E) with long-range charges, built from arrays: bonds, angles, charges, molecules.

    python examples/recipes/water.py

What one learns: molecules in create(), bonded styles, PPPM, fix shake, a thermostat, distances in a periodic cell.
"""

import numpy as np

import everlet as ev

SIDE, DENSITY = 4, 0.0334  # molecules along an edge; molecules per Å³ at 298 K and 1 bar
edge = SIDE / DENSITY ** (1 / 3)
half = np.radians(109.47 / 2)
molecule = np.array([[0, 0, 0], [np.sin(half), np.cos(half), 0], [-np.sin(half), np.cos(half), 0]])  # O H H
draw = np.random.default_rng(3)
places = (np.array(list(np.ndindex(SIDE, SIDE, SIDE))) + 0.5) * edge / SIDE
turns = np.linalg.qr(draw.normal(size=(len(places), 3, 3)))[0]
positions = (places[:, None] + molecule @ turns).reshape(-1, 3)
oxygen = np.arange(len(places)) * 3

with ev.Simulation(units="real") as sim:
    sim.create(positions, species=["O", "H", "H"] * len(places), cell=[edge] * 3,
               charges=[-0.8476, 0.4238, 0.4238] * len(places), molecules=np.repeat(np.arange(len(places)) + 1, 3),
               bonds=np.vstack([np.column_stack([oxygen, oxygen + 1]), np.column_stack([oxygen, oxygen + 2])]),
               angles=np.column_stack([oxygen + 1, oxygen, oxygen + 2]))
    sim.pair = ev.pair.lj_cut_coul_long(6.0).coeff("O", "O", 0.1553, 3.166).coeff("*", "H", 0.0, 1.0)
    sim.bond = ev.bond.harmonic().coeff(1, 450.0, 1.0)
    sim.angle = ev.angle.harmonic().coeff(1, 55.0, 109.47)
    sim.kspace = ev.kspace.pppm(1e-4)
    sim.minimize(ftol=1.0, steps=50)  # random orientations: a few of them are too close
    sim.fix.shake(1e-5, 20, 0, "b", 1, "a", 1)
    sim.set_temperature(300.0, seed=5)
    sim.timestep = 2.0
    sim.fix.nvt(temp=300.0, damp=100.0)
    sim.thermo.every, sim.thermo.columns = 20, ["step", "temp", "pe", "press"]
    sim.run(1000)
    rows = sim.thermo.table()
    settled = rows["step"] >= 2 * rows["step"][-1] / 3
    energy, heat = rows["pe"][settled].mean() / len(places), rows["temp"][settled].mean()
    print(f"energy {energy:.2f} {sim.units.label('energy')} per molecule at {heat:.0f} K, "
          f"pressure {rows['press'][settled].mean():.0f} {sim.units.label('pressure')}")

    x = sim.positions.reshape(-1, 3, 3)
    length = np.linalg.norm(x[:, 1:] - x[:, :1], axis=2)
    angle = np.degrees(2 * np.arcsin(np.linalg.norm(x[:, 1] - x[:, 2], axis=1) / 2))
    apart = x[:, None, 0] - x[None, :, 0]
    apart -= np.rint(apart / edge) * edge
    near = np.sort(np.linalg.norm(apart, axis=2), axis=1)[:, 1:5]  # the four nearest oxygens

print(f"bonds {length.min():.5f} to {length.max():.5f} Å, angles {angle.min():.3f} to {angle.max():.3f}, "
      f"nearest oxygens {near.mean():.2f} Å")
assert np.allclose(length, 1.0, atol=1e-3) and np.allclose(angle, 109.47, atol=0.1)
assert -12.5 < energy < -9.5 and abs(heat - 300) < 40 and 2.7 < near.mean() < 3.2
