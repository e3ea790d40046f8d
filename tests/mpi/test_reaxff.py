"""A reactive force field on several ranks: the same energies, charges and forces as on one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import columns_agree_with_one
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
    columns_agree_with_one(scripts, ranks, tmp_path,
                           ("q", "fx", "fy", "fz", "c_each", "c_stress[1]", "c_stress[5]"), 1e-9)
