"""Tuning of skin, bins, threads, cluster shape, batches of SNAP and sort interval.

They are chosen by cost, never against the user, kept in restarts.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.snap.scheme import SnapFull, SnapInTeams
from everlet.forces.pair.schemes.clusters import Clusters
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.io import remembered
from everlet.portable.spaces import cores
from everlet.run import planning
from everlet.run.tuning import tuner as tune
from everlet.state.plan import Plan
from tests.scripts import crystal
from tests.unit.test_snap import write
from tests.unit.test_tune import MELT, lines

STEP = 1e-4  # seconds that a step takes with the default plan


@pytest.fixture(autouse=True)
def small_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "STEPS", 20)
    monkeypatch.setattr(tune, "ATOMS", 100)
    monkeypatch.setattr(tune, "SHARE", 1e9)
    monkeypatch.setattr(remembered, "_path", lambda topic: tmp_path / f"{topic}.json")
    monkeypatch.setattr(tune, "candidates", lambda system, default: [default])
    monkeypatch.setattr(planning, "default_scheme", lambda *about: "half")


def costs(monkeypatch: pytest.MonkeyPatch, **faster: float) -> None:
    """Trials do all their work, but the time is made up: the named values take so much of the usual time."""
    real = tune.trial

    def pretend(system: Any, loop: Any, interval: float, usual: float = 0.0) -> float:
        real(system, loop, interval)
        scheme = loop.pair.scheme
        parts = scheme.parts if isinstance(scheme, HybridScheme) else [scheme]
        snap = next((one for one in parts if isinstance(one, SnapInTeams)), None)
        present = {f"team_{snap.team}": True, f"ahead_{snap.ahead}": True} if snap is not None else {}
        present |= {"skin_short": loop.neighbor.skin < 0.29, "bins_large": loop.neighbor.settings.bins == 1.0,
                   "one_thread": system.space.threads == 1, "shuffled": system.next_sort > 10**9,
                   "shape_small": isinstance(scheme, Clusters) and scheme.i_size == 2}
        return STEP * float(np.prod([faster.get(name, 1.0) for name, is_so in present.items() if is_so]))

    monkeypatch.setattr(tune, "trial", pretend)


def same(one: Simulation, two: Simulation) -> None:
    for name in ("id", "x", "v", "f"):
        assert np.array_equal(one.array(name), two.array(name)), name


def test_knobs_are_turned_and_nothing_else_changes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """The fastest values are found, and the run has the bits of one that was given the same values."""
    costs(monkeypatch, skin_short=0.9, bins_large=0.9, shuffled=2.0)
    monkeypatch.setattr(tune, "SORTS", (15, 10**6))
    monkeypatch.setattr(tune, "SORTING", 1e9)
    log = tmp_path / "log"
    tuned = Simulation(device="serial", log=str(log)).commands(MELT)
    tuned.run(40)
    plan, skin = tuned.engine.system.plan, 0.7 * 0.3
    assert plan == Plan("half", skin=skin, bins=1.0, sort=15)
    assert lines(log, "tune:")[0].startswith("tune: scheme half, skin 0.21, bins 1, sort 15 (half ")
    given = Simulation(device="serial", tune=False).commands(MELT)
    given.commands(f"neighbor {skin!r} bin\nneigh_modify binsize {skin + 2.5!r}\natom_modify sort 15 0")
    given.run(40)
    assert given.engine.system.plan == Plan("half")
    same(tuned, given)
    other = Simulation(device="serial", log=str(log)).commands(MELT)
    other.run(40)
    assert other.engine.system.plan == plan and lines(log, "tune:")[0].endswith("remembered)")


def test_the_default_stays_if_nothing_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    costs(monkeypatch, skin_short=0.98, bins_large=1.2, shuffled=1.01)
    tuned, plain = (Simulation(device="serial", tune=on).commands(MELT) for on in (True, False))
    tuned.run(40)
    plain.run(40)
    assert tuned.engine.system.plan == plain.engine.system.plan == Plan("half")
    same(tuned, plain)


@pytest.mark.parametrize("given, knob", [
    ("neighbor 0.3 bin", "skin"), ("neigh_modify every 2", "skin"), ("neigh_modify delay 5", "skin"),
    ("neigh_modify check no", "skin"), ("neigh_modify once yes", "skin"), ("neigh_modify binsize 1.3", "bins"),
    ("neighbor 0.3 nsq", "bins"), ("atom_modify sort 0 0", "sort"), ("atom_modify sort 1000 0", "sort")])
def test_what_the_user_gave_stays(given: str, knob: str, monkeypatch: pytest.MonkeyPatch) -> None:
    costs(monkeypatch, skin_short=0.5, bins_large=0.5, shuffled=2.0)
    sim = Simulation(device="serial").commands(f"{MELT}{given}")
    sim.run(20)
    assert not getattr(sim.engine.system.plan, knob)
    assert any(getattr(sim.engine.system.plan, other) for other in ("skin", "bins", "sort") if other != knob)


def test_a_value_given_later_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    costs(monkeypatch, skin_short=0.5)
    sim = Simulation(device="serial").commands(MELT)
    sim.run(20)
    assert sim.engine.lists is not None and sim.engine.lists.skin == pytest.approx(0.21)
    sim.commands("neighbor 0.4 bin\npackage everlet tune off")
    sim.run(20)
    assert sim.engine.lists.skin == 0.4 and sim.engine.system.plan == Plan("half")


def test_cluster_shape(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(planning, "default_scheme", lambda *about: "clusters")
    costs(monkeypatch, shape_small=0.8)
    sim = Simulation(device="serial").commands(MELT)
    sim.run(20)
    assert str(dict(sim.engine.system.plan.knobs)["shape"]).startswith("2x")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    scheme = sim.engine.loop.pair.scheme
    assert isinstance(scheme, Clusters) and scheme.i_size == 2


SNAP = crystal("0 3 0 3 0 3", "fcc 4.0", units="metal") + """
mass 1 50.0
{pair}
neighbor 1.0 bin
neigh_modify binsize 3.0
atom_modify sort 1000 0
fix 1 all nve
"""
ALONE = "pair_style snap\npair_coeff * * my.snapcoeff my.snapparam A"
OVERLAY = """pair_style hybrid/overlay zbl 2.0 3.0 snap
pair_coeff 1 1 zbl 6 6
pair_coeff * * snap my.snapcoeff my.snapparam A"""


@pytest.mark.parametrize("pair", [ALONE, OVERLAY], ids=["alone", "overlay"])
def test_batching_of_snap_on_a_gpu(pair: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Team and products are turned one after the other, the line says so, and the next run remembers."""
    write(tmp_path, 2)
    monkeypatch.chdir(tmp_path)
    costs(monkeypatch, team_16=0.8, team_8=0.9, ahead_8=0.8, ahead_2=1.1)
    plain = Simulation(device="serial").commands(SNAP.format(pair=pair))
    plain.run(20)
    assert plain.engine.system.plan == Plan("full"), "lanes of a CPU are atoms"
    (tmp_path / "tune.json").unlink()
    monkeypatch.setattr(SnapFull, "on", classmethod(lambda cls, space: SnapInTeams))  # pretend
    log, plan = tmp_path / "log", Plan("full", (("team", 16), ("ahead", 8)))
    for end in (" ns/atom)", ", remembered)"):
        tuned = Simulation(device="serial", log=str(log)).commands(SNAP.format(pair=pair))
        tuned.run(20)
        assert tuned.engine.system.plan == Plan.read(plan.content()) == plan
        assert lines(log, "tune:")[0].startswith("tune: scheme full, team 16, ahead 8 (full ")
        assert lines(log, "tune:")[0].endswith(end)
    ((key, times),) = json.loads((tmp_path / "tune.json").read_text()).items()
    assert {"full", "full team 16", "full team 8", "full team 16 ahead 2", "full team 16 ahead 8"} <= set(times)
    assert "snap 2J = 2" in key, "another potential has other best values"


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
def test_thread_split(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A run on all cores may use fewer; one that was told how many uses those."""
    costs(monkeypatch, one_thread=0.5)
    log = tmp_path / "log"
    few = Simulation(device="cpu", log=str(log)).commands(MELT)
    few.run(20)
    assert few.engine.system.plan.threads == few.engine.space.threads == 1 and few.engine.space.most == cores()
    assert f"threads({cores()}) using 1," in log.read_text()
    alone = Simulation(device="serial", tune=False).commands(MELT)
    alone.run(20)
    same(few, alone)
    told = Simulation(device="cpu", threads=2).commands(MELT)
    told.run(20)
    assert told.engine.system.plan.threads == 0 and told.engine.space.threads == 2


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
def test_restart_keeps_the_plan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A continued run repeats the first to the last bit, whatever is measured then."""
    costs(monkeypatch, skin_short=0.9, bins_large=0.9, one_thread=0.9, shuffled=2.0)
    monkeypatch.setattr(tune, "SORTS", (15,))
    file = tmp_path / "r"
    one = Simulation(device="cpu").commands(f"{MELT}restart 20 {file}")
    one.run(38)
    plan = one.engine.system.plan
    assert plan == Plan("half", skin=0.7 * 0.3, bins=1.0, threads=1, sort=15)
    (tmp_path / "tune.json").unlink()
    costs(monkeypatch)
    two = Simulation(device="cpu").commands(f"read_restart {file}.20\nfix 1 all nve\nthermo 10")
    two.run(18)
    assert two.engine.system.plan == plan
    same(one, two)
