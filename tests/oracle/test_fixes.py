"""Fixes of everyday work against the reference: each with its keywords, one short run for each line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_log, same_text, working_in
from tests.oracle.reference import lmp
from tests.oracle.test_everyday import both
from tests.scripts import melt

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
    "ehex-face": ("region face block 0 0.5 INF INF INF INF\nfix 2 all ehex 1 1.0 region face", "temp pe press f_2"),
    "hex": ("fix 2 all ehex 4 -2.0 region half hex", "temp pe press f_2"),
    "conductivity": ("fix 2 all thermal/conductivity 4 x 6 swap 2", "temp pe press f_2"),
    "viscosity": ("fix 2 all viscosity 4 x z 6 swap 2", "temp pe press f_2"),
    "viscosity-target": ("fix 2 all viscosity 4 x z 6 vtarget 0.9", "temp pe press f_2"),
    "npt-group": (OWN + "fix 2 some npt temp {t} {hot} 0.1 iso 0 1 0.5", "temp pe press lx f_2 econserve"),
    "nph-group": (OWN + "fix 2 some nph x 0 1 0.5 z 0 1 0.5 couple xz ptemp 2.0", "temp pe press lx ly f_2 econserve"),
    "npt-momentum": ("unfix 1\nfix 1 all npt temp {t} {hot} 0.1 iso 0 1 0.5\nfix 2 some momentum 4 linear 1 1 1 angular",
                     "temp pe press lx f_1"),
    "nph-rescale": ("unfix 1\nfix 1 all nph aniso 0 1 0.5\nfix 2 some temp/rescale 4 {t} {hot} 0.1 0.5",
                    "temp pe press lx f_1 f_2"),
    "npt-dynamic": ("unfix 1\nfix 1 all npt temp {t} {hot} 0.1 iso 0 1 0.5\ncompute_modify 1_temp dynamic/dof yes",
                    "temp pe press lx f_1"),
    "langevin-atom": ("variable h atom 1+0.1*x\nfix 2 some langevin v_h {hot} 0.1 4711 tally yes omega no",
                      "temp pe press f_2"),
    "self-variable": ("variable h equal 3+0.1*step\nfix 2 some spring/self v_h xy\nfix_modify 2 energy yes",
                      "temp pe press f_2"),
    "self-atom": ("variable h atom 3+x\nfix 2 some spring/self v_h\nfix_modify 2 energy yes", "temp pe press f_2"),
    "gjf": ("unfix 1\nfix 1 some gjf {t} {hot} 0.1 4711\ngroup rest subtract all some\nfix 3 rest gjf v_t 1 0.2 4712 method 5 "
            "vel vfull", "temp pe press"),
    "gjf-methods": ("unfix 1\nfix 1 some gjf {t} {hot} 0.1 4711 method 2\ngroup rest subtract all some\n"
                    "group few id 61:80\ngroup rest subtract rest few\ngroup more id 81:100\ngroup others subtract rest more\n"
                    "fix 3 few gjf 1 1 0.2 4712 method 3\nfix 4 more gjf 1 1 0.2 4713 method 4 vel vfull\n"
                    "fix 5 others gjf 1 1 0.1 4712 method 8", "temp pe press"),
    "gjf-seven": ("unfix 1\nfix 1 some gjf {t} {hot} 0.1 4711 method 7 0.95\ngroup rest subtract all some\nfix 3 rest nve",
                  "temp pe press dt time"),
    "gjf-order": ("unfix 1\nfix 4 all ave/time 1 1 1 c_thermo_temp\nfix 5 all momentum 3 linear 1 1 0\nfix 2 all dt/reset 5 "
                  "NULL NULL 0.005 units box\nfix 1 all gjf {t} {hot} 0.1 4711\nfix 6 all ave/time 1 1 1 c_thermo_temp\n"
                  "fix 7 all momentum 4 linear 0 1 1", "temp pe press dt f_4 f_6"),
    "nvt-other-com": (OWN + "compute c others temp/com\nfix 2 some nvt temp {t} {hot} 0.1\nfix_modify 2 temp c", HEAT),
    "nvt-other-partial": (PARTIAL + "unfix 1\nfix 2 all nvt temp {t} {hot} 0.1\nfix_modify 2 temp p", HEAT),
    "npt-region": ("compute r all temp/region half\nunfix 1\nfix 2 all npt temp {t} {hot} 0.1 iso 0 1 0.5\nfix_modify 2 temp r",
                   HEAT),
    "adapt": ("variable h equal 1+0.01*step\nvariable r equal 0.9+ramp(0,0.1)\npair_modify tail yes\nfix 2 all adapt 4 "
              "pair lj/cut epsilon * * v_h pair lj/cut sigma 2 2 v_r scale yes reset yes", "temp pe press"),
    "adapt-once": ("variable h equal 1.2\npair_modify shift yes\nfix 2 all adapt 0 pair lj/cut epsilon 1 1 v_h",
                   "temp pe press"),
    "adapt-second": ("variable h equal 1+0.01*step\npair_style hybrid/overlay lj/cut 2.5 lj/cut 1.2\n"
                     "pair_coeff * * lj/cut 1 1 1\npair_coeff * * lj/cut 2 1 1\n"
                     "fix 2 all adapt 1 pair lj/cut:2 epsilon * * v_h", "temp pe press"),
    "adapt-two": ("variable h equal 1+0.01*step\npair_style hybrid/overlay lj/cut 2.5 soft 1.2\npair_coeff * * lj/cut 1 1\n"
                  "pair_coeff * * soft 1\nfix 2 all adapt 1 pair soft a * * v_h pair lj/cut epsilon 1 * v_h", "temp pe press"),
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


REST = "velocity all set 0 0 0\ndisplace_atoms all random 0.1 0.1 0.1 99 units box\n"


@pytest.mark.parametrize("text", ["temp/berendsen {} 0.5", "temp/rescale 1 {} 0.01 0.5", "temp/csvr {} 0.5 54324",
                                  "temp/csld {} 0.5 54324", "langevin {} 0.5 4711", "gjf {} 0.5 4711"])
@pytest.mark.parametrize("ramp, start", [("1.0 0.0", ""), ("0.0 1.0", REST)])
def test_temperatures_of_0(text: str, ramp: str, start: str, tmp_path: Path) -> None:
    """As the first or last target, and of atoms that are at rest when the run begins."""
    moved = "unfix 1\n" if text.startswith("gjf") else ""
    both(tmp_path, "lj", f"{moved}{start}fix 2 all {text.format(ramp)}", "temp pe press", "run 20")


FLAT = melt("0 8 0 5 -0.1 0.1", lattice="hex 0.7", first="dimension 2") + """
fix 1 all nve
fix 2 all addforce 0.1 0.0 0.3
fix 3 all enforce2d
fix 4 all temp/csvr 1.0 2.0 0.1 54324
fix 5 all press/berendsen iso 1 2 1
thermo_style custom step temp pe press f_4 vol
thermo_modify format float %.17g
thermo 4
run 20
"""


def test_two_dimensions(tmp_path: Path) -> None:
    expected = parse_log(lmp(tmp_path, FLAT))[0]
    sim = Simulation(device="serial", screen="none")
    sim.commands(FLAT)
    for word, values in zip(("temp", "pe", "press", "f_4", "vol"), list(expected.values())[1:], strict=True):
        np.testing.assert_allclose(sim.thermo.table()[word], values, rtol=1e-10, atol=1e-12, err_msg=word)
    assert not sim.array("v")[:, 2].any() and not sim.array("f")[:, 2].any()


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


def test_averages_go_on_after_a_minimisation(tmp_path: Path) -> None:
    """Which leaves out the steps of samples: windows begin anew."""
    text = """compute k all ke/atom
compute ch all chunk/atom bin/1d x lower 0.5 units reduced
fix h all ave/histo 2 3 10 0 5 4 c_k mode vector ave running
fix c all ave/chunk 2 3 10 ch vx density/number ave running
fix o all ave/correlate 2 4 10 c_thermo_temp ave running
fix t all ave/time 2 3 10 c_thermo_temp ave running
"""
    words = "f_h[1] f_h[3] f_h[4] f_c[1][2] f_c[1][3] f_o[1][2] f_o[2][2] f_o[3][3] f_t"
    both(tmp_path, "lj", text, words, "run 23\nminimize 0 0 7 100\nrun 30", 10)


AVERAGES = """
compute ke all ke/atom
compute pr all pressure thermo_temp
variable q atom x*vx
variable u equal pe
compute tp all temp/partial 1 1 0
fix h1 some ave/histo 2 3 10 -2 2 10 vx vy vz mode vector file h1.txt
fix h2 some ave/histo 5 1 5 0 3 7 c_ke mode vector ave running beyond end file h2.txt title1 "# a" title3 "# c"
fix h3 all ave/histo 1 5 10 -5 5 4 c_pr mode vector ave window 2 beyond extra file h3.txt
fix h4 all ave/histo 1 10 10 -8 0 5 v_u c_thermo_temp file h4.txt overwrite ave running
fix h5 some ave/histo/weight 2 3 10 -2 2 10 v_q c_ke mode vector file h5.txt
fix h6 all ave/histo 10 1 10 -5 5 4 c_pr[*] file h6.txt start 10
fix c1 all ave/correlate 2 4 10 c_thermo_temp v_u c_pr[1] file c1.txt
fix c2 all ave/correlate 1 3 10 c_thermo_temp v_u c_pr[1] type full ave running file c2.txt prefactor 2.5
fix c3 all ave/correlate 5 2 10 c_pr[*] type upper file c3.txt title1 "# a" start 10
fix c4 all ave/correlate 5 2 10 c_pr[1*3] type auto/lower file c4.txt title3 "# b" overwrite ave running
fix c5 all ave/correlate 5 2 10 c_pr[1*3] type lower file c5.txt title3 "# b"
fix c6 all ave/correlate 5 2 10 c_pr[1*3] type auto/upper file c6.txt
fix c7 all ave/correlate 5 2 10 c_pr[1*3] type first file c7.txt
compute b1 all chunk/atom bin/1d z lower 0.7
compute b2 all chunk/atom bin/2d x lower 1.1 y lower 0.9 units box
compute b3 all chunk/atom type
compute b4 all chunk/atom bin/1d z lower 0.3 compress yes region half
compute b5 all chunk/atom bin/1d x lower 0.2 units reduced ids nfreq
compute b6 all chunk/atom bin/1d x lower 0.5 nchunk every
compute b7 all chunk/atom bin/1d z lower 0.7
compute b8 all chunk/atom bin/1d z lower 0.7
fix b1 some ave/chunk 2 3 10 b1 vx fy density/number density/mass mass temp c_ke v_q file b1.txt
fix b2 all ave/chunk 5 2 10 b2 temp vx density/mass norm sample ave running file b2.txt
fix b3 all ave/chunk 5 2 10 b3 temp vx mass norm none ave window 2 file b3.txt adof 2 cdof 1
fix b4 all ave/chunk 10 1 10 b4 temp vx density/number file b4.txt format " %15.8g"
fix b5 all ave/chunk 2 4 10 b5 temp vx density/number file b5.txt bias tp
fix b6 all ave/chunk 2 4 10 b7 temp vx density/number density/mass norm sample cdof 1 ave window 3 file b6.txt title2 "# x"
fix b7 all ave/chunk 2 4 10 b8 temp mass density/number density/mass norm none cdof 1 ave running overwrite file b7.txt
fix b8 all ave/chunk 2 4 10 b6 temp mass density/number density/mass cdof 1 file b8.txt
"""
SHOWN = ("f_h1[1] f_h1[2] f_h1[3] f_h1[4] f_h1[3][2] f_h2[1] f_h2[2][3] f_h3[1] f_h3[2] f_h3[6][1] f_h4[1] f_h5[1] "
         "f_h5[2][2] f_h6[2] f_c1[1][1] f_c1[2][2] f_c1[3][3] f_c2[3][5] f_c3[2][4] f_c4[1][3] f_b1[1][1] "
         "f_b1[2][2] f_b1[3][3] f_b1[2][4] f_b1[2][5] f_b1[2][6] f_b1[2][7] f_b1[2][8] f_b1[2][9] f_b2[3][5] "
         "f_b3[2][4] f_b4[1][1] f_b4[1][2] f_b4[2][3] f_b5[1][3]")


@pytest.mark.parametrize("system", ["lj", "metal"])
def test_histograms_correlations_and_chunks(system: str, tmp_path: Path) -> None:
    """fix ave/histo, ave/histo/weight, ave/correlate, ave/chunk: values and files."""
    both(tmp_path, system, AVERAGES, f"pe {SHOWN}", "run 20\nrun 20", 10)
    for name in [f"{letter}{k}" for letter, count in (("h", 6), ("c", 7), ("b", 8)) for k in range(1, count + 1)]:
        mine, theirs = ((folder / f"{name}.txt").read_text().splitlines() for folder in (tmp_path / "ours", tmp_path))
        assert len(mine) == len(theirs) > 0, name
        assert all(same_text(one, other, 2e-5) for one, other in zip(mine, theirs, strict=True)), name


CUSTOM = """
fix p all property/atom i_flag d_w i2_many 3 d2_more 2 mol q ghost yes
set group all i_flag 3
set group some d_w 2.5
set type 2 i2_many[2] 7
variable twice atom x*2
set group all d2_more[1] v_twice
set group some mol 4
set group all charge 0.25
compute pa all property/atom i_flag d_w i2_many[2] d2_more[1] mol q
compute ch all chunk/atom molecule
compute cc all com/chunk ch
{common}
write_data w.data nocoeff
"""
COMMON = """
variable f atom d_w+i_flag*x
variable g atom d2_more[1]-i2_many[2]
fix st all store/state 0 d_w i2_many[2] i_flag
compute r all reduce sum v_f v_g f_st[*]
dump d all custom 4 d.txt id i_flag d_w i2_many[*] d2_more[1*1] mol q v_f v_g f_st[2]
dump_modify d sort id format float %.15g
"""
AGAIN = """
units lj
fix p all property/atom i_flag d_w i2_many 3 d2_more 2 mol q ghost yes
read_data w.data fix p NULL p
mass 1 1.0
mass 2 2.5
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
fix 1 all nve
""" + COMMON + """
thermo_style custom step pe c_r[1] c_r[2] c_r[3]
thermo_modify format float %.17g
run 4
"""


def test_values_that_scripts_name(tmp_path: Path) -> None:
    """fix property/atom: set, dumps, computes, variables, store/state, data files in both directions, restart files."""
    words = "temp pe c_r[1] c_r[2] c_r[3] c_r[4] c_r[5] c_cc[4][1]"
    both(tmp_path, "lj", CUSTOM.format(common=COMMON), words, "run 12\nwrite_restart r")
    for name in ("w.data", "d.txt"):
        mine, theirs = ((folder / name).read_text().splitlines()[1:] for folder in (tmp_path / "ours", tmp_path))
        if name == "d.txt":
            assert all(same_text(one, other, 1e-11) for one, other in zip(mine, theirs, strict=True)), name
        else:
            begin = [line.startswith("p #") for line in mine].index(True) + 1
            assert mine[begin:] == theirs[begin:] and len(mine) > begin + 100
    expected = parse_log(lmp(tmp_path, AGAIN))[0]
    with working_in(tmp_path):  # the file of the reference, and a restart file of our own
        one, other = (Simulation(device="serial", screen="none") for _ in range(2))
        one.commands(AGAIN)
        other.commands("read_restart ours/r\nfix p all property/atom i_flag d_w i2_many 3 d2_more 2 mol q\nrun 0")
    for word in ("PotEng", "c_r[1]", "c_r[2]", "c_r[3]"):
        ours = one.thermo.table()[{"PotEng": "pe"}.get(word, word)]
        np.testing.assert_allclose(ours, expected[word], rtol=1e-10)
    assert other.gather("d_w")[1] == 2.5 and other.gather("i2_many")[:, 1].max() == 7
