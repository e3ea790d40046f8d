"""Pressures in shells: densities and motion against the reference, pairs against sums over points of their lines.

The reference leaves masses out of stress/spherical, puts lines that come nearer to the centre than both atoms into the shells
of these, and has pressures on surfaces instead of in shells in stress/cylinder."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp

SCRIPT = """
units lj
lattice fcc 0.8442
region box block -2 2 -2 2 -2 2
create_box 1 box
create_atoms 1 box
mass * {mass}
displace_atoms all random 0.1 0.1 0.1 4711
velocity all create 1.3 12345 loop geom
pair_style soft 1.9
pair_coeff * * 10.0
compute s all stress/spherical 1.9 -2.5 2.2 0.3 2.4
compute c all stress/cylinder -1.8 1.9 2.3 0.4
compute k all pressure/cylinder -1.8 1.9 2.3 0.4 ke no
"""
POINTS = 1000


def rows(path: Path) -> np.ndarray:
    return np.array([line.split() for line in path.read_text().splitlines()[4:]], float)[:, 1:]


@pytest.mark.parametrize("mass, columns", [(1.0, {"s": 5, "c": 5, "k": 2}), (1.5, {"c": 5})])
def test_atoms_in_shells(mass: float, columns: dict[str, int], tmp_path: Path) -> None:
    script = SCRIPT.format(mass=mass) + "".join(
        f'fix {name} all ave/time 1 1 1 c_{name}[*] mode vector file {name}.txt format " %.15g"\n' for name in columns)
    script += "run 0\n"
    lmp(tmp_path, script)
    theirs = {name: rows(tmp_path / f"{name}.txt") for name in columns}
    with working_in(tmp_path), Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(script)
    for name, count in columns.items():
        mine = rows(tmp_path / f"{name}.txt")
        assert mine.shape == theirs[name].shape
        np.testing.assert_allclose(mine[:, :count], theirs[name][:, :count], rtol=1e-10, atol=1e-12)


def test_lines_of_pairs() -> None:
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(SCRIPT.format(mass=1.0) + "run 0")
        found = {name: sim.engine.system.computes[name].array() for name in "sc"}
        x, length = sim.gather("x")[:, :3], np.array(sim.engine.system.need_box().lengths)
    d = x[None] - x[:, None]
    d -= length * np.rint(d / length)
    r = np.sqrt((d**2).sum(axis=2))
    i, j = np.nonzero(np.triu(r < 1.9, 1))
    d, r = d[i, j], r[i, j]
    strength = 10.0 * np.pi / 1.9 * np.sin(np.pi * r / 1.9) / r
    places = x[i][:, None] + (np.arange(POINTS)[None, :, None] + 0.5) / POINTS * d[:, None]
    for name, centre in (("s", np.array([1.9, -2.5, 2.2])), ("c", np.zeros(3))):
        p = places - centre
        p -= length * np.rint(p / length)
        around = (p[..., 0] * d[:, None, 1] - p[..., 1] * d[:, None, 0]) ** 2 / (p[..., :2] ** 2).sum(axis=2)
        dims = 3 if name == "s" else 2
        radius = np.sqrt((p[..., :dims] ** 2).sum(axis=2))
        out = ((p * d[:, None])[..., :dims].sum(axis=2) / radius) ** 2
        rest = (d**2).sum(axis=1)[:, None] - out - around
        middles = found[name][:, 0]
        width = middles[1] - middles[0]
        edges = np.append(middles - 0.5 * width, middles[-1] + 0.5 * width)
        volumes = 4 / 3 * np.pi * np.diff(edges**3) if name == "s" else np.pi * np.diff(edges**2) * 3.7
        inside = (p[..., 2] > -1.8) & (p[..., 2] < 1.9) if name == "c" else np.ones(radius.shape, bool)
        for column, part in enumerate((out, around, rest)):
            weights = strength[:, None] * part / POINTS
            wanted = np.histogram(radius[inside], edges, weights=weights[inside])[0] / volumes
            np.testing.assert_allclose(found[name][:, 5 + column], wanted, rtol=0, atol=1e-2 * np.abs(wanted).max())


@pytest.mark.parametrize("words, message", [
    ("stress/spherical 0 0 0 0.3 9", "radius of 9"), ("stress/spherical 0 0 0 0.3", "usage"),
    ("stress/cylinder 0 1 9 0.3", "inside"), ("stress/cylinder 1 0 1 0.3", "heights"),
    ("stress/cylinder 0 1 1 0.3 pair yes", "usage")])
def test_refusals(words: str, message: str) -> None:
    sim = Simulation(device="reference", screen="none", log="none")
    with pytest.raises(EverletError, match=message):
        sim.commands(SCRIPT.format(mass=1.0) + f"compute 1 all {words}")
