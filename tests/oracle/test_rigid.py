"""Rigid bodies against the reference, and what they must keep."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle import test_constraints as constraints
from tests.oracle.test_constraints import compare, molecules

FREE = constraints.MOLECULES[1:3] * 2  # three different moments: axes are where they are in the reference


def text(fixes: str, steps: int = 100, more: str = "") -> str:
    script = constraints.text(f"neigh_modify exclude molecule/intra all\n{fixes}", steps, angles="")
    script = script.replace("fnorm", "fnorm " + more)
    return script.replace("bond_coeff 1 300", "bond_coeff 1 0").replace("bond_coeff 2 300", "bond_coeff 2 0")


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("fixes, more", [
    ("fix r all rigid molecule", "f_r f_r[3][1] f_r[3][5] f_r[3][9] f_r[3][10] f_r[1][13]"),
    ("fix r all rigid/small molecule", "f_r"),
    ("group big id 1:40\ngroup rest subtract all big\nfix r big rigid molecule torque 2*4 off on off force 5 on on off\n"
     "fix n rest nve", "f_r"),
    ("group a id 1:9\ngroup b id 20:31\ngroup rest subtract all a b\nfix r all rigid group 2 b a\n"
     "fix n rest nvt temp 300 300 100",
     "f_r[1][4] f_r[2][12]"),
    ("group few id 1:30\ngroup rest subtract all few\nfix r few rigid single\nfix n rest nve", "f_r")])
def test_bodies(fixes: str, more: str, here: Path) -> None:
    molecules(here / "molecules.data", tilt=2.0 if "small" in fixes else 0.0)
    compare(text(fixes, more=more), here)


@pytest.mark.parametrize("fixes", ["fix r all rigid/nve molecule", "fix r all rigid/nve/small molecule"])
def test_symplectic_bodies(fixes: str, here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(constraints, "MOLECULES", FREE)
    molecules(here / "molecules.data")
    compare(text(fixes), here, threads=2)


def test_shapes_and_momenta_are_kept(here: Path) -> None:
    """Distances inside of bodies do not change, nor do the momentum and the energy."""
    molecules(here / "molecules.data")
    sim = Simulation(device="cpu", threads=1, screen="none", log="none")
    sim.commands(text("fix r all rigid/nve molecule\npair_modify shift yes", 0))

    def seen() -> tuple[np.ndarray, np.ndarray]:
        order = np.argsort(sim.array("id"))
        x, v, mass = sim.array("x")[order], sim.array("v")[order], sim.system.masses[sim.array("type")[order]]
        of = sim.array("molecule")[order]
        i, j = np.nonzero(np.triu(of[:, None] == of[None, :], 1))
        d = x[i] - x[j]
        return np.linalg.norm(d - 13.8 * np.rint(d / 13.8), axis=1), (mass[:, None] * v).sum(axis=0)

    before = seen()
    sim.commands("run 200")
    for was, now in zip(before, seen(), strict=True):
        np.testing.assert_allclose(now, was, atol=1e-11)
    energy = sim.thermo.table()["etotal"]
    assert np.ptp(energy) < 1e-3 * abs(energy[0])


@pytest.mark.parametrize("fixes, message", [
    ("fix r all rigid/small single", "usage"), ("fix r all rigid sngle", "single"),
    ("fix r all rigid custom i_a", "not available"),
    ("group one id 1\nfix r one rigid single", "1 atoms"), ("fix r all rigid molecule langevin 300 300 100 7", "langevin"),
    ("fix r all rigid molecule force 99 on on on", "out of range"), ("fix r all rigid molecule reinit no", "reinit no"),
    ("fix r all rigid group 2 all all", "several bodies"),
    ("fix r all rigid molecule\nfix s all rigid/small molecule", "one fix"),
    ("fix r all rigid/nvt molecule temp 300 300 100", "not available"), ("fix r all rigid molecule infile a", "infile")])
def test_refusals(fixes: str, message: str, here: Path) -> None:
    molecules(here / "molecules.data")
    with pytest.raises(EverletError, match=message):
        Simulation(device="cpu", threads=1, screen="none", log="none").commands(text(fixes, 0))
