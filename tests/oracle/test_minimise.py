"""Minimisers against the reference: rows, iterations, evaluations, why they stop, and the report."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_log, same_text, working_in
from tests.oracle.reference import lmp
from tests.oracle.test_constraints import molecules, text
from tests.scripts import crystal

CRYSTAL = crystal("0 3 0 3 0 3", types=2) + """
group odd id 1:108:3
group some id 5 17 70
set group odd type 2
mass 1 1.0
mass 2 2.5
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
pair_coeff 2 2 1.0 0.9
displace_atoms some move -0.1 0.15 0.07
fix hold some setforce 0.0 NULL 0.0
fix pull odd addforce 0.1 0.0 0.0
fix_modify pull energy yes
neigh_modify every 2 delay 4
"""
OUTPUT = """
thermo_style custom step atoms temp pe press pxx pxy fmax fnorm dt time {more}
thermo_modify format float %.15g
thermo 10
"""
MOVE = "displace_atoms odd move 0.05 0.03 0.02\n"
LINES = "".join(f"min_style {style}\nmin_modify {words}\n{MOVE}minimize {limits}\n" for style, words, limits in (
    ("cg", "line quadratic", "1e-6 1e-6 60 1000"), ("cg", "line backtrack norm inf", "1e-6 1e-1 60 1000"),
    ("cg", "line forcezero norm max", "1e-6 1e-6 4 1000"), ("sd", "dmax 0.03", "0 1e-1 20 1000"),
    ("cg", "dmax 0.1", "0 0 100 13")))
DAMPED = "".join(f"min_style {style}\nmin_modify {words}\n{MOVE}minimize {limits}\n" for style, words, limits in (
    ("quickmin", "dmax 0.1", "1e-5 1e-6 60 1000"), ("quickmin", "norm max", "0 0 60 20"),
    ("fire", "dmax 0.1", "1e-5 1e-6 200 1000"), ("fire", "dmax 0.1", "0 0 60 20"),
    ("fire", "integrator leapfrog", "0 1e-1 40 1000"),
    ("fire", "integrator verlet tmax 5 tmin 0.1 delaystep 10 dtgrow 1.2 dtshrink 0.6 alpha0 0.2 alphashrink 0.98 norm max",
     "0 1e-1 60 1000"),
    ("fire", "integrator eulerexplicit halfstepback no initialdelay no", "0 1e-1 40 1000"),
    ("fire", "abcfire yes dmax 0.02 vdfmax 1", "0 1e-1 60 1000")))
AFTER = "fix 1 all nve\nrun 20\n"


def reports(log: str) -> list[str]:
    """What is said about each minimisation."""
    return re.findall(r"Minimization stats:\n(?:.*\n){8}", log)


def run_ours(folder: Path, script: str, device: str = "serial") -> str:
    (folder / "ours").mkdir(exist_ok=True)
    with working_in(folder / "ours"):
        sim = Simulation(device=device, threads=2 if device == "cpu" else 0, log="log.ours", screen="none")
        sim.commands(script)
        sim.close()
    return (folder / "ours" / "log.ours").read_text()


def compare(found: str, expected: str, limit: float = 1e-9) -> None:
    """Rows and reports of two logs."""
    mine, theirs = parse_log(found), parse_log(expected)
    assert len(mine) == len(theirs) > 0 and len(reports(found)) == len(reports(expected)) > 0
    for a, b in zip(reports(found), reports(expected), strict=True):
        pairs = list(zip(a.splitlines(), b.splitlines(), strict=True))
        for ours, other in pairs[:3] + pairs[7:]:
            assert ours == other
        assert all(same_text(ours, other, 1e-7) for ours, other in pairs), f"{a}\n{b}"
    for number, (table, other) in enumerate(zip(mine, theirs, strict=True)):
        assert list(table) == list(other)
        for word, values in other.items():
            size = max(1.0, np.abs(values).max())
            np.testing.assert_allclose(table[word], values, rtol=limit, atol=limit * size, err_msg=f"{number} {word}")


@pytest.mark.parametrize(("device", "steps"), [("serial", LINES), ("cpu", DAMPED + AFTER)], ids=["lines", "damped"])
def test_crystal(device: str, steps: str, tmp_path: Path) -> None:
    script = CRYSTAL + OUTPUT.format(more="f_hold[1] f_pull") + "dump d all custom 15 dump id x y z\n" + steps
    expected = lmp(tmp_path, script)
    found = run_ours(tmp_path, script, device)
    compare(found, expected)
    frames = [re.findall(r"TIMESTEP\n(\d+)", (folder / "dump").read_text()) for folder in (tmp_path, tmp_path / "ours")]
    assert frames[0] == frames[1]  # also the last one of each
    for line in ("Switching to 'neigh_modify every 1 delay 0 check yes' setting during minimization", "  Parameters for fire:"):
        assert found.count(line) == expected.count(line)


RELAX = """
units lj
lattice fcc 0.9
region box {region}
create_box 2 box
create_atoms 1 box
group odd id 1:108:3
set group odd type 2
mass * 1.0
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
pair_coeff 2 2 1.0 0.9
displace_atoms odd move 0.05 0.03 0.02
fix 1 all box/relax iso 0.0
"""
UPRIGHT = ("iso 0.0", "iso 1.0", "aniso 0.5 fixedpoint 0 0 0", "x 0.5 y 0.5 z 0.5 couple xy", "x 0.5 y 1.0",
           "x 0.5 y 1.0 z -0.3 nreset 3")
TILTED = ("iso 0.3", "tri 0.3", "tri 0.3 xy 0.2 nreset 2", "x 0.1 y 0.2 z 0.3 xy 0.1 yz 0.2 xz -0.1 nreset 10",
          "aniso 0.3 scalexy no")


@pytest.mark.parametrize(("region", "words"), [("block 0 3 0 3 0 3", UPRIGHT), ("prism 0 3 0 3 0 3 0.3 -0.2 0.1", TILTED)],
                         ids=["upright", "tilted"])
def test_box_relax(region: str, words: tuple[str, ...], tmp_path: Path) -> None:
    script = RELAX.format(region=region) + OUTPUT.format(more="vol lx ly lz xy xz yz f_1 c_1_press c_1_press[1] c_1_press[4]")
    for k, pressures in enumerate(words):
        script += f"min_style {'sd' if k == 4 else 'cg'}\nfix 1 all box/relax {pressures} vmax 0.002\nminimize 0 0 20 1000\n"
    script += "unfix 1\n" + OUTPUT.format(more="lx xy") + "fix 2 odd box/relax iso 0.3 dilate partial\nminimize 0 0 5 100\n"
    compare(run_ours(tmp_path, script), lmp(tmp_path, script), 1e-7)


def test_shake(tmp_path: Path) -> None:
    """Springs in place of constraints: molecules that cross no face, where the reference counts each once."""
    for folder in (tmp_path, tmp_path / "ours"):
        folder.mkdir(exist_ok=True)
        molecules(folder / "molecules.data", offset=0.5)
    script = text("fix 1 all shake 1e-6 100 0 b 1 2 a 1 kbond 500\nfix 2 all nve\nfix_modify 1 virial no", 0)
    script = script.replace("run 0", "thermo_style custom step temp pe emol fnorm fmax f_1\nminimize 0 0 10 200")
    compare(run_ours(tmp_path, script), lmp(tmp_path, script.replace("norm no", "warn ignore norm no")), 1e-7)


def test_restart_files_of_a_minimisation(tmp_path: Path) -> None:
    """They have nothing of the minimiser, and one can go on from them, with atoms put into the box if asked for."""
    with working_in(tmp_path):
        sim = Simulation(device="serial", log="none", screen="none")
        sim.commands(CRYSTAL + MOVE + "restart 5 kept.*\nminimize 0 0 10 100\n")
        again = Simulation(device="serial", log="none", screen="none")
        again.commands("read_restart kept.* remap\n")
        assert again.engine.system.step == 10 and not [name for name in again.engine.system.atoms.fields if "minimise" in name]
        box = again.engine.system.need_box()
        assert ((again.engine.system.atoms.read("x") >= box.lo) & (again.engine.system.atoms.read("x") < box.hi)).all()
        again.commands("min_style sd\nminimize 0 0 3 100\n")
        assert again.engine.system.step == 13


SMOOTH = crystal("0 4 0 4 0 4") + """
mass 1 1.0
displace_atoms all random 0.1 0.1 0.1 4711
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
pair_modify shift yes
min_style hftn
"""


@pytest.mark.parametrize("device", ["serial", "cpu"])
@pytest.mark.parametrize("lines", ["", "group some id 1:40\nfix hold some setforce 0.0 NULL 0.0\n",
                                   "min_modify dmax 0.02 norm inf\n"], ids=["plain", "held", "short"])
def test_newton_ends_where_the_reference_does(lines: str, device: str, tmp_path: Path) -> None:
    """In another way, and with no more evaluations of forces than three times those of the reference."""
    script = SMOOTH + lines + OUTPUT.format(more="") + "minimize 0 1e-7 200 5000\n"
    logs = [lmp(tmp_path, script), run_ours(tmp_path, script, device)]
    last = [{word: values[-1] for word, values in parse_log(log)[0].items()} for log in logs]
    for word, most in (("PotEng", 1e-12), ("Press", 1e-7), ("Pxy", 1e-7)):
        assert last[1][word] == pytest.approx(last[0][word], rel=most, abs=1e-7)
    assert last[1]["Fmax"] < 1e-7
    asked = [int(re.findall(r"force evaluations = \d+ (\d+)", log)[0]) for log in logs]
    assert asked[1] < 3 * asked[0]


def test_newton_is_refused_with_a_box_that_relaxes() -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(CRYSTAL + "fix relax all box/relax iso 0.0\nmin_style hftn\n")
    with pytest.raises(Exception, match="use cg or sd"):
        sim.commands("minimize 0 1e-6 10 100")


def test_refused(tmp_path: Path) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(CRYSTAL)
    for line, said in (("minimize 0 0 10", "expected 4"), ("minimize -1 0 10 10", "negative"),
                       ("min_style spin/cg", "not avail"), ("min_style downhill", "unknown"), ("min_modify line in", "unknown"),
                       ("min_modify dmax", "expected"), ("min_modify dmax 0", "above"), ("min_modify alpha_damp 1", "spin"),
                       ("min_modify style cg", "unknown")):
        with pytest.raises(Exception, match=said):
            sim.commands(line)
