"""The loop that packs near neighbours of charged pairs, which CPUs use, against the plain space.

All lists, types with cutoffs of their own, rows that are longer than what is packed at a time, energies and virial."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from everlet import Simulation
from everlet.forces.pair.schemes import lists
from everlet.neighbor.ahead import wide
from everlet.portable import Serial
from tests.scripts import TWO_CHARGES, crystal

SCRIPT = crystal("0 3 0 3 0 3", "fcc 0.8", types=2, first="atom_style charge\nnewton {newton}") + TWO_CHARGES + """
package everlet scheme {scheme}
pair_style lj/cut/coul/cut {cutoffs}
pair_coeff 1 1 1.0 1.0
pair_coeff 2 2 0.8 0.9 {second}
pair_coeff 1 2 0.9 0.95 {mixed}
run 0
"""
SEVERAL = {"cutoffs": "2.0 2.2", "second": "1.6 1.8", "mixed": "1.8 2.4"}
ONE = {"cutoffs": "2.2", "second": "", "mixed": ""}  # no pair that is packed is beyond its cutoff


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Short segments, which end within rows, with every list."""
    return given.get("segment", 8) == 8


def found(device: str, scheme: str, newton: str, one: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    """Forces of a step with tallies, of one without, energies with the virial, and the name of the loop."""
    sim = Simulation(device=device)
    sim.commands(SCRIPT.format(newton=newton, scheme=scheme, **(ONE if one else SEVERAL)))
    tallied, ledger = sim.array("f").copy(), sim.engine.system.ledger
    numbers = np.array([ledger.energies["vdwl"], ledger.energies["coul"], *ledger.virial])
    loop = sim.engine.loop
    assert loop is not None and loop.pair is not None
    loop.forces(False)
    return tallied, sim.array("f").copy(), numbers, loop.pair.scheme.kernel(False).name  # type: ignore[attr-defined]


@functools.cache
def reference(scheme: str, newton: str, one: bool) -> tuple[np.ndarray, np.ndarray, np.ndarray, str]:
    return found("reference", scheme, newton, one)


@pytest.mark.parametrize("segment", [8, 512])
@pytest.mark.parametrize("scheme, newton, one", [("half", "on", False), ("half", "off", False), ("full", "on", False),
                                                 ("half", "on", True)])
def test_packed_rows_give_the_same(monkeypatch: pytest.MonkeyPatch, scheme: str, newton: str, one: bool, segment: int) -> None:
    expected, _, numbers, other = reference(scheme, newton, one)
    assert other == "neighbor_loop"
    monkeypatch.setattr(lists, "SEGMENT", segment)
    tallied, plain, sums, name = found("serial", scheme, newton, one)
    assert name == "packed_loop"
    size = np.abs(expected).max()
    assert np.abs(tallied - expected).max() < 1e-12 * size and np.abs(plain - expected).max() < 1e-12 * size
    assert np.abs(sums - numbers).max() < 1e-11 * np.abs(numbers).max()


def test_neighbours_may_be_packed_one_by_one_and_by_lanes(monkeypatch: pytest.MonkeyPatch) -> None:
    """As other CPUs do it."""
    here = wide(Serial())
    monkeypatch.setattr(lists, "wide", lambda space: not here)
    test_packed_rows_give_the_same(monkeypatch, "half", "on", False, 8)
