"""Bond-order potentials of hydrocarbons on several ranks: the same energies, forces and virials of atoms as on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import DUMP, parse_dump, parse_log
from tests.oracle.test_rebo import EACH, SHARES, STYLES, case


@pytest.mark.parametrize("ranks", [2, pytest.param(3, marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(ranks: int, tmp_path: Path) -> None:
    """A small box, where a rank has images of its own atoms too, and a larger one."""
    scripts = {}
    for style in STYLES:
        for system in ("dense", "graphene"):
            script = case(style, system, "run 10", EACH).full_script()
            name = f"{style.replace('/', '-')} {system}"
            scripts[name] = script.replace("yu zu fx fy fz", f"yu zu fx fy fz {' '.join(SHARES)}"), {}
    alone = run_scripts(1, scripts, tmp_path)
    for name, place in run_scripts(ranks, scripts, tmp_path).items():
        mine, other = (parse_log((where / "run.log").read_text())[0] for where in (place, alone[name]))
        for word, values in other.items():
            scale = np.abs(other["Press"]) if word.startswith("P") and word != "PotEng" else np.maximum(np.abs(values), 1e-3)
            assert (np.abs(mine[word] - values) <= 1e-8 * scale).all(), word
        frames, expected = (parse_dump((where / DUMP).read_text()) for where in (place, alone[name]))
        for step, frame in expected.items():
            for word in ("fx", "fy", "fz", *SHARES):
                np.testing.assert_allclose(frames[step][word], frame[word], rtol=0, atol=1e-8 * abs(frame[word]).max())
