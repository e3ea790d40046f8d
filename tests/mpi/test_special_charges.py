"""Special pairs with charges, and charges beside their atoms, on several ranks: partners may be ghosts of other ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import agree_with_one
from tests.oracle.harness import Tolerances
from tests.oracle.test_special_charges import APART, LJ, chains, script
from tests.oracle.test_tip4p import script as water_script
from tests.oracle.test_tip4p import water


@pytest.mark.parametrize("counts", [(2,), pytest.param((3, 4), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    scripts = {}
    for style, modify in (("lj/cut/coul/long 2.2 2.6", "pair_modify table 0"), ("lj/cut/coul/cut 2.2 2.6", "")):
        text = script(style, LJ, APART, modify, "off").replace("run 0", "timestep 0.0005\ncomm_modify cutoff 3.3\nrun 20")
        scripts[style.split()[0].replace("/", "-")] = (f"package everlet neigh half\n{text}", {"chains.data": chains()})
    scripts["water"] = (water_script("lj/cut/tip4p/cut 1 2 1 1 0.125 4.2 4.0", steps=20), {"water.data": water()})
    scripts["mesh"] = (water_script("lj/cut/tip4p/long 1 2 1 1 0.125 4.0 4.2", "pppm/tip4p 1e-4", modify="order 5", steps=20),
                       {"water.data": water()})
    agree_with_one(scripts, counts, tmp_path, Tolerances(1e-12, 1e-10))
