"""Fixes that change the box, or how many atoms there are, on two ranks as on one."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.oracle.molecules import WATER, water_box
from tests.scripts import crystal

START = """
units lj
boundary {}
lattice fcc 0.8442
region box prism 0 4 0 4 0 8 0 0 0
create_box 2 box
region low block INF INF INF INF INF {}
create_atoms 1 region low
mass * 1.0
velocity all create 1.0 87287 loop all
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
"""
END = """
thermo_modify format float %.15g
dump 1 all custom 30 dump.custom id type xu yu zu fx fy fz
dump_modify 1 format float %.15g sort id
thermo 15
run 60
"""
CRYSTAL = crystal("0 4 0 4 0 5") + """
displace_atoms all random 0.05 0.05 0.05 77
mass * 1.0
velocity all create 1.0 87287 loop all
pair_style lj/cut 2.0
pair_coeff * * 1.0 1.0
timestep 0.002
"""
SCRIPTS = {
    "pouring": """
atom_style sphere
boundary p p f
newton off
comm_modify vel yes
region box block 0 6 0 6 0 9
create_box 1 box
pair_style gran/hooke 2000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
timestep 0.004
region slab block 0.5 5.5 0.5 5.5 3.0 7.0
fix 1 all nve/sphere
fix 2 all gravity 1.0 vector 0 0 -1
fix w all wall/gran hooke 2000.0 NULL 50.0 NULL 0.5 0 zplane 0 NULL
fix p all pour 30 1 300719 vol 0.13 50 region slab diam range 0.8 1.1 dens 1.0 2.0 vel -0.2 0.3 -0.1 0.1 -30.0
compute e all erotate/sphere
thermo_style custom step atoms ke c_e
""" + END,
    "flow": START.format("p p p", 8) + """
fix 2 all deform 1 xy erate 1.5 xz erate 0.7 remap v
fix 1 all nvt/sllod temp 1.4 1.4 0.5
thermo_style custom step temp pe press c_1_temp xy xz f_1
""" + END,
    "population": START.format("p p m", 3) + """
region slab block 0 4 0 4 5.5 7.5
fix 1 all nve
fix 2 all deposit 40 2 5 12345 region slab near 1.0 vz -3 -2 vx -0.1 0.2
fix 3 all deposit 40 2 9 12345 region slab local 0.9 1.2 1.0 near 1.0 vz -3 -2
thermo_style custom step atoms temp pe press f_2 f_3
""" + END,
    "bodies": water_box(20, 16, 1, 40) + """
lattice sc 4
region low block 0 4.9 0 4.9 0 1.9
create_atoms 3 region low
molecule w w.mol
pair_style lj/cut/coul/cut 6
pair_coeff * * 0.1 2.5
bond_style zero
bond_coeff *
angle_style zero
angle_coeff *
group low type 3
group rest subtract all low
neigh_modify exclude molecule/intra rest
region slab block 0.5 4.5 0.5 4.5 3 4.5
fix 1 low nve
fix r rest rigid/small molecule mol w
fix 2 rest deposit 6 0 7 12345 region slab near 2.0 mol w vz -0.01 -0.005 rigid r
timestep 0.5
thermo_style custom step atoms temp pe press f_2 f_r
""" + END,
    "hugoniot": CRYSTAL + "fix 1 all nphug temp 1 1 0.2 z 20 20 0.5\nthermo_style custom step temp pe lz f_1 f_1[1]" + END,
    "shock": CRYSTAL + "fix 1 all msst z 12 q 50 mu 1\nthermo_style custom step temp pe press lz f_1 f_1[1] f_1[4]" + END,
    "grid": CRYSTAL + """
fix 1 all nve
fix g all ave/grid 5 3 15 3 2 4 vx temp density/number ave running
thermo_style custom step temp pe press
dump g all grid 30 grid.dump f_g:grid:data[*] f_g:grid:count
""" + END,
    "led": CRYSTAL + """
group some id 20:60
fix 1 all nve
fix 2 some tmd 3.0 target 0
thermo_style custom step temp pe press f_2 f_2[1] f_2[2]
""" + END,
    "swaps": START.format("p p m", 3) + """
atom_modify sort 0 0
set atom 1*40 type 2
pair_coeff 1 2 0.6 0.95
fix 1 all nve
fix 2 all atom/swap 10 10 4711 1.0 types 1 2
fix 3 all widom 20 10 1 4711 1.0
fix m all property/atom mol
variable m atom ceil(id/8)
set group all mol v_m
fix 4 all mol/swap 10 5 1 2 4711 2.0
thermo_style custom step atoms temp pe press f_2[1] f_2[2] f_3[2] f_4[1] f_4[2]
""" + END}

SCRIPTS["held"] = (SCRIPTS["bodies"].replace("fix r rest rigid/small molecule mol w", "fix r all shake 1e-10 90 0 t 2 mol w")
                   .replace("fix 1 low", "fix 1 all").replace("rigid r", "shake r").replace("zero\nbond_coeff *", "harmonic\n"
                   "bond_coeff 1 450 1").replace("zero\nangle_coeff *", "harmonic\nangle_coeff 1 55 104"))


def test_two_ranks_as_one(tmp_path: Path) -> None:
    target = "".join(f"{k} {k % 4} {k % 5} {k % 3}\n" for k in range(1, 200))
    files = {"target": target, "w.mol": WATER}
    scripts = {name: (text, {file: files[file] for file in files if file in text}) for name, text in SCRIPTS.items()}
    alone, found = run_scripts(1, scripts, tmp_path), run_scripts(2, scripts, tmp_path)
    for name in scripts:
        compare(read_result(found[name]), read_result(alone[name]), Tolerances(1e-12, 1e-8))
    one, two = (np.loadtxt(place["grid"] / "grid.dump", skiprows=81) for place in (alone, found))
    np.testing.assert_allclose(one, two, rtol=1e-5)
