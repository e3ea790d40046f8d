"""change_box ortho and triclinic leave atoms where they are, to the last bit: velocities of loop geom are drawn from it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import both_tables, same_tables
from tests.scripts import crystal

SCRIPT = crystal("0 4 0 3 0 5", "fcc 0.7") + """
mass 1 1.0
change_box all WORDS
velocity all create 1.0 4711 loop geom
compute v all reduce sum vx vy vz
pair_style lj/cut 2.5
pair_coeff * * 1 1
fix 1 all nve
thermo_style custom step temp pe press c_v[1] c_v[2] c_v[3] xy
thermo_modify format float %.15g
run 5
"""


@pytest.mark.parametrize("words", ["triclinic", "triclinic ortho triclinic", "triclinic set", "triclinic xy final 0.4 remap"])
def test_as_the_reference(words: str, tmp_path: Path) -> None:
    found, expected = both_tables(tmp_path, SCRIPT.replace("WORDS", words))
    same_tables(found, expected)
