"""fix nvt, npt and nph against the reference: random words, thermo output of all they give, positions and forces."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.oracle.harness import Tolerances, compare, run_everlet, run_lmp

START = """
units lj
{dimension}
atom_modify sort 0 0
{box}
create_box 2 box
create_atoms 1 box
set type 1 type/fraction 2 0.3 5311
mass 1 1.0
mass 2 2.5
displace_atoms all random 0.03 0.03 {deep} 411
velocity all create {hot} 87287 loop geom
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0
pair_modify shift {shift}
group one type 1
timestep 0.004
"""
OUTPUT = """
thermo_style custom step temp pe ke etotal press pxx pyy pzz pxy vol lx ly lz ecouple econserve f_1 {vector}
thermo_modify format float %.17g norm no
thermo 20
dump forces all custom 50 forces.dump id type xu yu zu fx fy fz
dump_modify forces sort id format float %.17g
"""
CUBE = "lattice fcc 0.7\nregion box block 0 4 0 4 0 4"
FLAT = "lattice sq 0.7\nregion box block 0 9 0 8 -0.5 0.5"
TILTED = "lattice sc 0.75\nregion box prism 0 7 0 8 0 7 1.5 0.75 -1.25"
TIGHT = Tolerances(1e-12, 1e-10)


def written(box: str, hot: float, fix: str, length: int, run: str, shift: str = "no") -> str:
    flat = box == FLAT
    start = START.format(box=box, hot=hot, shift=shift, deep="0.0" if flat else "0.03", dimension="dimension 2" if flat else "")
    vector = " ".join(f"f_1[{k}]" for k in range(1, length + 1))
    return start + fix + OUTPUT.format(vector=vector) + run


def nvt(seed: int) -> str:
    """A script with fix nvt and random words."""
    draw = random.Random(seed)
    links = draw.choice([1, 2, 3, 3, 5])
    words = [f"temp {draw.choice([0.8, 1.5])} {draw.choice([0.8, 1.2, 2.0])} {draw.choice([0.1, 0.4, 2.0])}"]
    words += [f"tchain {links}"] if links != 3 or draw.random() < 0.5 else []
    words += [f"tloop {draw.choice([1, 2, 4])}"] if draw.random() < 0.5 else []
    words += [f"drag {draw.choice([0.0, 0.2, 1.0])}"] if draw.random() < 0.5 else []
    words += [f"mtk no nreset 10 pchain {draw.choice([0, 4])}"] if draw.random() < 0.2 else []
    draw.shuffle(words)
    group = draw.choice(["all", "all", "one"])
    fix = f"fix 1 {group} nvt {' '.join(words)}\n"
    if draw.random() < 0.3:
        fix += "compute other all temp\ncompute_modify other extra/dof 5\nfix_modify 1 temp other\n"
    run = draw.choice(["run 100", "run 60\nrun 40", "run 40 start 0 stop 300\nrun 60 pre no", "run 50\ntimestep 0.003\nrun 50",
                       "run 40\nvelocity all scale 1.1\nrun 60"])
    return written(draw.choice([CUBE, CUBE, FLAT, TILTED]), draw.choice([0.7, 1.4]), fix, 4 * links, run)


def check(script: str, tmp_path: Path, device: str = "serial") -> None:
    expected = run_lmp(script, {}, tmp_path / "reference")
    threads = 2 if device == "cpu" else 0
    compare(run_everlet(script, {}, tmp_path / "ours", device=device, threads=threads), expected, TIGHT)


@pytest.mark.parametrize("seed", range(12))
def test_nvt_with_random_words(seed: int, tmp_path: Path) -> None:
    check(nvt(seed), tmp_path, "cpu" if seed % 3 == 2 else "serial")


@pytest.mark.all
@pytest.mark.parametrize("seed", range(12, 60))
def test_nvt_with_more_random_words(seed: int, tmp_path: Path) -> None:
    check(nvt(seed), tmp_path, "cpu" if seed % 3 == 2 else "serial")
