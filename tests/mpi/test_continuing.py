"""Runs that go on from restart files on as many ranks: to the last bit, also with unequal parts of the box.

Each script does both: the unbroken run, then, after `clear`, the one that goes on; positions and the like are compared.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.mpi.ranks import run_scripts
from tests.oracle.reax_systems import water as reactive_water
from tests.unit.test_exact import AT, READ, STEPS, lines_of, water
from tests.unit.test_exact_systems import CRYSTAL, EAM, FCC, LJ, REACTIVE, REAXFF

DUMP = "write_dump all custom {} id x y z vx vy vz fx fy fz ix iy iz modify format float %.17g sort id\n"
ROWS = "thermo_style custom step temp pe press\nthermo 1\nthermo_modify norm no\n"
CUTS = "group some id 1:20\ndelete_atoms group some\nbalance 1.0 shift xyz 5 1.0\n"
CASES = {
    "shake": (READ, lines_of("npt", "shake", "pppm")),
    "rattle": (READ, lines_of("nvt", "rattle", "ewald")),
    "rigid": (READ, lines_of("npt", "rigid", "pppm")),
    "rigid/small": (READ, lines_of("langevin", "rigid/small", "pppm")),
    "tip4p": (READ, lines_of("langevin", "shake", "pppm/tip4p")),
    "eam": (CRYSTAL.format(**FCC) + CUTS, EAM + "fix 1 all npt temp 900 900 0.1 aniso 0 0 1\n" + ROWS),
    "balanced": (CRYSTAL.format(**FCC | {"boundary": "boundary p p s"}),
                 LJ + "fix 1 all nve\nfix b all balance 4 1.0 shift xy 5 1.0\n" + ROWS),
    "reaxff": (REACTIVE, REAXFF + "fix q all qeq/reaxff 1 0.0 10.0 1e-6 reaxff\nfix 1 all nvt temp 600 500 20\n" + ROWS),
}
FEW = ("shake", "rigid/small", "eam", "balanced")
REST = tuple(name for name in CASES if name not in FEW)
FILES = {"water.data": water(), "atoms": reactive_water(3)}


def script(first: str, rest: str) -> str:
    return (f"{first}{rest}restart {AT} r.*\nrun {STEPS}\n{DUMP.format('whole')}clear\nread_restart r.{AT}\n{rest}"
            f"restart {AT} q.*\nrun {STEPS - AT} start 0 stop {STEPS}\n{DUMP.format('parts')}")


@pytest.mark.parametrize("ranks, names", [(2, FEW), (2, REST), (3, tuple(CASES))], ids=["few", "rest", "three"])
def test_bits(ranks: int, names: tuple[str, ...], tmp_path: Path) -> None:
    scripts = {name.replace("/", "-"): (script(*CASES[name]), FILES) for name in names}
    places = run_scripts(ranks, scripts, tmp_path)
    assert [name for name, place in places.items() if (place / "whole").read_text() != (place / "parts").read_text()] == []
    assert [name for name, place in places.items() if "begins anew" in (place / "run.log").read_text()] == []
    for place in places.values():  # rows of both runs too, of the steps that both have
        rows = [line.split() for line in (place / "run.log").read_text().splitlines() if line.split()[:1] == [str(STEPS)]]
        assert len(rows) == 2 and rows[0] == rows[1], place
