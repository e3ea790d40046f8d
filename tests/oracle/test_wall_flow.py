"""Transparent walls of fix wall/flow: velocities behind them against their distribution, and against the reference."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from tests.oracle.reference import lmp
from tests.tables import rows

GAS = """
units lj
atom_modify map yes
region box block 0 20 0 20 0 20
create_box 1 box
create_atoms 1 random 20000 4711 NULL
mass 1 2.0
velocity all create 1.5 87287 loop geom dist gaussian
pair_style zero 1.0
pair_coeff * *
neigh_modify every 1
timestep 0.01
fix 1 all nve
fix 2 all wall/flow x 0.8 1.5 593894 1 10.0
"""


def distribution(speed: float = 0.8, width: float = np.sqrt(0.75)) -> tuple[np.ndarray, np.ndarray]:
    """Velocities, and the part of atoms that have a lower one."""
    u = np.linspace(speed - 9 * width, speed + 9 * width, 40001)
    shares = np.abs(u) * np.exp(-0.5 * ((u - speed) / width) ** 2)
    return u, np.cumsum(shares) / shares.sum()


def farthest(sample: np.ndarray) -> float:
    """From the distribution (Kolmogorov and Smirnov), in units in which 1.6 is rare."""
    u, below = distribution()
    found = np.interp(np.sort(sample), u, below)
    return float(np.abs(found - (np.arange(len(found)) + 0.5) / len(found)).max() * np.sqrt(len(found)))


def changed(frames: list[np.ndarray]) -> np.ndarray:
    """Velocities of atoms that have come through a wall."""
    pairs = pairwise(frames)
    return np.concatenate([after[np.abs(after - before).max(axis=1) > 0] for before, after in pairs])


@pytest.mark.parametrize("device", ["serial", "cpu"])
def test_distribution(device: str) -> None:
    frames = []
    with Simulation(device=device, screen="none", log="none") as sim:
        sim.commands(GAS + "run 0")
        for _ in range(50):
            frames.append(sim.velocities[np.argsort(sim.ids)].copy())
            sim.commands("run 1 pre no post no")
    found = changed(frames)
    assert len(found) > 800
    assert farthest(found[:, 0]) < 1.6
    np.testing.assert_allclose(found[:, 1:].std(axis=0), np.sqrt(0.75), rtol=0.06)
    np.testing.assert_allclose(found[:, 1:].mean(axis=0), 0.0, atol=0.1)


def test_the_reference_has_this_distribution(tmp_path: Path) -> None:
    lmp(tmp_path, GAS + "dump 1 all custom 1 v.dump id vx vy vz\ndump_modify 1 sort id format float %.12g\nrun 50")
    text = (tmp_path / "v.dump").read_text().split("ITEM: ATOMS id vx vy vz")[1:]
    frames = [np.array(part.split("ITEM")[0].split(), float).reshape(-1, 4)[:, 1:] for part in text]
    assert farthest(changed(frames)[:, 0]) < 1.6


def test_no_numbers_of_the_machine(tmp_path: Path) -> None:
    """A run that goes on from a file draws what the whole one draws, on threads as on one core."""
    found = []
    for device in ("serial", "cpu"):
        with Simulation(device=device, screen="none", log="none") as sim:
            sim.commands(GAS.replace("random 20000", "random 2000") + "run 60")
            found.append(sim.velocities[np.argsort(sim.ids)].copy())
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(GAS.replace("random 20000", "random 2000") + f"restart 30 {tmp_path}/r.*\nrun 60\nclear\n"
                     f"read_restart {tmp_path}/r.30\npair_style zero 1.0\npair_coeff * *\n" + GAS[GAS.index("neigh_modify"):]
                     + "run 30")
        found.append(sim.velocities[np.argsort(sim.ids)].copy())
    np.testing.assert_allclose(found[1], found[0], rtol=1e-9)
    np.testing.assert_allclose(found[2], found[0], rtol=1e-9)


@pytest.mark.parametrize("text, message", rows(r"""
fix 3 all wall/flow x 1 1 1 1 -> expected
fix 3 all wall/flow w 1 1 1 1 5 -> axis of fix wall/flow
fix 3 all wall/flow x 1 0 1 1 5 -> temperature
fix 3 all wall/flow x 1 1 0 1 5 -> seed
fix 3 all wall/flow x 1 1 1 2 5 -> usage
fix 3 all wall/flow x 1 1 1 2 6 5 -> from low to high
fix 3 all wall/flow x 1 1 1 1 25 -> within the box
fix 3 all wall/flow x 1 1 1 1 5 unit box -> usage
change_box all boundary f p p\nfix 3 all wall/flow x 1 1 1 1 5 -> not periodic
"""))
def test_refused(text: str, message: str) -> None:
    with Simulation(device="serial", log="none", screen="none") as sim, pytest.raises(InputError, match=re.escape(message)):
        sim.commands(GAS.replace("random 20000", "random 20") + text)
