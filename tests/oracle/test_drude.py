"""Drude particles: special pairs and temperatures as in the reference, a thermostat without noise number by number, with it by
its temperatures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.drude_system import data_file
from tests.oracle.harness import working_in
from tests.oracle.side_by_side import both_tables, same_tables
from tests.tables import rows

START = """units real
atom_style full
atom_modify map array
bond_style harmonic
angle_style harmonic
special_bonds lj/coul {special}
pair_style lj/cut/coul/cut 6.0
read_data molecules extra/special/per/atom 6
pair_coeff 1 1 0.15 3.1
pair_coeff 2 2 0.02 1.2
pair_coeff * 3 0.0 0.0
pair_coeff 1 2 0.05 2.0
bond_coeff 1 450 1.0
bond_coeff 2 500 0.0
angle_coeff 1 55 104
comm_modify vel yes
velocity all create 300 4711
timestep 0.2
group two molecule 1:5
"""
FIXES = "fix d all drude C N D\nfix 1 all nve\n"
END = """compute t all temp/drude
compute u two temp/drude
thermo_style custom step temp pe evdwl ecoul press c_t c_t[1] c_t[2] c_t[3] c_t[4] c_t[5] c_t[6] c_u[1] c_u[2] c_u[3] c_u[5]
thermo_modify norm no format float %.17g
thermo 5
run 10
"""


@pytest.mark.parametrize("special", ["0.0 0.5 0.5", "0 0 0.5 angle yes", "0 1 1", "0 0.3 0.4 dihedral yes"])
@pytest.mark.parametrize("fix", ["", "fix l two langevin/drude 0.0 50 123 0.0 10 456\n"])
def test_same_numbers(special: str, fix: str, tmp_path: Path) -> None:
    (tmp_path / "molecules").write_text(data_file())
    ours, theirs = both_tables(tmp_path, START.format(special=special) + FIXES + fix + END)
    same_tables(ours, theirs)


def test_factors_that_come_later(tmp_path: Path) -> None:
    (tmp_path / "molecules").write_text(data_file())
    start, end = START.format(special="0 0 0.5"), "thermo_style custom pe\nrun 0\n"
    with working_in(tmp_path), Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(start + FIXES + end + "special_bonds lj/coul 0 0.5 0.5\nrun 0\n")
        found = sim.energy
        sim.commands("clear\n" + START.format(special="0 0.5 0.5") + FIXES + end)
        assert sim.energy == found
        sim.commands("unfix d\nrun 0")
        assert sim.energy != found


GAS = """units lj
atom_style bond
region box block 0 10 0 10 0 10
create_box 3 box bond/types 1 extra/bond/per/atom 1 extra/special/per/atom 1
create_atoms 1 random 300 4711 box
create_atoms 2 random 300 4712 box
create_atoms 3 random 300 4713 box
mass 1 2.0
mass 2 1.0
mass 3 0.5
variable k loop 300
label one
variable j equal $k+300
create_bonds single/bond 1 $k ${{j}} special no
next k
jump SELF one
pair_style zero 1.0
pair_coeff * *
bond_style zero
bond_coeff 1
comm_modify cutoff 10
velocity all create 1.0 87287
timestep 0.05
fix 1 all nve
fix d all drude C D N
fix l all langevin/drude 2.0 0.5 4711 0.3 0.3 99
compute t all temp/drude
thermo_style custom step c_t[1] c_t[2]
thermo 10
run 200
run 400
"""


def test_temperatures(tmp_path: Path) -> None:
    """1800 degrees of freedom of centres and 900 of Drude particles: means of 40 numbers are within 1.5 % of theirs."""
    (tmp_path / "in.gas").write_text(GAS.replace("{{", "{").replace("}}", "}"))
    with working_in(tmp_path), Simulation(device="serial", screen="none", log="none") as sim:
        sim.file("in.gas")
        for word, wanted in (("c_t[1]", 2.0), ("c_t[2]", 0.3)):
            found = np.mean([row[word] for row in sim.thermo.history[-40:]])
            assert found == pytest.approx(wanted, rel=0.04)


def test_goes_on_from_a_file(tmp_path: Path) -> None:
    (tmp_path / "molecules").write_text(data_file())
    fixes = FIXES + "fix l all langevin/drude 300.0 50 123 1.0 10 456\n"
    with working_in(tmp_path):
        with Simulation(device="serial", screen="none", log="none") as sim:
            sim.commands(START.format(special="0 0 0.5") + fixes + "restart 6 half.*\nrun 12")
            once = sim.positions
        with Simulation(device="serial", screen="none", log="none") as sim:
            start = START.format(special="0 0 0.5").replace("velocity", "#").replace("group", "#")
            sim.commands("read_restart half.6\n" + start[start.index("pair_coeff"):] + fixes + "run 12 upto")
            np.testing.assert_allclose(sim.positions, once, rtol=0, atol=1e-12)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
fix d all drude C N -> 2 flags for 3 types
fix d all drude C N X -> unknown flag of fix drude
fix d all drude C N D\nfix e all drude C N D -> fix d says already
fix d all drude C C D\nfix l all langevin/drude 1 1 99 1 1 99\nrun 0 -> without a core, or a core without one
fix l all langevin/drude 1 1 99 1 1 99\nrun 0 -> needs a fix drude
compute t all temp/drude\nthermo_style custom step c_t\nrun 0 -> needs a fix drude
fix l all langevin/drude 1 1 99 1 1 99 zero yes -> zero yes is not available
fix l all langevin/drude 1 1 99 1 0 99 -> time must be above zero
group core type 1\nfix d all drude C N D\nfix l core langevin/drude 1 1 99 1 1 99\nrun 0 -> not in its group
"""))
def test_refused(line: str, cause: str, tmp_path: Path) -> None:
    (tmp_path / "molecules").write_text(data_file())
    with working_in(tmp_path), Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(START.format(special="0 0 0.5") + "fix 1 all nve\n")
        with pytest.raises(InputError, match=cause):
            sim.commands(line)
