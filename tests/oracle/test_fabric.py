"""Directions, lengths and forces of contacts, against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import differences
from tests.refusals import refused

SCRIPT = """
units lj
{first}
lattice fcc 0.8442
region box block 0 3 0 3 0 3
create_box 3 box
create_atoms 1 box
{mass}
set group all type/fraction 2 0.4 991
set atom 1*9 type 3
displace_atoms all random 0.1 0.1 0.1 4711
pair_style {pair}
group some id 1:50
compute a all fabric {cutoff} contact branch {force}
compute b all fabric {cutoff} branch contact type/include 1 2
compute c some fabric {cutoff} contact
compute d all fabric {cutoff} contact type/include 1 1,2 type/include 3 *
thermo_style custom step c_a c_a[*] c_b c_b[*] c_c c_c[*] c_d c_d[*]
thermo_modify format float %.15g
run 0
"""
POINTS = dict(first="", mass="mass * 1.0", pair="lj/cut 1.4\npair_coeff * * 1 1\npair_coeff 1 2 1 1 1.2", cutoff="type",
              force="force/normal")
GRAINS = dict(first="atom_style sphere\ncomm_modify vel yes",
              mass="variable d atom 1.1+0.01*(id%9)\nset group all diameter v_d",
              pair="gran/hooke 1000 NULL 50 NULL 0.5 0\npair_coeff * *", cutoff="radius", force="")


@pytest.mark.parametrize("case", [POINTS, GRAINS], ids=["types", "radii"])
def test_same_numbers(case: dict[str, str], tmp_path: Path) -> None:
    assert not differences(SCRIPT.format(**case), tmp_path)


@pytest.mark.parametrize("words, message", [
    ("fabric near contact", "near"), ("fabric type force/tangential", "not available"),
    ("fabric type type/include 1 2", "usage"), ("fabric type contact type/include 1", "usage"),
    ("fabric radius contact", "radii"), ("fabric type length", "length")])
def test_refusals(words: str, message: str) -> None:
    refused(SCRIPT.format(**POINTS), f"compute 1 all {words}", message)
