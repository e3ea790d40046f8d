"""fix shardlow on two ranks: energies and momentum stay, and what happens is near to what happens on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.mpi.ranks import on_one_and_two
from tests.scripts import SHOCKED

SCRIPT = SHOCKED.format(box="0 8 0 2 0 4", warm=200) + """
comm_modify vel yes
timestep 0.01
fix 1 all shardlow
fix 2 all nve
fix 3 all eos/cv 0.00517041
compute u all dpd
variable whole equal etotal+c_u[1]+c_u[2]
variable p equal vcm(all,x)^2+vcm(all,y)^2+vcm(all,z)^2
thermo_style custom step pe ke c_u[1] c_u[2] v_whole v_p
thermo_modify format float %.15g
thermo 5
run 20
"""


def test_two_ranks(tmp_path: Path) -> None:
    """The box is less than two cutoffs high: a rank has several images of an atom of the other one."""
    one, two = on_one_and_two(SCRIPT, tmp_path)
    for word in ("PotEng", "KinEng", "c_u[2]"):
        np.testing.assert_allclose(two[word][0], one[word][0], rtol=1e-10)
        np.testing.assert_allclose(two[word], one[word], rtol=5e-3)
    for found in (one, two):
        assert np.abs(found["v_whole"] - found["v_whole"][0]).max() < 2e-3 * (found["KinEng"][0] - found["KinEng"][-1])
        assert np.abs(found["c_u[1]"]).max() < 1e-12 and found["v_p"].max() < 1e-24
