"""Tilted boxes that fix deform changes, velocities that follow them, and SLLOD, against the reference."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from everlet import InputError, Simulation
from tests.oracle.side_by_side import both_tables, same_tables
from tests.scripts import melt
from tests.tables import rows

BASE = melt("prism 0 3 0 3 0 3 {tilt}", cutoff=2.0, first="atom_modify sort 0 0") + """
group some id 2:60
neigh_modify every 1 delay 0 check no
compute td all temp/deform
variable d equal 0.1*sin(3*step*dt)
variable r equal 0.3*cos(3*step*dt)
variable s atom x
compute i all property/atom ix iy iz
compute s all reduce sumsq vx vy c_i[1] c_i[2]
"""
WORDS = "temp pe press pxx pxy pxz pyz lx ly lz xy xz yz c_td c_td[1] c_td[4] c_s[1] c_s[2] c_s[3] c_s[4]"
CASES = {  # tilts, fixes, words
    "final-delta-vel": ("0.7 0.4 -0.3", "fix 1 all nve\nfix 2 all deform 1 xy final 1.2 xz delta 0.2 yz vel 0.5", ""),
    "erate-trate-wiggle": ("0.7 0.5 0.3", "fix 1 all nve\nfix 2 some deform 2 x erate 0.1 xy trate 0.5 xz erate 0.3 yz wiggle "
                           "0.3 0.25 units box", ""),
    "flip": ("1.4 -1.4 0.2", "fix 1 all nve\nfix 2 all deform 1 xy erate 1.0 xz vel -0.9", ""),
    "no-flip": ("1.4 0 0", "fix 1 all nve\nfix 2 all deform 1 xy erate 1.0 flip no remap none", ""),
    "remap-v": ("0 0 0", "fix 1 all nve\nfix 2 some deform 1 x erate 0.1 xy erate 1.0 yz vel -0.6 z trate 0.1 remap v", ""),
    "variable": ("0.3 0 0", "fix 1 all nve\nfix 2 all deform 1 xy variable v_d v_r x variable v_d v_r remap v", ""),
    "volume": ("0.3 0 0", "fix 1 all nve\nfix 2 all deform 1 x erate 0.3 y volume z volume xy erate 0.2", ""),
    "sllod": ("0 0 0", "fix 2 all deform 1 xy erate 1.0 remap v\nfix 1 all nvt/sllod temp 1.4 1.2 0.5",
              "f_1 f_1[1] f_1[2] econserve"),
    "psllod": ("0 0 0", "fix 2 all deform 1 xy erate 0.7 yz vel 0.4 x trate 0.2 remap v\nfix 1 all nvt/sllod temp 1.4 1.2 0.5 "
               "tchain 3 drag 0.2 psllod yes", "f_1 f_1[1] f_1[5] econserve"),
    "thermostats": ("0 0 0", "fix 2 all deform 1 xy erate 1.0 remap v\nfix 1 all nvt temp 1.4 1.2 0.5\nfix_modify 1 temp td\n"
                    "fix 3 some langevin 1.4 1.4 0.5 4711\nfix_modify 3 temp td\nthermo_modify temp td", "f_1"),
}


def both(folder: Path, name: str, runs: str = "run 30\nrun 20") -> None:
    tilt, fixes, more = CASES[name]
    script = BASE.format(tilt=tilt) + fixes
    script += f"\nthermo_style custom step {WORDS} {more}\nthermo_modify format float %.17g\nthermo 10\n{runs}\n"
    found, expected = both_tables(folder, script)
    assert len(found) == len(expected) == 2
    same_tables(found, expected, but="c_td" if name == "volume" else "")  # rates of such edges are others there


@pytest.mark.parametrize("name", CASES)
def test_as_the_reference(name: str, tmp_path: Path) -> None:
    both(tmp_path, name)


def _temperature(fixes: str, tilt: str) -> tuple[float, float, float]:
    sim = Simulation(device="serial", log="none", screen="none")
    sim.commands(BASE.format(tilt=tilt) + fixes + "\nneigh_modify every 1 delay 0 check yes\n"
                 "thermo_style custom step c_td pe xy\nrun 40\n")
    row = sim.thermo.table()
    sim.close()
    return row["c_td"][-1], row["pe"][-1], row["xy"][-1]


def test_flips_change_no_physics() -> None:
    """Atoms that crossed a face since the last lists keep their velocity within the flow when the box is flipped."""
    fixes = "fix 2 all deform 1 xy erate 1.5 remap v flip {}\nfix 1 all nvt/sllod temp 1.4 1.4 0.5"
    found = [_temperature(fixes.format(flip), "1.3 0 0") for flip in ("yes", "no")]
    assert found[0][2] < 0.0 < found[1][2]
    assert found[0][:2] == pytest.approx(found[1][:2], rel=1e-9)


def test_volume_is_kept_by_the_flow() -> None:
    """Rates of edges that keep the volume: the flow has no divergence."""
    sim = Simulation(device="serial", log="none", screen="none")
    fixes = "fix 1 all nve\nfix 2 all deform 1 x trate 0.3 y volume z volume remap v\nrun 5\n"
    sim.commands(BASE.format(tilt="0.3 0 0") + fixes)
    rates, lengths = sim.engine.system.flow.rates, sim.engine.system.need_box().lengths
    assert abs((rates[:3] / lengths).sum()) < 1e-14 and rates[1] < -0.1
    sim.close()


@pytest.mark.parametrize("text, message", [
    *rows(r"""
fix 2 all deform 1 yz trate 1 -> cannot grow
fix 2 all deform 1 xy scale 2 -> unknown style
fix 2 all deform 1 xy variable 1 2 -> two variables
fix 2 all deform 1 xy erate 1 remap y -> unknown remap
fix 2 all deform 1 xy variable v_s v_r\nrun 0 -> style atom
fix 2 all deform 1 xy erate -> expected
fix 2 all deform 1 xy erate 1 yz erate 5\nrun 100 -> while xy changes
fix 2 all deform 1 xy erate 1\nfix 3 all nvt/sllod temp 1 1 1\nrun 0 -> remap v
fix 3 all nvt/sllod temp 1 1 1\nrun 0 -> remap v
"""),
    ("fix 2 all deform 1 xy erate 1 remap v\nfix 3 all nvt/sllod temp 1 1 1\ncompute t all temp\nfix_modify 3 temp t\nrun 0",
     "counts the flow"),
    *rows(r"""
fix 3 all nvt/sllod temp 1 1 1 iso 1 1 1 -> does not control
fix 3 all nvt temp 1 1 1 psllod yes -> psllod
compute t all temp/deform 1 -> expected
fix 2 all deform 1 xy erate 1\nfix 3 all npt temp 1 1 1 tri 1 1 1\nrun 0 -> both change
""")])
def test_what_is_refused(text: str, message: str) -> None:
    sim = Simulation(device="serial", log="none", screen="none")
    with pytest.raises(InputError, match=re.escape(message)):
        sim.commands(BASE.format(tilt="0.3 0 0") + text)
