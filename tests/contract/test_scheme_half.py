"""Half lists, in both ways in which threads add to the same atoms: the plain sum over all images, and equal bits."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.forces.pair.schemes.lists import Half
from everlet.forces.pair.schemes.slabs import Slabs, cut, sweep, turns
from everlet.portable import Space
from everlet.portable.spaces import cores
from everlet.state.box import Box
from tests.contract.styles import CUTS, ENTRIES
from tests.contract.systems import Answer, Sample, answer, brute, crystal_box, scattered, simulate

WAYS = ["coloured", "duplicated"]
LJ = ENTRIES["lj/cut"].script()
BOXES = {
    "tilted": (crystal_box(), 24),
    "flat": (Box([0, 0, -0.5], [9, 8, 0.5], dimension=2), 40),
    "tiny": (Box([0, 0, 0], [1.3, 1.4, 1.2]), 2),
    "slab": (Box([-3, 0, 0], [6, 9, 7], boundary="p f p"), 60),
    "long": (Box([0, 0, 0], [40, 4, 4], 0.0, 1.2, 0.0), 200),  # many slabs, with ghosts at their sides
    "one atom": (Box([0, 0, 0], [9, 9, 9]), 1),
}


def in_every_run(test: str, given: dict[str, Any]) -> bool:
    """Every box compiled; two of them in plain Python, which is slow with many atoms."""
    return test != "test_boxes" or given["device"] != "reference" or given["shape"] in ("tilted", "tiny")


@functools.cache
def sample(shape: str) -> Sample:
    box, count = BOXES[shape]
    return scattered(box, count, seed=6, apart=0.85, avoid=CUTS)


@functools.cache
def expected(shape: str) -> Answer:
    sim = simulate(sample(shape), LJ, "reference", run="")
    sim.engine.system.pair.init()
    return brute(sample(shape), sim.engine.system.pair)


def run(shape: str, way: str, device: str, newton: str = "on", precision: str = "double") -> Answer:
    here = replace(sample(shape), newton=newton, precision=precision, settings=[f"package everlet accumulate {way}"])
    sim = simulate(here, LJ, device)
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    assert isinstance(sim.engine.loop.pair.scheme, Half) and sim.engine.loop.pair.scheme.coloured == (way == "coloured")
    return answer(sim)


CPUS = ["reference", "serial", *(["threads"] if cores() > 1 else [])]


@pytest.mark.parametrize("device", CPUS)
@pytest.mark.parametrize("newton", ["on", "off"])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", BOXES)
def test_boxes(shape: str, way: str, newton: str, device: str) -> None:
    run(shape, way, device, newton).close_to(expected(shape), 1e-12)


@pytest.mark.skipif(cores() < 2, reason="needs two cores")
@pytest.mark.parametrize("precision", ["double", "mixed"])
@pytest.mark.parametrize("newton", ["on", "off"])
def test_coloured_sums_have_the_same_bits_on_any_number_of_threads(newton: str, precision: str) -> None:
    one, two = (run("long", "coloured", device, newton, precision) for device in ("serial", "threads"))
    assert one.energy == two.energy and (one.virial == two.virial).all() and (one.force == two.force).all()


def test_slabs_of_one_colour_write_to_different_atoms() -> None:
    for shape in ("long", "tilted", "slab"):
        sim = simulate(sample(shape), LJ, "serial")
        assert sim.engine.lists is not None
        near, slabs = sim.engine.lists, Slabs(sim.engine.system, sim.engine.lists)
        slabs.rebuild()
        assert sorted(slabs.order.get()[: sim.engine.system.atoms.n]) == list(range(sim.engine.system.atoms.n))
        assert shape != "long" or len(slabs) >= 6
        edges, count, neigh, order = slabs.edges.get(), near.count.get(), near.neigh.get(), slabs.order.get()
        first = near.first.get()
        for turn in turns(len(slabs), slabs.colours):
            seen: set[int] = set()
            for s in turn:
                atoms = order[edges[s] : edges[s + 1]].tolist()
                begins = [8 * first[i] if near.dense else i * near.si for i in atoms]
                rows = [neigh[begin : begin + count[i]] for i, begin in zip(atoms, begins, strict=True)]
                written = {int(j) for row in rows for j in row} - {near.filler} | set(atoms)
                assert not seen & written
                seen |= written


@pytest.mark.parametrize("bins, reach", [(1, 2), (5, 2), (6, 1), (13, 2), (23, 2), (64, 3), (500, 2)])
def test_cuts(bins: int, reach: int) -> None:
    """Slabs are thick enough for their colours, and one thread keeps the order in which neighbouring slabs add."""
    first = np.concatenate([[0, 0], np.arange(bins + 1), [bins]])  # empty bins on both sides, for ghosts
    edges, colours = cut(first, reach)
    slabs = len(edges) - 1
    assert first[edges[0]] == 0 and first[edges[-1]] == bins
    assert slabs == 1 or np.diff(edges).min() >= (reach if colours == 3 or slabs == 2 else 2 * reach)
    place = np.argsort(sweep(slabs, colours))
    assert sorted(place) == list(range(slabs))
    for a in range(slabs):
        for b in range(a + 1, min(a + 3, slabs)):  # those that may write to the same atoms
            if a % colours != b % colours:
                assert (place[a] < place[b]) == (a % colours < b % colours)


def test_without_a_word_slabs_are_used_where_each_thread_has_one() -> None:
    for shape, two in (("tiny", False), ("long", True)):
        for device, wanted in (("serial", True), ("threads", two)):
            if device == "serial" or cores() > 1:
                sim = simulate(sample(shape), LJ, device)
                assert sim.engine.loop is not None and sim.engine.loop.pair is not None
                assert isinstance(sim.engine.loop.pair.scheme, Half)
                assert sim.engine.loop.pair.scheme.coloured == wanted


def test_what_cannot_be_done_is_refused() -> None:
    sim = simulate(sample("tiny"), LJ, "serial", run="")
    with pytest.raises(InputError, match="unknown way to accumulate 'colored'"):
        sim.commands("package everlet scheme half accumulate colored")
    sim.engine.options["accumulate"] = "atomic"
    with pytest.raises(InputError, match="unknown way to accumulate 'atomic'"):
        sim.commands("run 0")
    with pytest.raises(InputError, match="scheme full has no option 'accumulate'"):
        sim.commands("package everlet scheme full accumulate coloured\nrun 0")
    sim.engine.options.clear()
    with pytest.raises(InputError, match="accumulate belongs to a scheme"):
        sim.commands("package everlet accumulate coloured")


def test_a_gpu_adds_atomically() -> None:
    class Paper(Space):
        target = "cuda"

    sim = simulate(sample("tiny"), LJ, "reference")
    assert sim.engine.loop is not None and sim.engine.loop.pair is not None
    scheme = sim.engine.loop.pair.scheme
    sim.engine.system.space = Paper()
    with pytest.raises(InputError, match="accumulate coloured is for CPUs"):
        Half(sim.engine.system, scheme.neighbor, scheme.parameters).choose(replace(scheme.options, accumulate="coloured"))
