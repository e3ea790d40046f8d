"""Hybrid pair styles on several ranks: mixtures with many-body styles, which talk in the middle of the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.test_hybrid import case

RUNS = {"eam-override": "", "two-eam": "", "eam+lj": "package everlet scheme full", "tersoff+lj+zbl": "",
        "scaled": "newton off"}


@pytest.mark.parametrize("counts", [(3,), pytest.param((2, 4), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    scripts = {name: (case(name).full_script(before), {}) for name, before in RUNS.items()}
    alone = run_scripts(1, scripts, tmp_path)
    for ranks in counts:
        for name, place in run_scripts(ranks, scripts, tmp_path).items():
            found = read_result(place)
            assert f"on {ranks} procs" in found.log
            compare(found, read_result(alone[name]), Tolerances(1e-12, 1e-9))
