"""Bins of compute chunk/atom in a box whose faces follow the atoms: where they are, their volumes, and who is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import differences
from tests.scripts import melt

CLUSTER = melt("0 3 0 3 0 3", "3.44 87287 loop all", first="atom_modify sort 0 0\nboundary s s s") + """
fix 1 all nve
"""
BINS = """
compute 1 all chunk/atom bin/1d z lower 0.2 units reduced
compute 2 all chunk/atom bin/1d z lower 1.0 units box
compute 3 all chunk/atom bin/2d z lower 1.0 x center 1.2
compute 4 all chunk/atom bin/1d z lower 1.0 units box nchunk once
compute 5 all chunk/atom bin/1d z lower 1.0 units box
compute 6 all chunk/atom bin/1d z lower 0.2 units reduced nchunk every
compute 7 all chunk/atom bin/1d z lower 1.0 units box compress yes
compute 8 all chunk/atom bin/1d z lower 0.2 units reduced
fix f1 all ave/chunk 5 4 20 1 density/number density/mass temp norm sample file f1.out
fix f2 all ave/chunk 5 4 20 2 density/number density/mass temp norm sample file f2.out
fix f3 all ave/chunk 5 2 20 3 density/number density/mass temp norm all file f3.out
fix f4 all ave/chunk 5 2 20 4 density/number density/mass temp norm none file f4.out
fix f5 all ave/chunk 5 4 20 5 density/number vx norm all ave running file f5.out
fix f6 all ave/chunk 5 4 20 6 density/number vx norm all ave window 2 file f6.out
fix f7 all ave/chunk 5 4 20 7 density/number temp file f7.out
fix f8 all ave/chunk 5 1 5 8 density/number temp file f8.out
thermo_style custom step temp lx vol density f_f2[2][2] f_f2[2][4]
thermo_modify format float %.17g
thermo 20
run 100
run 40
"""


@pytest.mark.parametrize("fix", ["", "fix 2 all npt temp 1.4 1.4 0.1 aniso 5.0 5.0 0.1"], ids=["faces", "barostat"])
def test_bins_follow_the_box(fix: str, tmp_path: Path) -> None:
    script = CLUSTER if not fix else CLUSTER.replace("boundary s s s", "").replace("fix 1 all nve", fix)
    assert differences(script + BINS, tmp_path) == []
