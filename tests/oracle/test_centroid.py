"""Stresses of atoms about the centres of links, against the reference."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.bonded_system import lines, molecules
from tests.oracle.molecules import water_box
from tests.oracle.reference import lmp
from tests.oracle.side_by_side import differences
from tests.scripts import crystal

STYLES = {"bond": "harmonic", "angle": "charmm", "dihedral": "charmm", "improper": "harmonic"}
START = "units real\natom_style full\nspecial_bonds lj 0 0.3 0.5 coul 0.1 0.4 0.6\npair_style lj/cut/coul/cut 5.0\n"
COMPUTES = """
velocity all create 300 12345 loop geom
fix 1 all nve
timestep 0.2
compute c all centroid/stress/atom NULL
compute v all centroid/stress/atom NULL virial
compute a some centroid/stress/atom NULL angle
compute d all centroid/stress/atom NULL dihedral
compute i all centroid/stress/atom NULL improper pair
compute b all centroid/stress/atom NULL bond ke
compute k all ke/atom
compute p all pe/atom
compute h some heat/flux k p v
thermo_style custom step pe c_h[*]
thermo_modify format float %.15g
thermo 2
dump 1 all custom 2 out.dump id c_c[*] c_a[*] c_d[*] c_i[*] c_b[*]
dump_modify 1 sort id format float %.15g
run 4
"""
WATER = """w

3 atoms
2 bonds
1 angles

Coords

1 0 0 0
2 0.9572 0 0
3 -0.23999 0.92663 0

Types

1 1
2 2
3 2

Charges

1 -0.8
2 0.4
3 0.4

Bonds

1 1 1 2
2 1 1 3

Angles

1 1 2 1 3
"""
BOX = water_box(12, 16, 1) + """
molecule w w.mol
lattice sc 4
create_atoms 0 box mol w 4711
write_data water.data
"""
HELD = """
units real
atom_style full
pair_style lj/cut/coul/cut 5.0
bond_style harmonic
angle_style harmonic
read_data {folder}/water.data
pair_coeff * * 0.0 1.0
pair_coeff 1 1 0.15 3.1
bond_coeff 1 450 0.9572
angle_coeff 1 55 104.52
velocity all create 300 12345 loop geom
fix 1 all nve
fix 2 all shake 1e-10 200 0 b 1 a 1
timestep 1
compute c all centroid/stress/atom NULL virial
compute f all centroid/stress/atom NULL fix
thermo_style custom step
dump 1 all custom 2 out.dump id c_c[*] c_f[*]
dump_modify 1 sort id format float %.15g delay 1
run 4
"""


def mixture(folder: Path) -> str:
    molecules(folder / "mol.data", style="full")
    coeffs = "".join(lines(kind, name) for kind, name in STYLES.items()).splitlines()
    styles = "".join(f"{kind}_style {name}\n" for kind, name in STYLES.items())
    return (f"{START}{styles}read_data {folder}/mol.data\npair_coeff * * 0.1 1.5\ngroup some id 3:20\n"
            + "\n".join(line for line in coeffs if "_style" not in line))


def test_links(tmp_path: Path) -> None:
    assert not differences(mixture(tmp_path) + COMPUTES, tmp_path / "runs")


def test_held_lengths(tmp_path: Path) -> None:
    (tmp_path / "w.mol").write_text(WATER)
    lmp(tmp_path, BOX)
    assert not differences(HELD.format(folder=tmp_path), tmp_path / "runs", 1e-6, 1e-6)  # shake has a tolerance


@pytest.mark.parametrize("lines, message", [
    ("compute 1 all centroid/stress/atom NULL kspace", "kspace is not available"),
    ("compute 1 all centroid/stress/atom", "usage"), ("compute 1 all centroid/stress/atom none", "none"),
    ("fix r all rigid molecule\ncompute 1 all centroid/stress/atom NULL\ncompute s all reduce sum c_1[7]\n"
     "thermo_style custom step c_s\nrun 0", "rigid bodies")])
def test_refusals(lines: str, message: str, tmp_path: Path) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(mixture(tmp_path) + "\n" + lines)


def test_many_bodies_are_refused() -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    sim.commands(crystal("0 2 0 2 0 2", "diamond 5.43", units="metal") + "mass 1 28\npair_style sw\npair_coeff * * Si.sw Si\n"
                 "compute 1 all centroid/stress/atom NULL\ncompute s all reduce sum c_1[7]\nthermo_style custom step c_s\n")
    with pytest.raises(EverletError, match="single pairs"):
        sim.commands("run 0")
