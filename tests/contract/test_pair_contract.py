"""Every pair style on every device and scheme: the plain sum over all images, F = -dE/dr, and no jump when shifted."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import (
    LISTS,
    OTHERS,
    Answer,
    Sample,
    answer,
    brute,
    crystal_box,
    energy_at,
    scattered,
    simulate,
    slope,
)


@functools.cache
def sample() -> Sample:
    return scattered(crystal_box(), 24, avoid=CUTS)


@functools.cache
def expected(name: str, table: Path) -> Answer:
    sim = simulate(sample(), ENTRIES[name].script(table), "reference", run="")
    sim.engine.system.pair.init()
    return brute(sample(), sim.engine.system.pair)


def test_every_style_has_an_entry() -> None:
    """But for those of many atoms, mixtures of styles, mliap, whose words say which style it is, python, which reads files, and
    yukawa/colloid, which needs spheres: these have tests of their own."""
    kinds = {name: pair_style[name] for name in pair_style}
    built_in = {name for name, kind in kinds.items() if kind.__module__.startswith("everlet.") and kind.schemes is pair_scheme}
    assert {entry.style for entry in ENTRIES.values()} == built_in - {"mliap", "python", "yukawa/colloid"}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every style with full lists, two of them with every list; the other schemes have tests of their own."""
    if test == "test_style":
        visit = given["scheme"], given["newton"]
        if given["device"] != "reference" and not ENTRIES[given["name"]].usual:
            return False
        return visit == ("full", "on") or (visit in LISTS and given["name"] in ("lj/cut", "table-spline"))
    if test == "test_shift_makes_the_energy_end_at_zero":  # the offset is part of `pair`, whatever the device
        return given["device"] == ("serial" if ENTRIES[given["name"]].usual else "reference") or given["name"] == "lj/cut"
    return True


@pytest.mark.parametrize("scheme, newton", LISTS + OTHERS)
@pytest.mark.parametrize("name", ENTRIES)
def test_style(name: str, scheme: str, newton: str, device: str, table: Path) -> None:
    """One test for the three parts of the contract: they share kernels, which are compiled once."""
    here = sample().listed(scheme, newton)
    sim = simulate(here, ENTRIES[name].script(table), device)
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    assert type(sim.engine.loop.pair.scheme) is pair_scheme[scheme].on(sim.engine.space)
    assert sim.engine.system.newton == (newton == "on")
    found = answer(sim)
    # list = brute force: energy, virial, forces
    found.close_to(expected(name, table))
    # the loop without tallies: forces left over would pass for new ones, so they are spoilt first
    sim.set_array("f", np.full_like(sim.array("f"), 7.0))
    sim.engine.loop.forces(False)
    Answer(found.energy, found.virial, sim.gather("f")).close_to(found)
    # -F u = dE/dt for atoms moving along u t, with u a random direction for every atom
    tolerance = ENTRIES[name].slope
    if tolerance is None:
        return
    rng = np.random.default_rng(3)
    for _ in range(2):
        u = rng.standard_normal(here.x.shape)
        u /= np.linalg.norm(u, axis=1)[:, None]
        change = slope(lambda t, u=u: energy_at(sim, here.x + t * u), 5e-4)
        assert change == pytest.approx(-(found.force * u).sum(), abs=tolerance * max(np.abs(found.force).max(), 1.0))


@pytest.mark.parametrize("name", [name for name, entry in ENTRIES.items() if entry.shift])
def test_shift_makes_the_energy_end_at_zero(name: str, device: str) -> None:
    """Two atoms just inside and just outside of their cutoff, for each pair of types."""
    box = Box([0, 0, 0], [9, 9, 9], boundary="f f f")
    for kinds in ([1, 1], [1, 2], [2, 2]):
        pair = Sample(box, np.array([[4.0, 4, 4], [5.0, 4, 4]]), np.array(kinds))
        sim = simulate(pair, ENTRIES[name].script(modify="shift yes"), device)
        cut = float(sim.engine.system.pair.cutoffs[kinds[0], kinds[1]])
        near, inside, outside = (energy_at(sim, np.array([[4.0, 4, 4], [4.0 + part * cut, 4, 4]]))
                                 for part in (0.9, 1 - 1e-9, 1 + 1e-9))
        assert outside == 0.0 and abs(inside) < 1e-7
        assert name == "zero" or abs(near) > 1e-5
