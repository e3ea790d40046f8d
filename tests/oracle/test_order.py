"""Atoms in the order of the reference, which sorts them: what a fix draws in the order of storage is the same on one core."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import both_tables, same_tables

LIQUID = """
units lj
{order}
boundary {boundary}
lattice fcc 0.8
region box {box} units lattice
create_box 1 box
create_atoms 1 box
region low block INF INF INF INF 0 3
mass 1 1.0
displace_atoms all random 0.05 0.05 0.05 4711
velocity all create 1.0 87287 loop geom
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
neighbor 0.3 bin
neigh_modify every 5 delay 0 check no
fix 1 all nve
thermo_style custom step atoms temp pe press
thermo_modify format float %.15g
thermo 4
run 8
{fix}
run 8
unfix 2
run 4
fix 2 {again}
run 14
"""
BLOCK, PRISM = "block 0 5 0 4 0 6", "prism 0 5 0 4 0 6 1.5 0.7 -0.9"
LANGEVIN, CSLD = "fix 2 all langevin 1.0 1.0 0.3 4711", "fix 2 all temp/csld 1.0 1.0 0.3 4711"
CASES = {
    "tilted": ("", "p p p", PRISM, CSLD),
    "shrinking": ("", "p s m", BLOCK, CSLD),
    "often": ("atom_modify sort 5 0.9", "p p p", BLOCK, CSLD),
    "never": ("atom_modify sort 0 0", "p p p", BLOCK, LANGEVIN),
    "csld": ("", "p p p", BLOCK, CSLD),
    "evaporate": ("", "p p p", BLOCK, "fix 2 all evaporate 3 5 low 4711"),
    "flat": ("dimension 2", "p p p", "block 0 12 0 9 -0.1 0.1", CSLD + "\nfix 3 all enforce2d"),
}


@pytest.mark.parametrize("name", CASES)
def test_as_the_reference(name: str, tmp_path: Path) -> None:
    order, boundary, box, fix = CASES[name]
    script = LIQUID.format(order=order, boundary=boundary, box=box, fix=fix, again=fix.split("\n")[0].removeprefix("fix 2 "))
    if name == "flat":
        script = script.replace("lattice fcc", "lattice sq2").replace("0.05 0.05 0.05", "0.05 0.05 0")
    found, expected = both_tables(tmp_path, script)
    assert len(found) == len(expected) == 4
    same_tables(found, expected)
