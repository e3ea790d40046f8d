"""Tuning: what is remembered, when it is off, that it changes nothing but the scheme, and restarts continue exactly."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.fixes.base import HOOKS, Fix, fix_style
from everlet.io import remembered
from everlet.neighbor.decide import NeighborSettings
from everlet.portable import cache
from everlet.run import planning
from everlet.run.tuning import tuner as tune
from everlet.state.plan import Plan
from tests.scripts import melt

MELT = melt("0 5 0 5 0 5", "1.44 87287 loop geom") + """
fix 1 all nve
thermo 10
"""
LISTS = "neighbor 0.3 bin\nneigh_modify every 5 delay 0 check no\natom_modify sort 1000 0"
TIMES = {"half": 300.0, "full": 400.0}


@pytest.fixture(autouse=True)
def small_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Short runs are tuned, measurements go to a file of this test, two schemes are known, bins are not tuned."""
    monkeypatch.setattr(tune, "STEPS", 20)
    monkeypatch.setattr(tune, "ATOMS", 100)
    monkeypatch.setattr(tune, "SHARE", 1e9)
    monkeypatch.setattr(tune, "KNOBS", ())
    monkeypatch.setattr(planning, "default_scheme", lambda *about: "half")
    monkeypatch.setattr(remembered, "_path", lambda topic: tmp_path / f"{topic}.json")
    monkeypatch.setattr(tune, "candidates", lambda system, default: [default, {"half": "full"}.get(default, "half")])


def lines(path: Path, word: str) -> list[str]:
    return [line for line in path.read_text().splitlines() if line.startswith(word)]


def simulation(log: str = "none", **options: bool) -> Simulation:
    """Nothing but the scheme can be tuned."""
    return Simulation(device="serial", log=log, **options).commands(MELT).commands(LISTS)


def test_fastest_needs_a_gain() -> None:
    assert tune.fastest({"half": 100.0, "full": 98.0}, "half") == "half"
    assert tune.fastest({"half": 100.0, "full": 90.0}, "half") == "full"
    assert tune.fastest({"half": 100.0, "cells": None}, "half") == "half"


def test_a_run_is_tuned_once_and_remembered(tmp_path: Path) -> None:
    log = tmp_path / "log"
    sim = simulation(str(log))
    sim.run(20)
    said = lines(log, "tune:")
    assert len(said) == 1 and said[0].startswith("tune: scheme ") and "half " in said[0] and "ns/atom)" in said[0]
    kept = json.loads((tmp_path / "tune.json").read_text())
    assert len(kept) == 1 and "lj/cut" in next(iter(kept)) and set(next(iter(kept.values()))) == {"half", "full"}
    sim.run(5)
    assert len(lines(log, "tune:")) == 1 and sim.engine.tuner.chosen  # a later short run keeps the choice and says nothing
    other = simulation(str(log))
    other.run(20)
    assert lines(log, "tune:")[0].endswith("remembered)") and other.engine.system.scheme == sim.engine.system.scheme


@pytest.mark.parametrize("times", [TIMES, {"half": 400.0, "full": 300.0}])
def test_nothing_changes_but_the_scheme(times: dict[str, float], monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers are those of a run that was given the scheme."""
    costs = dict(times)
    real = tune.trial

    def pretend(system, loop, interval, usual=0.0):
        real(system, loop, interval)  # all the work of a trial, so that traces of it would show
        return costs[loop.neighbor.kind] * 1e-9 * system.natoms

    monkeypatch.setattr(tune, "trial", pretend)
    best = min(times, key=lambda name: times[name])
    tuned, given = simulation(), simulation(tune=False).commands(f"package everlet scheme {best}")
    tuned.run(20)
    given.run(20)
    assert tuned.engine.system.scheme == given.engine.system.scheme == best
    for name in ("id", "x", "v", "f"):
        assert np.array_equal(tuned.array(name), given.array(name)), name


@pytest.mark.parametrize("how", ["api", "package", "scheme", "short"])
def test_switched_off(how: str, tmp_path: Path) -> None:
    sim = simulation(tune=how != "api")
    if how == "package":
        sim.commands("package everlet tune off")
    if how == "scheme":
        sim.commands("package everlet scheme full")
    sim.run(19 if how == "short" else 20)
    assert not (tmp_path / "tune.json").exists()
    assert sim.engine.system.scheme == ("full" if how == "scheme" else "half")


@pytest.mark.parametrize("content", ["", "{", "[1]", '{"KEY": 3}', '{"KEY": {"half": "fast"}}', '{"KEY": {"half": -1}}',
                                     '{"KEY": {"full": 300}}'])
def test_damaged_memory_is_measured_again(content: str, tmp_path: Path) -> None:
    sim = simulation()
    key = tune.kind(sim.engine.system, 0.3)
    (tmp_path / "tune.json").write_text(content.replace("KEY", key))
    sim.run(20)
    kept = json.loads((tmp_path / "tune.json").read_text())[key]
    assert set(kept) == {"half", "full"} and all(ns > 0 for ns in kept.values())


def test_memory_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(remembered, "_path", lambda topic: tmp_path / "missing" / f"{topic}.json")
    remembered.put("tune", "a", {"half": 1.0})
    assert remembered.get("tune", "a") == {}


def test_a_small_budget_measures_nothing_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tune, "SHARE", 0.0)
    sim = simulation()
    sim.run(20)
    assert sim.engine.system.scheme == "half"
    assert set(next(iter(json.loads((tmp_path / "tune.json").read_text()).values()))) == {"half"}


def test_a_scheme_that_refuses_is_passed_over(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(tune, "candidates", lambda system, default: [default, "nosuch"])
    sim = simulation()
    sim.run(20)
    assert sim.engine.system.scheme == "half"
    assert next(iter(json.loads((tmp_path / "tune.json").read_text()).values()))["nosuch"] is None


def test_restart_keeps_the_scheme(tmp_path: Path) -> None:
    """A continued run repeats the first to the last bit, whatever was measured meanwhile."""
    one = simulation()
    remembered.put("tune", tune.kind(one.engine.system, 0.3), {"half": 400.0, "full": 300.0})
    file = tmp_path / "r"
    one.commands(f"restart 20 {file}").run(30)
    assert one.engine.system.scheme == "full"
    remembered.put("tune", tune.kind(one.engine.system, 0.3), TIMES)
    two = Simulation(device="serial").commands(
        f"read_restart {file}.20\n{LISTS}\nfix 1 all nve\nthermo 10")
    two.run(10)
    assert two.engine.system.scheme == "full"
    one.run(20)
    two.run(20)
    assert one.engine.system.scheme == two.engine.system.scheme == "full"  # the file has named it: it stays in both
    for name in ("id", "x", "v"):
        assert np.array_equal(one.array(name), two.array(name)), name


def test_rebuild_interval() -> None:
    system = simulation(tune=False).engine.system
    assert tune.rebuild_interval(system, NeighborSettings(every=20, check=False), 0.3) == 20
    assert tune.rebuild_interval(system, NeighborSettings(every=4, delay=10, check=False), 0.3) == 12
    assert tune.rebuild_interval(system, NeighborSettings(once=True), 0.3) == tune.LONGEST
    assert 3 < tune.rebuild_interval(system, NeighborSettings(), 0.3) < 30
    system.atoms.edit("v")[:] = 0.0
    assert tune.rebuild_interval(system, NeighborSettings(), 0.3) == tune.LONGEST


def test_kinds(tmp_path: Path) -> None:
    """Measurements are shared by systems of about the same size, not by other cutoffs or precisions."""
    sim = simulation()
    key = tune.kind(sim.engine.system, 0.3)
    assert key == tune.kind(sim.engine.system, 0.32) != tune.kind(sim.engine.system, 3.0)
    assert "double" in key and "serial" in key and "4^4 atoms" in key
    assert cache.directory().is_dir() and sim.engine.space.machine() in key


def test_tuning_with_a_barostat() -> None:
    """Steps of barostats read the sums of terms, also while kernels of a trial are compiled."""
    sim = simulation()
    sim.commands("unfix 1\nfix 1 all npt temp 1.44 1.44 0.5 iso 0 0 5\nrun 40")
    assert np.isfinite(sim.array("x")).all() and sim.engine.system.step == 40
    sim.close()


@pytest.mark.parametrize("steady", [False, True])
def test_trials_call_no_hook(steady: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also those of a run before it, of ghosts, and when forces on ghosts have not been sent home."""
    called: list[str] = []
    body = {hook: lambda self, hook=hook: called.append(hook) for hook in HOOKS} | {"steady": steady, "every": 1}
    monkeypatch.setitem(fix_style._known, "t/noting", type("Noting", (Fix,), body))
    sim = simulation().commands("package everlet graphs off\nfix 2 all t/noting\nrun 5")
    assert set(called) == set(HOOKS)
    choose, calls = tune.TuningSession.choose, list[int]()

    def watched(self: tune.TuningSession, default: Plan) -> tune.Choice:
        before = len(called)
        found = choose(self, default)
        calls.append(len(called) - before)
        assert len(found.times) > 1
        return found

    monkeypatch.setattr(tune.TuningSession, "choose", watched)
    sim.run(40)
    assert calls == [0] and called.count("pre_reverse") > 40
    sim.close()
