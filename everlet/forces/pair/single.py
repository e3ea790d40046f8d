"""Pairs one by one: their force and energy by the pair style, and which there are. For computes; a run does not use it.

    found = PairsNear(system)            pairs within the cutoffs of the pair style, each once, on the rank of its first atom
    forces, energies = found.values()    F/r and energy of each
    found.parts()                        F/r, energy, and energy of the charges, which the one before is without
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.driver import PairTerm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.single_loops import single_pair
from everlet.neighbor.exclusions import apart
from everlet.neighbor.surroundings import surroundings
from everlet.portable import Kernel, View, parallel_for
from everlet.state.special_lists import bonds_apart
from everlet.state.system import System

STEP = 1e-3  # of a distance
SLOPE = (761 / 280, -8.0, 14.0, -56 / 3, 35 / 2, -56 / 5, 14 / 3, -8 / 7, 1 / 8)  # f' h = sum c_k f(x - k h)


def styles_of(system: System, user: str) -> list[tuple[str, Parameters, float]]:
    """Names, numbers and factors of the styles that pair forces are made of."""
    if system.pair is None:
        raise InputError(f"{user}: there is no pair style", "give pair_style, and pair_coeff")
    system.fresh.need()
    terms = [term for term in system.evaluator.terms if isinstance(term, PairTerm)]
    bad = [term.name for term in terms if not (term.scheme.special_apart and term.scheme.parameters.of_distance)]
    if bad:
        raise InputError(f"{user}: energies of pair style {bad[0]} are not those of single pairs",
                         "use a pair style of distances")
    return [(term.name, term.scheme.parameters, term.factor) for term in terms]


def kernel_of(numbers: Parameters) -> Kernel:
    formula = numbers.weighted if numbers.charged else dict(numbers.plain)["pair"]
    return Kernel(single_pair, fields=numbers.fields, precision=numbers.precision,
                  statics=(("pair", formula), ("NP", len(numbers.fields)), ("COUL", numbers.charged)))


def evaluate_pairs(system: System, r2: np.ndarray, types: np.ndarray, charges: np.ndarray | None, levels: np.ndarray,
                   user: str) -> tuple[np.ndarray, np.ndarray]:
    """F/r and energy for squares of distances, types (n, 2), charges (n, 2), and how many bonds apart atoms are (0: many)."""
    values = evaluate_parts(system, r2, types, charges, levels, user)
    return values[:, 0], values[:, 1] + values[:, 2]


def evaluate_parts(system: System, r2: np.ndarray, types: np.ndarray, charges: np.ndarray | None, levels: np.ndarray,
                   user: str) -> np.ndarray:
    """The same with the energy of charges apart from the rest: (n, 3)."""
    space, n = system.space, len(r2)

    def view(values: Any, dtype: Any) -> View:
        made = View(max(np.size(values), 1), dtype, space)
        if np.size(values):
            made.put(np.asarray(values, dtype).ravel())
        return made

    out = view(np.zeros(3 * n), np.float64)
    given = (view(r2, np.float64), view(types[:, 0], np.int64), view(types[:, 1], np.int64),
             view(np.zeros((n, 2)) if charges is None else charges, np.float64))
    for _, numbers, factor in styles_of(system, user):
        lj, coul = (np.array([1.0, *numbers.weights[name]]) for name in ("lj", "coul"))
        weights = view(np.stack([lj[levels], coul[levels]], axis=1), np.float64)
        parallel_for(space, n, kernel_of(numbers), *given, weights, numbers.table, numbers.data, numbers.kinds, factor, out)
    return out.get()[: 3 * n].reshape(n, 3)


class PairsNear:
    """`ids`, `types`, `masks`, `molecules` (n, 2), `d` (n, 3): x of the first less that of the second, `r2`, `levels`: bonds
    apart, `rows`: of the first, which is an atom of this rank."""

    def __init__(self, system: System, user: str, reach: float = 0.0, both: bool = False):
        """reach: all pairs within it count, 0: those within the cutoffs of their types. both: each is there twice, on the rank
        of either of its atoms, which comes first."""
        assert system.pair is not None
        self.system, self.user = system, user
        cutoff = system.pair_cutoff  # asked for with a reach, too: then cutoffs of types are those of now
        near = surroundings(system, reach or cutoff)
        atoms, n = near.system.atoms, near.n
        x, id, type, mask = (atoms.view(name).get() for name in ("x", "id", "type", "mask"))
        _, _, _, neigh, count, si, sk = near.rows()
        counts = count.get()[:n].astype(np.int64)
        i = np.repeat(np.arange(n), counts)
        q = np.arange(len(i)) - np.repeat(np.cumsum(counts) - counts, counts)
        j = neigh.get()[i * si + q * sk].astype(np.int64)
        d = x[i, :3] - x[j, :3]
        upper = np.where(d[:, 2] != 0.0, d[:, 2], np.where(d[:, 1] != 0.0, d[:, 1], d[:, 0])) > 0.0
        once = both | np.where(id[i] == id[j], upper, id[i] < id[j])
        i, j, d = i[once], j[once], d[once]
        levels = np.zeros(len(i), np.int64)
        if "special" in atoms.fields:
            i, j, d, levels = self._with_special(near, i, j, d, both)
        self.r2 = (d**2).sum(axis=1)
        cutoffs = np.full(len(i), reach) if reach else system.pair.cutoffs[type[i], type[j]]
        inside = self.r2 < cutoffs**2
        i, j, self.d, self.r2, self.levels = i[inside], j[inside], d[inside], self.r2[inside], levels[inside]
        self.rows = i
        self.ids, self.types, self.masks = (np.stack([field[i], field[j]], axis=1) for field in (id, type, mask))
        self.charges, self.molecules, self.radii = (self._both(atoms, name, i, j) for name in ("q", "molecule", "radius"))

    @staticmethod
    def _both(atoms: Any, name: str, i: np.ndarray, j: np.ndarray) -> np.ndarray | None:
        """A field of the two atoms, if there is one."""
        if name not in atoms.fields:
            return None
        values = atoms.view(name).get()
        return np.stack([values[i], values[j]], axis=1)

    def _with_special(self, near: Any, i: Any, j: Any, d: Any, both: bool) -> tuple[Any, ...]:
        """Special pairs have levels; those that lists leave out and that have a force come behind the others."""
        system, atoms = self.system, near.system.atoms
        id, rows = atoms.view("id").get(), atoms.view("special").get()[: near.n].astype(np.int64)
        near_image = (np.abs(d) <= 0.5 * system.need_box().lengths).all(axis=1)
        levels = np.where(near_image, bonds_apart(id[: near.n], rows, id[i], id[j]), 0)
        owner, place = np.nonzero(rows)
        partner, level = rows[owner, place] // 4, rows[owner, place] % 4
        more = np.array(apart(system))[level] & (both | (id[owner] < partner))
        owner, partner, level = owner[more], partner[more], level[more]
        if not len(owner):
            return i, j, d, levels
        of_id = np.full(int(id.max(initial=0)) + 1, -1)
        of_id[id[::-1]] = np.arange(len(id))[::-1]
        other = of_id[partner]
        allowed = ~near.neighbor.exclusions.rules.name(atoms, owner, other)
        owner, other, level = owner[allowed], other[allowed], level[allowed]
        way = atoms.view("x").get()[owner, :3] - atoms.view("x").get()[other, :3]
        return (np.append(i, owner), np.append(j, other), np.concatenate([d, nearest(system.need_box(), way)]),
                np.append(levels, level))

    def only(self, kept: np.ndarray) -> PairsNear:
        """Some of them."""
        made = copy.copy(self)
        for name in ("d", "r2", "levels", "rows", "ids", "types", "masks", "charges", "molecules", "radii"):
            values = getattr(self, name)
            setattr(made, name, values if values is None else values[kept])
        return made

    def values(self) -> tuple[np.ndarray, np.ndarray]:
        return evaluate_pairs(self.system, self.r2, self.types, self.charges, self.levels, self.user)

    def slopes(self) -> tuple[np.ndarray, np.ndarray]:
        """-u' and -u'' of each pair; the latter from forces at nine near distances: exact to some 1e-11."""
        def force(r: np.ndarray) -> np.ndarray:
            return r * evaluate_pairs(self.system, r * r, self.types, self.charges, self.levels, self.user)[0]

        r = np.sqrt(self.r2)
        slope = sum((c * force(r * (1.0 - k * STEP)) for k, c in enumerate(SLOPE)), np.zeros(len(r)))
        return force(r), slope / (STEP * r)

    def parts(self) -> np.ndarray:
        return evaluate_parts(self.system, self.r2, self.types, self.charges, self.levels, self.user)


def nearest(box: Any, d: np.ndarray) -> np.ndarray:
    """Differences (n, 3) less the whole box vectors in them."""
    vectors = ((box.lengths[0], 0.0, 0.0), (box.xy, box.lengths[1], 0.0), (box.xz, box.yz, box.lengths[2]))
    for k in (2, 1, 0):
        if box.periodic[k]:
            d = d - np.floor(d[:, k] / box.lengths[k] + 0.5)[:, None] * np.array(vectors[k])
    return d
