"""Spins on several ranks: forces and fields as on one, energies conserved, directions of length 1."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.mpi.ranks import on_one_and_two
from tests.oracle.test_spins import ATOMS, EXCHANGE, MOVING

SCRIPT = ATOMS.format(n=6).replace("create 300", "create 50") + EXCHANGE + MOVING + """
pair_coeff * * exchange 3.5 0.02726 0.2171 1.841
compute o all property/atom spx spy spz fmx fmy fmz
compute s all reduce sumsq c_o[*]
thermo_style custom step pe etotal c_s[*]
thermo_modify format float %.15g
thermo 20
run 60
"""


def test_two_ranks(tmp_path: Path) -> None:
    one, two = on_one_and_two(SCRIPT, tmp_path)
    for word in one:
        np.testing.assert_allclose(two[word][0], one[word][0], rtol=1e-10)
        np.testing.assert_allclose(two[word], one[word], rtol=1e-3)
    assert np.abs(two["TotEng"] - two["TotEng"][0]).max() < 2e-6
    lengths = two["c_s[1]"] + two["c_s[2]"] + two["c_s[3]"]
    np.testing.assert_allclose(lengths, 108.0, rtol=1e-13)
