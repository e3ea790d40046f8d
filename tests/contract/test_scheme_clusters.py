"""The cluster scheme gives what a full list gives: in every kind of box, with one and two types, on every device."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.schemes.clusters import Clusters
from everlet.portable.spaces import cores
from everlet.run.plugins import load_plugin
from everlet.state.box import Box
from tests.contract.styles import ENTRIES
from tests.contract.systems import Answer, Sample, answer, brute, crystal_box, scattered, simulate
from tests.scripts import melt as melt_of

PLUGIN = Path(__file__).parents[2] / "examples" / "my_potential.py"
PAIRS = {
    "lj/cut": ENTRIES["lj/cut"].script(modify="shift yes"),
    "morse": ENTRIES["morse"].script(),
    "wobble/auto": "pair_style wobble/auto 2.3\npair_coeff * * 5.0 0.5 6.0\npair_coeff 2 2 4.0 0.6 5.0 2.1",
}
ONE_TYPE = "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0"
BOXES = {
    "tilted": (crystal_box(), 24),
    "flat": (Box([0, 0, -0.5], [9, 8, 0.5], dimension=2), 40),
    "images": (Box([0, 0, 0], [2.2, 2.3, 2.4]), 4),
    "open": (Box([-3, -3, -3], [9, 9, 9], boundary="f f f"), 60),
    "slab": (Box([400, -700, 300], [406, -695.5, 312], boundary="p p f"), 60),
}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Two shapes besides the default, one with each newton flag; in plain Python, which is slow, the two smallest boxes."""
    if test == "test_shapes":
        return (given["shape"], given["newton"]) in (("1x4", "on"), ("8x8", "off"))
    if test == "test_styles" and given["name"] == "morse":
        return False
    return given.get("device") != "reference" or given.get("box", "tilted") in ("tilted", "images")


@functools.cache
def sample(box: str, types: int = 2) -> Sample:
    shape, count = BOXES[box]
    return scattered(shape, count, seed=4, types=types)


@pytest.fixture(scope="module", autouse=True)
def plugin() -> None:
    """The style with an energy only is a user's own."""
    load_plugin(str(PLUGIN))


@functools.cache
def expected(box: str, types: int, pair: str) -> Answer:
    return answer(simulate(sample(box, types).listed("full", "on"), pair, "serial"))


def check(box: str, types: int, pair: str, device: str, newton: str = "on", precision: str = "double") -> None:
    here = replace(sample(box, types), scheme="clusters", newton=newton, precision=precision)
    mine, theirs = answer(simulate(here, pair, device)), expected(box, types, pair)
    force, energy = (1e-12, 1e-12) if precision == "double" else (1e-5, 1e-5)
    assert np.abs(mine.force - theirs.force).max() <= force * np.abs(theirs.force).max()
    assert mine.energy == pytest.approx(theirs.energy, rel=energy)
    assert np.abs(mine.virial - theirs.virial).max() <= energy * np.abs(theirs.virial).max()


@pytest.mark.parametrize("newton", ["on", "off"])
@pytest.mark.parametrize("box", BOXES)
def test_boxes(box: str, newton: str, device: str) -> None:
    check(box, 2, PAIRS["lj/cut"], device, newton)


@pytest.mark.parametrize("box", BOXES)
def test_one_type(box: str, device: str) -> None:
    check(box, 1, ONE_TYPE, device)


@pytest.mark.parametrize("name", ["morse", "wobble/auto"])
def test_styles(name: str, device: str) -> None:
    check("tilted", 2, PAIRS[name], device)


def test_table(device: str, table: Path) -> None:
    check("tilted", 2, ENTRIES["table-spline"].script(table), device)


@pytest.mark.parametrize("box", ["tilted", "slab"])
@pytest.mark.parametrize("precision", ["mixed", "single"])
def test_float_coordinates(box: str, precision: str, device: str) -> None:
    """The slab is far from the origin, where float positions would have lost three digits."""
    check(box, 2, PAIRS["lj/cut"], device, precision=precision)


@pytest.mark.parametrize("newton", ["on", "off"])
@pytest.mark.parametrize("shape", ["1x4", "2x8", "8x8", "8x4", "4x16"])
@pytest.mark.parametrize("box", ["tilted", "images"])
def test_shapes(box: str, shape: str, newton: str) -> None:
    """Every shape gives what a sum over all pairs and images gives."""
    here = replace(sample(box), newton=newton, settings=[f"package everlet scheme clusters shape {shape}"])
    sim = simulate(here, PAIRS["lj/cut"], "serial")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    scheme = sim.engine.loop.pair.scheme
    assert isinstance(scheme, Clusters) and f"{scheme.i_size}x{scheme.width}" == shape
    answer(sim).close_to(brute(here, sim.engine.system.pair), 1e-12)


@pytest.mark.parametrize("command, cause", [
    ("scheme clusters shape 3x8", "unknown cluster shape '3x8'"), ("scheme clusters shape 2x7", "unknown cluster shape '2x7'"),
    ("scheme clusters shape big", "unknown cluster shape 'big'"), ("scheme half shape 2x8", "half has no option 'shape'"),
    ("shape 2x8", "shape belongs to a scheme")])
def test_shapes_that_are_refused(command: str, cause: str) -> None:
    sim = Simulation(device="serial")
    with pytest.raises(InputError, match=cause):
        sim.commands(f"package everlet {command}\n{MELT}\nrun 0")


MELT = melt_of("0 7 0 6 0 6", "3.0 87287 loop geom") + "fix 1 all nve\n"


@functools.cache
def melt(device: str, scheme: str, steps: int = 60) -> tuple[np.ndarray, float, np.ndarray]:
    name, threads = ("cpu", 2) if device == "threads" else (device, 0)
    sim = Simulation(device=name, threads=threads)
    sim.commands(f"package everlet scheme {scheme}\n{MELT}\nrun {steps}")
    return sim.gather("x"), sim.engine.system.energies["vdwl"], sim.engine.system.virial.copy()


def test_moving_atoms() -> None:
    """Through several builds, against full lists."""
    mine, theirs = melt("serial", "clusters"), melt("serial", "full")
    assert np.abs(mine[0] - theirs[0]).max() < 1e-9
    assert mine[1] == pytest.approx(theirs[1], rel=1e-10)


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
def test_threads_change_no_bit() -> None:
    one, two = melt("serial", "clusters"), melt("threads", "clusters")
    assert (one[0] == two[0]).all() and one[1] == two[1] and (one[2] == two[2]).all()


def test_rows_grow_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that begin far too short are made again with more room."""
    before = Clusters._make_slabs

    def short(self: Clusters, *args: object) -> None:
        self.pitch = 1
        before(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(Clusters, "_make_slabs", short)
    check("tilted", 2, PAIRS["lj/cut"], "serial")
