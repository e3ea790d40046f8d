"""The scheme windows gives the plain sum over all images, in every kind of box; its rows are what they claim to be."""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.schemes.windows import Windows
from everlet.portable import Space
from everlet.portable.spaces import cores
from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import Answer, Sample, answer, brute, crystal_box, scattered, simulate
from tests.scripts import melt as melt_of

LJ = ENTRIES["lj/cut"].script(modify="shift yes")
BOXES = {
    "tilted": (crystal_box(), 24),
    "flat": (Box([0, 0, -0.5], [9, 8, 0.5], dimension=2), 40),
    "tiny": (Box([0, 0, 0], [1.3, 1.4, 1.2]), 2),
    "slab": (Box([-3, 0, 0], [6, 9, 7], boundary="p f p"), 60),
    "long": (Box([0, 0, 0], [40, 4, 4], 0.0, 1.2, 0.0), 200),
    "one atom": (Box([0, 0, 0], [9, 9, 9]), 1),
}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every box compiled, two of them in plain Python, which is slow with many atoms; two styles."""
    if test == "test_boxes":
        return given["device"] != "reference" or given["shape"] in ("tilted", "tiny")
    return test != "test_styles" or given["name"] == "table-spline"


@functools.cache
def sample(shape: str, types: int = 2) -> Sample:
    box, count = BOXES[shape]
    return replace(scattered(box, count, seed=6, apart=0.85, avoid=CUTS, types=types), scheme="windows")


@functools.cache
def expected(shape: str, pair: str = LJ, types: int = 2) -> Answer:
    sim = simulate(sample(shape, types), pair, "reference", run="")
    sim.engine.system.pair.init()
    return brute(sample(shape, types), sim.engine.system.pair)


def scheme_of(sim: Simulation) -> Windows:
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    assert isinstance(sim.engine.loop.pair.scheme, Windows)
    return sim.engine.loop.pair.scheme


@pytest.mark.parametrize("newton", ["on", "off"])
@pytest.mark.parametrize("shape", BOXES)
def test_boxes(shape: str, newton: str, device: str) -> None:
    sim = simulate(replace(sample(shape), newton=newton), LJ, device)
    found = answer(sim)
    found.close_to(expected(shape), 1e-12)
    sim.set_array("f", np.full_like(sim.array("f"), 7.0))  # the loop without tallies
    scheme_of(sim)
    assert sim.engine.loop is not None
    sim.engine.loop.forces(False)
    Answer(found.energy, found.virial, sim.gather("f")).close_to(found, 1e-12)


@pytest.mark.parametrize("name", ["morse", "table-spline"])
def test_styles(name: str, compiled: str, table: Path) -> None:
    pair = ENTRIES[name].script(table)
    answer(simulate(sample("slab"), pair, compiled)).close_to(expected("slab", pair), 1e-12)


def test_one_type(compiled: str) -> None:
    pair = "pair_style lj/cut 2.5\npair_coeff 1 1 1.0 1.0"
    answer(simulate(sample("slab", 1), pair, compiled)).close_to(expected("slab", pair, 1), 1e-12)


@pytest.mark.parametrize("precision", ["mixed", "single"])
def test_precision(precision: str, compiled: str) -> None:
    found, exact = answer(simulate(replace(sample("slab"), precision=precision), LJ, compiled)), expected("slab")
    assert np.abs(found.force - exact.force).max() <= 1e-5 * np.abs(exact.force).max()
    assert found.energy == pytest.approx(exact.energy, rel=1e-5)
    assert np.abs(found.virial - exact.virial).max() <= 1e-5 * np.abs(exact.virial).max()


@pytest.mark.parametrize("branch", ["yes", "no"])
def test_branch(branch: str) -> None:
    sim = simulate(replace(sample("slab"), settings=[f"package everlet scheme windows branch {branch}"]), LJ, "serial")
    answer(sim).close_to(expected("slab"), 1e-12)
    assert dict(scheme_of(sim)._loop(False).statics)["BRANCH"] == (branch == "yes")


def check_rows(sim: Simulation) -> None:
    """No atom twice in a step; every lane has the row of its atom; every atom has a lane."""
    scheme, near, total = scheme_of(sim), sim.engine.lists, sim.engine.system.atoms.total
    assert near is not None
    width, windows = scheme.width, int(scheme.edges[-1])
    count, neigh, member, steps = near.count.get(), near.neigh.get(), scheme.member.get(), scheme.steps.get()
    lanes = []
    for w in range(windows):
        first = w * scheme.pitch * width
        rows = scheme.rows.get()[first : first + steps[w] * width].reshape(-1, width)
        for step in rows:
            atoms = step[step < total]
            assert len(set(atoms.tolist())) == len(atoms)
        atoms = member[w * width : (w + 1) * width].tolist()
        for lane, i in enumerate(atoms):
            own = lane == 0 or i != atoms[0]
            wanted = neigh[i * near.si : i * near.si + count[i]].tolist() if own else []
            assert sorted(rows[rows[:, lane] < total, lane].tolist()) == sorted(wanted)
            lanes += [i] if own else []
    assert sorted(lanes) == list(range(sim.engine.system.atoms.n))


@pytest.mark.parametrize("shape", ["tilted", "tiny", "long"])
def test_rows(shape: str) -> None:
    check_rows(simulate(sample(shape), LJ, "serial"))


def test_rows_grow_without_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Windows._make_windows

    def short(self: Windows) -> None:
        before(self)
        self.neighbor.room, self.pitch = 1, 1

    monkeypatch.setattr(Windows, "_make_windows", short)
    sim = simulate(sample("tilted"), LJ, "serial")
    check_rows(sim)
    assert scheme_of(sim).pitch > 1
    answer(sim).close_to(expected("tilted"), 1e-12)


MELT = melt_of("0 9 0 5 0 5", "3.0 87287 loop geom") + "fix 1 all nve\n"


@functools.cache
def melt(threads: int, scheme: str) -> tuple[np.ndarray, float, np.ndarray]:
    sim = Simulation(device="cpu", threads=threads)
    sim.commands(f"package everlet scheme {scheme}\n{MELT}\nrun 60")
    return sim.gather("x"), sim.engine.system.energies["vdwl"], sim.engine.system.virial.copy()


def test_moving_atoms() -> None:
    """Through several builds, against full lists."""
    mine, theirs = melt(1, "windows"), melt(1, "full")
    assert np.abs(mine[0] - theirs[0]).max() < 1e-9
    assert mine[1] == pytest.approx(theirs[1], rel=1e-10)


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
@pytest.mark.parametrize("scheme", ["windows", "half accumulate coloured"])
def test_threads_change_no_bit(scheme: str) -> None:
    one, two = melt(1, scheme), melt(2, scheme)
    assert (one[0] == two[0]).all() and one[1] == two[1] and (one[2] == two[2]).all()


def test_a_gpu_is_refused() -> None:
    class Paper(Space):
        target = "cuda"

    sim = simulate(sample("tiny"), LJ, "reference")
    scheme = scheme_of(sim)
    sim.engine.system.space = Paper()
    with pytest.raises(InputError, match="scheme windows does not run on a GPU") as caught:
        Windows(sim.engine.system, scheme.neighbor, scheme.parameters)
    assert "full" in str(caught.value.remedy)
