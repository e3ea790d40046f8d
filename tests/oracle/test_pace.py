"""pair style pace with the potential file that comes with the reference, whose package cannot compute it."""

from __future__ import annotations

import numpy as np

from everlet import Simulation
from everlet.perf.systems import SAMPLES

# energies of atoms and forces of a cell with one atom out of its place, by formulas, not tables, from a program that gives
# energies, forces and virials of the reference to 4e-12, 5e-11 and 3e-10
ENERGY = -3.686399676086566 - 3.6677559900952583 - 3.684810206103265 - 3.686115245480792
FORCES = [[0.4010525437288491, -0.26645350196556766, -0.0035508635894683084],
          [-0.7898367778335877, 0.5084268311333519, -0.3643728307057653],
          [-0.004329556578733148, -0.2463552763626061, 0.17858856808032167],
          [0.393113790683473, 0.0043819471948227965, 0.18933512621491183]]


def test_copper() -> None:
    with SAMPLES["pace"].at_hand():
        sim = Simulation(device="serial", log="none", tune=False)
        sim.commands(SAMPLES["pace"].script(4) + "velocity all set 0 0 0\n"
                     "group moved id 2\ndisplace_atoms moved move 0.11 -0.07 0.05 units box\nrun 0")
    x, row = np.array([[0, 0, 0], [0.5, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0.5]]) * 3.615, []
    x[1] += [0.11, -0.07, 0.05]
    for place in sim.gather("x"):
        row.append(int(np.argmin(np.linalg.norm(x - place, axis=1))))
    assert sorted(row) == [0, 1, 2, 3]
    np.testing.assert_allclose(sim.engine.system.energies["vdwl"], ENERGY, rtol=1e-11)
    np.testing.assert_allclose(sim.gather("f"), np.array(FORCES)[row], atol=1e-10)
