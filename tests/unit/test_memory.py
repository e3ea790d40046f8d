"""Bytes of arrays: nothing is held that a run does not need, and what shares memory is not mixed up."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.driver import default_scheme
from everlet.portable import DualView, Serial, Threads, View
from everlet.portable.backends.cpu import machine
from everlet.portable.held import bytes_held
from everlet.portable.spaces import cores
from everlet.state.atoms import PADDING
from tests.unit.test_tune import MELT


def melt(lines: str = "", scheme: str = "half") -> Simulation:
    return Simulation(device="serial", tune=False).commands(f"package everlet scheme {scheme}\n{MELT}{lines}")


def test_rows_have_little_to_spare() -> None:
    """Room for the atoms, their ghosts and a tenth of those."""
    sim = melt()
    sim.run(0)
    atoms = sim.engine.system.atoms
    assert atoms.total + 1 <= atoms.capacity <= atoms.n + 1.1 * atoms.nghost + 17
    assert atoms.view("v").shape[0] == atoms.capacity + PADDING


def test_positions_are_kept_only_for_the_check() -> None:
    sim = melt("neigh_modify every 10 check no")
    sim.run(10)
    assert sim.engine.lists is not None and sim.engine.lists.held.shape[0] == 0
    sim.commands("neigh_modify every 1 check yes")
    sim.run(10, pre=False)  # lists are made anew as soon as there is a check, and its positions are kept
    assert sim.engine.lists.held.shape[0] == 3 * sim.engine.system.natoms and sim.engine.lists.decision.builds >= 1
    other = melt("neigh_modify every 10 check no")
    other.run(10)
    other.commands("neigh_modify every 1 check yes")
    other.run(10)
    assert np.abs(sim.gather("x") - other.gather("x")).max() < 1e-10


def test_atoms_added_one_by_one_do_not_copy_all_each_time() -> None:
    sim = Simulation(device="serial").commands("region box block 0 9 0 9 0 9\ncreate_box 1 box")
    capacities = []
    for k in range(200):
        sim.engine.system.atoms.append(x=[[k * 0.04] * 3], type=[1], id=[k + 1])
        capacities.append(sim.engine.system.atoms.capacity)
    assert len(set(capacities)) < 30 and sim.engine.system.atoms.read("id").tolist() == list(range(1, 201))


@pytest.mark.parametrize("width, scheme", [(16, "half"), (32, "half"), (64, "full")])
def test_the_default_scheme_follows_the_registers(width: int, scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(machine, "host_bytes", lambda: width)
    assert default_scheme(Serial()) == scheme and default_scheme(Serial(), costly=True) == "half"
    if cores() > 1:
        assert default_scheme(Threads(2)) == scheme


class Owner:
    def __init__(self, **parts: Any):
        self.__dict__.update(parts)


def test_every_array_counts_once_wherever_it_is_kept() -> None:
    whole, field = View(100, np.float64), DualView((10, 3), np.int32)
    other = Owner(far=View(1000, np.float64))
    one = Owner(views={"a": whole, "b": [whole.part(10, 20), field]}, again=(whole,), other=other, name="x", table=np.zeros(50))
    one.itself = one  # type: ignore[attr-defined]
    assert bytes_held([one]) == 800 + 120 + 8000
    other.__class__ = type("Other", (), {})
    assert bytes_held([one], (type(other),)) == 800 + 120


def test_bytes_of_a_run_are_those_of_all_its_arrays(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that were made in its space and are still there, but for a few numbers that are kept elsewhere."""
    made: weakref.WeakSet[View] = weakref.WeakSet()
    make = View.__init__

    def noted(self: View, *args: Any, **words: Any) -> None:
        make(self, *args, **words)
        made.add(self)

    monkeypatch.setattr(View, "__init__", noted)
    sim = melt("fix 2 all langevin 1.0 1.0 0.1 48279\ncompute 2 all pe/atom\n")
    sim.run(2)
    alive = sum(view.data.nbytes for view in made if view.space is sim.engine.space)
    assert 0.95 * alive <= sim.engine.bytes() <= alive
