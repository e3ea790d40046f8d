"""A run that is split by a restart file has the bits of the unbroken one, whatever fix takes part."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.scripts import crystal

BOX = crystal("0 3 0 3 0 3", types=2, first="atom_modify sort 0 0") + """
set atom 1*40 type 2
mass * 1.0
velocity all create 1.44 87287 loop all
group some id 2:60
"""
REST = """
lattice fcc 0.8442
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
region half block 0 1.4 INF INF INF INF
variable v equal step*0.01
"""
FIXES = {
    "thermostats": ("fix 1 all nve\nfix 2 some temp/csvr 1 2 0.1 4711\nfix 3 all temp/csld 1 2 0.1 4712\n"
                    "fix 4 some temp/rescale 2 1 2 0.01 0.5", "f_2 f_3 f_4 ecouple"),
    "box": ("fix 1 all nve\nfix 2 all press/berendsen iso 1 2 1", "vol press"),
    "population": ("compute_modify thermo_temp dynamic/dof yes\nfix 1 all nve\nfix 2 all evaporate 4 3 half 4711\n"
                   "region in block 0 3 0 3 0 3\n"
                   "fix 3 all deposit 99 1 7 4711 region in near 0.6 id next", "atoms f_2 f_3"),
    "gjf": ("fix 1 some gjf 1 2 0.1 4711 method 2\ngroup rest subtract all some\nfix 2 rest gjf 1 2 0.1 4712 vel vfull",
            "c_thermo_temp"),
    "heat": ("fix 1 all nve\nfix 2 some heat 2 1.0\nfix 3 all ehex 3 1.0 region half\nfix 4 all viscosity 5 x z 4\n"
             "fix 5 all thermal/conductivity 5 x 4", "f_2 f_3 f_4 f_5"),
    "forces": ("fix 1 all nve\nfix 2 some aveforce 0.1 NULL v_v\nfix 3 all drag 1 1 1 0.3 0.5\nfix 4 all viscous 0.1",
               "f_2[1] f_3[1]"),
    "averages": ("fix 1 all nve\ncompute b all chunk/atom bin/1d z lower 0.7 ids nfreq\n"
                 "fix 2 some ave/chunk 3 5 15 b temp vx ave window 2\n"
                 "fix 3 some ave/histo 3 5 15 -2 2 8 vx mode vector ave running\nfix 4 all ave/correlate 5 3 15 c_thermo_temp\n"
                 "fix 5 all langevin 1 2 0.1 4711 tally yes", "f_2[1][2] f_2[2][3] f_3[1] f_3[2][2] f_4[2][3] f_5"),
    "timestep": ("fix 1 all nvt temp 1 2 0.1\nfix 2 all dt/reset 5 0.001 0.004 0.01\nfix 3 all vector 5 c_thermo_temp",
                 "f_2 dt time f_1"),
}


def runs(folder: Path, fixes: str, words: str) -> list[Simulation]:
    """An unbroken run, and one that goes on from its file."""
    rest = f"{REST}{fixes}\nthermo_style custom step temp pe {words}\nthermo 10\n"
    with working_in(folder):
        sims = [Simulation(device="serial", screen="none", log="none", tune=False) for _ in range(2)]
        sims[0].commands(f"{BOX}{rest}restart 20 r.*\nrun 40\n")
        sims[1].commands(f"read_restart r.20\n{rest}restart 20 q.*\nrun 20 start 0 stop 40\n")
    return sims


def test_a_flow_goes_on(tmp_path: Path) -> None:
    """To rounding: atoms that the last change of the box left outside are wrapped when a run is set up."""
    fixes = "change_box all triclinic\nfix 2 all deform 1 xy erate 0.8 remap v\nfix 1 all nvt/sllod temp 1 2 0.1"
    one, other = (sim.thermo.table() for sim in runs(tmp_path, fixes, "xy c_1_temp f_1"))
    for word in one:
        np.testing.assert_allclose(one[word][-2:], other[word][-2:], rtol=1e-10, err_msg=word)


@pytest.mark.parametrize("name", FIXES)
def test_bits(name: str, tmp_path: Path) -> None:
    sims = runs(tmp_path, *FIXES[name])
    one, other = sims[0].thermo.table(), sims[1].thermo.table()
    for word in one:
        assert np.array_equal(one[word][-2:], other[word][-2:]), word
    for field in ("x", "v", "f"):
        assert np.array_equal(sims[0].gather(field), sims[1].gather(field)), field
