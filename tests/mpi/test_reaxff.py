"""A reactive force field on several ranks: the same energies, charges and forces as on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import DUMP, parse_dump, parse_log
from tests.oracle.reax_systems import FIELDS, cloud
from tests.oracle.test_reaxff import EACH, QEQ, script


@pytest.mark.parametrize("ranks", [3, pytest.param(2, marks=pytest.mark.all)])
def test_several_ranks_agree_with_one(ranks: int, tmp_path: Path) -> None:
    """A small box, where a rank has images of its own atoms too, a longer one, and one with ranks without atoms; all tilted."""
    run = "velocity all create 1000 4711 loop all\nrun 10"
    files = {"cloud": cloud(FIELDS["AB"][0], tilted=True)}
    scripts = {name: (script("AB", "cloud", QEQ.format(high="10.0").replace("1e-10", "1e-12"), before=before, run=run,
                            each=EACH, columns="c_each c_stress[1] c_stress[5]"), files)
               for name, before in (("small", ""), ("longer", "replicate 3 1 1"), ("high", "change_box all z final 0 60"))}
    alone = run_scripts(1, scripts, tmp_path)
    for name, place in run_scripts(ranks, scripts, tmp_path).items():
        mine, other = (parse_log((where / "run.log").read_text())[0] for where in (place, alone[name]))
        for word, values in other.items():
            scale = np.abs(other["Press"]) if word.startswith("P") and word != "PotEng" else np.maximum(np.abs(values), 1e-3)
            assert (np.abs(mine[word] - values) <= 1e-8 * scale).all(), word
        frames, expected = (parse_dump((where / DUMP).read_text()) for where in (place, alone[name]))
        for step, frame in expected.items():
            for word in ("q", "fx", "fy", "fz", "c_each", "c_stress[1]", "c_stress[5]"):
                np.testing.assert_allclose(frames[step][word], frame[word], rtol=0, atol=1e-9 * abs(frame[word]).max())
