"""Pairs of many atoms computed together, where rows of half lists are short: forces of scheme full, with output and without."""

from __future__ import annotations

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.schemes.lists import Half

SYSTEM = """
units lj
region box block 0 {edge} 0 {edge} 0 {edge}
create_box 1 box
lattice fcc {density}
region blob block 1 {cells} 1 {cells} 1 {cells}
create_atoms 1 region blob
mass 1 1.0
pair_style lj/cut {cutoff}
pair_coeff 1 1 1.0 1.0
displace_atoms all random 0.04 0.04 0.04 4711
neighbor 0.3 bin
package everlet scheme {scheme}
fix 1 all nve
timestep 0.001
"""
# short rows everywhere; a dense drop in a large box, whose rows are long: longer than what is packed at a time
PLACES = {"melt": {"edge": 8.0, "density": 0.8, "cells": 4.9, "cutoff": 1.12},
          "drop": {"edge": 60.0, "density": 1.1, "cells": 5.9, "cutoff": 3.0}}


def forces(place: str, scheme: str, threads: int = 1, thermo: int = 100) -> tuple[np.ndarray, Simulation]:
    sim = Simulation(device="cpu", threads=threads, screen="none", tune=False)
    sim.commands(SYSTEM.format(scheme=scheme, **PLACES[place]))
    sim.commands(f"thermo {thermo}")
    sim.run(5)
    return np.concatenate([sim.gather("x"), sim.gather("f")]), sim


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where registers are wide."""
    monkeypatch.setattr("everlet.forces.pair.schemes.lists.narrow", lambda space: True)


def together(sim: Simulation) -> bool:
    term = next(term for term in sim.engine.system.evaluator.terms if hasattr(term, "scheme"))
    scheme: Half = term.scheme
    return scheme.together is not None


@pytest.mark.usefixtures("narrow")
@pytest.mark.parametrize("place", PLACES)
def test_forces_are_those_of_full_lists(place: str) -> None:
    found, sim = forces(place, "half")
    assert together(sim)
    rows = sim.engine.system.evaluator.neighbor.count.get()
    assert rows.max() > 64 if place == "drop" else rows.mean() < 8
    wanted, _ = forces(place, "full")
    np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9 * abs(wanted).max())


@pytest.mark.usefixtures("narrow")
def test_bits_do_not_depend_on_output_or_threads() -> None:
    """Of threads that take turns: where there are few slabs, threads add to forces of their own unless they are told to."""
    way = "half accumulate coloured"
    found, sim = forces("melt", way)
    assert together(sim)
    for others in ({"thermo": 1}, {"threads": 2}):
        again, sim = forces("melt", way, **others)
        assert together(sim)
        np.testing.assert_array_equal(again, found)
