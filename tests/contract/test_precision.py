"""double, mixed and single precision with every option, on two styles: how far each may be from the plain sum."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.schemes.base import pair_scheme
from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import LISTS, Answer, Sample, answer, brute, scattered, simulate

# largest error of a force as a part of the largest force, relative error of the energy
BOUNDS = {"double": (1e-11, 1e-11), "mixed": (1e-5, 1e-6), "single": (1e-5, 1e-5)}
WORSE = {("colloid", "mixed"): 1e-5}  # attraction of large spheres is a small difference of a logarithm and of quotients
OPTIONS = {
    "lj/cut": ["", "shift yes", "mix arithmetic", "mix sixthpower", "tail yes"],
    "morse": ["", "shift yes"],
}
CASES = [(name, modify) for name, options in OPTIONS.items() for modify in options]


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every option and precision with full lists; half lists with lj/cut, and with one style that has its own coefficients."""
    if test == "test_precision":
        style = given["name"], given["modify"]
        return given["scheme"] == "full" or style == ("lj/cut", "") or (style == ("morse", "") and given["newton"] == "on")
    return True


@functools.cache
def sample() -> Sample:
    """Far from the origin, where float positions would have lost four digits."""
    return scattered(Box([500, -800, 300], [505, -794.5, 304.8]), 40, seed=11, avoid=CUTS)


@pytest.mark.parametrize("scheme, newton", LISTS[:3])
@pytest.mark.parametrize("precision", BOUNDS)
@pytest.mark.parametrize("name, modify", CASES)
def test_precision(name: str, modify: str, precision: str, scheme: str, newton: str, compiled: str) -> None:
    check(name, modify, precision, scheme, newton, compiled)


@pytest.mark.parametrize("precision", BOUNDS)
@pytest.mark.parametrize("name, modify", CASES)
def test_precision_in_plain_python(name: str, modify: str, precision: str) -> None:
    check(name, modify, precision, "half", "on", "reference")


@pytest.mark.all
@pytest.mark.parametrize("scheme, newton", LISTS)
@pytest.mark.parametrize("precision", ["mixed", "single"])
@pytest.mark.parametrize("name", [name for name in ENTRIES if not name.startswith(("table", *OPTIONS))])
def test_precision_of_every_style(name: str, precision: str, scheme: str, newton: str, compiled: str) -> None:
    check(name, "", precision, scheme, newton, compiled)


def check(name: str, modify: str, precision: str, scheme: str, newton: str, device: str) -> None:
    here = replace(sample(), precision=precision, scheme=scheme, newton=newton)
    if precision not in pair_scheme[scheme].precisions:
        with pytest.raises(InputError, match=f"scheme {scheme} is not accurate enough in {precision} precision"):
            simulate(here, ENTRIES[name].script(modify=modify), device)
        return
    sim = simulate(here, ENTRIES[name].script(modify=modify), device)
    assert sim.engine.system.precision == precision
    found, expected = answer(sim), exact(name, modify)
    force, energy = BOUNDS[precision]
    energy = WORSE.get((name, precision), energy)
    assert np.abs(found.force - expected.force).max() <= force * np.abs(expected.force).max()
    assert found.energy == pytest.approx(expected.energy, rel=energy)
    if modify == "tail yes":  # computed on the host, in double
        assert sim.engine.system.energies["tail"] == pytest.approx(sim.engine.system.pair.etail / here.box.volume, rel=1e-14)
        assert sim.engine.system.energies["tail"] < 0.0


@functools.cache
def exact(name: str, modify: str) -> Answer:
    sim = simulate(sample(), ENTRIES[name].script(modify=modify), "reference", run="")
    sim.engine.system.pair.init()
    return brute(sample(), sim.engine.system.pair)


def test_options_change_the_energy() -> None:
    """The comparisons above would all agree if an option were ignored on both sides."""
    energies = {(name, modify): exact(name, modify).energy for name, modify in CASES if modify != "tail yes"}
    assert len({round(value, 9) for value in energies.values()}) == len(energies)
