"""Energies, forces, stresses and heat of pairs between two groups, against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.molecules import mixed
from tests.oracle.side_by_side import differences

SOLID = """
units metal
atom_style full
lattice fcc 4.05
region box {box}
create_box 2 box
create_atoms 1 box
mass 1 27
mass 2 30
set group all type/fraction 2 0.4 991
set type 1 charge 0.3
set type 2 charge -0.2
set atom 1*30 mol 1
set atom 31*60 mol 2
set atom 61*100 mol 3
displace_atoms all random 0.1 0.1 0.1 4711
velocity all create 300 12345 loop geom
pair_style {pair}
group one id 1:50
group two id 30:90
group three id 51:90
"""
COMPUTES = """
compute pe one pe/tally two
compute f one force/tally two
compute s one stress/tally two
compute h one heat/flux/tally two
compute hv one heat/flux/virial/tally three
compute pm one pe/mol/tally two
compute whole all pe/tally all
fix 1 all nve
dump 1 all custom 5 out.dump id c_pe[1] c_pe[2] c_f[1] c_f[2] c_f[3] c_s[1] c_s[4] c_s[6] c_hv[1] c_hv[2] c_hv[3]
dump_modify 1 sort id format float %.15g
thermo_style custom step pe evdwl ecoul c_pe c_f c_s c_hv c_whole c_pm[*] c_h[*]
thermo_modify format float %.15g norm {norm}
thermo 5
run 5
"""
CASES = {
    "charges": (SOLID.format(box="block 0 3 0 4 0 3", pair="lj/cut/coul/cut 5.0\npair_coeff * * 0.1 2.3"), "no"),
    "norm": (SOLID.format(box="block 0 3 0 4 0 3", pair="lj/cut/coul/cut 5.0\npair_coeff * * 0.1 2.3"), "yes"),
    "tiny, tilted": (SOLID.format(box="prism 0 2 0 2 0 2 0.5 0 -0.5", pair="lj/cut/coul/cut 6.0\npair_coeff * * 0.1 2.3")
                     .replace("1:50", "1:12").replace("30:90", "8:25").replace("51:90", "13:25"), "no"),
}


@pytest.mark.parametrize("name", CASES)
def test_sums_and_values_of_atoms(name: str, tmp_path: Path) -> None:
    start, norm = CASES[name]
    assert not differences(start + COMPUTES.format(norm=norm), tmp_path)


def test_special_pairs(tmp_path: Path) -> None:
    """Of molecules, with factors that are not 0 or 1."""
    mixed(tmp_path / "mixed.data")
    script = f"""
units real
atom_style full
special_bonds lj 0 0.3 0.5 coul 0.1 0.4 0.6
bond_style zero
angle_style zero
dihedral_style zero
improper_style zero
pair_style lj/cut/coul/cut 4.0
read_data {tmp_path}/mixed.data nocoeff
bond_coeff *
angle_coeff *
dihedral_coeff *
improper_coeff *
pair_coeff * * 0.1 1.0
mass * 1.5
group one id 1:20
group two id 10:40
group three id 21:40
velocity all create 300 12345 loop geom
"""
    assert not differences(script + COMPUTES.format(norm="no").replace("run 5", "run 0"), tmp_path / "runs")


@pytest.mark.parametrize("lines, message", [
    ("compute 1 all pe/tally", "usage"), ("compute 1 all force/tally nobody", "nobody"),
    ("compute 1 one heat/flux/virial/tally two\nthermo_style custom step c_1\nrun 0", "groups that have no atom in common"),
    ("compute 1 all pe/tally all\npair_style none\nthermo_style custom step c_1\nrun 0", "no pair style")])
def test_refusals(lines: str, message: str) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(SOLID.format(box="block 0 2 0 2 0 2", pair="lj/cut 3.0\npair_coeff * * 0.1 2.3") + lines)
