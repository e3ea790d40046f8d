"""Steps of several lengths on two ranks: as on one. Forces of half lists on ghosts go home at each level."""

from __future__ import annotations

from pathlib import Path

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.test_levels import script
from tests.oracle.test_special_charges import chains


def test_two_ranks_agree_with_one(tmp_path: Path) -> None:
    files = {"chains.data": chains()}
    scripts = {name: (f"package everlet neigh half\n{script(name)}", files) for name in ("middle", "nvt", "forces")}
    alone, several = (run_scripts(count, scripts, tmp_path) for count in (1, 2))
    for name in scripts:
        compare(read_result(several[name]), read_result(alone[name]), Tolerances(1e-11, 1e-9))
