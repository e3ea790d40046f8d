"""Melt a crystal: energy and radial distribution function against temperature.

    python examples/recipes/melt.py

What one learns: a system from arrays, a thermostat, a compute, rows of thermo output by runs, a second run that goes on.
"""

import numpy as np

import everlet as ev

DENSITY, CELLS = 0.90, 4
edge = (4.0 / DENSITY) ** (1 / 3)  # of a cubic cell of fcc, four atoms
corners = np.array(list(np.ndindex(CELLS, CELLS, CELLS)))
basis = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]])
positions = (corners[:, None] + basis).reshape(-1, 3) * edge

with ev.Simulation(units="lj") as sim:
    sim.create(positions, cell=[CELLS * edge] * 3)
    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
    sim.set_temperature(0.2, seed=1)
    sim.thermo.every, sim.thermo.columns = 10, ["step", "temp", "pe", "press"]
    rdf = sim.compute.rdf(100)
    energies, curves = [], []
    for temperature in (0.2, 0.6, 1.0, 1.4, 1.8):
        thermostat = sim.fix.nvt(temp=temperature, damp=0.2)
        sim.run(300)  # to get there
        first, total = len(sim.thermo), np.zeros((100, 3))
        for _ in range(5):
            sim.run(40, post=False)
            total += rdf.array / 5
        thermostat.remove()
        rows = sim.thermo.table()
        energies.append(rows["pe"][first:].mean())
        curves.append(total)
        print(f"T = {temperature:.1f} (seen {rows['temp'][first:].mean():.2f}): "
              f"energy {energies[-1]:.3f} {sim.thermo.units['pe']}, pressure {rows['press'][first:].mean():.2f}")

r, cold, hot = curves[0][:, 0], curves[0][:, 1], curves[-1][:, 1]
between = (r > 0.82 * edge) & (r < 0.88 * edge)  # first neighbours are at 0.71 edges, second ones at 1
print(f"g between the first two shells: {cold[between].mean():.2f} cold, {hot[between].mean():.2f} hot")
assert cold[between].mean() < 0.05 and hot[between].mean() > 0.5
heat = np.diff(energies) / 0.4  # of the potential energy: 1.5 in a harmonic crystal, more where it melts
print("heat capacity per atom between these temperatures:", np.round(heat, 2))
assert heat[0] < 1.5 and heat.max() > 1.8
