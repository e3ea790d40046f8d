"""Moving the cuts of a division when some ranks have more work than others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from everlet.comm.balance import bisected, imbalance, shifted, whole_weights
from everlet.comm.balance_words import MEASURED, BalanceRequest
from everlet.comm.cuts import Cuts, choose_grid
from everlet.comm.division import Division
from everlet.errors import InputError
from everlet.state.system import System

WORDS = {"xyz": "bricks with given faces", "shift": "bricks with shifted faces", "rcb": "recursive bisection"}


@dataclass
class Balanced:
    """What `rebalance` found and did: imbalance and heaviest rank, before and after."""

    done: bool
    before: float
    after: float
    most_before: float
    most: float
    rounds: int = 0


def rebalance(division: Division, wish: BalanceRequest) -> Balanced:
    """Move the cuts if the imbalance is above the threshold. Atoms go to their new owners in the next exchange."""
    system, world = division.system, division.world
    holders = system.ranks
    if world.size == 1:
        most = float(wish.weights(system, np.zeros(system.atoms.n, int), {}).sum())
        return Balanced(wish.thresh < 1.0, 1.0, 1.0, most, most)
    _wrap(system)
    now = division.present()
    owner = division.owners(now)
    here = np.full(len(owner), world.rank) if holders.size > 1 else owner
    plain = wish.weights(system, here, _measured(division, wish, here))
    weights = whole_weights(holders, plain)
    loads = _loads(division, now, weights)
    scale = float(holders.sum(plain.sum())) / max(int(loads.sum()), 1)
    before, most = imbalance(loads), scale * float(loads.max())
    if before <= wish.thresh:
        return Balanced(False, before, before, most, most)
    cuts, rounds = _moved(division, wish, now, weights)
    loads = _loads(division, cuts, weights)
    division.use(cuts, WORDS[wish.style])
    return Balanced(True, before, imbalance(loads), most, scale * float(loads.max()), rounds)


def _wrap(system: System) -> None:
    """Atoms into the box, as the exchange that follows would: parts are of what is inside."""
    atoms, box = system.atoms, system.need_box()
    s = box.to_fraction(atoms.read("x"))
    out = np.flatnonzero((((s < 0.0) | (s >= 1.0)) & np.array(box.periodic)).any(axis=1))
    before, x, image = atoms.read("image").copy(), atoms.read("x")[out], atoms.read("image")[out]
    if not len(out):
        return
    box.wrap(x, image)
    atoms.edit("x")[out], atoms.edit("image")[out] = x, image
    if system.flow is not None and system.flow.carried:
        system.flow.carry(atoms, before)


def _loads(division: Division, cuts: Cuts, weights: np.ndarray) -> np.ndarray:
    """The weight of all atoms of each rank."""
    mine = np.bincount(division.owners(cuts), weights, division.world.size)
    return division.system.ranks.total(mine.astype(np.int64))


def _measured(division: Division, wish: BalanceRequest, here: np.ndarray) -> dict[str, np.ndarray]:
    """What an atom of each rank costs, by kind; nothing before the first run."""
    if not wish.measured or not division.measures:
        return {}
    counts = division.system.ranks.total(np.bincount(here, minlength=division.world.size))
    costs = np.array(division.world.all_of([division.measures[kind]() for kind in MEASURED]), float)
    return {kind: costs[:, k] / np.maximum(counts, 1) for k, kind in enumerate(MEASURED)}


def _moved(division: Division, wish: BalanceRequest, now: Cuts, weights: np.ndarray) -> tuple[Cuts, int]:
    """Other cuts, and how many rounds it took to find them."""
    system, ranks = division.system, division.world.size
    box, holders = system.need_box(), system.ranks
    s = box.to_fraction(system.atoms.read("x"))
    if wish.style == "rcb":
        across = box.ghost_fraction(1.0)
        return bisected(holders, s, weights, ranks, np.divide(1.0, across, out=np.zeros(3), where=across > 0)), 0
    edges = now.edges or Cuts.equal(choose_grid(ranks, box, system.processors)).edges
    assert edges is not None
    rounds = 0
    if wish.style == "xyz":
        edges = [_given(wish.faces[k], k, len(old) - 1) if k in wish.faces else old for k, old in enumerate(edges)]
    for axis in wish.dims:
        edges, used = shifted(holders, s, weights, edges, axis, wish.rounds, wish.stop)
        rounds += used
        if imbalance(_loads(division, Cuts.bricks(edges, system.rank_order), weights)) <= wish.stop:
            break
    return Cuts.bricks(edges, system.rank_order), rounds


def _given(faces: np.ndarray | None, axis: int, count: int) -> np.ndarray:
    """The faces of so many bricks, as given, or uniform."""
    if faces is None:
        return np.arange(count + 1) / count
    if len(faces) - 1 != count:
        letter = "xyz"[axis]
        raise InputError(f"balance {letter} gives {len(faces) - 2} fractions, but there are {count} bricks along {letter}",
                         f"give {count - 1} of them, or use the processors command")
    return faces
