"""Hybrid pair styles: sub-styles of pairs against the plain sum over all images in every scheme; with many-body styles,
against the sum of simulations that have one of them each; and their kernels as PTX."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from everlet.forces.pair.driver import PairTerm
from everlet.portable import Kernel, Space
from everlet.state.box import Box
from tests.contract.ptx import PAPER, REGIONS, SCRIPT, kernels_for, ptx
from tests.contract.styles import CUTS
from tests.contract.systems import LISTS, OTHERS, Answer, Sample, answer, brute, crystal_box, scattered, simulate

MIXTURES = {
    "hybrid": """
        pair_style hybrid lj/cut 2.5 morse 2.2 yukawa 1.7 2.0
        pair_coeff 1 1 lj/cut 1.0 1.0
        pair_coeff 2 2 morse 1.3 1.9 1.2
        pair_coeff 3 3 yukawa 2.0
        pair_coeff 1 2 lj/cut 0.7 0.9 2.1
        pair_coeff 1 3 none
        pair_coeff 2 3 morse 0.3 2.2 1.0 1.9""",
    "overlay": """
        pair_style hybrid/overlay lj/cut 2.5 soft 2.2 lj/cut 2.0
        pair_coeff * * lj/cut 1 1.0 0.9
        pair_coeff 1* 2 soft 1.3
        pair_coeff 1 3 lj/cut 2 0.4 1.0 1.9
        pair_modify shift yes""",
    "scaled": """
        pair_style hybrid/scaled 0.25 lj/cut 2.5 -1.5 soft 2.2 1.0 gauss 2.1
        pair_coeff * * lj/cut 1.0 0.9
        pair_coeff 2 2* soft 1.3
        pair_coeff 1 1* gauss 0.5 0.8""",
    "one": "pair_style hybrid/scaled 0.5 lj/cut 2.5\npair_coeff * * lj/cut 1.0 0.9",
}


@functools.cache
def sample() -> Sample:
    return scattered(crystal_box(), 24, avoid=CUTS, types=3)


@functools.cache
def expected(name: str) -> Answer:
    sim = simulate(sample(), MIXTURES[name], "reference", run="")
    sim.engine.system.pair.init()
    return brute(sample(), sim.engine.system.pair)


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every mixture with full lists; the one with the same sub-style twice with every list and every other scheme."""
    if test == "test_sums_over_all_images":
        visit = given["scheme"], given["newton"]
        return visit == ("full", "on") or (given["name"] == "overlay" and (visit in LISTS or given["newton"] == "on"))
    return True


@pytest.mark.parametrize("scheme, newton", LISTS + OTHERS)
@pytest.mark.parametrize("name", MIXTURES)
def test_sums_over_all_images(name: str, scheme: str, newton: str, device: str) -> None:
    sim = simulate(sample().listed(scheme, newton), MIXTURES[name], device)
    assert sim.engine.loop is not None
    terms = [term for term in sim.engine.loop.evaluator.terms if isinstance(term, PairTerm)]
    assert [term.sets for term in terms] == [True, *[False] * (len(sim.engine.system.pair.sub_styles) - 1)]
    found = answer(sim)
    found.close_to(expected(name), 1e-12)
    sim.set_array("f", np.full_like(sim.array("f"), 7.0))
    sim.engine.loop.forces(False)
    Answer(found.energy, found.virial, sim.gather("f")).close_to(found, 1e-12)


def test_the_sum_is_not_that_of_one_sub_style() -> None:
    """The plain sum uses the style's own `single`: here is the one of ordinary styles."""
    alone = []
    for pair in ("pair_style lj/cut 2.5\npair_coeff * * 1.0 0.9",
                 "pair_style soft 2.2\npair_coeff * * 0.0\npair_coeff 2 2* 1.3",
                 "pair_style gauss 2.1\npair_coeff * * 0.0 1.0\npair_coeff 1 1* 0.5 0.8"):
        sim = simulate(sample(), pair, "reference", run="")
        sim.engine.system.pair.init()
        alone.append(brute(sample(), sim.engine.system.pair))
    a, b, c = alone
    Answer(0.25 * a.energy - 1.5 * b.energy + c.energy, 0.25 * a.virial - 1.5 * b.virial + c.virial,
           0.25 * a.force - 1.5 * b.force + c.force).close_to(expected("scaled"), 1e-12)


SPREAD = 3.2  # the sample's lengths, in Angstrom
MANY = {
    "sw": "* * {} Si.sw Si Si NULL",
    "tersoff": "* * {} SiC.tersoff C NULL Si",
    "eam/alloy": "* * {} CuNi.eam.alloy Cu Ni Ni",
    "lj/cut 5.0": "* * {} 0.01 2.2",
}


def many() -> Sample:
    here = sample()
    tilt = (SPREAD * t for t in (here.box.xy, here.box.xz, here.box.yz))
    box = Box(SPREAD * here.box.lo, SPREAD * here.box.hi, *tilt)
    return Sample(box, SPREAD * here.x, here.kind, here.types, units="metal", scheme="full")


@functools.cache
def alone(style: str) -> Answer:
    """Of one many-body style; its NULL types do nothing."""
    return answer(simulate(many(), f"pair_style {style}\npair_coeff {MANY[style].format('').replace('  ', ' ')}", "serial"))


TOGETHER = [("sw", "lj/cut 5.0"), ("lj/cut 5.0", "eam/alloy"), ("tersoff", "eam/alloy", "lj/cut 5.0", "sw")]


@pytest.mark.parametrize("styles", TOGETHER, ids=lambda names: "+".join(name.split()[0] for name in names))
def test_many_body_styles_add_up(styles: tuple[str, ...], compiled: str) -> None:
    lines = [f"pair_style hybrid/overlay {' '.join(styles)}",
             *(f"pair_coeff {MANY[style].format(style.split()[0])}" for style in styles)]
    parts = [alone(style) for style in styles]
    wanted = Answer(sum(one.energy for one in parts), np.sum([one.virial for one in parts], axis=0),
                    np.sum([one.force for one in parts], axis=0))
    answer(simulate(many(), "\n".join(lines), compiled)).close_to(wanted, 1e-12)


def test_many_body_styles_are_scaled() -> None:
    """Each as the first, which sets forces, and behind others."""
    factors, styles = (0.5, -0.3, 1.0, 2.0), TOGETHER[-1]
    lines = ["pair_style hybrid/scaled " + " ".join(f"{factor} {style}" for factor, style in zip(factors, styles, strict=True)),
             *(f"pair_coeff {MANY[style].format(style.split()[0])}" for style in styles)]
    parts = [(factor, alone(style)) for factor, style in zip(factors, styles, strict=True)]
    wanted = Answer(sum(factor * one.energy for factor, one in parts),
                    np.sum([factor * one.virial for factor, one in parts], axis=0),
                    np.sum([factor * one.force for factor, one in parts], axis=0))
    answer(simulate(many(), "\n".join(lines), "serial")).close_to(wanted, 1e-12)


def kernels(name: str, scheme: str, newton: str, space: Space = PAPER) -> list[Kernel]:
    lines = SCRIPT.format(units="lj", newton=newton, region=REGIONS["orthogonal"], types=3, pair=MIXTURES[name])
    return kernels_for(lines, scheme, "double", space)


@pytest.mark.parametrize("name, scheme, newton", [
    ("hybrid", "full", "on"), ("scaled", "half", "off"), ("overlay", "half", "on")])
def test_kernels_compile_to_ptx(name: str, scheme: str, newton: str) -> None:
    """Loops that add, and those that are scaled: no other kernels than those of the styles."""
    found = kernels(name, scheme, newton)
    loops = [kernel for kernel in found if "ADD" in dict(kernel.statics)]
    assert sum(dict(kernel.statics)["ADD"] for kernel in loops) == len(loops) * 2 // 3
    for kernel in loops:
        assert ptx(kernel).count(".visible .entry") == 1
