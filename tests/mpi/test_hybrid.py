"""Hybrid pair styles on several ranks: mixtures with many-body styles, which talk in the middle of the work."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import agree_with_one
from tests.oracle.harness import Tolerances
from tests.oracle.test_hybrid import case

RUNS = {"eam-override": "", "two-eam": "", "eam+lj": "package everlet scheme full", "tersoff+lj+zbl": "",
        "scaled": "newton off"}


@pytest.mark.parametrize("counts", [(3,), pytest.param((2, 4), marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(counts: tuple[int, ...], tmp_path: Path) -> None:
    scripts = {name: (case(name).full_script(before), {}) for name, before in RUNS.items()}
    agree_with_one(scripts, counts, tmp_path, Tolerances(1e-12, 1e-9))
