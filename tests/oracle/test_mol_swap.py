"""fix mol/swap against the reference, number by number on one rank."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

START = """
units lj
atom_style {style}
atom_modify map yes sort 0 0
lattice sc 0.6
region box block 0 6 0 4 0 4
create_box 3 box {room}
create_atoms 1 box
mass * 1.0
mass 2 2.5
variable t atom 1+((id%3)==0)+((id%5)==0)*((id%3)!=0)*2
set group all type v_t
variable m atom floor((id-1)/6)+1
set group all mol v_m
group some id 10:70
pair_style lj/cut{coulomb} 1.8
pair_coeff * * 0.1 1.0
pair_coeff 1 2 0.7 1.0
pair_coeff 2 2 0.2 0.9
velocity all create 1.0 87287 loop geom
fix 1 all nve
"""
PLAIN = START.format(style="molecular", room="bond/types 1 extra/bond/per/atom 8 extra/special/per/atom 60", coulomb="")
BOUND = PLAIN + "bond_style harmonic\nbond_coeff 1 20 1.1\ncreate_bonds many all all 1 1.1 1.3\nspecial_bonds lj 0.2 1 1\n"
CHARGED = START.format(style="full", room="", coulomb="/coul/cut")
CHARGED += "set type 1 charge 0.2\nset type 2 charge -0.3\nset type 3 charge 0.1\n"
FIXES = {
    "all": (PLAIN, "all mol/swap 5 6 1 2 4711 1.3"),
    "group": (PLAIN, "some mol/swap 3 8 2 3 31 0.4 ke no"),
    "bonds": (BOUND, "all mol/swap 5 6 1 2 4711 1.3 ke yes"),
    "charges": (CHARGED, "all mol/swap 4 6 1 2 4711 1.3"),
    "none there": (PLAIN + "set mol 3*5 type 3\n", "all mol/swap 2 8 1 2 4711 1.3"),
}


@pytest.mark.parametrize("name", FIXES)
def test_numbers(name: str, tmp_path: Path) -> None:
    start, fix = FIXES[name]
    script = start + f"fix 2 {fix}\nthermo_style custom step temp pe ke f_2[1] f_2[2]\nthermo_modify format float %.17g\n"
    found, expected = both_tables(tmp_path, script + "thermo 2\nrun 12\nrun 8\n")
    same_tables(found, expected, 1e-9)
    assert 0 < expected[-1]["f_2[2]"][-1] < expected[-1]["f_2[1]"][-1]


@pytest.mark.parametrize("fix, cause", rows("""
fix 2 all mol/swap 5 6 1 2 4711 -> expected
fix 2 all mol/swap 0 6 1 2 4711 1.0 -> N must be 1
fix 2 all mol/swap 5 6 1 1 4711 1.0 -> itself
fix 2 all mol/swap 5 6 1 7 4711 1.0 -> 7
fix 2 all mol/swap 5 6 1 2 4711 1.0 region -> keyword of fix mol/swap
"""))
def test_refused(fix: str, cause: str) -> None:
    refused(PLAIN, fix, cause)
