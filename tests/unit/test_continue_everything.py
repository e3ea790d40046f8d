"""A run that is split by a restart file has the bits of the unbroken one: every everyday fix, every compute with a memory.

Cases of thermostats, averages and heat exchange are in test_fixes_continue.py.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.scripts import crystal

START = crystal("0 3 0 3 {z}", "{lattice}", types=2, first="{first}") + """
group firsts id 1:{some}
set group firsts type 2
mass * 1.0
velocity all create 1.44 87287 loop all
{more}
"""
SOLID = {"first": "atom_modify sort 0 0", "lattice": "fcc 0.8442", "z": "0 3", "some": 30, "more": ""}
BOXES = {
    "solid": SOLID,
    "walls": SOLID | {"first": "boundary p f f", "more": "change_box all y delta -0.7 0.7 z delta -0.7 0.7 units box"},
    "pushed": SOLID | {"first": "atom_modify sort 0 0\nboundary p p s"},
    "flat": SOLID | {"first": "dimension 2", "lattice": "sq2 0.8442", "z": "-0.5 0.5", "some": 9,
                     "more": "velocity all set NULL NULL 0.0"},
    "tilted": SOLID | {"more": "change_box all triclinic"},
    "round": SOLID | {"first": "atom_style hybrid sphere dipole", "more": "set group all diameter 0.9\n"
                      "set group all density 1.5\nset group all dipole/random 4711 1.2\nset type 2 omega 0.1 -0.2 0.3"},
    "charged": SOLID | {"first": "atom_style charge", "more": "set type 1 charge 0.5\nset type 2 charge -0.2"},
}
REST = """
lattice {lattice}
region half block 0 1.4 INF INF INF INF
region ball sphere 1.5 1.5 1.5 4
group some id 2:60
group few id 3:9
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
variable v equal step*0.01
variable a atom x*0.01
variable stop equal step>1000
"""
CASES = {  # box, lines, words of thermo output
    "nph": ("solid", "fix 1 all nph aniso 1 2 1 drag 0.1", "vol press f_1 f_1[2] ecouple"),
    "npt": ("solid", "fix 1 all npt temp 1 2 0.1 x 1 2 1 y 1 2 1 couple xy mtk no pchain 2 nreset 15", "vol press f_1 f_1[3]"),
    "npt tri": ("tilted", "fix 1 all npt temp 1 2 0.1 tri 1 2 1", "xy xz f_1 pxy"),
    "shock": ("solid", "fix 1 all nphug temp 1 1 0.1 z 20 20 0.3", "vol press f_1 f_1[1] f_1[2] f_1[19] ecouple"),
    "wave": ("solid", "fix 1 all msst z 12 q 50 mu 1 tscale 0.1", "vol press f_1 f_1[1] f_1[4]"),
    "spheres": ("round", "fix 1 all npt/sphere temp 1 2 0.1 aniso 1 2 1 update dipole\ncompute e all erotate/sphere",
                "vol press c_e f_1 f_1[2] ecouple"),
    "nvt of some": ("solid", "fix 1 some nvt temp 1 2 0.1 tchain 2 drag 0.2\nfix 2 firsts nve/noforce", "f_1 f_1[1]"),
    "limit": ("solid", "fix 1 all nve/limit 0.01\nfix 2 all momentum 5 linear 1 1 0 angular rescale\n"
                       "fix 3 all recenter 0.5 0.5 NULL units fraction", "f_3 f_3[1]"),
    "springs": ("solid", "fix 1 all nve\nfix 2 some spring tether 2 1 1 NULL 0.5\nfix 3 some spring/self 3 xy\n"
                         "fix 4 few setforce NULL v_v 0\nfix 5 all addforce 0.1 v_v v_a\n"
                         "fix 6 firsts spring couple few 1 1 1 1 0.1",
                "f_2 f_2[4] f_3 f_4[2] f_5 f_5[1] f_6"),
    "driven": ("solid", "fix 1 all nvk\ncompute h all chunk/atom bin/1d x lower 0.5 ids once units reduced\n"
                        "compute c some com/chunk h\nfix 2 all accelerate/cos 0.1\nfix 3 some flow/gauss 1 0 1 energy yes\n"
                        "fix 4 all momentum/chunk 5 h linear 1 0 0\nfix 5 all spring/chunk 2.0 h c\n"
                        "fix 6 few addtorque 1 v_v 0\nfix 7 all store/force\ncompute k all reduce sumsq f_7[1]",
               "f_3 f_3[1] f_5 f_6 f_6[1] c_k"),
    "restraints": ("solid", "variable d internal 0.5\nfix 1 all nve\nfix 2 some spring/rg 2 NULL\nfix 3 few ti/spring 5 15 8\n"
                            "fix 4 all restrain bond 1 2 3 20 1.2 1.3\nfix 5 firsts lineforce 1 1 0\n"
                            "fix 6 all controller 4 0.7 0.5 0.3 0.2 c_thermo_temp 1.5 d", "f_3 f_3[1] f_4 f_6[2] f_6[3] v_d"),
    "bath": ("solid", "fix 1 all nve\nfix 2 all ttm 4711 1 1 0.1 0.5 0 0 2 2 2 set 1.5", "f_2[1] f_2[2]"),
    "reservoir": ("solid", "fix 1 all nve\nfix 2 all gcmc 5 5 5 1 4711 1.4 -1 0.2\nfix 3 all widom 4 5 1 77 1.4",
                  "f_2[4] f_2[6] f_3[2]"),
    "indent": ("solid", "fix 1 all nve\nfix 2 all indent 5 sphere v_v 1 1 0.9\nfix 3 all indent 5 plane z v_v lo",
               "f_2 f_2[1] f_3"),
    "walls": ("walls", "fix 1 all nve\nfix 2 all wall/lj93 ylo EDGE 1 1 1.5\nfix 3 all wall/lj126 yhi EDGE 1 1 1.5\n"
                       "fix 4 some wall/harmonic zlo EDGE 3 1 0.7\nfix 5 all wall/reflect zhi EDGE\n"
                       "fix 6 all wall/lj1043 zlo -0.6 1 1 2\n"
                       "fix 7 all wall/morse yhi 4.0 1 1 1 1.5\nfix 8 all wall/lepton yhi 4.0 'exp(-r)' 1.5",
              "f_2 f_3[1] f_4 f_6 f_7 f_8"),
    "region": ("solid", "fix 1 some nve\nfix 2 few wall/region ball harmonic 3 1 3", "f_2 f_2[1]"),
    "move": ("solid", "fix 1 few move wiggle 0.1 0 NULL 2\nfix 2 firsts move rotate 1 1 1 0 0 1 60\n"
                      "group rest subtract all few firsts\n"
                      "fix 3 rest move linear 0.1 NULL 0.2", "press"),
    "deform": ("solid", "fix 1 all nve\nfix 2 all deform 2 x erate 0.1 y scale 1.1 z wiggle 0.1 0.3 remap x", "vol lx ly lz"),
    "deform tilt": ("tilted", "fix 1 all nve\nfix 2 all deform 1 xy erate 0.5 yz delta 0.3 remap v", "xy yz"),
    "flow": ("tilted", "fix 2 all deform 1 xy erate 0.8 remap v\nfix 1 all nvt/sllod temp 1 2 0.1", "xy c_1_temp f_1"),
    "field": ("charged", "fix 1 all nve\nfix 2 some efield 0.5 v_v 0.1\nfix_modify 2 energy yes", "f_2 f_2[1]"),
    "flat": ("flat", "fix 1 all nve\nfix 2 all enforce2d", "press"),
    "adapt": ("solid", "variable e equal ramp(1.0,1.2)\nfix 1 all nve\nfix 2 all adapt 5 pair lj/cut epsilon 1 2 v_e", "press"),
    "grain heat": ("solid", "fix p all property/atom temperature heatflow\nfix 1 all nve\nfix 2 all add/heat linear v_a 0.5\n"
                            "fix 3 some heat/flow constant 2\ncompute t all property/atom temperature heatflow\n"
                            "compute s all reduce sumsq c_t[1] c_t[2]", "c_s[1] c_s[2]"),
    "piston": ("pushed", "fix 1 all nve\nfix 2 all wall/piston zlo pos 0.2 vel 2 ramp", "press vol"),
    "kept": ("solid", "fix 1 all nve\nfix 2 all store/state 0 xu vx\ncompute k all ke/atom\nfix 3 all store/state 15 fx c_k\n"
                      "fix 4 all halt 5 v_stop > 0 error soft\nfix 5 all print 10 'x' screen no\n"
                      "fix 6 all vector 5 c_thermo_temp nmax 3\nfix 7 all ave/atom 3 4 15 vx c_k\n"
                      "compute s all reduce sumsq f_2[1] f_2[2] f_3[1] f_3[2] f_7[1] f_7[2]\n"
                      "fix 8 all ave/time 3 5 15 c_thermo_temp c_thermo_press ave window 2\n"
                      "fix 9 all ave/time 3 2 6 c_s[1] ave running\n"
                      "fix 10 all ave/correlate 2 5 10 c_thermo_temp c_thermo_pe type auto/upper ave running",
             "c_s[1] c_s[3] c_s[4] c_s[5] f_8[1] f_9 f_10[2][3] f_10[4][4]"),
    "computes": ("solid", "fix 1 all npt temp 1.4 1.4 0.1 iso 0 0 0.5\ncompute a all msd\ncompute b some msd com yes\n"
                          "compute c all msd average yes\ncompute d all vacf\ncompute e some displace/atom\n"
                          "compute f all reduce sumsq c_e[1] c_e[4]\ncompute g all chunk/atom type\ncompute h all msd/chunk g\n"
                          "compute i all chunk/atom bin/1d x lower 0.7 ids once units box\n"
                          "compute j all chunk/atom bin/2d x lower 0.7 y center 0.5 nchunk once compress yes units box\n"
                          "compute k all property/chunk i count\ncompute l all property/chunk j count id\n"
                          "compute m all chunk/atom bin/cylinder z lower 0.9 2 2 0 3 4 nchunk once\n"
                          "compute n all property/chunk m count coord1\n"
                          "fix 2 all ave/chunk 2 5 10 m vx density/mass ave running\n"
                          "compute p all coord/atom cutoff 1.2\ncompute o all chunk/atom c_p nchunk every limit 5 max\n"
                          "compute q all property/chunk o count\ncompute t all temp/chunk g temp com yes",
                 "c_a[1] c_a[4] c_b[4] c_c[1] c_c[4] c_d[1] c_d[4] c_f[1] c_f[2] c_h[1][1] c_h[2][4] c_k[2] c_l[3][1] "
                 "c_l[3][2] c_n[3][1] c_n[3][2] f_2[3][3] f_2[3][4] c_q[2] c_t c_t[2][1]"),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_bits(name: str, tmp_path: Path) -> None:
    box, lines, words = CASES[name]
    rest = f"{REST.format(**BOXES[box])}{lines}\nthermo_style custom step temp pe {words}\nthermo 10\n"
    with working_in(tmp_path):
        sims = [Simulation(device="serial", screen="none", log="none", tune=False) for _ in range(2)]
        sims[0].commands(f"{START.format(**BOXES[box])}{rest}restart 20 r.*\nrun 40\n")
        sims[1].commands(f"read_restart r.20\n{rest}restart 20 q.*\nrun 20 start 0 stop 40\n")
    one, other = sims[0].thermo.table(), sims[1].thermo.table()
    assert {word: (one[word][-2:], other[word][-2:]) for word in one
            if not np.array_equal(one[word][-2:], other[word][-2:])} == {}
    for field in ("x", "v", "f"):
        assert np.array_equal(sims[0].gather(field), sims[1].gather(field)), field
