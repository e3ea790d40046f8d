"""Cross terms that borders of ranks cut."""

from __future__ import annotations

from pathlib import Path

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.test_cmap import RUN, TEXT, files


def test_ranks_agree(tmp_path: Path) -> None:
    files(tmp_path)
    given = {name: (tmp_path / name).read_text() for name in ("mol.data", "maps.cmap")}
    dump = "dump 1 all custom 10 forces.dump id type xu yu zu fx fy fz\ndump_modify 1 format float %.15g sort id\n"
    scripts = {"cmap": (TEXT + "comm_modify cutoff 7\n" + dump + RUN, given)}
    alone, several = (run_scripts(count, scripts, tmp_path)["cmap"] for count in (1, 2))
    assert "on 2 procs" in read_result(several).log
    compare(read_result(several), read_result(alone), Tolerances(1e-11, 1e-9))
