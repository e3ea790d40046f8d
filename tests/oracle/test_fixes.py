"""Fixes of everyday work against the reference: each with its keywords, one short run for each line."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.oracle.harness import same_text
from tests.oracle.test_everyday import both

RUNS = "run 12\nrun 8 start 0 stop 40"
OWN = "unfix 1\ngroup others subtract all some\nfix 1 others nve\n"  # some atoms are moved by the fix itself
PARTIAL = "compute p some temp/partial 1 0 1\n"
HEAT = "temp pe press f_2 ecouple econserve"
FORCE = "temp pe press f_2[1] f_2[2] f_2[3]"
CASES = {
    "viscous": ("fix 2 some viscous 0.3 scale 2 2.5", "temp pe press"),
    "nve-noforce": (OWN + "fix 2 some nve/noforce", "temp pe press"),
    "nve-limit": (OWN + "fix 2 some nve/limit 0.005", "temp pe press f_2"),
    "aveforce": ("fix 2 some aveforce 0.3 NULL v_a", FORCE),
    "aveforce-region": ("variable w equal pe*0.01\nfix 2 some aveforce NULL v_w 0.0 region half", FORCE),
    "drag": ("fix 2 some drag 1 NULL 0.2 1.3 0.9", FORCE),
    "rescale": ("fix 2 some temp/rescale 4 {t} {hot} 0.01 0.7", HEAT),
    "rescale-bias": (PARTIAL + "fix 2 some temp/rescale 1 v_t {hot} 0.01 0.7\nfix_modify 2 temp p", HEAT),
    "csvr": ("fix 2 all temp/csvr {t} {hot} 0.1 54324", HEAT),
    "csvr-few": ("group few id 1:3\nfix 2 few temp/csvr v_t {hot} 0.1 54324", HEAT),
    "csvr-bias": (PARTIAL + "fix 2 some temp/csvr {t} {hot} 0.1 54324\nfix_modify 2 temp p", HEAT),
    "csld": ("fix 2 some temp/csld v_t {hot} 0.1 54324", HEAT),
    "csld-bias": (PARTIAL + "fix 2 some temp/csld {t} {hot} 0.1 54324\nfix_modify 2 temp p", HEAT),
    "berendsen-iso": ("fix 2 some press/berendsen iso 2.0 5.0 1.0", "temp pe press vol pxx"),
    "berendsen-xz": ("fix 2 some press/berendsen x 2 1 1 z 2 1 1 couple xz dilate partial modulus 50",
                     "temp pe press lx ly lz"),
    "berendsen-own": (PARTIAL.replace("some", "all") + "compute q all pressure p virial\n"
                      "fix 2 all press/berendsen aniso 2 3 1\nfix_modify 2 temp p\nfix_modify 2 press q",
                      "temp pe press lx ly lz"),
    "heat": ("fix 2 some heat 4 v_a region half", "temp pe press f_2"),
    "heat-atom": ("variable h atom 10*vx+3\nfix 2 some heat 4 v_h", "temp pe press f_2"),
    "ehex": ("fix 2 some ehex 1 -2.0", "temp pe press f_2"),
    "ehex-region": ("fix 2 all ehex 4 -2.0 region half", "temp pe press f_2"),
    "hex": ("fix 2 all ehex 4 -2.0 region half hex", "temp pe press f_2"),
    "conductivity": ("fix 2 all thermal/conductivity 4 x 6 swap 2", "temp pe press f_2"),
    "viscosity": ("fix 2 all viscosity 4 x z 6 swap 2", "temp pe press f_2"),
    "viscosity-target": ("fix 2 all viscosity 4 x z 6 vtarget 0.9", "temp pe press f_2"),
    "halt": ("variable s equal step\nfix 2 all halt 3 v_s > 7 error continue", "temp pe"),
    "halt-soft": ("variable s equal temp\nfix 2 all halt 3 v_s > 0.1", "temp pe"),
    "dt-reset": ("fix 2 some dt/reset 4 NULL NULL 0.01 units box", "temp pe press dt time f_2"),
    "dt-reset-langevin": ("fix 3 all langevin {t} {hot} 0.1 4711 tally yes\nfix 2 some dt/reset 4 0.001 0.004 0.01 emax 0.3",
                          "temp pe press dt time f_2 f_3"),
    "dt-reset-nvt": ("unfix 1\nfix 1 all nvt temp {t} {hot} 0.1\nfix 2 some dt/reset 4 0.001 0.004 0.01 emax 0.3",
                     "temp pe press dt time f_1 f_2 econserve"),
}
METAL = {"heat": ("fix 2 some heat 4 -0.1", "temp pe f_2"), "ehex": ("fix 2 some ehex 1 -0.1", "temp pe f_2"),
         "conductivity": ("fix 2 all thermal/conductivity 4 x 6", "temp pe f_2"),
         "viscosity": ("fix 2 all viscosity 4 y x 4 swap 3 vtarget 0.9", "temp pe f_2")}


@pytest.mark.parametrize("name", CASES)
def test_fix(name: str, tmp_path: Path) -> None:
    text, words = CASES[name]
    both(tmp_path, "lj", text.replace("{t}", "1.0").replace("{hot}", "2.0"), words, RUNS)


@pytest.mark.parametrize("name", METAL)
def test_fix_in_units_metal(name: str, tmp_path: Path) -> None:
    both(tmp_path, "metal", *METAL[name], RUNS)


PRINTS = """
variable u equal pe
variable s equal stride(3,17,7)
fix 2 all print 5 'at $(step) ${u} SAY' file a.txt title "# hallo"
fix 3 all print 4 "b $(step) $(vol)" append b.txt screen no
fix 4 all print v_s "c $(step) $(c_thermo_temp)" file c.txt
fix 5 all vector 5 c_thermo_temp
fix 6 all vector 5 c_thermo_temp[1] c_thermo_temp[2]
fix 7 all vector 2 v_u nmax 3
"""
SHOW = "\nprint '$(f_5[1]) $(f_5[4]) $(f_6[3][2]) $(f_7[1]) $(f_7[3])' file d.txt"


def test_lines_and_vectors(tmp_path: Path) -> None:
    """fix print and fix vector: the same lines at the same steps."""
    both(tmp_path, "lj", PRINTS, "temp pe", "run 12\nrun 8" + SHOW)
    for name in "abcd":
        mine, theirs = ((folder / f"{name}.txt").read_text().splitlines() for folder in (tmp_path / "ours", tmp_path))
        assert len(mine) == len(theirs) > 0
        assert all(same_text(one, other, 1e-11) for one, other in zip(mine, theirs, strict=True)), name
