"""Fixes whose authors know nothing of graphs (tests/naive_fixes.py): steps that would be replayed with values that are old by
then are not, or are recorded anew. `Replaying` is one core that does what a GPU does: launches are collected, and replayed with
the arguments that they had then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import everlet.session
from everlet import Simulation
from everlet.errors import AsksHost
from everlet.portable.batch import collected
from everlet.portable.spaces import Serial, Space
from everlet.run.collecting import Collection
from tests.scripts import melt
from tests.unit.spaces import ON_GPUS

NAIVE = str(Path(__file__).parents[1] / "naive_fixes.py")
START = melt("0 12 0 7 -0.5 0.5", "0.7 4928459 loop all", "hex 0.8", first="dimension 2") + """
neigh_modify every 5 delay 0 check no
region left block 0 6 INF INF INF INF
group left region left
variable size equal 0.002*step
thermo 1000
package everlet neigh full tune off
"""
NPT, NVE = "fix 1 all npt temp 0.7 0.7 0.3 iso 1.0 8.0 0.5\n", "fix 1 all nve\n"


class Replaying(Serial):
    replays = True


def run(monkeypatch: pytest.MonkeyPatch, space: Callable[[], Space], lines: str, log: str = "none") -> Simulation:
    with monkeypatch.context() as here:
        here.setattr(everlet.session, "choose", lambda device, threads: space())
        sim = Simulation(device="serial", log=log)
    sim.load_plugin(NAIVE)
    return sim.commands(START + lines)


def same(one: Simulation, other: Simulation, close: float = 1e-11) -> None:
    for name in ("x", "v", "f"):
        expected = one.gather(name)
        np.testing.assert_allclose(other.gather(name), expected, rtol=0, atol=close * np.abs(expected).max(), err_msg=name)


def replays(sim: Simulation) -> bool:
    assert sim.engine.loop is not None
    return sim.engine.loop.replay is not None


NOT_REPLAYED = {
    "box": "the box", "constants": "the box", "step": "the number of the step", "ramp": "the number of the step",
    "variable": "variable 'size'", "group": "'mask' of atoms", "own": "self.calls", "list": "numbers that are others",
    "field": "'x' of atoms"}
ANEW = ("timestep", "now_and_then")  # recorded again when the value has changed
SPACES = [Replaying, *ON_GPUS]


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("name", [*NOT_REPLAYED, *ANEW])
def test_nothing_old_is_replayed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, space: Callable[[], Space],
                                 name: str) -> None:
    moving = NPT if name in ("box", "constants") else NVE
    more = "fix 3 all dt/reset 11 0.001 0.006 0.02 units box\n" if name == "timestep" else ""
    lines, log = f"{moving}fix 2 all naive/{name}\n{more}run 60", tmp_path / "log"
    one, other = (run(monkeypatch, kind, lines, str(log)) for kind in (Serial, space))
    same(one, other, 1e-11 if space is Replaying else 1e-7)
    assert replays(other) == (name in ANEW)
    if name in NOT_REPLAYED:
        hook = "post_integrate" if name == "field" else "post_force"
        said = f"Steps are launched one by one: fix 2 in {hook} asks the host for {NOT_REPLAYED[name]}"
        assert said in log.read_text()


@pytest.mark.parametrize("space", SPACES)
@pytest.mark.parametrize("lines", [
    "fix 2 all naive/box\nrun 20\nchange_box all x scale 1.1 remap\nrun 20",  # another box makes graphs of another one
    "fix 2 all naive/begins\nrun 20\nrun 20 pre no\nrun 20 pre no",  # without a set-up too, if numbers are others now
], ids=["box", "begins"])
def test_what_stays_in_a_run_may_be_read(monkeypatch: pytest.MonkeyPatch, lines: str, space: Callable[[], Space]) -> None:
    one, other = (run(monkeypatch, kind, NVE + lines) for kind in (Serial, space))
    same(one, other, 1e-11 if space is Replaying else 1e-7)
    assert replays(other)


@pytest.mark.parametrize("space", SPACES)
def test_what_the_host_writes_between_replays_is_seen(monkeypatch: pytest.MonkeyPatch, space: Callable[[], Space]) -> None:
    one, other = (run(monkeypatch, kind, NVE + "fix 2 all naive/nudges\nrun 10\nrun 50") for kind in (Serial, space))
    same(one, other, 1e-11 if space is Replaying else 1e-7)
    assert replays(other)


def test_the_bug_that_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a look at what hooks ask for, the box of the first step is replayed: `Replaying` sees what a GPU would do."""
    lines = f"{NPT}fix 2 all naive/box\nrun 60"
    right = run(monkeypatch, Serial, lines)
    monkeypatch.setattr(Collection, "call", lambda self, fix, hook, function: function())
    wrong = run(monkeypatch, Replaying, lines)
    assert replays(wrong) and 1e-9 < np.abs(wrong.gather("x") - right.gather("x")).max() < 0.1


def test_what_kernels_read_where_they_run_is_replayed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The examples, and fixes that go by the box, under a barostat."""
    more = "fix 2 all spring/self 5.0\nfix 3 all addforce 0.1 0.0 0.0\nfix 4 all drag 1 2 0 0.1 0.5\n" \
        "fix 5 all indent 10.0 cylinder z 3 3 1.5\nfix 6 all my/tether 2.0\n"
    both = []
    for kind in (Serial, Replaying):
        sim = run(monkeypatch, kind, NPT)
        sim.load_plugin(str(Path(__file__).parents[2] / "examples" / "my_tether.py"))
        both.append(sim.commands(f"{more}thermo_style custom step f_2 f_3 f_4[1] f_5 f_6\nrun 60"))
    assert replays(both[1])
    same(*both)
    first, second = (list(sim.thermo.history[-1].values()) for sim in both)
    np.testing.assert_allclose(first, second, rtol=1e-9)


def test_a_clock_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = run(monkeypatch, Replaying, f"{NVE}fix 2 all naive/clock\nrun 2")
    assert not replays(sim)


def test_who_asks_is_named() -> None:
    space = Serial()
    space.ask("something")
    with collected(space):
        space.ask("something")
        space.asker = "fix 2 in post_force"
        space.ask("something that only later steps have another one of", steps=True)
        with pytest.raises(AsksHost, match="fix 2 in post_force asks the host for something"):
            space.ask("something")
