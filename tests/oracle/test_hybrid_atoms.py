"""Atoms of several styles at once against the reference: what they are made with, their files, and how they move."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from tests.oracle.side_by_side import both_tables, same_tables, through_files
from tests.scripts import crystal

SETS = {
    "charge": "set atom 3 charge 0.5\n",
    "bond": "set atom 3*9 mol 7\n",
    "full": "set atom 3 charge 0.5\nset atom 3*9 mol 7\n",
    "sphere": "set atom 2*5 diameter 0.8\nset atom 3*12 density 1.7\nset atom 4*9 omega 1 2 3\n",
    "dipole": "set atom 5 charge 0.25\nset atom 3*8 dipole 0.1 0.2 0.3\n",
    "ellipsoid": "set atom 14*20 shape 1 2 1.5\nset atom 14*17 quat 0 0 1 30\nset atom 15*19 angmom 1 2 3\n",
    "spin": "set group all spin/atom 2.2 0.6 0.8 0\n",
    "dpd": "set group all dpd/theta 3.5\n",
}
WORDS = {"charge": "q", "bond": "mol", "full": "mol q", "sphere": "diameter mass omegax omegay omegaz",
         "dipole": "mux muy muz mu", "ellipsoid": "mass angmomx angmomy angmomz", "spin": "c_s[1] c_s[2] c_s[3] c_s[4]",
         "dpd": ""}
RING = ("charge", "sphere", "bond", "ellipsoid", "spin", "full", "dipole", "dpd", "charge")
HYBRIDS = [*pairwise(RING), ("ellipsoid", "sphere"), ("sphere", "dipole", "bond"), ("full", "dpd", "ellipsoid", "charge")]


@pytest.mark.parametrize("styles", HYBRIDS, ids=" ".join)
def test_files_go_both_ways(tmp_path: Path, styles: tuple[str, ...]) -> None:
    style, words = f"atom_style hybrid {' '.join(styles)}\n", ["id", "type", "x", "y", "z", "vx"]
    words += dict.fromkeys(word for name in styles for word in WORDS[name].split())
    masses = "mass * 2.0\n" if any(name not in ("sphere", "ellipsoid") for name in styles) else ""
    units = "metal" if "spin" in styles else "lj"
    script = crystal("0 3 0 3 0 3", "sc 3", units=units, types=2, first=style) + masses + "".join(SETS[name] for name in styles)
    if {"ellipsoid", "sphere"} <= set(styles):  # the reference's write_data changes masses of atoms that are both
        words.remove("mass")
    wanted, found = through_files(tmp_path, f"{script}set atom 9* type 2\n", f"units {units}\n{style}", " ".join(words),
                                  "compute s all property/atom spx spy spz sp\n" if "spin" in styles else "",
                                  "pair_style zero 3\npair_coeff * *\nrun 0\n")
    for name, values in found.items():
        np.testing.assert_allclose(values, wanted, rtol=1e-14, err_msg=name)


MOVED = {
    "bonded grains": ("bond sphere", """
pair_style gran/hooke/history 2000.0 NULL 50.0 NULL 0.5 1
pair_coeff * *
special_bonds lj 0 1 1
set atom 1*20 omega 0.3 -0.2 1.5
fix 1 all nve/sphere
compute c all erotate/sphere
"""),
    "charged ellipsoids": ("full ellipsoid", """
pair_style hybrid/overlay gayberne 1.0 3.0 1.0 3.0 coul/cut 2.5
pair_coeff * * gayberne 1.0 1.0 1.0 1.0 0.2 1.0 1.0 0.2
pair_coeff * * coul/cut
set atom 1*20 charge 0.5
set atom 21* charge -0.4
set group all shape 0.8 0.9 1.3
set group all quat/random 4711
set group all density 1.3
fix 1 all nve/asphere
compute c all erotate/asphere
"""),
    "points among spheres": ("sphere angle", """
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
set atom 5* diameter 0
set atom 5* mass 0.7
fix 1 all nvt temp 1.0 2.0 0.5
compute c all ke
"""),
}


@pytest.mark.parametrize("name", MOVED)
def test_they_move_alike(tmp_path: Path, name: str) -> None:
    styles, lines = MOVED[name]
    script = f"""
units lj
atom_style hybrid {styles}
atom_modify sort 0 0
newton off
lattice fcc 0.9
region box block 0 3 0 3 0 3
create_box 1 box bond/types 1 extra/bond/per/atom 2 extra/special/per/atom 20
create_atoms 1 box
mass * 1.7
velocity all create 1.44 87287 loop all
bond_style harmonic
bond_coeff 1 30.0 1.1
comm_modify cutoff 4 vel yes
create_bonds single/bond 1 1 2
create_bonds single/bond 1 2 3
create_bonds single/bond 1 7 8
{lines}timestep 0.002
thermo_style custom step temp pe ke ebond press c_c
thermo_modify format float %.17g
thermo 10
run 20
"""
    found, expected = both_tables(tmp_path, script)
    same_tables(found, expected, 1e-9)
