"""Charge equilibration on several ranks: the same charges and iterations as on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle import test_acks2 as acks2
from tests.oracle.harness import DUMP, parse_dump, parse_log
from tests.oracle.test_qeq import CASES, FILES, script
from tests.oracle.test_reax_species import TEXT
from tests.oracle.test_reaxff import QEQ
from tests.oracle.test_reaxff import script as reactive


@pytest.mark.parametrize("ranks", [3, pytest.param(2, marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(ranks: int, tmp_path: Path) -> None:
    cases = CASES | {"fitted": CASES["reaxff"] | {"fix": "fix q all qeq/reaxff 1 0.0 4.5 1e-10 three guess fitted"}}
    scripts = {name: (script(**cases[name]), FILES) for name in ("shielded", "reaxff", "seldom", "fitted")}
    alone = run_scripts(1, scripts, tmp_path)
    for name, place in run_scripts(ranks, scripts, tmp_path).items():
        mine, other = (parse_log((where / "run.log").read_text())[0] for where in (place, alone[name]))
        assert mine["f_q"].tolist() == other["f_q"].tolist()
        frames, expected = (parse_dump((where / DUMP).read_text()) for where in (place, alone[name]))
        assert len(expected) == len(other["Step"])
        for step, frame in expected.items():
            for word in ("q", "fx", "fy", "fz"):
                np.testing.assert_allclose(frames[step][word], frame[word], rtol=1e-10, atol=1e-11)


def test_soft_bonds_of_several_ranks(tmp_path: Path) -> None:
    """Charges are those of one rank, and of the reference on one; also where a rank has no atoms of the group."""
    scripts = {name: (acks2.script(run="run 2", **words), acks2.FILES) for name, words in (
        ("all", {}), ("some", dict(group="some")))}
    alone, several = (run_scripts(ranks, scripts, tmp_path) for ranks in (1, 2))
    for name in scripts:
        mine, other = (parse_log((where / "run.log").read_text())[0] for where in (several[name], alone[name]))
        assert np.abs(mine["f_q"] - other["f_q"]).max() <= 1.0  # what is left of rounding decides near the tolerance
        np.testing.assert_allclose(mine["PotEng"], other["PotEng"], rtol=1e-11)
        frames, expected = (parse_dump((where[name] / DUMP).read_text()) for where in (several, alone))
        for step, frame in expected.items():
            largest = np.abs(frame["fx"]).max()
            np.testing.assert_allclose(frames[step]["q"], frame["q"], rtol=0, atol=1e-10)
            np.testing.assert_allclose(frames[step]["fx"], frame["fx"], rtol=0, atol=1e-9 * largest)


def test_bonds_and_molecules_of_several_ranks(tmp_path: Path) -> None:
    fixes = ("fix s all reaxff/species 2 2 4 species position 4 places\nfix b all reaxff/bonds 4 bonds\n"
             "velocity all create 2000 4711 loop all\nrun 8\n")
    scripts = {"cloud": (reactive("cho", "cloud", QEQ.format(high="10.0"), run=fixes), {"cloud": TEXT})}
    alone, several = (run_scripts(ranks, scripts, tmp_path)["cloud"] for ranks in (1, 2))
    for name in ("species", "bonds"):
        assert (several / name).read_text() == (alone / name).read_text()
    assert (several / "places").read_text().count("\n") == (alone / "places").read_text().count("\n") > 10
