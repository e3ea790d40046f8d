"""Any tree of cuts: owners, ghosts and pairs, with ranks that are threads of this process, and where balancing puts cuts."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from everlet.comm.balance import bisected, imbalance, shifted, whole_weights
from everlet.comm.balance_words import BalanceRequest
from everlet.comm.cuts import Cuts
from everlet.comm.division import Division
from everlet.comm.rebalance import rebalance
from everlet.state.ranks import SingleRank
from tests.mpi.fake import FakeWorld, together
from tests.mpi.test_division import BOUNDARIES, CUT, check, divided, kept, make_system


def random_tree(random: np.random.Generator, ranks: int, dimension: int = 3) -> Cuts:
    """Cuts anywhere along any axis, some through places where atoms may be exactly."""
    made = Cuts(ranks)

    def divide(first: int, count: int, low: np.ndarray, high: np.ndarray) -> int:
        if count == 1:
            return made.leaf(first, low, high)
        axis, part = int(random.integers(dimension)), random.choice([0.5, random.random(), 0.03])
        cut = low[axis] + part * (high[axis] - low[axis])
        node, half = made.node(axis, cut), int(random.integers(1, count))
        end, begin = high.copy(), low.copy()
        end[axis] = begin[axis] = cut
        made.hang(node, 0, divide(first, half, low, end))
        made.hang(node, 1, divide(first + half, count - half, begin, high))
        return node

    divide(0, ranks, np.zeros(3), np.ones(3))
    return made


def random_bricks(random: np.random.Generator, ranks: int) -> Cuts:
    grid = [ranks, 1, 1] if ranks % 2 else [2, ranks // 2, 1]
    edges = [np.concatenate([[0.0], np.sort(random.random(count - 1)), [1.0]]) for count in random.permutation(grid)]
    return Cuts.bricks(edges, "".join(random.permutation(list("xyz"))))


def pairs_of(found: list[dict]) -> list[tuple]:
    """Pairs of an owned atom and another one here within the cutoff, as every rank sees them: ids and distance."""
    seen = []
    for here in found:
        n, x, ids = here["n"], here["rows"]["x"][:, :3], here["rows"]["id"]
        for i in range(n):
            far = np.sqrt(((x[i + 1 :] - x[i]) ** 2).sum(axis=1))
            for j in np.flatnonzero(far < CUT):
                seen.append((*sorted((int(ids[i]), int(ids[i + 1 + j]))), round(float(far[j]), 9)))
    return sorted(seen)


def all_pairs(found: list[dict]) -> list[tuple]:
    """The same by brute force over all images of all atoms, each pair once."""
    box = found[0]["box"]
    x = np.concatenate([here["rows"]["x"][: here["n"], :3] for here in found])
    ids = np.concatenate([here["rows"]["id"][: here["n"]] for here in found])
    reach = box.ghost_fraction(CUT)
    most = [int(np.ceil(r)) + 1 if p and r > 0 else 0 for r, p in zip(reach, box.periodic, strict=True)]
    seen = []
    for shift in itertools.product(*(range(-m, m + 1) for m in most)):
        if shift < (0, 0, 0):
            continue
        moved = x + (box.from_fraction(np.array([shift], float)) - box.lo)
        for i in range(len(x)):
            far = np.sqrt(((moved - x[i]) ** 2).sum(axis=1))
            for j in np.flatnonzero(far < CUT):
                if shift != (0, 0, 0) or j > i:
                    seen.append((*sorted((int(ids[i]), int(ids[j]))), round(float(far[j]), 9)))
    return sorted(seen)


@settings(max_examples=30, deadline=None, derandomize=True)
@given(ranks=st.sampled_from([2, 3, 4, 7]), seed=st.integers(0, 999), atoms=st.sampled_from([0, 1, 7, 40]),
       edges=st.tuples(*[st.sampled_from([0.9, 2.0, 4.5])] * 3), tilted=st.booleans(), boundary=st.sampled_from(BOUNDARIES),
       bricks=st.booleans(), upper=st.booleans())
def test_any_cuts(ranks, seed, atoms, edges, tilted, boundary, bricks, upper):
    """One owner for every atom, the ghosts that brute force finds, and with half of them each pair once in the whole job."""
    tilt = (0.4 * edges[0], -0.3 * edges[0], 0.2 * edges[1]) if tilted else (0.0, 0.0, 0.0)
    args = (seed, atoms, edges, tilt, boundary)
    random = np.random.default_rng(seed)
    cuts = random_bricks(random, ranks) if bricks else random_tree(random, ranks)
    assert np.prod(cuts.corners[:, 1] - cuts.corners[:, 0], axis=1).sum() == pytest.approx(1.0)
    found = together(ranks, lambda world: divided(world, upper, *args, cuts=cuts))
    check(found, kept(*args), upper)
    if upper:
        assert pairs_of(found) == all_pairs(found)


def test_any_cuts_in_two_dimensions():
    for seed in range(3):
        args = (seed, 40, (5.0, 4.0, 1.0), (0.5, 0.0, 0.0), "p f p", 2)
        cuts = random_tree(np.random.default_rng(seed), 5, 2)
        found = together(5, lambda world, cuts=cuts, args=args: divided(world, True, *args, cuts=cuts))
        check(found, kept(*args), True)
        assert pairs_of(found) == all_pairs(found)


def test_atoms_on_cuts_belong_to_the_upper_side():
    """The kernel compares with the very numbers that are the corners of the parts."""

    def work(world: FakeWorld) -> list[np.ndarray]:
        system = make_system(world, 1, 64, (1.0, 1.0, 1.0), (0.0, 0.0, 0.0), "p p p")
        box = system.need_box()
        box.lo[:], box.hi[:] = 0.0, 1.0
        system.atoms.edit("x")[:] = np.array(list(itertools.product([0.0, 0.125, 0.25, 0.75], repeat=3)))
        division = Division(system)
        faces = [[0.0, 0.125, 0.25, 1.0], [0.0, 0.5, 1.0], [0.0, 1.0]]
        return [division.owners(Cuts.bricks([np.array(row) for row in faces]))]

    owner = together(6, work)[0][0].reshape(4, 4, 4)
    assert (owner[:, 0, 0] == [0, 2, 4, 4]).all() and (owner[0, :, 0] == [0, 0, 0, 1]).all()


# where balancing puts cuts


def loads(cuts: Cuts, s: np.ndarray, weights: np.ndarray) -> np.ndarray:
    inside = [((s >= low) & (s < high)).all(axis=1) for low, high in cuts.corners]
    assert (np.sum(inside, axis=0) == 1).all()
    return np.array([weights[rows].sum() for rows in inside])


@settings(max_examples=20, deadline=None, derandomize=True)
@given(ranks=st.integers(1, 12), seed=st.integers(0, 999), atoms=st.sampled_from([500, 3000]),
       power=st.sampled_from([1.0, 3.0]), weighted=st.booleans(), flat=st.booleans())
def test_bisection_shares_any_cloud(ranks, seed, atoms, power, weighted, flat):
    random = np.random.default_rng(seed)
    s = random.random((atoms, 3)) ** power
    given_weights = random.choice([1.0, 2.5], atoms) if weighted else np.ones(atoms)
    weights = whole_weights(SingleRank(), given_weights)
    cuts = bisected(SingleRank(), s, weights, ranks, np.array([3.0, 2.0, 0.0 if flat else 1.0]))
    assert imbalance(loads(cuts, s, given_weights)) < 1.0 + 6.0 * ranks / atoms * (2.5 if weighted else 1.0)
    assert not flat or ((cuts.corners[:, 0, 2] == 0) & (cuts.corners[:, 1, 2] == 1)).all()


def test_bisection_of_planes_and_of_nothing():
    layers = np.array(list(itertools.product(np.arange(8) / 8, np.arange(8) / 8, np.arange(8) / 8)))
    cuts = bisected(SingleRank(), layers, np.ones(512, int), 4, np.array([9.0, 1.0, 1.0]))
    assert imbalance(loads(cuts, layers, np.ones(512))) == 1.0
    assert sorted(set(cuts.nodes[:, 1])) == [0.1875, 0.4375, 0.6875]  # between planes, not on them
    empty = bisected(SingleRank(), np.zeros((0, 3)), np.zeros(0, int), 7, np.ones(3))
    assert np.prod(empty.corners[:, 1] - empty.corners[:, 0], axis=1) == pytest.approx(np.full(7, 1 / 7))
    same = bisected(SingleRank(), np.full((50, 3), 0.25), np.ones(50, int), 5, np.ones(3))  # nothing can be shared
    assert loads(same, np.full((50, 3), 0.25), np.ones(50)).max() == 50


def test_shifted_faces():
    random = np.random.default_rng(4)
    s = random.random((4000, 3)) * [0.5, 1.0, 1.0]
    edges = [np.linspace(0, 1, n + 1) for n in (4, 2, 1)]
    moved, rounds = shifted(SingleRank(), s, np.ones(4000, int), edges, 0, 10, 1.01)
    assert np.abs(moved[0] - [0, 0.125, 0.25, 0.375, 1.0]).max() < 0.01 and 1 <= rounds <= 3
    coarse, rounds = shifted(SingleRank(), s, np.ones(4000, int), edges, 0, 1, 1.0)
    assert rounds == 1 and (moved[1] == edges[1]).all()
    assert shifted(SingleRank(), s, np.ones(4000, int), edges, 2, 10, 1.0) == (edges, 0)


def test_ranks_find_the_cuts_that_one_would_find():
    """Inside a run each rank sees its own atoms only; then atoms that jump anywhere are kept."""
    wishes = [BalanceRequest(1.0, "rcb"), BalanceRequest(1.0, "shift", dims=[0, 1, 2], rounds=10, stop=1.0),
              BalanceRequest(1.0, "rcb", groups=[("all", 2.0)])]

    def work(world: FakeWorld) -> list:
        system = make_system(world, 3, 300, (4.0, 3.0, 2.0), (0.0, 0.0, 0.0), "p p p")
        x = system.atoms.edit("x")
        x[:, 0] = 0.5 + 0.3 * np.abs(x[:, 0] - 0.5)
        division = Division(system)
        found: list = []
        for wish in wishes:
            system.need_box().wrap(system.atoms.edit("x"), system.atoms.edit("image"))
            alone = rebalance(division, wish)
            cuts = division.present()
            division.forget()
            division.begin()
            comm = division.comm(system)
            comm.exchange(system)
            together = rebalance(division, wish)
            assert np.array_equal(division.present().corners, cuts.corners) and together.after == alone.after
            comm.hooks = [lambda wish=wish: rebalance(division, wish)]
            for _ in range(3):
                comm.exchange(system)
                comm.borders(system, CUT)
                system.atoms.edit("x")[:] += np.random.default_rng(world.rank).standard_normal((system.atoms.n, 3))
            comm.exchange(system)
            found.append((alone.before, alone.after, system.atoms.n))
            division.gather()
            division.forget()
            assert sorted(system.atoms.read("id")) == list(range(1, 301))
            system.atoms.edit("x")[:, 0] = 0.5 + 0.3 * np.abs(system.atoms.read("x")[:, 0] - 0.5)
        return found

    found = together(4, work)
    assert all(here == there for here, there in zip(*(
        [(before, after) for before, after, _ in rank] for rank in found[:2]), strict=True))
    assert found[0][0][0] > 1.5 and found[0][0][1] < 1.02
    for k in range(3):
        counts = [rank[k][2] for rank in found]
        assert sum(counts) == 300 and max(counts) < (80 if wishes[k].style == "rcb" else 110)


def test_ranks_that_need_more_time_get_fewer_atoms():
    """Weights from what ranks measured: the atoms of the first of two ranks cost three times as much as the others."""

    def work(world: FakeWorld) -> list[float]:
        system = make_system(world, 5, 400, (4.0, 3.0, 2.0), (0.0, 0.0, 0.0), "p p p")
        division = Division(system)
        division.begin()
        comm = division.comm(system)
        comm.exchange(system)
        division.measures = {"neigh": lambda: 0.0, "time": lambda: (3.0 if world.first else 1.0) * system.atoms.n}
        before = system.atoms.n
        # nothing was counted: all are alike
        ignored = rebalance(division, BalanceRequest(1.5, "rcb", measured=[("neigh", 1.0)]))
        found = rebalance(division, BalanceRequest(1.0, "rcb", measured=[("time", 1.0)]))
        comm.exchange(system)
        return [before, ignored.done, found.done, found.before, found.after, found.most, system.atoms.n]

    (first, ignored, done, before, after, most, n), (second, *_, other) = together(2, work)
    assert not ignored and done and before == pytest.approx(2 * 3 * first / (3 * first + second))
    assert after < 1.02 and most == pytest.approx(after * (3 * first + second) / 2)
    assert n + other == 400 and n == pytest.approx((3 * first + second) / 6, abs=3)
    weights = BalanceRequest(measured=[("time", 0.5)]).weights(make_system(SingleRank(), 1, 3, (1, 1, 1), (0, 0, 0), "p p p"),
                                                     np.array([0, 1, 2]), {"time": np.array([1.0, 3.0, 0.0])})
    assert weights.tolist() == [1.0, 2.0, 1.0]
