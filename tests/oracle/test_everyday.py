"""Fixes and computes of everyday work against the reference, with keywords chosen at random."""

from __future__ import annotations

import random
import re
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import parse_log, same_text, working_in
from tests.oracle.reference import lmp

BASE = """
units {units}
atom_modify sort 0 0
lattice {lattice}
region box {region}
create_box 2 box
create_atoms 1 box
set type 1 type/fraction 2 0.3 4711
mass 1 {mass}
mass 2 {heavy}
velocity all create {temperature} 87287 loop geom
pair_style lj/cut {cutoff}
pair_coeff * * {epsilon} {sigma}
group some id 2:60
region half block 0 1.4 INF INF INF INF
fix 1 all nve
"""
LJ = dict(units="lj", lattice="fcc 0.8442", region="block 0 3 0 3 0 3", mass=1.0, heavy=2.5, temperature=1.44, cutoff=2.5,
          epsilon=1.0, sigma=1.0)
TILTED = LJ | dict(region="prism 0 3 0 3 0 3 0.4 -0.3 0.2")
METAL = dict(units="metal", lattice="fcc 5.26", region="block 0 3 0 3 0 3", mass=39.95, heavy=131.0, temperature=80.0,
             cutoff=8.5, epsilon=0.0104, sigma=3.4)
SYSTEMS = {"lj": LJ, "tilted": TILTED, "metal": METAL}
VARIABLES = """
variable a equal 0.1*step-0.3
variable t equal {temperature}*(1+ramp(0,0.5))
variable b atom x*0.03+vy*0.01
variable e atom -x*vx
"""


def both(folder: Path, system: str, text: str, words: str, runs: str = "run 12\nrun 8", every: int = 4) -> None:
    """Thermo tables of both programs agree; the reference runs in `folder`, Everlet in folder/ours."""
    numbers = SYSTEMS[system]
    script = BASE.format(**numbers) + VARIABLES.format(**numbers) + text
    script += f"\nthermo_style custom step {words}\nthermo_modify format float %.17g\nthermo {every}\n{runs}\n"
    expected = parse_log(lmp(folder, script))
    (folder / "ours").mkdir()
    with working_in(folder / "ours"):
        sim = Simulation(device="serial", log="log.ours", screen="none")
        sim.commands(script)
        sim.close()
    found = parse_log((folder / "ours" / "log.ours").read_text())
    assert len(found) == len(expected) > 0
    for mine, theirs in zip(found, expected, strict=True):
        assert list(mine) == list(theirs)
        for word, values in theirs.items():
            size = max(1.0, np.abs(values).max())
            np.testing.assert_allclose(mine[word], values, rtol=1e-10, atol=1e-10 * size, err_msg=word)


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_langevin(seed: int, system: str, tmp_path: Path) -> None:
    draw, t = random.Random(f"{seed} {system}"), SYSTEMS[system]["temperature"]
    words = [draw.choice([f"{t} {2.0 * t}", f"v_t {t}"]), str(draw.choice([0.05, 0.7])), str(draw.randint(1, 900000000))]
    words += [f"scale {kind} {draw.uniform(0.3, 3)}" for kind in (1, 2) if draw.random() < 0.5]
    words += [f"{word} {draw.choice(['yes', 'no'])}" for word in ("tally", "zero")]
    text = f"fix 2 {draw.choice(['all', 'some'])} langevin {' '.join(words)}\n"
    if draw.random() < 0.5:
        text += f"compute p some temp/partial 1 {draw.choice('01')} 0\nfix_modify 2 temp p\n"
    both(tmp_path, system, text, "temp pe etotal f_2 ecouple econserve press", "run 12\nrun 4 start 0 stop 40\nrun 4")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_berendsen_and_partial_temperatures(seed: int, system: str, tmp_path: Path) -> None:
    draw, t = random.Random(f"{seed} {system}"), SYSTEMS[system]["temperature"]
    group = draw.choice(["all", "some"])
    flags = " ".join(draw.choice(["1 1 0", "0 1 0", "1 1 1", "0 0 1"]).split())
    text = f"fix 2 {group} temp/berendsen {draw.choice([f'{t} {2 * t}', f'v_t {t}'])} {draw.choice([0.05, 0.7])}\n"
    text += f"compute p {group} temp/partial {flags}\n"
    watched = draw.choice(["p", "thermo_temp", "2_temp"])
    text += f"fix_modify 2 temp {watched}\n" if watched != "2_temp" else ""
    text += f"compute_modify p extra/dof {draw.choice([0, 3, 5])}\n"
    order = draw.choice(["press temp", "temp press"])
    both(tmp_path, system, text, f"{order} pe f_2 ecouple econserve c_p c_p[1] c_p[2] c_p[4] c_p[6]")


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("seed", range(3))
def test_given_forces(seed: int, system: str, tmp_path: Path) -> None:
    draw = random.Random(f"{seed} {system}")
    words = draw.choices(["0.3", "-0.1", "NULL", "v_a", "v_b"], k=3)
    region = draw.choice(["", " region half"])
    text = f"fix 2 {draw.choice(['all', 'some'])} setforce {' '.join(words)}{region}\n"
    words = [word if word != "NULL" else "0.0" for word in draw.choices(["0.3", "-0.1", "v_a", "v_b"], k=3)]
    text += f"fix 3 {draw.choice(['all', 'some'])} addforce {' '.join(words)}{draw.choice(['', ' region half'])}"
    every = draw.choice(["", " every 3"])  # the virial of steps between depends on what else asks for it
    text += every
    text += " energy v_e" if any(word.startswith("v_") for word in words) and draw.random() < 0.5 else ""
    text += f"\nfix_modify 3 energy {draw.choice(['yes', 'no'])} virial {'no' if every else draw.choice(['yes', 'no'])}\n"
    both(tmp_path, system, text, "temp pe press pxx pyz f_2[1] f_2[2] f_2[3] f_3 f_3[1] f_3[2] f_3[3]")


AVERAGES = """
compute p all pressure thermo_temp
compute q all pressure NULL virial
variable w equal 0.1*step+pe+v_a
fix a all ave/time 2 3 10 c_thermo_temp v_w c_p[2] c_thermo_pe file a.txt
fix b all ave/time 2 3 10 c_thermo_temp[*] off 2 ave running file b.txt format " %12.5e" title1 "# one" title2 "# two"
fix c all ave/time 5 1 5 c_p c_q mode vector ave window 2 file c.txt start 10
fix d all ave/time 1 1 10 v_w c_p ave running overwrite file d.txt
fix e all ave/time 1 2 10 v_w file e.yaml
fix f all ave/time 1 2 10 c_p mode vector file f.yaml title3 "# rows"
fix g all ave/time 1 2 10 c_p mode vector file g.txt title3 "# rows" title2 "# two" title1 "# one"
fix h all ave/time 1 1 7 v_w append h.txt
fix i all ave/time 3 2 15 c_thermo_pe ave window 3 start 20 file i.txt
fix j all ave/time 1 1 10 c_thermo_temp mode vector
fix k all ave/time 1 10 10 c_thermo_pe ave window 2 off 1
"""


@pytest.mark.parametrize("system", ["lj", "metal"])
def test_averages_and_their_files(system: str, tmp_path: Path) -> None:
    words = [f"f_a[{k}]" for k in (1, 2, 3, 4)] + ["f_b[1]", "f_b[2]", "f_b[5]", "f_c[1][1]", "f_c[6][2]", "f_d[1]", "f_d[2]"]
    words += ["pe", "f_e", "f_f[1]", "f_f[6]", "f_g[2]", "f_j[1]", "f_j[4]", "f_k"]
    both(tmp_path, system, AVERAGES, " ".join(words), "run 30\nrun 20\nrun 40", 10)
    for name in ("a.txt", "b.txt", "c.txt", "d.txt", "e.yaml", "f.yaml", "g.txt", "h.txt", "i.txt"):
        mine, theirs = (tmp_path / "ours" / name).read_text(), (tmp_path / name).read_text()
        assert len(mine.splitlines()) == len(theirs.splitlines()), name
        for one, other in zip(mine.splitlines(), theirs.splitlines(), strict=True):  # all but the last digits
            plain = [re.sub(r"[][,]", " ", text) for text in (one, other)]
            assert same_text(*plain, 2e-5 if name.endswith("txt") else 1e-11), name


KEPT = """
velocity all ramp vx 0 {speed} x 0 5
compute k some ke/atom
compute com some com
compute m some msd
compute mc some msd com yes
compute pa some property/atom id type mass x y z xs ys zs xu yu zu ix iy iz vx vy vz fx fy fz
compute rk all reduce sum c_k
compute rp all reduce sumsq c_pa[*]
variable v atom x+vy
run 0
fix s some store/state 0 id x y z xu yu zu vx fx com yes
fix t some store/state 4 id type mass x xs xu yu zu xsu ix vx fx v_v c_pa[3]
fix u all store/state 0 v_v f_t[4] xu
compute r1 all reduce sumsq f_s[*]
compute r2 all reduce sumsq f_t[*]
compute r3 all reduce sumsq f_u[*]
"""


@pytest.mark.parametrize("system", SYSTEMS)
def test_values_of_atoms_and_what_is_kept_of_them(system: str, tmp_path: Path) -> None:
    speed = 60.0 if system == "metal" else 20.0
    counts = {"com": 3, "m": 4, "mc": 4, "rp": 21, "r1": 9, "r2": 14, "r3": 3}
    words = "c_rk " + " ".join(f"c_{id}[{k + 1}]" for id, count in counts.items() for k in range(count))
    both(tmp_path, system, KEPT.format(speed=speed), words)
