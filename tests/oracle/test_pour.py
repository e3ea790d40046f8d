"""Grains that are poured, against the reference: streams of random numbers are the same, digit by digit."""

from __future__ import annotations

from pathlib import Path

import pytest

from everlet import Simulation
from tests.oracle.side_by_side import both_tables, same_tables
from tests.refusals import refused
from tests.tables import rows

BASE = """
dimension {dimension}
atom_style sphere
atom_modify sort 0 0
boundary {boundary}
newton off
comm_modify vel yes
region box block 0 6 0 {y} {z} units box
create_box 2 box
pair_style gran/hooke 2000.0 NULL 50.0 NULL 0.5 0
pair_coeff * *
neighbor 0.2 bin
timestep 0.002
region slab block 0.5 5.5 {slab} units box
region tube cylinder z 3 3 2.4 3.0 7.0 units box
fix 1 all nve/sphere
fix 2 all gravity 1.0 {down}
compute e all erotate/sphere
compute a all property/atom radius mass
compute s all reduce sumsq x y z vx vy vz c_a[1] c_a[2]
compute_modify thermo_temp dynamic/dof yes
thermo_style custom step atoms ke c_e c_s[*]
thermo_modify lost error norm no format float %.17g
thermo 40
"""
SOLID = dict(dimension=3, boundary="p p f", y="6", z="0 9", slab="0.5 5.5 3.0 7.0", down="vector 0 0 -1")
FLAT = dict(dimension=2, boundary="p f p", y="9", z="-0.5 0.5", slab="3.0 7.0 -0.5 0.5", down="vector 0 -1 0")
FLOOR = "fix w all wall/gran hooke 2000.0 NULL 50.0 NULL 0.5 0 zplane 0 NULL\n"
CASES = {
    "block": (SOLID, FLOOR + "fix p all pour 30 1 300719 vol 0.13 50 region slab diam range 0.8 1.1 dens 1.0 2.0 "
                             "vel -0.2 0.3 -0.1 0.1 -4.0"),
    "cylinder": (SOLID, FLOOR + "fix p all pour 24 2 4711 region tube diam poly 2 0.7 0.4 0.9 0.6 vol 0.06 50 vel 0 0 0 0 -6.0 "
                 "rate 0.5 id next"),
    "plane": (FLAT, FLOOR.replace("zplane", "yplane") + "fix p all pour 12 1 4711 region slab vol 0.1 20 vel -0.1 0.2 -5.0 "
              "diam one 0.7 ignore"),
}


@pytest.mark.parametrize("name", CASES)
def test_pouring(name: str, tmp_path: Path) -> None:
    numbers, lines = CASES[name]
    found, expected = both_tables(tmp_path, f"{BASE.format(**numbers)}{lines}\nrun 400\nrun 200\n")
    same_tables(found, expected, 1e-10)
    assert expected[0]["Atoms"][0] < expected[0]["Atoms"][2] < expected[1]["Atoms"][-1]


def test_a_pouring_goes_on_from_a_restart_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    numbers, lines = CASES["block"]
    base, found = BASE.format(**numbers), []
    rest = "pair_style gran" + base.split("pair_style gran")[1]
    first = f"{base}{lines}\nrestart 300 r.*\nrun 600"
    for text in (first, f"read_restart r.300\n{rest}{lines}\nrun 300 start 0 stop 600"):
        with Simulation(screen="none", device="serial") as sim:
            sim.commands(text)
            found.append(sim.gather("x"))
    assert len(found[0]) == 30 and (found[0] == found[1]).all()


@pytest.mark.parametrize("lines, cause", rows(r"""
fix p all pour 9 1 1 region slab mol m -> 'mol' is not available
fix p all pour 9 1 1 vol 0.2 50 -> needs a region
region ball sphere 3 3 4 1\nfix p all pour 9 1 1 region ball -> no block and no cylinder
fix p all pour 9 1 1 region slab diam poly 2 1 0.5 2 0.4 -> add up to 1
fix p all pour 9 1 1 region slab\nunfix 2\nrun 0 -> one fix gravity
fix 2 all gravity 1 vector 1 0 0\nfix p all pour 9 1 1 region slab\nrun 0 -> straight down
fix p all pour 9 1 1 region slab vol 0.001 1\nrun 0 -> 0 grains
"""))
def test_refused(lines: str, cause: str) -> None:
    refused(BASE.format(**SOLID), lines, cause)
