"""Atoms with too few neighbours, against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.side_by_side import differences
from tests.scripts import crystal

SCRIPT = crystal("0 4 0 4 0 4", types=2, first="atom_style sphere\ncomm_modify vel yes") + """
set group all type/fraction 2 0.4 991
displace_atoms all random 0.1 0.1 0.1 4711
group some id 1:100
delete_atoms group some
variable d atom 1.1+0.01*(id%9)
set group all diameter v_d
{pair}
"""
GRAINS = SCRIPT.format(pair="pair_style gran/hooke 1000 NULL 50 NULL 0.5 0\npair_coeff * *")
TYPES = SCRIPT.format(pair="pair_style lj/cut 1.3\npair_coeff * * 1 1\npair_coeff 2 2 1 1 1.15")
COMPUTES = """
compute a all rattlers/atom {cutoff} 4 30
compute b all rattlers/atom {cutoff} 5 1
compute c all rattlers/atom {cutoff} 5 2
thermo_style custom step c_a c_b c_c
dump 1 all custom 1 out.dump id c_a c_b c_c
dump_modify 1 sort id
run 0
"""


@pytest.mark.parametrize("cutoff", ["radius", "type"])
def test_same_atoms(cutoff: str, tmp_path: Path) -> None:
    assert not differences((GRAINS if cutoff == "radius" else TYPES) + COMPUTES.format(cutoff=cutoff), tmp_path)


@pytest.mark.parametrize("words, message", [
    ("rattlers/atom near 4 3", "near"), ("rattlers/atom type 4", "usage"), ("rattlers/atom type 4 0", "a try or more")])
def test_refusals(words: str, message: str) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(f"{TYPES}compute 1 all {words}")
