"""Variables of a script in formulas of the Lepton library, which take the numbers of when the formula is given."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.side_by_side import both_tables, same_tables

SCRIPT = """
units lj
atom_style bond
boundary p p f
lattice sc 0.7 origin 0.25 0.25 0.25
region box block 0 4 0 4 0 4
create_box 1 box bond/types 1 extra/bond/per/atom 6 extra/special/per/atom 60
create_atoms 1 box
mass 1 1.0
displace_atoms all random 0.1 0.1 0.1 4711
variable d index 1.3
variable far equal 2.0/v_d
variable low equal -0.2*v_far
pair_style lepton 2.2
pair_coeff 1 1 "v_d*exp(-r/v_far) + 0.1*v_low/r^2"
bond_style lepton
bond_coeff 1 1.1 "k*r^2 + v_low*r; k=v_d*10"
create_bonds many all all 1 0.9 1.2
velocity all create 1.0 87287 loop geom
fix 1 all nve
variable top equal zhi+1
fix 2 all wall/lepton zlo -1.0 "k*(r-rc)^2 + v_low; k=v_d" 2.5 zhi ${top} "v_d/r^9" 2.5
fix_modify 2 energy yes
thermo_style custom step temp pe ebond f_2 press
thermo_modify format float %.15g
thermo 5
run 15
"""


def test_as_the_reference(tmp_path: Path) -> None:
    found, expected = both_tables(tmp_path, SCRIPT)
    same_tables(found, expected)


def test_unknown_names() -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match="variable 'dd'"):
        sim.commands(SCRIPT.replace("v_d*exp", "v_dd*exp"))
