"""Friction that remembers: fix gld and fix gle without noise as in the reference, with it by temperatures."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.side_by_side import differences
from tests.oracle.test_small_fixes import BLOCK, BOX, END
from tests.refusals import refused
from tests.tables import rows

ARGON = """units {units}
atom_modify map array
lattice fcc 5.26
region box block 0 3 0 3 0 3
create_box 1 box
create_atoms 1 box
mass 1 39.95
displace_atoms all random 0.05 0.05 0.05 55
velocity all create 80 4928459 loop all
pair_style lj/cut 7.0
pair_coeff * * 0.01 3.4
timestep {dt}
"""


def test_gld_without_noise(tmp_path: Path) -> None:
    fixes = "fix 1 some gld 0 0 2 12345 pprony 0.5 0.3 1.5 0.8\n"
    assert not differences(BOX.format(box=BLOCK) + fixes + END.format(words="vol", norm="no") + "run 5\n", tmp_path)


@pytest.mark.parametrize(("units", "dt", "terms"), [("real", 2.0, "0.5 50 0.7 30"), ("metal", 0.002, "500 0.05 700 0.03")])
def test_units_of_gld(units: str, dt: float, terms: str, tmp_path: Path) -> None:
    fixes = f"fix 1 all gld 0 0 2 12345 pprony {terms} frozen yes\n"
    assert not differences(ARGON.format(units=units, dt=dt) + fixes + END.format(words="vol", norm="no"), tmp_path)


MATRIX = "0.5 1.0 0.2  # of three\n-1.0 0.8 0.1\n0.1 -0.2 1.5\n"


@pytest.mark.parametrize("words", ["0 0 0 4711 one", "2 0 0 4711 three", "2 0 0 4711 three every 2"])
def test_gle_without_noise(words: str, tmp_path: Path) -> None:
    (tmp_path / "one").write_text("0.7\n")
    (tmp_path / "three").write_text(MATRIX)
    words = words.replace("one", f"{tmp_path}/one").replace("three", f"{tmp_path}/three")
    script = BOX.format(box=BLOCK) + f"fix 1 some gle {words}\n" + END.format(words="vol", norm="no") + "run 6\n"
    assert not differences(script, tmp_path / "both")


GAS = """units lj
region box block 0 8 0 8 0 8
create_box 1 box
create_atoms 1 random 1000 4711 box
mass 1 2.0
velocity all create {begin} 87287
pair_style zero 1.0
pair_coeff * *
timestep 0.05
"""


@pytest.mark.parametrize(("fix", "begin", "end"), [("gld 1.5 1.5 2 4711 pprony 2.0 0.3 1.5 0.8", 0.3, 1.5),
                                                   ("gld 0.5 0.5 1 99 pprony 4.0 0.1 frozen yes", 2.0, 0.5),
                                                   ("gle 2 1.5 1.5 4711 MATRIX", 0.5, 1.5),
                                                   ("gle 2 1.5 1.5 4711 MATRIX every 5", 1.5, 1.5),
                                                   ("gle 0 1.0 1.0 4711 ONE noneq TWO", 0.5, 2.0)])
def test_temperatures(fix: str, begin: float, end: float, tmp_path: Path) -> None:
    """3000 degrees of freedom; means of 40 temperatures, some 10 of them independent, are within 1 % of what they must be."""
    for name, text in (("MATRIX", MATRIX), ("ONE", "0.7\n"), ("TWO", "2.0\n")):
        (tmp_path / name).write_text(text)
        fix = fix.replace(name, f"{tmp_path}/{name}")
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(GAS.format(begin=begin) + f"fix 1 all {fix}\nthermo_style custom step temp\nthermo 10\nrun 200\nrun 400")
        found = np.mean([row["temp"] for row in sim.thermo.history[-40:]])
        assert found == pytest.approx(end, rel=0.03)


@pytest.mark.parametrize("style", ["gld 1.2 1.2 2 4711 pprony 2.0 0.3 1.5 0.8", "gle 2 1.2 1.2 4711 MATRIX"])
def test_goes_on_from_a_file(style: str, tmp_path: Path) -> None:
    (tmp_path / "MATRIX").write_text(MATRIX)
    start = BOX.format(box=BLOCK)
    fix = f"fix 1 all {style}\n".replace("MATRIX", f"{tmp_path}/MATRIX")
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(start + fix + f"restart 6 {tmp_path}/half.*\nrun 12")
        once = sim.velocities
    with Simulation(device="serial", screen="none") as sim:
        sim.commands(f"read_restart {tmp_path}/half.6\n" + start[start.index("pair_style"):].replace("group", "#") + fix
                     + "run 12 upto")
        np.testing.assert_allclose(sim.velocities, once, rtol=0, atol=1e-13)


@pytest.mark.parametrize(("line", "cause"), rows(r"""
fix 1 all gle 2 1 1 4711 nowhere -> fix gle cannot read nowhere
fix 1 all gle -1 1 1 4711 nowhere -> -1 momenta
fix 1 all gle 2 1 1 4711 -> expected 5 or more
fix 1 all gld 1 1 2 4711 pprony 1 1 -> expected 4 or more arguments
fix 1 all gld 1 1 0 4711 pprony 1 1 -> 0 terms of friction
fix 1 all gld 1 1 1 4711 prony 1 1 -> unknown memory of fix gld
fix 1 all gld 1 1 1 4711 pprony 1 0 -> TAU that is not above 0
fix 1 all gld 1 1 1 4711 pprony 1 1 zero yes -> zero yes is not available
fix 1 all gld 1 1 1 4711 pprony 1 1 forzen yes -> unknown keyword of fix gld
"""))
def test_refused(line: str, cause: str) -> None:
    refused(BOX.format(box=BLOCK), line, cause)
