"""A thermostat of one's own in Python: Andersen's, which draws the velocities of a few atoms anew.

    python examples/recipes/own_thermostat.py

What one learns: functions that are called in the course of a run, arrays of the device without copies, and that a
thermostat must give the mean and the variance of the kinetic energy.
"""

import numpy as np

import everlet as ev

TEMPERATURE, RATE = 1.2, 0.2  # part of the atoms that meet the bath every 5 steps
draw = np.random.default_rng(7)

with ev.Simulation(units="lj", device="cpu") as sim:
    sim.commands("lattice fcc 0.6\nregion box block 0 3 0 3 0 3\ncreate_box 1 box\ncreate_atoms 1 box\nmass 1 1.0")
    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
    sim.set_temperature(3.0, seed=1)  # far too hot
    sim.fix.nve()
    seen: list[float] = []

    @sim.on_step(every=5)
    def andersen(sim: ev.Simulation) -> None:
        with sim.local() as d:  # rows in the order of storage: all atoms are alike here
            met = np.flatnonzero(draw.random(d.n) < RATE)
            d.v[met] = draw.normal(0.0, TEMPERATURE**0.5, (len(met), 3))  # mass 1
        seen.append(sim.kinetic_energy)

    sim.run(4000)
    kinetic = np.array(seen)[50:]  # without the way down from T = 3
    freedom = 3 * sim.n  # the bath moves the centre of mass, too

mean, spread = kinetic.mean(), kinetic.var()
temperature = 2 * mean / freedom
print(f"temperature {temperature:.3f} of {TEMPERATURE}, variance of the kinetic energy {spread:.1f} of "
      f"{freedom / 2 * TEMPERATURE**2:.1f}")
assert abs(temperature / TEMPERATURE - 1) < 0.04 and 0.6 < spread / (freedom / 2 * TEMPERATURE**2) < 1.6
