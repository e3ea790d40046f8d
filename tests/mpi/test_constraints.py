"""Clusters and rigid bodies that lie on several ranks move as on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.test_constraints import SHAKE, molecules, text
from tests.oracle.test_rigid import body_file

DUMP = ("dump 1 all custom 25 forces.dump id type xu yu zu fx fy fz\ndump_modify 1 format float %.15g sort id\n"
        "compute st all stress/atom NULL pair\ncompute sum all reduce sumsq c_st[*]\n")
FIXES = {"shake": f"{SHAKE} a 1\nfix n all nve\n",
         "rattle": "fix n all nvt temp 300 300 100\nfix s all rattle 1e-4 20 25 t 2 a 1\n",
         "npt": f"{SHAKE} a 1\nfix n all npt temp 300 300 100 iso 1 1 500\n",
         "rigid": "fix r all rigid molecule\n",
         "rigid/npt": "fix r all rigid/npt/small molecule temp 300 300 100 iso 1 1 500\n",
         "infile": "fix r all rigid/small molecule infile bodies\n",
         "ehex": "fix n all nve\nregion hot block INF INF INF INF INF 6.9\nfix h all ehex 1 0.5 region hot constrain com\n"
                 "fix s all shake 1e-10 90 0 b 1 2 a 1\n",
         "noise": "fix r all rigid molecule langevin 300 300 100 48\n"}


@pytest.mark.parametrize("ranks", [2, pytest.param(3, marks=pytest.mark.all)])
def test_ranks_agree(ranks: int, tmp_path: Path) -> None:
    molecules(tmp_path / "molecules.data")
    body_file(tmp_path / "bodies", range(1, 28), 19)
    files = {name: (tmp_path / name).read_text() for name in ("molecules.data", "bodies")}
    scripts = {name: (text(fixes + DUMP, 50).replace("fnorm", "fnorm c_sum[1] c_sum[4]"), files)
               for name, fixes in FIXES.items()}
    alone, several = (run_scripts(count, scripts, tmp_path) for count in (1, ranks))
    for name in scripts:
        compare(read_result(several[name]), read_result(alone[name]), Tolerances(1e-11, 1e-9))
        assert "stats (type/ave/delta/count) on step 50" in read_result(several[name]).log or name not in ("shake", "rattle")
