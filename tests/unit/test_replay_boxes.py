"""Replayed steps in a box that kernels change, lists included: as ordinary ones. Graphs are loops on a CPU here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import everlet.session
from everlet import Fix, Simulation
from everlet.portable.spaces import Serial
from tests.scripts import melt

START = melt("0 12 0 7 -0.5 0.5", "0.7 4928459 loop all", "hex 0.8", first="dimension 2") + """
neigh_modify {neigh}
fix 1 all {fix}
thermo 1000
package everlet neigh full tune off
"""
FAST = "nph x 1.0 3.0 0.5 y 2.0 1.0 0.8"  # edges change by a percent in a few steps, and with them the number of bins


class Replaying(Serial):
    """One core that does what a GPU does: steps are collected, and replayed with the numbers that they were collected with."""

    replays = True


def run(monkeypatch: pytest.MonkeyPatch, space: type[Serial], neigh: str, fix: str) -> Simulation:
    monkeypatch.setattr(everlet.session, "choose", lambda device, threads: space())
    sim = Simulation(device="serial").commands(START.format(neigh=neigh, fix=fix) + "run 100")
    assert (sim.engine.loop.replay is not None) == (space is Replaying)  # type: ignore[union-attr]
    return sim


@pytest.mark.parametrize("fix", [FAST, "npt temp 0.7 0.7 0.3 iso 1.0 4.0 2.0"])
@pytest.mark.parametrize("neigh", ["every 5 delay 0 check no", "every 1 delay 0 check yes"])
def test_lists_follow_the_box(monkeypatch: pytest.MonkeyPatch, neigh: str, fix: str) -> None:
    one, other = (run(monkeypatch, space, neigh, fix) for space in (Serial, Replaying))
    for name in ("x", "v", "f"):
        expected = one.gather(name)
        np.testing.assert_allclose(other.gather(name), expected, rtol=0, atol=1e-10 * np.abs(expected).max(), err_msg=name)
    np.testing.assert_allclose(other.engine.system.need_box().h, one.engine.system.need_box().h, rtol=1e-11)


TETHER = str(Path(__file__).parents[2] / "examples" / "my_tether.py")


def test_kernels_of_the_example_read_the_box_where_they_run(monkeypatch: pytest.MonkeyPatch) -> None:
    both = []
    for space in (Serial, Replaying):
        monkeypatch.setattr(everlet.session, "choose", lambda device, threads, space=space: space())
        sim = Simulation(device="serial")
        sim.load_plugin(TETHER)
        sim.commands(START.format(neigh="every 5 delay 0 check no", fix=FAST) + "fix 2 all my/tether 5.0\nrun 60")
        both.append(sim)
    assert both[1].engine.loop.replay is not None  # type: ignore[union-attr]
    np.testing.assert_allclose(both[1].gather("x"), both[0].gather("x"), rtol=0, atol=1e-11)


class Looking(Fix):
    """Looks at the host's box when atoms have moved, in spite of what it says."""

    steady = True

    def init(self) -> None:
        self.seen: list[float] = []

    def begin(self) -> None:
        self.seen.clear()  # hooks were called before the first step, for their launches

    def post_integrate(self) -> None:
        self.seen.append(self.system.need_box().volume)


def test_the_box_of_the_host_is_that_of_the_step() -> None:
    sim = Simulation(device="serial").commands(START.format(neigh="every 5", fix=FAST))
    sim.engine.system.fixes["2"] = Looking(sim.engine.system, "2", "all", [])
    sim.commands("thermo_style custom step vol\nthermo 1\nrun 10")
    assert sim.engine.system.fixes["2"].seen == list(sim.thermo.table()["vol"][1:])
