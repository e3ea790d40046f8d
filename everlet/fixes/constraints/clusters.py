"""Which atoms are constrained: clusters of a centre and one to three partners, found once from bonds and angles."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.constraints.cluster_loops import ANGLE, FOUR, PAIR, THREE
from everlet.state.molecule import Template, known_template
from everlet.state.system import System
from everlet.state.topology import ANGLE as ANGLES
from everlet.state.topology import BOND as BONDS
from everlet.state.topology import Kind, links, rows_of

SAME_MASS = 0.1  # masses that are nearer than that are those of the list
LISTS = {"b": "bond types", "a": "angle types", "t": "atom types", "m": "masses"}
KEYWORDS = {"store": "f_ID is not available"}


@dataclass
class Chosen:
    """TOLERANCE ITERATIONS N b … a … t … m …: what the words of fix shake say."""

    tolerance: float
    turns: int
    every: int
    b: list[int] = field(default_factory=list)
    a: list[int] = field(default_factory=list)
    t: list[int] = field(default_factory=list)
    m: list[float] = field(default_factory=list)
    kbond: float | None = None  # of springs in minimisations
    mol: Template | None = None  # copies of it may come

    @classmethod
    def of(cls, system: System, style: str, args: list[str]) -> Chosen:
        arguments(args, 5, None, f"fix ID group {style} TOLERANCE ITERATIONS N b TYPE … a TYPE … t TYPE … m MASS …")
        found = cls(number(args[0], "a tolerance"), integer(args[1], "a number of iterations"),
                    integer(args[2], "a number of steps"))
        if found.tolerance <= 0.0 or found.turns < 1 or found.every < 0:
            raise InputError(f"fix {style} {' '.join(args[:3])}", "give a tolerance above 0, 1 or more iterations, and 0 or "
                             "more steps between statistics")
        letter, words = "", list(args[3:])
        while words:
            word = words.pop(0)
            if word == "kbond":
                arguments(words, 1, None, "kbond K")
                found.kbond = number(words.pop(0), "a force constant")
            elif word == "mol":
                arguments(words, 1, None, "mol TEMPLATE")
                found.mol = known_template(system, words.pop(0))
            elif word in LISTS:
                letter = word
            elif word in KEYWORDS:
                raise InputError(f"fix {style}: keyword {word} is not available: {KEYWORDS[word]}", "leave it out")
            elif not letter:
                raise unknown(f"word of fix {style}", word, LISTS)
            elif letter == "m":
                found.m.append(number(word, "a mass"))
            elif letter == "t":
                found.t.append(system.type_of(word))
            else:
                kind = BONDS if letter == "b" else ANGLES
                getattr(found, letter).append(system.topology.type_of(kind, word))
        if not (found.b or found.t or found.m):
            raise InputError(f"fix {style} names no bonds", "list bond types (b), atom types (t) or masses (m)")
        return found

    def names(self, bonds: np.ndarray, type: np.ndarray, mass: np.ndarray) -> np.ndarray:
        """Which of these bonds are to be constrained; type, mass: of their two atoms."""
        named = np.isin(bonds[:, 0], self.b) | np.isin(type, self.t).any(axis=1)
        for wanted in self.m:
            named |= (np.abs(mass - wanted) <= SAME_MASS).any(axis=1)
        return named


@dataclass
class Clusters:
    """The clusters of a system.

    table    (count, 5)   shape, counted from 1, and ids: the centre, then its partners; 0: none
    shapes   form, three types: those of the bonds, with ANGLE the third is that of the angle
    bonds    (k, 3) and angles (k, 4): type and ids of the links that are constrained
    """

    table: np.ndarray
    shapes: list[tuple[int, int, int, int]]
    bonds: np.ndarray
    angles: np.ndarray

    def count(self, form: int) -> int:
        of_shape = np.array([0, *(shape[0] for shape in self.shapes)])
        return int((of_shape[self.table[:, 0]] == form).sum())


def selected(system: System, chosen: Chosen, bit: int) -> np.ndarray:
    """Bonds (k, 3) that are to be constrained."""
    atoms = system.atoms
    bonds = links(atoms, BONDS)
    if not len(bonds):
        return bonds
    rows = rows_of(atoms, bonds[:, 1:])
    named = chosen.names(bonds, atoms.read("type")[rows], system.masses_of()[rows])
    inside = ((atoms.read("mask")[rows] & bit) != 0).all(axis=1)
    return bonds[named & inside & (bonds[:, 0] > 0)]


def find(system: System, chosen: Chosen, bit: int, style: str) -> Clusters:
    """All clusters; all atoms must be here."""
    return _clusters(chosen, selected(system, chosen, bit), links(system.atoms, ANGLES), style)


def find_in(template: Template, mass: np.ndarray, offset: int, chosen: Chosen, style: str) -> Clusters:
    """Those of a template whose atoms have the ids 1, 2, 3 …; offset is added to their types."""
    bonds, type = template.links["bond"], template.type
    assert type is not None
    ends = bonds[:, 1:] - 1
    return _clusters(chosen, bonds[chosen.names(bonds, type[ends] + offset, mass[ends])], template.links["angle"], style)


def _clusters(chosen: Chosen, bonds: np.ndarray, angles: np.ndarray, style: str) -> Clusters:
    """Of bonds that are to be constrained, and of all angles."""
    ids, place = np.unique(bonds[:, 1:], return_inverse=True)
    ends = place.reshape(-1, 2)
    degree = np.bincount(ends.ravel(), minlength=len(ids))
    if len(ids) and degree.max() > 3:
        raise InputError(f"fix {style}: atom {ids[degree.argmax()]} has {degree.max()} constrained bonds", "a cluster has a "
                         "centre and at most three partners: name fewer types or masses")
    touching = (degree[ends] > 1).all(axis=1)
    if touching.any():
        a, b = bonds[np.argmax(touching), 1:]
        raise InputError(f"fix {style}: clusters touch, atoms {a} and {b} both have several constrained bonds", "an atom may "
                         "belong to one cluster only: name fewer types or masses")
    swap = (degree[ends[:, 1]] > 1) | (degree[ends] == 1).all(axis=1) & (bonds[:, 1] > bonds[:, 2])
    centre, partner = np.where(swap[:, None], bonds[:, :0:-1], bonds[:, 1:]).T if len(bonds) else np.zeros((2, 0), np.int64)
    order = np.lexsort((partner, centre))  # the same on every way to here
    first, start, size = np.unique(centre[order], return_index=True, return_counts=True)
    table, types = np.zeros((len(first), 5), np.int64), np.zeros((len(first), 4), np.int64)
    slot = np.arange(len(order)) - np.repeat(start, size)
    of = np.repeat(np.arange(len(first)), size)
    table[:, 1], table[of, 2 + slot] = first, partner[order]
    types[:, 0], types[of, 1 + slot] = np.array([0, PAIR, THREE, FOUR])[size], bonds[order, 0]
    angles = _frozen(chosen, angles, table, types)
    shapes, number = np.unique(types, axis=0, return_inverse=True)
    table[:, 0] = 1 + number.ravel()
    return Clusters(table, [tuple(row) for row in shapes.tolist()], bonds, angles)


def _frozen(chosen: Chosen, angles: np.ndarray, table: np.ndarray, types: np.ndarray) -> np.ndarray:
    """Angles (k, 4) whose two bonds are those of a cluster of three atoms, which gets their type."""
    angles = angles[np.isin(angles[:, 0], chosen.a)]
    three = np.flatnonzero(types[:, 0] == THREE)
    at = np.searchsorted(table[three, 1], angles[:, 2])
    known = at < len(three)
    known[known] = table[three[at[known]], 1] == angles[known, 2]
    angles, clusters = angles[known], three[at[known]]
    same = (np.sort(angles[:, [1, 3]], axis=1) == np.sort(table[clusters, 2:4], axis=1)).all(axis=1)
    angles, clusters = angles[same], clusters[same]
    types[clusters, 0], types[clusters, 3] = ANGLE, angles[:, 0]
    return angles


def switch(system: System, found: Clusters, on: bool) -> None:
    """Terms of the constrained bonds and angles are computed, or not: their types are negative then."""
    for kind, table in ((BONDS, found.bonds), (ANGLES, found.angles)):
        if len(table):
            types, meant = system.atoms.edit(kind.type), held(kind, system.atoms.read(kind.atoms), table)
            types[meant] = np.abs(types[meant]) if on else -np.abs(types[meant])


def held(kind: Kind, atoms: np.ndarray, table: np.ndarray) -> np.ndarray:
    """Which links of atoms, in their fields, are in a table."""
    ids = np.ascontiguousarray(atoms.reshape(len(atoms), -1, kind.size))
    alike = [("", np.int64)] * kind.size
    return np.isin(ids.view(alike)[..., 0], np.ascontiguousarray(table[:, 1:]).view(alike)[:, 0])
