"""What GPUs do for scheme clusters gives what a sum over all images gives; here CPUs and plain Python do the same."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.schemes import clusters_teams
from everlet.forces.pair.schemes.base import Scheme, scheme_on
from everlet.forces.pair.schemes.clusters import Clusters
from everlet.forces.pair.schemes.clusters_teams import TeamClusters
from everlet.portable import Serial, Space
from everlet.run.graphs import Replay
from everlet.run.tuning.tuner import candidates
from tests.contract.styles import ENTRIES
from tests.contract.systems import answer, brute, simulate
from tests.contract.test_scheme_clusters import BOXES, MELT, ONE_TYPE, PAIRS, sample

SHAPES = ["8x1", "8x8", "4x8", *(pytest.param(shape, marks=pytest.mark.all) for shape in ("4x1", "8x4", "2x1", "1x4"))]


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every box compiled, the two smallest in plain Python; newton off with the default shape."""
    if test == "test_shapes" and given["newton"] == "off":
        return given["shape"] == "8x1"
    return given.get("device") != "reference" or given.get("box", "tilted") in ("tilted", "images")


class Paper(Space):
    """A GPU on paper."""

    target = "cuda"


@pytest.fixture(autouse=True)
def as_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    def on(cls: type[Scheme], space: Space) -> type[Scheme]:
        return TeamClusters

    monkeypatch.setattr(Clusters, "on", classmethod(on))


def scheme_of(sim: Simulation) -> TeamClusters:
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    scheme = sim.engine.loop.pair.scheme
    assert isinstance(scheme, TeamClusters)
    return scheme


def check(box: str, pair: str, device: str, shape: str = "8x1", types: int = 2, precision: str = "double",
          newton: str = "on", more: str = "") -> Simulation:
    here = replace(sample(box, types), precision=precision, newton=newton,
                   settings=[f"package everlet scheme clusters shape {shape} {more}"])
    sim = simulate(here, pair, device)
    scheme = scheme_of(sim)
    assert f"{scheme.i_size}x{scheme.j_size}" == shape and scheme.fixed.used == (precision != "double")
    answer(sim).close_to(brute(here, sim.engine.system.pair), 1e-12 if precision == "double" else 1e-5)
    return sim


@pytest.mark.parametrize("shape", ["8x1", "8x8"])
@pytest.mark.parametrize("box", BOXES)
def test_boxes(box: str, shape: str, device: str) -> None:
    check(box, PAIRS["lj/cut"], device, shape)


@pytest.mark.parametrize("newton", ["on", "off"])
@pytest.mark.parametrize("shape", SHAPES)
def test_shapes(shape: str, newton: str) -> None:
    check("tilted", ONE_TYPE, "serial", shape, types=1, newton=newton)


def test_styles(device: str, table: Path) -> None:
    check("tilted", PAIRS["morse"], device)
    check("slab", ENTRIES["table-spline"].script(table), device, "8x4")


@pytest.mark.parametrize("precision, branch", [
    ("double", "no"), ("mixed", "yes"), *(pytest.param(*both, marks=pytest.mark.all) for both in
                                          (("mixed", "no"), ("single", "yes"), ("single", "no")))])
def test_precisions(precision: str, branch: str, device: str) -> None:
    """The slab is far from the origin, where float positions would have lost three digits."""
    check("slab", PAIRS["lj/cut"], device, precision=precision, more=f"branch {branch}")


@pytest.mark.all
def test_float_clusters(device: str) -> None:
    check("tilted", PAIRS["lj/cut"], device, "8x8", precision="mixed")


@pytest.mark.parametrize("shape", ["8x1", "8x8"])
def test_rows_grow_without_loss(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that begin far too short are made again with more room."""
    asked: list[float] = []
    room = TeamClusters._room

    def short(places: float) -> int:
        asked.append(places)
        return room(places if len(asked) > 1 else 0.0)

    monkeypatch.setattr(TeamClusters, "_room", staticmethod(short))
    check("tilted", PAIRS["lj/cut"], "serial", shape)
    assert len(asked) == 2


@pytest.mark.parametrize("shape", ["3x8", "8x2", "8x16", "big"])
def test_shapes_that_are_refused(shape: str) -> None:
    with pytest.raises(InputError, match=f"unknown cluster shape '{shape}'"):
        Simulation(device="serial").commands(f"package everlet scheme clusters shape {shape}\n{MELT}\nrun 0")


def melt(replayed: bool, neigh: str, monkeypatch: pytest.MonkeyPatch, scheme: str, short: bool = False,
         precision: str = "double") -> Simulation:
    monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: "" if replayed else "not asked for"))
    sim = Simulation(device="serial", precision=precision)
    sim.commands(f"package everlet scheme {scheme} tune off\n{MELT}\nneigh_modify {neigh}\nthermo 17")
    sim.run(1)
    if scheme == "full":
        sim.run(60, pre=False)
        return sim
    made = scheme_of(sim)
    room = made.room
    if short:  # the next rebuild on the device finds that half of the places are missing
        longest = int(made.count.data[: made.items].max())
        monkeypatch.setattr(clusters_teams, "SPILL", room - longest // 2)
    sim.run(60, pre=False)
    assert (made.room > room) == short
    return sim


NEIGH = ["delay 0 every 10 check no", "delay 0 every 1 check yes"]


@pytest.mark.parametrize("neigh", NEIGH)
@pytest.mark.parametrize("scheme", ["clusters", "clusters shape 8x8"])
def test_moving_atoms(scheme: str, neigh: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Through several builds: as with full lists, and the same bits if steps and builds are replayed."""
    plain, full = melt(False, neigh, monkeypatch, scheme), melt(False, neigh, monkeypatch, "full")
    assert np.abs(plain.gather("x") - full.gather("x")).max() < 1e-9
    assert plain.engine.system.energies["vdwl"] == pytest.approx(full.engine.system.energies["vdwl"], rel=1e-10)
    for short in (False, True):
        replayed = melt(True, neigh, monkeypatch, scheme, short)
        assert replayed.engine.loop is not None and replayed.engine.loop.replay is not None
        assert replayed.engine.lists is not None and replayed.engine.lists.decision.builds > 1
        for name in ("x", "v", "f"):
            assert np.array_equal(replayed.gather(name), plain.gather(name)), name


def test_replayed_mixed_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (melt(replayed, NEIGH[0], monkeypatch, "clusters", precision="mixed") for replayed in (True, False))
    assert np.array_equal(one.gather("x"), other.gather("x"))


def test_tuning_tries_large_systems_only() -> None:
    for atoms, tried in ((31_999, False), (32_000, True)):
        system: Any = SimpleNamespace(natoms=atoms, space=Paper(), precision="double", pair=PairStyle)
        assert ("clusters" in candidates(system, "full")) == tried


def test_only_gpus_take_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert scheme_on("clusters", Paper()) is TeamClusters and scheme_on("clusters", Serial()) is Clusters
