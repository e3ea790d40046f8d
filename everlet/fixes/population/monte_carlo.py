"""Monte-Carlo moves in the middle of a run: all atoms as arrays on every rank, which come to the same decisions, and energies
of single atoms with all others, or of the whole system."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.errors import InputError
from everlet.fixes.population.base import Population
from everlet.forces.pair.driver import PairTerm
from everlet.forces.pair.single import evaluate_pairs
from everlet.neighbor.surroundings import surroundings
from everlet.portable import View
from everlet.state.atom_styles import need_field
from everlet.state.box import Box
from everlet.state.masses import OWN
from everlet.state.random import ParkMiller
from everlet.state.system import System

AT_ONCE = 1 << 16  # distances


class MonteCarlo(Population):
    """A fix with two streams of the same seed, as the reference has: what all ranks draw there, and what one of them does."""

    streams = (*Population.streams, ("own", "own_kept"))
    ordered = True

    def draw_from(self, seed: int) -> None:
        self.stream, self.own = ParkMiller(seed), ParkMiller(seed)


class Gathered:
    """All atoms now: on one rank in their own order, on several by id. Positions are in the box."""

    def __init__(self, system: System, user: str):
        self.system, self.user = system, user
        whole = system.whole
        id = whole.read("id")
        order = np.argsort(id, kind="stable") if system.ranks.size > 1 else np.arange(len(id))
        self.id, self.type, self.mask = (whole.read(name)[order] for name in ("id", "type", "mask"))
        self.q = whole.read("q")[order] if "q" in whole.fields else None
        self.x = whole.read("x")[order, :3]
        self.box = system.need_box()
        self.box.wrap(self.x, np.zeros((len(self.x), 3), np.int32))
        self.shifts = far_images(self.box, system.pair_cutoff)

    @property
    def n(self) -> int:
        return len(self.id)

    def remove(self, row: int) -> None:
        """The last atom takes its place."""
        for name in ("id", "type", "mask", "x", *(("q",) if self.q is not None else ())):
            values = getattr(self, name)
            values[row] = values[-1]
            setattr(self, name, values[:-1])

    def add(self, place: np.ndarray, id: int, type: int, mask: int, charge: float) -> None:
        self.x, self.id = np.vstack([self.x, place]), np.append(self.id, id)
        self.type, self.mask = np.append(self.type, type), np.append(self.mask, mask)
        if self.q is not None:
            self.q = np.append(self.q, charge)

    def nearest_atom(self, place: np.ndarray, but: Sequence[int] = ()) -> float:
        """Its distance from a place."""
        r2 = (self.box.nearest(place - self.x) ** 2).sum(axis=1)
        r2[list(but)] = np.inf
        return float(np.sqrt(r2.min(initial=np.inf)))

    def energy(self, place: np.ndarray, type: int, charge: float = 0.0, but: Sequence[int] = ()) -> float:
        """Pair energy of an atom at a place with all others but those of rows `but`, and half of that with its own images."""
        return float(self.energies(place[None], type, charge, but)[0])

    def energies(self, places: np.ndarray, type: int, charge: float = 0.0, but: Sequence[int] = ()) -> np.ndarray:
        """The same of several places, each for itself; so many at a time that distances stay in the cache."""
        part = max(1, AT_ONCE // max(1, self.n * len(self.shifts)))
        return np.concatenate([self._energies(places[first : first + part], type, charge, but)
                               for first in range(0, len(places), part)])

    def _energies(self, places: np.ndarray, type: int, charge: float, but: Sequence[int]) -> np.ndarray:
        d = self.box.nearest((places[:, None] - self.x).reshape(-1, 3)).reshape(len(places), self.n, 1, 3) + self.shifts
        r2 = np.einsum("pnkc,pnkc->pnk", d, d)
        pair = self.system.pair
        assert pair is not None
        near = r2 < (pair.cutoffs[type, self.type] ** 2)[:, None]
        near[:, list(but)] = False
        of, rows, images = np.nonzero(near)
        own = (self.shifts[1:] ** 2).sum(axis=1)
        own = own[own < pair.cutoffs[type, type] ** 2]
        types = np.stack([np.full(len(rows) + len(own), type), np.append(self.type[rows], np.full(len(own), type))], axis=1)
        charges = None
        if self.q is not None:
            charges = np.stack([np.full(len(types), charge), np.append(self.q[rows], np.full(len(own), charge))], axis=1)
        if not len(types):
            return np.zeros(len(places))
        values = evaluate_pairs(self.system, np.append(r2[of, rows, images], own), types, charges,
                                np.zeros(len(types), np.int64), self.user)[1]
        return np.bincount(of, values[: len(rows)], len(places)) + 0.5 * float(values[len(rows):].sum())


def atoms_alone(name: str, words: Sequence[str], refused: Sequence[str], usage: str) -> None:
    """Refuse keywords of molecules and of whole energies by name, before a type 0 that goes with them."""
    word = next((word for word in words if word in refused), "")
    if word:
        raise InputError(f"fix {name}: keyword {word} is not available: atoms come and go alone, with energies of pairs",
                         f"give a type of atoms, and no {word}; usage: {usage}")


def check_particle(system: System, name: str, charged: bool) -> None:
    """Refuse what atoms that are put in cannot have."""
    if system.dimension == 2:
        raise InputError(f"fix {name} is for three dimensions", "use a box of three dimensions")
    if OWN in system.atoms.fields:
        raise InputError(f"fix {name} puts in points, and atoms have sizes and masses of their own", "use another atom_style")
    if charged:
        need_field(system.atoms, "q", f"fix {name} charge")


def far_images(box: Box, reach: float) -> np.ndarray:
    """Whole box vectors, 0 first, such that with nearest differences and these all images within the reach are found."""
    across = np.linalg.inv(box.edges).T
    counts = [0, 0, 0]
    for axis in range(box.dimension):
        height = 1.0 / float(np.sqrt((across[axis] ** 2).sum()))
        if box.periodic[axis] and (2.0 * reach > height or box.triclinic):
            counts[axis] = int(np.ceil(reach / height + 0.5))
    grid = np.stack(np.meshgrid(*(np.arange(-k, k + 1) for k in counts), indexing="ij"), axis=-1).reshape(-1, 3)
    grid = grid[np.argsort((grid != 0).any(axis=1), kind="stable")]
    return grid @ box.edges


def of_single_pairs(system: System) -> bool:
    """The energy of an atom is the sum of its pairs, so that it can be moved without a look at all others."""
    if system.pair is None or system.kspace is not None or system.pair.with_tail:
        return False
    terms = [term for term in system.evaluator.terms if isinstance(term, PairTerm)]
    return all(term.scheme.special_apart and term.scheme.parameters.of_distance for term in terms) and not linked(system)


def linked(system: System) -> bool:
    return any(style is not None for style in system.bonded.values())


def whole_energy(system: System) -> float:
    """The energy of all terms of forces, of all ranks, with atoms as they are now. No tail."""
    near = surroundings(system.evaluator.neighbor.system, system.evaluator.neighbor.cutoff)
    rows, space = max(near.n, 1), near.system.space
    energy, virial = View(rows, np.float64, space), View((rows, 6), np.float64, space)
    with near.instead():
        for term in system.evaluator.terms:
            term.peratom(near, energy, virial)
    return float(system.ranks.sum(np.array([energy.get()[: near.n].sum()]))[0])
