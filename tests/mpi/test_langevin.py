"""Noise by atom ID and step is the same on any number of ranks, also with its sum taken off and its work added up."""

from __future__ import annotations

from pathlib import Path

from tests.mpi.ranks import run_scripts
from tests.oracle.harness import Tolerances, compare, read_result
from tests.scripts import crystal

SCRIPT = crystal("0 5 0 4 0 4", types=2) + """
set type 1 type/fraction 2 0.3 4711
mass 1 1.0
mass 2 2.0
velocity all create 1.44 87287 loop geom
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
compute part all temp/partial 1 0 1
compute moved all msd com yes
variable moved equal 1+c_moved[4]
fix 1 all nve
fix 2 all langevin 1.0 2.0 0.3 4711 zero yes tally yes scale 2 1.5
fix 3 all langevin 1.0 1.0 0.9 99
fix_modify 3 temp part
fix kept all store/state 20 xu vy
compute kept all reduce sumsq f_kept[*]
fix mean all ave/time 5 2 20 c_thermo_pe c_thermo_temp file mean.txt
thermo 20
thermo_style custom step temp pe press f_2 econserve v_moved c_kept[1] c_kept[2] f_mean[1] f_mean[2]
thermo_modify format float %.15g
dump 1 all custom 40 dump.custom id type xu yu zu fx fy fz
dump_modify 1 format float %.15g sort id
run 60
run 20
"""
PARTICLES = crystal("0 5 0 4 0 4", "fcc 3.0", first="comm_modify vel yes") + """
mass 1 1.0
velocity all create 1.0 87287 loop geom
pair_style dpd/ext 1.0 1.0 4321
pair_coeff 1 1 25 4.5 3.0 1.0 0.5
neighbor 0.3 bin
fix 1 all nve
timestep 0.01
thermo 20
thermo_style custom step temp pe press
thermo_modify format float %.15g
dump 1 all custom 20 dump.custom id type xu yu zu fx fy fz
dump_modify 1 format float %.15g sort id
run 40
"""


def test_the_same_noise_on_any_number_of_ranks(tmp_path: Path) -> None:
    scripts = {"noise": (SCRIPT, {}), "pairs": (PARTICLES, {})}
    alone = run_scripts(1, scripts, tmp_path)
    for ranks in (2, 3):
        found = run_scripts(ranks, scripts, tmp_path)
        for name in scripts:
            compare(read_result(found[name]), read_result(alone[name]), Tolerances(1e-12, 1e-9))
        assert "draws by atom ID and step" in read_result(found["noise"]).log
        assert (found["noise"] / "mean.txt").read_text() == (alone["noise"] / "mean.txt").read_text()
