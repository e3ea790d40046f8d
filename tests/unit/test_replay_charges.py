"""Charges in replayed steps: those of ordinary ones, solved and remembered once a step also where a table grows and forces are
computed again. Here graphs are loops on a CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.manybody.reaxff.scheme import ReaxScheme
from everlet.forces.pair.schemes import lists
from everlet.run.graphs import Replay
from tests.oracle.reax_systems import cloud, ffield, water

SCRIPT = """
units real
atom_style charge
read_data atoms
pair_style reaxff NULL
pair_coeff * * {field}
fix q all {fix} 1 0.0 10.0 1e-9 reaxff
fix 1 all nve
neighbor 1.0 bin
neigh_modify every 1 delay 0 check yes
timestep 0.1
velocity all create 2000 4711 loop all
thermo_style custom step pe press f_q
thermo 9
package everlet scheme full tune off
run 6
"""

SYSTEMS = {"qeq/reaxff": (f"{ffield('cho')} C H O", cloud("C H O", atoms=40, edge=12.0)),
           "acks2/reaxff": ("acks2_ff.water H O", water(2, edge=3.4))}


def solved(monkeypatch: pytest.MonkeyPatch, replayed: bool, fix: str, small: str) -> dict[str, np.ndarray]:
    """Fields after some steps in which a table has grown once."""
    monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: "" if replayed else "no"))
    sim = Simulation(device="serial", screen="none", log="none")
    sim.commands(SCRIPT.format(fix=fix, field=SYSTEMS[fix][0]))
    assert sim.engine.loop is not None and (sim.engine.loop.replay is not None) == replayed
    assert sim.engine.loop.pair is not None and isinstance(sim.engine.loop.pair.scheme, ReaxScheme)
    table = getattr(sim.engine.loop.pair.scheme, small)
    repeated: list[bool] = []
    finish = Replay._finish
    monkeypatch.setattr(Replay, "_finish", lambda self, again=False: (repeated.append(again), finish(self, again))[1])
    table.room = table.total // 2
    sim.run(11, pre=False)
    assert any(repeated) == replayed and table.room > table.total, "the table has grown"
    order = np.argsort(sim.engine.system.whole.read("id"))
    system = sim.engine.system
    return {name: system.whole.read(name)[order].copy() for name in ("q", "x", "f", *system.fixes["q"].fields)
            if not name.endswith("home")} | {"iterations": np.array(sim.thermo.table()["f_q"])}


@pytest.mark.parametrize("fix, small", [("qeq/reaxff", "bonds"), ("qeq/reaxff", "angles"), ("acks2/reaxff", "hbonds")])
def test_solutions_are_remembered_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, fix: str, small: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "atoms").write_text(SYSTEMS[fix][1])
    monkeypatch.setattr(lists, "ListSlabs", lambda system, neighbor: None)  # a GPU has no slabs: the host makes them
    one, other = (solved(monkeypatch, replayed, fix, small) for replayed in (False, True))
    for word, expected in one.items():
        np.testing.assert_allclose(other[word], expected, rtol=0, atol=1e-10 * np.abs(expected).max(), err_msg=word)
    history = next(values for name, values in one.items() if name.endswith(".s"))
    assert np.abs(np.diff(history, axis=1)).max(axis=0).min() > 1e-6, "each step has a solution of its own"
