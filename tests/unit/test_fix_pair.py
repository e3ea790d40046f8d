"""fix pair: numbers of atoms that a pair style gives besides forces, when they are wanted and not at other steps."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.run.graphs import Replay
from tests.folders import folder_of
from tests.oracle.harness import parse_dump
from tests.tables import rows
from tests.unit.test_learned import MELT, MODELS

UNSURE = MODELS + """
class Unsure(LJ):
    # as sure as its atoms have many neighbours, and less with every step; says it when it is asked
    gives, asked = ("uncertainty", "neighbours"), []

    def forces(self, b):
        energy, slope = super().forces(b)[:2]
        if not b.extras:
            return energy, slope
        Unsure.asked.append((b.step, *sorted(b.extras)))
        count = np.bincount(b.numpy().i, minlength=b.n)[: b.n].astype(float)
        found = {"uncertainty": 0.5 * b.step + 1.0 / count, "neighbours": count}
        return energy, slope, {name: found[name] for name in b.extras if self.wrong != "silent"}
"""
PAIR = "pair_style ml m.py:Unsure\npair_coeff * * A B\n"
WATCHED = """
fix 1 all nve
variable m equal c_m
variable s equal v_m<20
fix h all halt 10 v_m > 25 error continue
fix g all pair 10 ml uncertainty 0
compute m all reduce max f_g
dump d all custom 10 frames id f_g
dump_modify d sort id skip v_s
thermo_style custom step pe c_m
thermo 5
run 100
"""


place = folder_of(m=UNSURE)


def simulation(lines: str) -> Simulation:
    return Simulation(device="serial", tune=False).commands(MELT + lines)


@pytest.mark.parametrize("replayed", [False, True])
def test_a_run_that_ends_where_a_model_is_unsure(place: Path, monkeypatch: pytest.MonkeyPatch, replayed: bool) -> None:
    """The fix that halts was defined before the one that has the values, and sees those of its own step."""
    monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: "" if replayed else "not asked for"))
    sim = simulation(PAIR + WATCHED)
    assert (sim.engine.loop.replay is not None) == replayed
    assert sim.engine.system.step == 50  # 25 and a little
    assert sim.engine.system.pair.model.asked == [(step, "uncertainty") for step in range(0, 51, 10)]
    rows = sim.thermo.table()
    assert rows["step"][-1] == 50 and rows["c_m"][-1] > 25.0
    assert (np.diff(rows["c_m"])[::2] == 0.0).all()  # between its steps the values of the last
    frames = parse_dump((place / "frames").read_text())
    assert list(frames) == [40, 50]  # where c_m is 20 or more
    assert frames[50]["f_g"].max() == pytest.approx(rows["c_m"][-1], rel=1e-5)


def test_several_values_of_a_sub_style(place: Path) -> None:
    sim = simulation("pair_style hybrid/overlay lj/cut 2.5 ml m.py:Unsure depth 0.5\npair_coeff * * lj/cut 0.5 1.0\n"
                     "pair_coeff * * ml A B\nfix g all pair 1 ml neighbours 0 uncertainty 1\nfix 1 all nve\n"
                     "compute c all coord/atom cutoff 2.5\nrun 3")
    given = sim.engine.system.fixes["g"].peratom()
    np.testing.assert_array_equal(given[:, 0], sim.engine.system.computes["c"].peratom())
    np.testing.assert_allclose(given[:, 1], 1.5 + 1.0 / given[:, 0], rtol=1e-14)


def test_minimisations(place: Path) -> None:
    sim = simulation(PAIR + "fix g all pair 1 ml uncertainty 0\ncompute m all reduce max f_g\nthermo_style custom step c_m\n"
                     "thermo 1\nminimize 0 0 3 30")
    rows = sim.thermo.table()
    np.testing.assert_allclose(rows["c_m"] - 0.5 * np.array(rows["step"]), 0.02, atol=0.01)


@pytest.mark.parametrize("line, message", [
    *rows("""
fix g all pair 10 ml gamma 1 -> unknown value of atoms that pair style ml gives 'gamma'
fix g all pair 10 lj/cut rho 0 -> unknown pair style of fix g 'lj/cut'
fix g all pair 0 ml uncertainty 0 -> fix pair every 0 steps
fix g all pair 10 ml uncertainty -> fix ID group pair N STYLE NAME 0|1
fix g all pair 10 ml uncertainty neighbours -> are not names with 0 or 1 behind each
"""),
    ("pair_style ml m.py:Unsure wrong silent\npair_coeff * * A B\nfix g all pair 1 ml uncertainty 0\nrun 0",
     "says that it gives uncertainty, and did not"),
    ("pair_style lj/cut 2.5\npair_coeff * * 1 1\nfix g all pair 10 lj/cut rho 0",
     "pair style lj/cut gives no values of atoms, such as rho"),
    *rows(r"""
fix g all pair 10 ml uncertainty 0\npair_style lj/cut 2.5\npair_coeff * * 1 1\nrun 0 -> unknown pair style of fix g
pair_style ml m.py:LJ\npair_coeff * * A B\nfix g all pair 10 ml uncertainty 0 -> ml gives no values of atoms
""")])
def test_refusals(place: Path, line: str, message: str) -> None:
    with pytest.raises(EverletError) as failure:
        simulation(PAIR + line)
    assert message in str(failure.value)
