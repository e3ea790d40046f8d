"""Replayed steps: the same numbers as ordinary steps, whatever stops a sequence. Here graphs are loops on a CPU."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet import Simulation
from everlet.errors import EverletError
from everlet.forces.pair.schemes import lists
from everlet.run import graphs
from everlet.run.graphs import Replay
from tests.scripts import crystal

MELT = crystal("0 4 0 4 0 4", types=2, first="boundary {boundary}") + """
set type 1 type/fraction 2 0.3 5311
mass * 1.0
velocity all create {hot} {seed} loop geom
{pair}
neighbor 0.3 bin
neigh_modify {neigh}
fix 1 all nve
thermo 17
thermo_modify lost ignore
package everlet scheme {scheme} tune off
"""
PAIR = """
pair_style lj/cut 2.5
pair_coeff * * 1.0 1.0 2.5
pair_coeff 1 2 0.8 1.0
"""
HYBRID = """
pair_style hybrid/scaled 0.5 lj/cut 2.5 2.0 morse 2.0 1.0 lj/cut 1.5
pair_coeff * * lj/cut 1 1.0 1.0
pair_coeff 1 2 lj/cut 2 0.8 1.0
pair_coeff 1 1 morse 0.2 3.0 1.1
"""
SILICON = """
pair_style hybrid/overlay lj/cut 2.5 sw
pair_coeff * * sw {} Si NULL
pair_coeff * 2 lj/cut 0.8 1.0
"""


def run(monkeypatch: pytest.MonkeyPatch, replayed: bool, steps: int = 60, precision: str = "double", shrink: bool = False,
        **options: str) -> Simulation:
    usual = {"boundary": "p p p", "hot": "1.44", "seed": "87287", "neigh": "delay 0 every 20 check no", "scheme": "full",
             "pair": PAIR}
    chosen = usual | options
    monkeypatch.setattr(Replay, "why_not", staticmethod(lambda loop: "" if replayed else "not asked for"))
    monkeypatch.setattr(lists, "ListSlabs", lambda system, neighbor: None)  # a GPU has no slabs: the host makes them
    sim = Simulation(device="serial", precision=precision)
    sim.commands(MELT.format(**chosen))
    if shrink:  # arrays with no room to spare, so that rebuilds on the device do not fit
        sim.run(1)
        sim.engine.comm.capacity = sim.engine.system.atoms.nghost
        sim.engine.lists.room = 8 * (int(sim.engine.lists.count.data[: sim.engine.system.atoms.n].max()) // 8)
        sim.run(steps, pre=False)
    else:
        sim.run(steps)
    assert (sim.engine.loop.replay is not None) == replayed
    return sim


def same(one: Simulation, other: Simulation) -> None:
    for name in ("id", "x", "v", "f", "image", "type"):
        first, second = one.engine.system.atoms.read(name), other.engine.system.atoms.read(name)
        assert np.array_equal(first, second), name
    assert one.thermo.history == other.thermo.history
    for what in ("builds", "dangerous", "ago"):
        assert getattr(one.engine.lists.decision, what) == getattr(other.engine.lists.decision, what), what


@pytest.mark.parametrize("scheme", ["full", "half"])
@pytest.mark.parametrize("neigh", ["delay 0 every 20 check no", "delay 0 every 1 check yes", "delay 4 every 2 check yes",
                                   "once yes"])
def test_replayed_steps_are_ordinary_steps(monkeypatch: pytest.MonkeyPatch, neigh: str, scheme: str) -> None:
    same(*(run(monkeypatch, replayed, neigh=neigh, scheme=scheme) for replayed in (True, False)))


@pytest.mark.parametrize("seed", ["87292", "87301", "87315", "87316"])
def test_ghosts_of_graphs_are_those_of_the_host(monkeypatch: pytest.MonkeyPatch, seed: str) -> None:
    """Lists of graphs and of the host in turns: whose atoms have images is not kept from one to the other."""
    same(*(run(monkeypatch, replayed, neigh="delay 4 every 2 check yes", scheme="half", seed=seed)
           for replayed in (True, False)))


@pytest.mark.parametrize("scheme", ["full", "half"])
@pytest.mark.parametrize("neigh", ["delay 0 every 20 check no", "delay 0 every 1 check yes"])
def test_hybrid_styles(monkeypatch: pytest.MonkeyPatch, neigh: str, scheme: str) -> None:
    same(*(run(monkeypatch, replayed, neigh=neigh, scheme=scheme, pair=HYBRID) for replayed in (True, False)))


def test_hybrid_styles_with_forces_on_ghosts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "one.sw").write_text("Si Si Si 1.0 1.0 1.8 21.0 1.2 -0.333333 7.049556 0.6022246 4.0 0.0 0.0\n")
    pair = SILICON.format(tmp_path / "one.sw")
    same(*(run(monkeypatch, replayed, neigh="delay 0 every 1 check yes", pair=pair) for replayed in (True, False)))


@pytest.mark.parametrize("neigh", ["delay 0 every 10 check no", "delay 0 every 1 check yes"])
def test_atoms_are_sorted_when_it_is_time(monkeypatch: pytest.MonkeyPatch, neigh: str) -> None:
    one, other = (run(monkeypatch, replayed, neigh=neigh + "\natom_modify sort 15 0.0") for replayed in (True, False))
    assert one.engine.system.next_sort == other.engine.system.next_sort > 30
    same(one, other)


@pytest.mark.parametrize("scheme", ["full", "half"])
@pytest.mark.parametrize("neigh", ["delay 0 every 10 check no", "delay 0 every 1 check yes"])
def test_atoms_come_and_go_between(monkeypatch: pytest.MonkeyPatch, neigh: str, scheme: str) -> None:
    """Steps with fewer atoms, and with more, than the first graph had."""
    hole = "\nregion hole block 0 4 0 4 2.5 3.5\ndelete_atoms region hole\nregion low block 0 4 0 4 0 1\n"
    fixes = "fix 2 all deposit 3 1 15 4711 region hole near 0.8 attempt 500\nfix 3 all evaporate 20 2 low 4711\n"
    one, other = (run(monkeypatch, replayed, neigh=neigh + hole + fixes, scheme=scheme, steps=75) for replayed in (True, False))
    assert one["f_2"] == 3 and one["f_3"] == 6
    same(one, other)


def test_mixed_precision(monkeypatch: pytest.MonkeyPatch) -> None:
    same(*(run(monkeypatch, replayed, precision="mixed") for replayed in (True, False)))


@pytest.mark.parametrize("neigh", ["delay 0 every 10 check no", "delay 0 every 1 check yes"])
def test_what_does_not_fit_is_made_anew(monkeypatch: pytest.MonkeyPatch, neigh: str) -> None:
    crowded = run(monkeypatch, True, neigh=neigh, shrink=True)
    same(crowded, run(monkeypatch, False, neigh=neigh, shrink=True))


def test_lost_atoms_are_lost_at_the_same_step(monkeypatch: pytest.MonkeyPatch) -> None:
    one, other = (run(monkeypatch, replayed, boundary="f p p", hot="4.0", neigh="delay 0 every 5 check no")
                  for replayed in (True, False))
    assert one.engine.system.natoms < 256
    same(one, other)
    assert one.engine.system.lost == other.engine.system.lost


def test_atoms_that_are_no_numbers_stop_both(monkeypatch: pytest.MonkeyPatch) -> None:
    said = []
    for replayed in (True, False):
        with pytest.raises(EverletError) as error:
            run(monkeypatch, replayed, hot="1e30", neigh="delay 0 every 1 check yes")
        said.append(str(error.value))
    assert said[0] == said[1]


def test_plans_end_with_a_rebuild_or_have_few_lengths(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = run(monkeypatch, True, steps=1)
    replay = sim.engine.loop.replay
    sim.engine.lists.decision.ago = 0
    replay.longest = graphs.SHORT  # nothing is known yet of how many loops a step has
    assert replay.plan(100, False) == "s" * graphs.SHORT
    replay.longest = graphs.LONGEST
    assert replay.plan(100, False) == "s" * 19 + "r"
    assert replay.plan(19, False) == "s" * 16
    sim.engine.neighbor.check, sim.engine.neighbor.every, replay.interval = True, 2, 11
    assert replay.plan(100, False) == "scscscsc"
    assert replay.plan(3, True) == "nsc"


def test_graphs_are_made_anew_only_when_arrays_were_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = run(monkeypatch, True, steps=40)
    replay = sim.engine.loop.replay
    first = replay.graph("ss")
    assert replay.graph("ss") is first
    sim.engine.system.dt *= 0.5
    assert replay.graph("ss") is not first


def test_why_steps_are_not_replayed() -> None:
    sim = Simulation(device="serial")
    sim.commands(MELT.format(boundary="p p p", hot="1", neigh="every 1", scheme="full", pair=PAIR, seed="87287"))
    sim.run(0)
    assert "GPU" in Replay.why_not(sim.engine.loop)


FIXES = """
fix 2 all langevin 1.0 2.0 0.5 4711 zero yes tally yes
fix 3 all temp/berendsen 1.5 1.0 0.5
group few id 1:20
group others id 30:50
fix 4 few setforce NULL 0.0 0.1
fix 5 others addforce 0.3 0.0 0.1
fix_modify 5 energy yes virial yes
fix 6 all ave/time 5 2 20 c_thermo_pe c_thermo_temp
fix 7 all store/state 25 xu vx
thermo_style custom step temp pe press f_2 f_3 f_4[1] f_5 f_6[1] f_6[2] ecouple
"""


@pytest.mark.parametrize("neigh", ["delay 0 every 20 check no", "delay 0 every 1 check yes"])
def test_thermostats_forces_and_averages(monkeypatch: pytest.MonkeyPatch, neigh: str) -> None:
    """Noise and ramps follow the step that kernels count, also without a set-up; averages stop sequences only there."""
    both = [run(monkeypatch, replayed, neigh=neigh, pair=PAIR + FIXES) for replayed in (True, False)]
    for sim in both:
        fixes = sim.engine.system.fixes
        assert [fixes[id].steady or fixes[id].idle_between for id in "1234567"] == [True] * 7
        sim.commands("run 30 pre no\nrun 40")
    same(*both)
