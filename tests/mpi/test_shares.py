"""Energies and stresses of single atoms of many-body styles on several ranks: shares of ghosts come home."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import parse_dump
from tests.oracle.test_shares import USUAL, script

SCRIPTS = {name: (script(name), {}) for name in USUAL}


def test_several_ranks_agree_with_one(tmp_path: Path) -> None:
    alone, several = (run_scripts(ranks, SCRIPTS, tmp_path) for ranks in (1, 2))
    for name, place in several.items():
        mine, theirs = (parse_dump((folder / "values.dump").read_text()) for folder in (place, alone[name]))
        assert list(mine) == [0, 5]
        for step, frame in theirs.items():
            for column, values in frame.items():
                np.testing.assert_allclose(mine[step][column], values, rtol=0, atol=1e-11 * max(np.abs(values).max(), 1e-3),
                                           err_msg=f"{name} {step} {column}")
