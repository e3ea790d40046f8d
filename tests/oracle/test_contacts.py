"""What contacts of grains remember stays theirs where ids, copies or the law change, as in the reference."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

SLIDING = """
units lj
atom_style sphere
atom_modify map array sort 0 0
comm_modify vel yes
newton off
region box block 0 10 0 10 0 10
create_box 2 box
create_atoms 1 single 1 1 1
create_atoms 1 single 5 5 5
create_atoms 1 single 5.95 5 5
create_atoms 1 single 5.45 5.82 5
set group all diameter 1.0
set group all density 1.0
set atom 3 omega 0.0 0.0 5.0
group far id 1
pair_style {pair}
pair_coeff * *
timestep 0.0005
fix 1 all nve/sphere
neighbor 0.3 bin
run {steps}
"""
HISTORY = "gran/hooke/history 1e4 NULL 50 NULL 0.5 1"
FRAME = "write_dump all custom {whose}.dump x y z fx fy fz tqz modify sort 3 format float %.17g\n"


def forces(folder: Path, more: str, pair: str = HISTORY, steps: int = 15) -> np.ndarray:
    """x y z fx fy fz tqz of grains."""
    with working_in(folder), Simulation(device="serial", screen="none", tune=False) as sim:
        sim.commands(SLIDING.format(pair=pair, steps=steps) + more + "\nrun 0\n" + FRAME.format(whose="our"))
    return np.loadtxt(folder / "our.dump", skiprows=9)


def compare(folder: Path, more: str) -> None:
    found = forces(folder, more)
    lmp(folder, SLIDING.format(pair=HISTORY, steps=15) + more + "\nrun 0\n" + FRAME.format(whose="their"))
    wanted = np.loadtxt(folder / "their.dump", skiprows=9)
    np.testing.assert_allclose(found[np.lexsort(found.T)], wanted[np.lexsort(wanted.T)], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("more", [
    "delete_atoms group far compress yes", "delete_atoms group far compress no", "reset_atoms id",
    "pair_style gran/hooke/history 1e4 NULL 50 NULL 0.5 1\npair_coeff * *",
    "pair_style gran/hertz/history 1e4 NULL 50 NULL 0.5 1\npair_coeff * *",
    "pair_style granular\npair_coeff * * hooke 1e4 50 tangential mindlin/force 1e3 1 0.5",
])
def test_memory(tmp_path: Path, more: str) -> None:
    compare(tmp_path, more)


def test_ids_are_new_behind_a_restart_file(tmp_path: Path) -> None:
    again = "write_restart a.restart\nclear\nread_restart a.restart\nfix 1 all nve/sphere\n"
    there, here = (forces(tmp_path, more + "delete_atoms group far") for more in (again, ""))
    np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-12)


def test_copies_remember_each_their_own(tmp_path: Path) -> None:
    once, twice = forces(tmp_path, ""), forces(tmp_path, "replicate 2 1 1")
    for copy in (twice[twice[:, 0] < 10.0], twice[twice[:, 0] > 10.0]):
        np.testing.assert_allclose(copy[:, 3:], once[:, 3:], rtol=1e-9, atol=1e-9)


def test_grains_of_two_fixes_freeze(tmp_path: Path) -> None:
    lines = "group a id 2\ngroup b id 3\ngroup ab id 2 3\nvelocity ab set 0 0 0\nset group ab omega 0 0 0\n"
    one, two = (forces(tmp_path, lines + more + "\nrun 5", steps=1) for more in (
        "fix f ab freeze", "fix f a freeze\nfix g b freeze"))
    np.testing.assert_array_equal(one, two)
    assert np.abs(one[:, 3:]).max() > 1.0


def test_friction_without_a_stiffness(tmp_path: Path) -> None:
    """It is that of sliding alone."""
    found = forces(tmp_path, "", "gran/hooke/history 1e4 0 50 NULL 0.5 1")
    wanted = forces(tmp_path, "", "gran/hooke 1e4 0 50 NULL 0.5 1")
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10)
