"""Styles with charges on every device and list: the plain sum over all images, both energies, F = -dE/dr, weights."""

from __future__ import annotations

import functools
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from everlet.errors import EverletError, InputError
from everlet.forces.pair import sites
from everlet.forces.pair.schemes.base import charged_scheme, pair_scheme
from everlet.forces.pair.special import Scaled
from everlet.state.box import Box
from tests.contract.ptx import EXTERNAL, kernels_with_charges, ptx
from tests.contract.styles import CHARGED, CUTS
from tests.contract.systems import LISTS, Answer, Sample, answer, brute, crystal_box, energy_at, scattered, simulate, slope

FEW = ("coul/cut", "lj/cut/coul/cut", "lj/cut/coul/debye")
SITES = ("FIND", "SITE", "PUT", "TAKE")
PART = {"mixed": (1e-5, 1e-6), "single": (1e-5, 1e-5)}  # of the largest force, of the energy


def with_charges(sample: Sample) -> Sample:
    """Charges of many sizes, whose sum is not zero."""
    return replace(sample, charge=np.random.default_rng(5).uniform(-1.0, 1.2, len(sample.x)))


@functools.cache
def small() -> Sample:
    return with_charges(scattered(crystal_box(), 24, avoid=CUTS))


def exact(name: str, here: Sample, modify: str = "") -> tuple[Answer, float]:
    """The plain sum, and the energy of single atoms in it."""
    style = simulate(here, CHARGED[name].script(modify=modify), "reference", run="").engine.system.pair
    style.init()
    found = brute(here, style)
    assert here.charge is not None
    alone = style.constant() * style.self_energy() * float((here.charge**2).sum())
    return Answer(found.energy + alone, found.virial, found.force), alone


@functools.cache
def expected(name: str) -> tuple[Answer, float]:
    return exact(name, small())


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Some styles with full lists, one of them with every list and precision; all of them in tests/oracle/test_charges.py."""
    one = given.get("name") == "lj/cut/coul/dsf"
    if test == "test_charged_style":
        return one or ((given["scheme"], given["newton"]) == ("full", "on") and given["name"] in FEW)
    if test == "test_in_two_dimensions_and_many_images":
        return one
    if test == "test_precision_of_charges":
        return one or (given["precision"] == "mixed" and given["compiled"] == "serial" and given["name"] == "coul/cut")
    return True


@pytest.mark.parametrize("scheme, newton", LISTS)
@pytest.mark.parametrize("name", CHARGED)
def test_charged_style(name: str, scheme: str, newton: str, device: str) -> None:
    here = small().listed(scheme, newton)
    sim = simulate(here, CHARGED[name].script(), device)
    found, alone = answer(sim), expected(name)[1]
    found.close_to(expected(name)[0])
    assert ("dsf" in name or "wolf" in name) == (alone != 0.0)
    assert (sim.engine.system.energies["vdwl"] != 0.0) == name.startswith("lj")
    assert sim.engine.loop is not None
    sim.set_array("f", np.full_like(sim.array("f"), 7.0))  # the loop without tallies
    sim.engine.loop.forces(False)
    Answer(found.energy, found.virial, sim.gather("f")).close_to(found)
    rng = np.random.default_rng(3)
    u = rng.standard_normal(here.x.shape)
    u /= np.linalg.norm(u, axis=1)[:, None]
    change = slope(lambda t: energy_at(sim, here.x + t * u), 5e-4)
    tolerance = CHARGED[name].slope or 0.0
    assert change == pytest.approx(-(found.force * u).sum(), abs=tolerance * max(np.abs(found.force).max(), 1.0))


@pytest.mark.parametrize("name", ["coul/cut", "lj/cut/coul/dsf"])
def test_in_two_dimensions_and_many_images(name: str, compiled: str) -> None:
    """A box so small that atoms meet their own images."""
    flat = with_charges(scattered(Box([0, 0, -0.5], [4.0, 3.7, 0.5], dimension=2), 5, avoid=CUTS))
    tiny = with_charges(scattered(Box([0, 0, 0], [1.6, 1.7, 1.8]), 2, avoid=CUTS))
    for here in (flat, tiny):
        for scheme in ("half", "full"):
            answer(simulate(here.listed(scheme, "on"), CHARGED[name].script(), compiled)).close_to(exact(name, here)[0])


@pytest.mark.parametrize("precision", PART)
@pytest.mark.parametrize("name", CHARGED)
def test_precision_of_charges(name: str, precision: str, compiled: str) -> None:
    """Far from the origin; the energy compared with the sum of its magnitudes, since charges cancel."""
    here = with_charges(scattered(Box([500, -800, 300], [505, -794.5, 304.8]), 40, seed=11, avoid=CUTS))
    want = exact(name, here)[0]
    assert here.charge is not None
    size = abs(exact(name, replace(here, charge=np.abs(here.charge)))[0].energy)
    for scheme in ("half", "full"):
        found = answer(simulate(replace(here, precision=precision, scheme=scheme), CHARGED[name].script(), compiled))
        force, energy = PART[precision]
        assert np.abs(found.force - want.force).max() <= force * np.abs(want.force).max()
        assert abs(found.energy - want.energy) <= energy * max(size, abs(want.energy))


def test_shift_is_of_the_first_part_alone(compiled: str) -> None:
    for name in ("lj/cut/coul/cut", "coul/cut"):
        plain, shifted = (answer(simulate(small(), CHARGED[name].script(modify=modify), compiled))
                          for modify in ("", "shift yes"))
        shifted.close_to(exact(name, small(), "shift yes")[0])
        assert (plain.energy != shifted.energy) == name.startswith("lj")


@pytest.mark.parametrize("name", CHARGED)
def test_weights_of_special_pairs(name: str) -> None:
    """w scales the first part; v scales charges, or takes away a part of the bare energy."""
    style: Any = simulate(small(), CHARGED[name].script(), "reference", run="").engine.system.pair
    numbers = style.numbers(simulate(small(), CHARGED[name].script(), "reference", run="").engine.space, "double")
    for r2 in (1.3, 3.9, 5.0):
        p = style.plain_numbers(1, 1)
        s, e, pull, potential = style.parts()(r2, p, style.data, 0.4, -0.7)
        ws, we, wpull, wpotential = numbers.weighted(r2, p, style.data, 0.4, -0.7, 0.25, 0.5)
        bare = 0.5 * style.constant() * 0.4 * -0.7 / r2**0.5
        assert (ws, we) == pytest.approx((0.25 * s, 0.25 * e))
        both = (pull - bare / r2, potential - bare) if style.for_images else (0.5 * pull, 0.5 * potential)
        assert (wpull, wpotential) == pytest.approx(both)


@pytest.mark.parametrize("scheme", [name for name in pair_scheme if name not in charged_scheme])
def test_other_schemes_are_refused_by_name(scheme: str) -> None:
    with pytest.raises(EverletError, match=f"unknown scheme of pair styles with charges '{scheme}'"):
        simulate(small().listed(scheme, "on"), CHARGED["coul/cut"].script(), "serial")


@pytest.mark.parametrize("pair, said", [("pair_style coul/cut 2.5\npair_coeff * *", "needs atoms with charges")])
def test_atoms_without_charges(pair: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        simulate(replace(small(), charge=None), pair, "serial")
    assert "atom_style charge" in str(caught.value)


@pytest.mark.parametrize("name, scheme, precision", [
    ("lj/cut/coul/dsf", "full", "double"), ("lj/cut/coul/cut", "half", "mixed"),
    *(pytest.param(name, "full", "mixed", marks=pytest.mark.all) for name in CHARGED)])
def test_charged_kernels_compile_to_ptx(name: str, scheme: str, precision: str) -> None:
    for kernel in kernels_with_charges(name, scheme, precision):
        assert ".visible .entry" in ptx(kernel) and not EXTERNAL.search(ptx(kernel))


def test_special_pairs_and_sites_compile_to_ptx() -> None:
    """With the near part of a long-range style, whose polynomials are written out."""
    sim = simulate(small(), "pair_style lj/cut/coul/long 2.2 2.5\npair_coeff * * 1.0 1.0", "reference", run="")
    sim.engine.system.kspace = SimpleNamespace(g=1.2, multilevel=False)
    numbers = sim.engine.system.pair.numbers(sim.engine.space, "double")
    loops = [Scaled("long", numbers, 1.0, many) for many in (False, True)]
    found = [one.loop(*how) for one in loops for how in ((False,), (True,), (False, True))]
    found += [*(getattr(sites, name) for name in SITES), *sites.SHARE.values()]
    for text in map(ptx, found):
        assert ".visible .entry" in text and not EXTERNAL.search(text)
