"""Neighbour lists and forces in boxes made by hypothesis: the list is exactly what a search over all images finds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from everlet.comm.serial import SerialComm
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import Neighbor
from everlet.portable import Space, choose
from everlet.portable.batch import collected
from everlet.state.box import Box
from everlet.state.system import System
from tests.contract.systems import Sample, answer, brute, image_pairs, scattered, simulate

LISTS = [("half", "on"), ("half", "off"), ("full", "on"), ("full", "off")]
NEIGHBOURS = pytest.mark.parametrize("neigh, newton", LISTS)
BOUNDARIES = ("p p p", "p p p", "p p f", "f p p", "p f f", "f f f", "p fs p", "s p p", "m f p")
EDGE = 1e-9  # a pair this close to the list radius, or to its cutoff, may be in or out


def examples(count: int) -> Callable[[Any], Any]:
    return settings(max_examples=count, deadline=None, derandomize=True, database=None,
                    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])


@st.composite
def boxes(draw: st.DrawFn, smallest: float, largest: float) -> Box:
    """Orthogonal or tilted (up to twice an edge), 2-d or 3-d, periodic, fixed and shrink-wrapped faces."""
    edge, tilt = st.floats(smallest, largest), st.one_of(st.just(0.0), st.floats(-2.0, 2.0))
    lx, ly, lz = draw(edge), draw(edge), draw(edge)
    lo = np.array([draw(st.floats(-20.0, 20.0)) for _ in range(3)])
    boundary, tilted = draw(st.sampled_from(BOUNDARIES)), draw(st.booleans())
    x, y, z = boundary.split()
    flat = draw(st.booleans())
    if flat:  # two dimensions: z is periodic and not tilted
        z, lz, lo[2] = "p", 1.0, -0.5
    xy = draw(tilt) * lx if tilted and y == "p" else 0.0
    xz, yz = ((draw(tilt) * lx, draw(tilt) * ly) if tilted and z == "p" and not flat else (0.0, 0.0))
    hi = lo + np.array([lx, ly, lz])
    return Box(lo, hi, xy, xz, yz, boundary=f"{x} {y} {z}", dimension=2 if flat else 3, triclinic=tilted)


def places(box: Box, count: int, seed: int) -> np.ndarray:
    """Positions at random: inside along fixed faces, up to two boxes away along periodic ones."""
    s = np.random.default_rng(seed).random((count, 3)) * 0.98 + 0.01
    away = np.random.default_rng(seed + 1).integers(-2, 3, (count, 3))
    s += away * np.array(box.periodic)
    if box.dimension == 2:
        s[:, 2] = 0.5
    return box.from_fraction(s)


def build(space: Space, box: Box, x: np.ndarray, radius: float, neigh: str, newton: str, most: int = 10**6,
          dense: bool = True) -> tuple[System, SerialComm, Neighbor]:
    system = System(space)
    system.box, system.dimension, system.newton = box, box.dimension, newton == "on"
    system.masses = np.ones(2)
    system.atoms.append(x=x, type=1, id=np.arange(1, len(x) + 1))
    comm, lists = SerialComm(system), Neighbor(system, NeighborSettings(skin=0.2, one=most), neigh, dense=dense)
    lists.cutoff = radius - 0.2
    lists.rebuild(comm)
    return system, comm, lists


def entries(system: System, comm: SerialComm, lists: Neighbor) -> Counter[tuple[int, ...]]:
    """What the list holds: (i, j, image of j) by storage row, with a count."""
    n, neigh, count = system.atoms.n, lists.neigh.get(), lists.count.get()
    first = lists.first.get()
    owner, shift = np.repeat(np.arange(n), np.diff(comm.start.get()[: n + 1])), comm.shift.get()
    found: Counter[tuple[int, ...]] = Counter()
    for i in range(n):
        for q in range(count[i]):
            j = int(neigh[8 * int(first[i]) + q] if lists.dense else neigh[i * lists.si + q * lists.sk])
            found[(i, j, 0, 0, 0) if j < n else (i, int(owner[j - n]), *shift[j - n].tolist())] += 1
    return found


def check_list(system: System, comm: SerialComm, lists: Neighbor) -> None:
    """Against all images. Full: each pair in both rows. Half: in one; with newton off this holds for owned atoms."""
    box, x = system.need_box(), system.atoms.read("x")
    i, j, k, d = image_pairs(box, x, lists.radius + EDGE)
    sure = np.linalg.norm(d, axis=1) < lists.radius - EDGE
    pairs = [(int(a), int(b), *(int(c) for c in m)) for a, b, m in zip(i, j, k, strict=True)]
    found = entries(system, comm, lists)
    assert set(found) <= set(pairs)
    for (a, b, kx, ky, kz), certain in zip(pairs, sure, strict=True):
        if not certain:
            continue
        here, there = found[a, b, kx, ky, kz], found[b, a, -kx, -ky, -kz]
        owned = (kx, ky, kz) == (0, 0, 0)
        once = lists.kind == "half" and (system.newton or owned)
        assert here + there == (1 if once else 2) and max(here, there) == 1, f"pair {a} {b} image {kx} {ky} {kz}"


def one_box(space: Space, box: Box, count: int, seed: int, radius: float, neigh: str, newton: str) -> None:
    x = places(box, count, seed)
    system, comm, lists = build(space, box, x.copy(), radius, neigh, newton)
    assert system.atoms.n == count and not system.lost
    order = np.argsort(system.atoms.read("id"))
    here, image = system.atoms.read("x")[order], system.atoms.read("image")[order]
    whole = system.need_box().from_fraction(image.astype(float)) - system.need_box().lo
    np.testing.assert_allclose(here + whole, x, rtol=0, atol=1e-11)  # wrapped, and the crossings counted
    check_list(system, comm, lists)


def space_of(device: str) -> Space:
    return choose("cpu", 2) if device == "threads" else choose(device)


SEEDS = st.integers(0, 10**6)
LARGE = {"box": boxes(0.7, 8.0), "count": st.integers(1, 20), "seed": SEEDS, "radius": st.floats(0.5, 2.8)}
SMALL = {"box": boxes(1.2, 4.0), "count": st.integers(1, 6), "seed": SEEDS, "radius": st.floats(0.5, 1.8)}


@NEIGHBOURS
def test_list_is_brute_force(neigh: str, newton: str, compiled: str) -> None:
    examples(20)(given(**LARGE)(lambda **drawn: one_box(space_of(compiled), **drawn, neigh=neigh, newton=newton)))()


@NEIGHBOURS
def test_list_is_brute_force_in_plain_python(neigh: str, newton: str) -> None:
    examples(6)(given(**SMALL)(lambda **drawn: one_box(choose("reference"), **drawn, neigh=neigh, newton=newton)))()


@pytest.mark.all
@NEIGHBOURS
def test_list_is_brute_force_in_many_boxes(neigh: str, newton: str, compiled: str) -> None:
    examples(400)(given(**LARGE)(lambda **drawn: one_box(space_of(compiled), **drawn, neigh=neigh, newton=newton)))()


def forces_in_a_box(device: str, box: Box, seed: int, types: int, cuts: list[float], neigh: str, newton: str) -> None:
    """lj/cut with a cutoff for every pair of types, against the plain sum."""
    count = max(1, min(12, int(0.25 * box.volume)))
    here = scattered(box, count, seed=seed, apart=0.85, types=types).listed(neigh, newton)
    pairs = [(i, j) for i in range(1, types + 1) for j in range(i, types + 1)]
    lines = [f"pair_coeff {i} {j} {1 + 0.1 * i + 0.05 * j} {0.8 + 0.02 * i * j} {cut!r}"
             for (i, j), cut in zip(pairs, cuts, strict=False)]
    sim = simulate(here, "\n".join(["pair_style lj/cut 2.5", *lines]), device)
    moved = Sample(sim.engine.system.need_box(), here.x, here.kind, types)  # shrink-wrapped faces have moved
    r = np.linalg.norm(image_pairs(moved.box, moved.x, max(cuts) + EDGE)[3], axis=1)
    assume(np.abs(r[:, None] - cuts).min(initial=1.0) > EDGE)  # an image may be as far away as the cutoff, to the last digit
    answer(sim).close_to(brute(moved, sim.engine.system.pair))


FORCES = {"box": boxes(1.2, 5.0), "seed": SEEDS, "types": st.integers(1, 3),
          "cuts": st.lists(st.floats(0.9, 3.0), min_size=6, max_size=6)}


@NEIGHBOURS
def test_forces_with_a_cutoff_per_pair(neigh: str, newton: str, compiled: str) -> None:
    examples(12)(given(**FORCES)(lambda **drawn: forces_in_a_box(compiled, **drawn, neigh=neigh, newton=newton)))()


@pytest.mark.all
@NEIGHBOURS
def test_forces_in_many_boxes(neigh: str, newton: str, compiled: str) -> None:
    examples(200)(given(**FORCES)(lambda **drawn: forces_in_a_box(compiled, **drawn, neigh=neigh, newton=newton)))()


@pytest.mark.parametrize("dense", [True, False])
@NEIGHBOURS
def test_rows_grow_until_all_neighbours_fit(neigh: str, newton: str, dense: bool, device: str) -> None:
    """A dense cluster in a large box: the capacity guessed from the mean density is far too small."""
    box = Box([0, 0, 0], [30, 30, 30])
    count = 60 if device == "reference" else 300
    x = 15.0 + 1.2 * np.random.default_rng(2).random((count, 3))
    system, comm, lists = build(space_of(device), box, x, 2.5, neigh, newton, dense=dense)
    assert int(lists.count.get()[:count].max()) > 32 and lists.room > 32  # 24 places at first
    check_list(system, comm, lists)
    lists.rebuild(comm)
    check_list(system, comm, lists)


@NEIGHBOURS
@pytest.mark.parametrize("most", [0, 9, 40])
def test_candidates_side_by_side(neigh: str, newton: str, most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are the same, in the same order, whether or not the candidates of a bin fit into scratch memory."""
    box = Box([0.0, 0.0, 0.0], [5.0, 6.0, 7.0])
    x = places(box, 150, 3)
    rows = []
    for few in (False, True):
        if few:
            monkeypatch.setattr("everlet.neighbor.rows.candidates", lambda grid, radius: most)
        system, comm, lists = build(space_of("serial"), box, x.copy(), 1.7, neigh, newton)
        check_list(system, comm, lists)
        first, count, entry = lists.first.get(), lists.count.get(), lists.neigh.get()
        rows.append([entry[8 * first[i] : 8 * first[i] + count[i]].tolist() for i in range(system.atoms.n)])
    assert rows[0] == rows[1] and sum(map(len, rows[0])) > 500


@NEIGHBOURS
def test_candidates_of_large_bins(neigh: str, newton: str) -> None:
    """Few atoms in a long box: bins are much larger than the radius."""
    box = Box([0.0, 0.0, 0.0], [5000.0, 2.0, 2.0])
    x = places(box, 30, 7)
    x[15:] = x[:15] + [0.4, 0.1, 0.0]
    system, comm, lists = build(space_of("serial"), box, x, 0.9, neigh, newton)
    check_list(system, comm, lists)
    assert lists.bins.grid is not None and lists.bins.grid.size.max() > 4.0 * lists.radius and lists.pairs() > 0


def test_images_are_counted_where_there_are_none() -> None:
    """GPUs count ghosts themselves: the loop that does so is launched although no atom is near a face."""
    space, x = space_of("serial"), 15.0 + np.random.default_rng(2).random((9, 3))
    system, comm, _ = build(space, Box([0, 0, 0], [30, 30, 30]), x, 2.5, "full", "on")
    assert comm.edges == 0 and system.atoms.nghost == 0
    with collected(space) as launches:
        comm.borders(system, 2.5)
    assert [items for kernel, items, _, _ in launches if kernel.name == "fill_images"] == [9]
