"""Many short runs: what they are made of is kept while it is valid, and no longer."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.portable import cache
from tests.scripts import melt

MELT = melt("0 {n} 0 {n} 0 {n}", types=2) + """
neighbor 0.3 bin
fix 1 all nve
group one id 5
run 0
"""


def melt(n: int = 4) -> Simulation:
    return Simulation(device="serial").commands(MELT.format(n=n))


def energy(sim: Simulation) -> tuple[float, np.ndarray]:
    return sim.thermo.value("pe"), sim.gather("f")


def same_as_anew(sim: Simulation, line: str) -> None:
    """The present energy and forces are those of a set-up with nothing kept."""
    found, forces = energy(sim)
    sim.engine.planner.forget()
    sim.commands("run 0")
    anew, expected = energy(sim)
    assert found == pytest.approx(anew, rel=1e-12), line
    np.testing.assert_allclose(forces, expected, atol=1e-11 * np.abs(expected).max(), err_msg=line)


@pytest.mark.parametrize("line", ["displace_atoms one move 0.05 0 0 units box", "displace_atoms one move 1.2 0.3 0 units box",
                                  "displace_atoms all move 0.9 0 0 units box", "set atom 5 x -0.1",
                                  "velocity all create 2.0 4711 loop all", "variable a equal step"])
def test_a_set_up_after_a_move_is_as_good_as_a_new_one(line: str) -> None:
    sim = melt()
    loop = sim.engine.loop
    for _ in range(3):
        sim.commands(line + "\nrun 0")
        assert sim.engine.loop is loop, line
    same_as_anew(sim, line)


def test_lists_are_kept_for_small_moves_alone() -> None:
    """And steps begin with new ones: the count of builds is that of the reference."""
    sim = melt()
    assert sim.engine.lists is not None and not sim.engine.lists.reused
    sim.commands("displace_atoms one move 0.05 0 0 units box\nrun 0")
    assert sim.engine.lists.reused
    sim.commands("run 1 pre no")
    assert not sim.engine.lists.reused
    sim.commands("run 0\ndisplace_atoms one move 0.5 0 0 units box\nrun 0")
    assert not sim.engine.lists.reused
    sim.commands("run 0")
    assert sim.engine.lists.reused
    sim.commands("run 1")
    assert not sim.engine.lists.reused


def test_forces_of_fixes_are_made_again_with_the_others() -> None:
    """A run without a set-up begins with all forces, if atoms have been moved since the last one."""
    both = [melt(), melt()]
    for sim, more in zip(both, ("pre no", ""), strict=True):
        sim.commands(f"fix pull all spring/self 30.0\nrun 3\ndisplace_atoms all move 0.2 0.1 0 units box\nrun 5 {more}")
    np.testing.assert_allclose(both[0].positions, both[1].positions, atol=1e-12)


@pytest.mark.parametrize("line", ["pair_coeff 1 1 2.0 1.0", "pair_modify shift yes", "neighbor 0.4 bin", "set atom 1*9 type 2",
                                  "group two id 7", "fix 2 all momentum 1 linear 1 1 1", "unfix 1",
                                  "neigh_modify exclude type 1 1", "mass 1 2.0", "compute k all ke", "timestep 0.001",
                                  "pair_style lj/cut 2.2\npair_coeff * * 1 1",
                                  "delete_atoms group one"])
def test_what_a_loop_is_made_of_makes_a_new_one(line: str) -> None:
    sim = melt()
    loop = sim.engine.loop
    sim.commands(line + "\nrun 0")
    assert sim.engine.loop is not loop, line
    same_as_anew(sim, line)


def test_what_is_made_at_each_set_up_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several ranks, long-range solvers and replayed graphs need a new loop for each run, also without any command."""
    sim = melt()
    monkeypatch.setattr(sim.engine.planner, "_parts", lambda: ())
    for _ in range(3):
        loop = sim.engine.loop
        sim.run(0)
        assert sim.engine.loop is not loop


def test_settings_of_a_program_make_a_new_loop() -> None:
    sim = melt()
    for name, value in (("skin", 0.4), ("every", 2), ("binsize", 1.5)):
        loop = sim.engine.loop
        setattr(sim.engine.neighbor, name, value)
        sim.run(0)
        assert sim.engine.loop is not loop, name
    loop = sim.engine.loop
    sim.set_array("type", np.where(sim.gather("id") < 9, 2, 1))
    sim.run(0)
    assert sim.engine.loop is not loop
    sim.run(0)
    assert sim.engine.loop is not loop


def test_nothing_is_looked_up_or_hashed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    sim = melt()
    stored: list[str] = []
    store = cache.store
    monkeypatch.setattr(cache, "store", lambda name, *rest: stored.append(name) or store(name, *rest))
    launches: list[Any] = []
    sim.engine.space.watch = lambda kernel, n, args, launch: launches.append(kernel) or launch()
    sim.commands("run 0\n" * 3)
    sim.engine.space.watch = None
    assert not stored and len(launches) <= 3 * 12  # lists, ghosts and bins need none
    sim.engine.planner.forget()
    sim.commands("run 0")  # a new loop of kernels that are known
    assert not stored
