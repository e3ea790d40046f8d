"""Constraints and rigid bodies in replayed steps: the same numbers as in ordinary ones. Here graphs are loops on a CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.schemes import lists
from everlet.run.graphs import Replay
from tests.oracle import test_rigid as rigid
from tests.oracle.test_constraints import SHAKE, molecules, text

SCRIPTS = {"shake": text(f"{SHAKE} a 1\nfix n all npt temp 300 300 100 iso 1 1 200", 60),
           "rigid": rigid.text("fix r all rigid/nve molecule", 60)}


@pytest.mark.parametrize("name", SCRIPTS)
def test_replayed_steps_are_the_same(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    molecules(tmp_path / "molecules.data")
    monkeypatch.setattr(lists, "ListSlabs", lambda system, neighbor: None)  # a GPU has no slabs: the host makes them
    found = []
    for replayed in (False, True):
        sim = Simulation(device="serial", screen="none", log="none")
        monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop, yes=replayed: "" if yes else "no"))
        sim.commands("package everlet scheme full tune off\nneighbor 0.3 bin\n" + SCRIPTS[name])
        assert sim.engine.loop is not None and (sim.engine.loop.replay is not None) == replayed
        assert all(fix.steady for fix in sim.engine.system.fixes.values())
        found.append(sim.thermo.table())
    for column in found[0]:
        np.testing.assert_allclose(found[1][column], found[0][column], rtol=1e-11, atol=1e-11, err_msg=column)
