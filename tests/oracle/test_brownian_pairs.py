"""Noise of spheres in a fluid: its moments are those of the reference, and it is the same on every device."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from tests.oracle.harness import working_in
from tests.oracle.reference import lmp
from tests.refusals import refused
from tests.tables import rows

STEPS = 4000
START = """units lj
newton off
atom_style sphere
region box block 0 {edge} 0 {edge} 0 {edge}
create_box 1 box
create_atoms 1 single 10 10 10
create_atoms 1 single 12 10.9 10
set atom 1 diameter 2.0
set atom 2 diameter {diameter}
set group all density 1.3
comm_modify mode single vel yes
pair_style {style}
pair_coeff * *
timestep 0.001
"""
DUMP = "dump 1 all custom 1 all.dump id fx fy fz tqx tqy tqz\ndump_modify 1 sort id format float %.10g\n"
CASES = {
    "one size": ("brownian 1.5 1 1 2.1 2.6 1.3 4711", 2.0), "squeezed": ("brownian 1.5 0 0 2.3 2.6 1.3 4711 1 1", 2.0),
    "alone": ("brownian 1.5 0 1 2.1 2.6 1.3 4711 0 1", 2.0), "two sizes": ("brownian/poly 1.5 1 1 1.5 2.6 1.3 4711 1 1", 1.4),
    "no fractions": ("brownian/poly 1.5 0 1 1.5 2.6 1.3 4711 1 0", 1.4),
}


def moments(path: Path) -> np.ndarray:
    """Means of products of two of the twelve numbers of two atoms."""
    lines = [line.split() for line in path.read_text().splitlines() if line[:2] in ("1 ", "2 ") and line.count(" ") >= 6]
    table = np.array(lines, float)[:, 1:].reshape(-1, 12)
    assert len(table) == STEPS + 1
    return table[1:].T @ table[1:] / STEPS


@pytest.mark.parametrize("name", CASES)
def test_moments(name: str, tmp_path: Path) -> None:
    """Means of so many products scatter by 1.5 % of the largest ones on both sides."""
    style, diameter = CASES[name]
    script = START.format(style=style, diameter=diameter, edge=20) + DUMP + f"run {STEPS}\n"
    theirs, ours = tmp_path / "theirs", tmp_path / "ours"
    for folder in (theirs, ours):
        folder.mkdir()
    lmp(theirs, script)
    with working_in(ours), Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(script)
    mine, wanted = moments(ours / "all.dump"), moments(theirs / "all.dump")
    size = np.sqrt(np.outer(*2 * [wanted.diagonal()]))
    assert (size.diagonal() > 0.0).sum() in (2, 4, 6, 12)
    assert np.abs(mine - wanted).max() < 0.1 * np.abs(wanted).max()
    assert (np.abs(mine - wanted) <= 0.09 * size).all(), (mine - wanted) / np.where(size > 0.0, size, 1.0)


@pytest.mark.parametrize("style, diameter", [CASES["one size"], CASES["two sizes"]])
def test_same_noise(style: str, diameter: float) -> None:
    """On one thread, on two, and in plain Python; those of one size have no momentum but what each has for itself."""
    found = []
    for device, threads in (("serial", 0), ("cpu", 2), ("reference", 0)):
        with Simulation(device=device, threads=threads, screen="none", log="none") as sim:
            sim.commands(START.format(style=style.replace("5 1 1 ", "5 1 0 "), diameter=diameter, edge=20) + "run 2\n")
            found.append(np.concatenate([sim.gather("f"), sim.gather("torque")], axis=1))
    for one in found[1:]:
        assert one == pytest.approx(found[0], rel=1e-12)
    if diameter == 2.0:
        assert np.abs(found[0][:, :3].sum(axis=0)).max() < 1e-10 < np.abs(found[0]).max()


def test_cold() -> None:
    """No temperature, no forces: drag belongs to other styles."""
    with Simulation(device="serial", screen="none", log="none") as sim:
        sim.commands(START.format(style="brownian 1.5 1 1 2.1 2.6 0 4711", diameter=2.0, edge=20) + "run 1\n")
        assert not np.any(sim.gather("f")) and not np.any(sim.gather("torque"))


@pytest.mark.parametrize("lines, cause", rows("""
pair_style brownian 1.5 1 1 2.1 2.6 1 4711 0 1 -> LOG 1 with HI 0
pair_style brownian 1.5 1 1 2.1 2.6 1 4711 1 -> HI without VF
pair_style brownian 1.5 1 1 2.7 2.6 1 4711 -> distances
pair_style brownian 1.5 1 2 2.1 2.6 1 4711 -> FLD
pair_style brownian -1 1 1 2.1 2.6 1 4711 -> below zero
set atom 1 diameter 3.0\\nrun 0 -> different sizes
set atom 1 diameter 0.0\\nrun 0 -> without a size
fix 1 all wall/lj93 xlo EDGE 1 1 2 \\nrun 0 -> fix 1 takes
"""))
def test_refused(lines: str, cause: str) -> None:
    base = START.format(style="brownian 1.5 1 1 2.1 2.6 1.3 4711", diameter=2.0, edge=20)
    refused(base.replace("region", "boundary f p p\nregion", 1), lines, cause)
