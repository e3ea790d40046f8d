"""What fixes and computes of atoms and molecules remember goes through a restart file."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from everlet import Simulation
from tests.scripts import crystal

BOX = crystal("0 4 0 4 0 4", first="atom_style bond") + """
mass 1 1.0
set atom 1*100 mol 1
set atom 101*256 mol 2
velocity all create 1.44 87287 loop geom
"""
REST = """
pair_style lj/cut 2.5
pair_coeff 1 1 1.0 1.0
compute mol all chunk/atom molecule
compute msd all msd/chunk mol
fix 1 all nve
fix s all spring/self 2.0
fix a all ave/atom 2 5 20 vx fy
compute a all reduce sumsq f_a[1] f_a[2]
thermo_style custom step temp f_s c_a[1] c_a[2] c_msd[1][1] c_msd[2][4]
thermo 10
"""


def test_a_continued_run_goes_on(tmp_path: Path) -> None:
    """The file is written in the middle of a window of samples."""
    whole = Simulation(device="serial", screen="none", log="none", tune=False)
    whole.commands(BOX + REST + f"run 16\nwrite_restart {tmp_path}/half\nrun 24\n")
    later = Simulation(device="serial", screen="none", log="none", tune=False)
    later.commands(f"read_restart {tmp_path}/half\n" + REST + "run 24\n")
    expected, found = whole.thermo.table(), later.thermo.table()
    for name in expected:
        np.testing.assert_allclose(found[name][-1], expected[name][-1], rtol=1e-10, err_msg=name)
    assert min(abs(expected[name][-1]) for name in ("f_s", "c_a[1]", "c_msd[1][1]", "c_msd[2][4]")) > 0
