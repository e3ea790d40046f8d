"""Atoms that come and go in runs, against the reference: streams of random numbers are the same, digit by digit."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import InputError, Simulation
from tests.oracle.molecules import WATER
from tests.oracle.side_by_side import both_tables, same_tables
from tests.tables import rows

BASE = """
units lj
atom_modify sort 0 0
boundary p p m
lattice fcc 0.8442
region box block 0 4 0 4 0 8
create_box 2 box
region low block INF INF INF INF INF 2
create_atoms 1 region low
mass 1 1.0
mass 2 1.5
velocity all create 0.5 87287 loop all
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
group some id 2:60
group new type 2
compute new new temp
compute_modify new dynamic/dof yes extra/dof 0
compute s all reduce sumsq vx vy vz x y z
region slab block 0 4 0 4 5.5 7.5
region ball sphere 2 2 6 1
fix 1 all nve
fix w all wall/reflect zlo EDGE
"""
CASES = {
    "deposit": "fix 2 new deposit 12 2 5 12345 region slab near 1.0 vz -3 -2 vx -0.1 0.2",
    "global": "fix 2 all deposit 5 2 7 12345 region slab global 1.2 1.5 near 0.5 vz -1 -1 units box",
    "local": "fix 2 some deposit 20 2 5 12345 region slab local 0.7 0.9 0.5 near 0.3 attempt 20 id next",
    "gaussian": "fix 2 all deposit 20 1 5 12345 region ball gaussian 2 2 6 0.4 target 2 2 0 vx 1 2 vy 0 1 near 0.9",
    "rate": "fix 2 all deposit 20 1 5 12345 region ball rate -1.0 near 0.9",
    "evaporate": "fix 2 all evaporate 10 3 low 4711",
    "barostat": "unfix 1\nfix 1 all npt temp 0.5 0.5 0.5 x 0 0 1 y 0 0 1\nfix 2 all evaporate 10 3 low 4711",
    "both": "fix 2 some evaporate 7 9 low 4711\nfix 3 new deposit 100 2 6 12345 region slab near 0.8 vz -3 -2\n"
            "compute d all displace/atom\ncompute r all reduce sum c_d[4]",
    "moved": "unfix 1\nfix m all move wiggle 0.1 NULL 0.2 3\nfix 2 all deposit 100 2 6 12345 region slab near 0.8 vz -3 -2",
    "turned": "unfix 1\nfix m all move rotate 2 2 2 0.3 1 1 3\nfix 2 all deposit 100 2 6 12345 region slab near 0.8 vz -3 -2",
}


@pytest.mark.parametrize("name", CASES)
def test_as_the_reference(name: str, tmp_path: Path) -> None:
    words = "f_2 f_3 c_r" if name == "both" else "f_2"
    script = BASE + CASES[name] + f"\nthermo_style custom step atoms temp c_new pe press {words} c_s[1] c_s[2] c_s[3] c_s[4] "
    script += "c_s[6]\nthermo_modify format float %.17g\nthermo 10\nrun 40\nrun 20\n"
    found, expected = both_tables(tmp_path, script)
    assert len(found) == len(expected) == 2
    same_tables(found, expected)


def test_molecules_go_together(tmp_path: Path) -> None:
    script = BASE.replace("lattice fcc", "atom_style bond\nlattice fcc").replace("fix 1", "set group some mol 7\nfix 1")
    script += "fix 2 all evaporate 10 3 low 4711 molecule yes\nthermo_style custom step atoms pe f_2\n"
    script += "thermo_modify format float %.17g\nthermo 10\nrun 40\n"
    [found], [expected] = both_tables(tmp_path, script)
    assert found["Atoms"].tolist() == expected["Atoms"].tolist() and found["Atoms"].min() < 100
    np.testing.assert_allclose(found["PotEng"], expected["PotEng"], rtol=1e-9)


MOLECULES = """
units real
atom_style full
atom_modify sort 0 0
region box block 0 20 0 20 0 20
create_box 3 box bond/types 1 angle/types 1 extra/bond/per/atom 2 extra/angle/per/atom 1 extra/special/per/atom 3
lattice sc 4
region low block 0 4.9 0 4.9 0 1.9
create_atoms 3 region low
mass 1 16
mass 2 1
mass 3 40
molecule w w.mol
{before}
pair_style lj/cut/coul/cut 6
pair_coeff * * 0.1 2.5
special_bonds lj/coul 0 {factor} 0.5
bond_style harmonic
bond_coeff 1 450 1
angle_style harmonic
angle_coeff 1 55 104
region slab block 0.5 4.5 0.5 4.5 3 4.5
fix 1 all nve
fix 2 all deposit 6 {type} 7 12345 region slab near 2.0 units box mol w {words}
timestep 0.5
variable m atom mol
variable i atom id
compute m all reduce max v_m v_i
compute s all reduce sumsq vx vy vz x y z
thermo_style custom step atoms temp pe ebond eangle press bonds angles f_2 c_s[1] c_s[2] c_s[4] c_s[5] c_s[6] c_m[1] c_m[2]
thermo_modify format float %.17g
thermo 10
run 40
run 20
"""


@pytest.mark.parametrize("type, words, before, factor", [
    (0, "vz -0.01 -0.005", "", 0.0), (1, "orient 1 1 0 id next target 10 10 0 vx 0.01 0.02", "", 0.0),
    (0, "global 2.5 4 molfrac 1.0", "create_atoms 0 single 10 10 18 mol w 88", 0.3)])
def test_molecules_come_whole(type: int, words: str, before: str, factor: float, tmp_path: Path) -> None:
    """Where they are and how they are turned, ids, molecules, bonds, angles and special pairs; also if none was there."""
    (tmp_path / "w.mol").write_text(WATER)
    script = MOLECULES.format(type=type, words=words, before=before, factor=factor)
    found, expected = both_tables(tmp_path, script)
    assert expected[-1]["f_2"][-1] == 6
    same_tables(found, expected)


HEAVY = WATER.replace("1 angles\n", "1 angles\n40 mass\n0.05 0.3 0.1 com\n12 15 30 1 0.5 1 inertia\n")
RIGID = "fix 1 low nve\nfix r m {style} mol w {more}\nneigh_modify exclude molecule/intra m"


@pytest.mark.parametrize("style, more, water, before", [
    ("rigid/small molecule", "", WATER, ""),
    ("rigid/small molecule", "", WATER, "create_atoms 0 single 10 10 18 mol w 88 units box"),
    ("rigid/nve/small molecule", "", HEAVY, "create_atoms 0 single 10 10 18 mol w 88 units box"),
    ("rigid/small molecule", "reinit no", HEAVY, "")])
def test_molecules_come_as_rigid_bodies(style: str, more: str, water: str, before: str, tmp_path: Path) -> None:
    """A second run makes bodies anew of their atoms, but not with reinit no."""
    (tmp_path / "w.mol").write_text(water)
    script = MOLECULES.format(type=0, words="vz -0.01 -0.005 rigid r", before=before, factor=0.0)
    script = script.replace("fix 1 all nve", "group low type 3\ngroup m type 1 2\n" + RIGID.format(style=style, more=more))
    found, expected = both_tables(tmp_path, script.replace("fix 2 all", "fix 2 m").replace("ebond ", ""))
    assert expected[-1]["f_2"][-1] == 6
    same_tables(found, expected)


HELD = WATER + "\nShake Flags\n\n1 1\n2 1\n3 1\n\nShake Atoms\n\n1 1 2 3\n2 1 2 3\n3 1 2 3\n\n" \
    "Shake Bond Types\n\n1 1 1 1\n2 1 1 1\n3 1 1 1\n"


@pytest.mark.parametrize("words", ["shake 1e-12 90 0 b 1 a 1", "shake 1e-12 90 0 t 2 a 1", "rattle 1e-12 90 0 b 1 a 1"])
def test_molecules_come_with_constraints(words: str, tmp_path: Path) -> None:
    """One is there before: without, the reference knows no lengths of angles."""
    before = "create_atoms 0 single 10 10 18 mol w 88 units box"
    (tmp_path / "w.mol").write_text(HELD)
    script = MOLECULES.format(type=0, words="vz -0.01 -0.005 shake s", before=before, factor=0.0)
    script = script.replace("fix 1 all nve", f"fix 1 all nve\nfix s all {words} mol w")
    found, expected = both_tables(tmp_path, script.replace("ebond eangle ", ""))
    assert expected[-1]["f_2"][-1] == 6
    same_tables(found, expected)


@pytest.mark.parametrize("text, message", rows(r"""
fix 2 all deposit 5 2 7 12345 -> needs a region
fix 2 all deposit 5 3 7 12345 region slab -> type
fix 2 all deposit 0 2 7 12345 region slab -> 1 or more
fix 2 all deposit 5 2 7 12345 region low -> outside of the box
fix 2 all deposit 5 2 7 12345 region slob -> unknown region
fix 2 all deposit 5 2 7 0 region slab -> seed
fix 2 all deposit 5 0 7 12345 region slab mol m -> unknown molecule template
fix 2 all deposit 5 0 7 12345 region slab -> type
fix 2 all deposit 5 2 7 12345 region slab orient 0 0 1 -> for molecules
fix 2 all deposit 5 2 7 12345 region slab shake s -> for molecules
fix 2 all deposit 5 2 7 12345 region slab rigid r -> for molecules
fix 2 all deposit 5 2 7 12345 region slab neer 1 -> unknown keyword
fix 2 all deposit 5 2 7 12345 region slab vx 1 -> expected
fix 2 all deposit 5 2 7 12345 region slab id old -> unknown id
fix 2 all deposit 5 2 7 12345 region slab global 1 1 local 1 1 1 -> one of global and local
region o sphere 2 2 2 1 side out\nfix 2 all deposit 5 2 7 12345 region o -> no bounds
compute m all msd\nfix 2 all deposit 5 2 7 12345 region slab near 1\nrun 10 -> has come
fix 2 all evaporate 0 3 low 4711 -> 1 or more
fix 2 all evaporate 5 3 lo 4711 -> unknown region
fix 2 all evaporate 5 3 low 4711 molecule -> expected
fix 2 all evaporate 5 3 low 4711 molecule yes -> molecule
region all block INF INF INF INF INF INF\nfix 2 all evaporate 1 1000 all 4711\nrun 5 -> no atoms left
fix 2 all deposit 5 2 7 12345 region slab\nregion slab delete\nregion slab plane 2 2 5 0 0 1\nrun 5 -> has no bounds
"""))
def test_what_is_refused(text: str, message: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    with pytest.raises(InputError, match=re.escape(message)):
        sim.commands(BASE + text)
