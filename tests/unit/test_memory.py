"""Bytes of arrays: nothing is held that a run does not need, and what shares memory is not mixed up."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.driver import default_scheme
from everlet.portable import Serial, Threads
from everlet.portable.backends.cpu import machine
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
