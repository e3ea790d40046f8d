"""What must not change the physics: where the origin is, how atoms are numbered and sorted, which cell describes a
lattice, which way an open system is turned; and virial = -dE/dV.

All of it for one style, on every device and scheme: the pair contract ties every style to the same plain sum.
"""

from __future__ import annotations

import functools
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import LISTS, VOIGT, Answer, Sample, answer, crystal_box, scattered, simulate, slope

PAIR = ENTRIES["lj/cut"].script(modify="shift yes")
VISITS = pytest.mark.parametrize("scheme, newton", LISTS)
PLUGIN = Path(__file__).parents[2] / "examples" / "my_potential.py"


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Plain Python, which is slow, with the list that has most to get wrong: pairs once, forces sent back from ghosts."""
    return given.get("device") != "reference" or (given.get("scheme", "half"), given.get("newton", "on")) == ("half", "on")


@functools.cache
def sample() -> Sample:
    return scattered(crystal_box(), 24, avoid=CUTS)


@functools.cache
def drop() -> Sample:
    """Atoms near the middle of a large open box."""
    inner = scattered(Box([-2, -2, -2], [2, 2, 2], boundary="f f f"), 24, seed=4, avoid=CUTS)
    return replace(inner, box=Box([-9, -9, -9], [9, 9, 9], boundary="f f f"))


def compute(sample: Sample, device: str, pair: str = PAIR) -> Answer:
    return answer(simulate(sample, pair, device))


@VISITS
def test_translation(scheme: str, newton: str, device: str) -> None:
    here = sample().listed(scheme, newton)
    there = here.moved(here.x + np.array([7.3, -2.9, 4.4]))
    compute(there, device).close_to(compute(here, device))


@VISITS
def test_no_net_force(scheme: str, newton: str, device: str) -> None:
    force = compute(sample().listed(scheme, newton), device).force
    assert np.abs(force.sum(axis=0)).max() <= 1e-12 * np.abs(force).max()


@VISITS
def test_permutation(scheme: str, newton: str, device: str) -> None:
    here = sample().listed(scheme, newton)
    order = np.random.default_rng(5).permutation(len(here.x))
    found = compute(replace(here, x=here.x[order], kind=here.kind[order]), device)
    expected = compute(here, device)
    found.close_to(Answer(expected.energy, expected.virial, expected.force[order]))


@VISITS
def test_rotation(scheme: str, newton: str, device: str) -> None:
    here = drop().listed(scheme, newton)
    turn, _ = np.linalg.qr(np.random.default_rng(6).standard_normal((3, 3)))
    found, before = compute(here.moved(here.x @ turn.T), device), compute(here, device)
    xx, yy, zz, xy, xz, yz = before.virial
    tensor = turn @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ turn.T
    virial = np.array([tensor[0, 0], tensor[1, 1], tensor[2, 2], tensor[0, 1], tensor[0, 2], tensor[1, 2]])
    found.close_to(Answer(before.energy, virial, before.force @ turn.T))


def test_another_cell_of_the_same_lattice(device: str) -> None:
    """Tilts differ by whole edges: large slants, the same crystal."""
    box, here = crystal_box(), sample()
    lx, ly, _ = box.lengths
    for xy, xz, yz in ((lx, 0.0, 0.0), (-lx, lx, 0.0), (0.0, box.xy - 2 * lx, ly)):
        slanted = Box(box.lo, box.hi, box.xy + xy, box.xz + xz, box.yz + yz)
        compute(here.moved(here.x, slanted), device).close_to(compute(here, device))


def test_two_cells_side_by_side(device: str) -> None:
    box, here = crystal_box(), sample()
    lx, ly, lz = box.lengths
    for axis, edge in enumerate(([lx, 0, 0], [box.xy, ly, 0], [box.xz, box.yz, lz])):
        # the edge that is doubled takes its tilt along
        hi = box.hi.copy()
        hi[axis] += box.lengths[axis]
        factor = [2.0 if k == axis else 1.0 for k in range(3)]
        double = Box(box.lo, hi, box.xy * factor[1], box.xz * factor[2], box.yz * factor[2])
        x = np.concatenate([here.x, here.x + np.array(edge)])
        twice = replace(here, box=double, x=x, kind=np.tile(here.kind, 2))
        one = compute(here, device)
        compute(twice, device).close_to(Answer(2 * one.energy, 2 * one.virial, np.tile(one.force, (2, 1))))


@VISITS
def test_virial_is_minus_slope_of_strain(scheme: str, newton: str, device: str) -> None:
    """W_ab = -dE/d(strain_ab): atoms and box stretched or sheared together."""
    here = sample().listed(scheme, newton)
    virial = compute(here, device).virial
    for k, (a, b) in enumerate(VOIGT):

        def energy(t: float, a: int = a, b: int = b) -> float:
            strain = np.eye(3)
            strain[a, b] += t  # x_a += t x_b: keeps the edge matrix triangular
            box = here.box
            low = box.lo @ strain.T
            x, y, z = (strain @ np.array(edge) for edge in
                       ((box.lengths[0], 0, 0), (box.xy, box.lengths[1], 0), (box.xz, box.yz, box.lengths[2])))
            strained = Box(low, low + np.array([x[0], y[1], z[2]]), y[0], z[0], z[1])
            return compute(here.moved(here.x @ strain.T, strained), device).energy

        assert slope(energy, 2e-4) == pytest.approx(-virial[k], abs=1e-8 * np.abs(virial).max())


def test_sorting_keeps_the_trajectory(compiled: str) -> None:
    """Atoms sorted at every rebuild, or never: the same atoms at the same places by id."""
    here = scattered(Box([0, 0, 0], [7, 7, 7]), 60, seed=8, apart=0.95)
    ends = []
    for sort in ("sort 0 0.0", "sort 1 0.0"):
        run = "velocity all create 1.0 4711 loop all\nfix 1 all nve\nneighbor 0.1 bin\nrun 30"
        sim = simulate(replace(here, settings=[f"atom_modify {sort}"]), PAIR, compiled, run)
        assert sim.engine.lists is not None and sim.engine.lists.decision.builds > 2
        ordered = bool((np.diff(sim.array("id")) > 0).all())
        assert ordered == (sort == "sort 0 0.0")
        ends.append((sim.gather("x"), sim.gather("v"), sim.gather("image"), sim.gather("type")))
    for never, always in zip(*ends, strict=True):
        np.testing.assert_allclose(always, never, rtol=0, atol=1e-9)


def test_energy_only_plugin_is_the_handwritten_one(device: str) -> None:
    """The example plugin writes one potential twice, with its force and with the energy alone."""
    here = sample().listed("full", "on")
    by_hand, derived = (
        compute(here, device, f"plugin load {PLUGIN}\npair_style {name} 2.5\npair_coeff * * 5.0 0.5 6.0 2.4")
        for name in ("wobble", "wobble/auto"))
    derived.close_to(by_hand)
