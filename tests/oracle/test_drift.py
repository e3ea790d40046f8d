"""Energy conservation with a shifted potential: the total energy of 500 atoms moves less than 0.01 % over 10^5 steps.

What "moves" means depends on the time step; figures of the reference for this script over 10^5 steps, seen every 500:

    step 0.002   largest distance from the start 2.8e-5, first to last tenth 0.7e-5
    step 0.005   largest distance from the start 1.16e-4, first to last tenth 5.5e-5

So at 0.002 no single sample may leave the band; at 0.005, where the fluctuation of the integrator alone reaches it (in
the reference too), the mean of the last tenth of the run is compared with that of the first.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.oracle.harness import run_everlet

BAND = 1e-4
SCRIPT = """
units lj
lattice fcc 0.8442
region box block 0 5 0 5 0 5
create_box 1 box
create_atoms 1 box
mass 1 1.0
velocity all create 1.44 87287
pair_style lj/cut 2.5
pair_modify shift yes
pair_coeff 1 1 1.0 1.0
fix 1 all nve
timestep {dt}
thermo_style custom step temp etotal
thermo_modify format float %.17g
thermo {every}
run {steps}
"""
LENGTHS = [2000, pytest.param(100_000, marks=pytest.mark.slow)]


def total_energy(dt: float, steps: int, folder: Path) -> np.ndarray:
    script = SCRIPT.format(dt=dt, every=steps // 200, steps=steps)
    (table,) = run_everlet(script, {}, folder, device="serial").thermo
    return table["TotEng"]


@pytest.mark.parametrize("steps", LENGTHS)
def test_every_sample_stays_in_the_band(steps: int, tmp_path: Path) -> None:
    energy = total_energy(0.002, steps, tmp_path)
    assert np.max(np.abs(energy / energy[0] - 1)) < BAND


@pytest.mark.parametrize("steps", LENGTHS)
def test_no_drift_at_the_usual_step(steps: int, tmp_path: Path) -> None:
    energy = total_energy(0.005, steps, tmp_path)
    tenth = len(energy) // 10
    assert abs(energy[-tenth:].mean() / energy[:tenth].mean() - 1) < BAND
