"""What the host sees of constraints: statistics of bonds and angles for the log, and the virial of each atom."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from everlet.fixes.constraints.cluster_loops import ANGLE, FOUR, PAIR, THREE
from everlet.fixes.constraints.clusters import Clusters
from everlet.portable import View
from everlet.state.masses import OWN
from everlet.state.system import System

HELD = ((PAIR, THREE, FOUR, ANGLE), (THREE, FOUR, ANGLE), (FOUR,))  # forms that have a first, second and third bond
SIZES = np.array([0, 2, 3, 4, 3])  # atoms, by form
PAIRS = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))


class Constrained(Protocol):
    """A fix with constraints: clusters of the whole system, and views of those of this rank."""

    system: System
    name: str
    found: Clusters
    count: int
    member: View
    shape: View
    multiplier: View


def clusters(fix: Constrained) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Clusters of this rank: rows of their atoms (k, 4), form and types (k, 4), and the three vectors from the centre."""
    system, count = fix.system, fix.count
    x, box = system.atoms.fields["x"].view.read()[:, :3], system.need_box()
    member, shape = fix.member.get()[:count], np.array(fix.found.shapes).reshape(-1, 4)[fix.shape.get()[:count] - 1]
    vectors = []
    for k in range(3):
        vector = x[member[:, 0]] - x[member[:, k + 1]]
        turns = np.where(box.periodic, np.rint(box.to_fraction(vector + box.lo)), 0.0)
        vectors.append(vector - (box.from_fraction(turns) - box.lo))
    return member, shape, vectors


def centres(fix: Constrained) -> tuple[np.ndarray, np.ndarray]:
    """Rows of atoms of this rank that are in clusters, and the centre of mass of the cluster of each, near to its atoms."""
    member, shape, vectors = clusters(fix)
    atoms = fix.system.atoms
    name = OWN if OWN in atoms.fields else "type"
    known = atoms.fields[name].view.read()
    mass = known[member] if name == OWN else fix.system.masses[known[member]]
    there = np.arange(4) < SIZES[shape[:, 0]][:, None]
    mass = np.where(there, mass, 0.0)
    moved = sum(mass[:, k + 1, None] * vector for k, vector in enumerate(vectors))
    centre = atoms.fields["x"].view.read()[member[:, 0], :3] - moved / mass.sum(axis=1)[:, None]
    mine = there & (member < atoms.n)
    return member[mine], np.repeat(centre, mine.sum(axis=1), axis=0)


# ---- statistics
def lines(fix: Constrained) -> list[str]:
    """Type, mean, range and count, of the present positions; all ranks must ask."""
    bonds, angles = _values(fix)
    found = [f"{fix.name.upper()} stats (type/ave/delta/count) on step {fix.system.step}"]
    found += [_line(fix, "Bond:  ", type, bonds) for type in sorted({*fix.found.bonds[:, 0].tolist()})]
    return found + [_line(fix, "Angle: ", type, angles) for type in sorted({*fix.found.angles[:, 0].tolist()})]


def _line(fix: Constrained, title: str, type: int, values: np.ndarray) -> str:
    """A row of the table. values: (k, 2), types and lengths or angles."""
    ranks, mine = fix.system.ranks, values[values[:, 0] == type, 1]
    count, total = ranks.sum(np.array([float(len(mine)), float(mine.sum())]))
    most, least = ranks.max(np.array([mine.max(initial=-np.inf), -mine.min(initial=np.inf)])) * [1.0, -1.0]
    width = len(str(max(1, *fix.system.topology.types.values())))
    return f"{title} {type:>{width}d}   {total / max(count, 1.0):<9.6g} {most - least:<11.6g} {int(count):8d}"


def _values(fix: Constrained) -> tuple[np.ndarray, np.ndarray]:
    """Type and value of the bonds and of the angles of the clusters whose centre is on this rank."""
    member, shape, vectors = clusters(fix)
    here, bonds = member[:, 0] < fix.system.atoms.n, []
    for k, vector in enumerate(vectors):
        held = here & np.isin(shape[:, 0], HELD[k])
        bonds.append(np.stack([shape[held, k + 1], np.linalg.norm(vector[held], axis=1)], axis=1))
    bent = here & (shape[:, 0] == ANGLE)
    a, b = (vector[bent] / np.linalg.norm(vector[bent], axis=1)[:, None] for vector in vectors[:2])
    cosine = np.clip((a * b).sum(axis=1), -1.0, 1.0)
    return np.concatenate(bonds), np.stack([shape[bent, 3], np.degrees(np.arccos(cosine))], axis=1)


# ---- virial
def atom_virials(fix: Constrained) -> np.ndarray:
    """The virial (n, 6: xx yy zz xy xz yz) of this rank's atoms: those of a cluster share its own equally."""
    n, (member, shape, vectors) = fix.system.atoms.n, clusters(fix)
    bent = shape[:, 0] == ANGLE
    vectors[2] = np.where(bent[:, None], vectors[1] - vectors[0], vectors[2])
    multiplier, whole = fix.multiplier.get()[: fix.count], np.zeros((fix.count, 6))
    for k, vector in enumerate(vectors):
        whole += multiplier[:, k, None] * np.stack([vector[:, a] * vector[:, b] for a, b in PAIRS], axis=1)
    found, size = np.zeros((n, 6)), SIZES[shape[:, 0]]
    for k in range(4):
        mine = (k < size) & (member[:, k] < n)
        found[member[mine, k]] = whole[mine] / size[mine, None]
    return found


def bond_virials(fix: Constrained) -> np.ndarray:
    """The same, but the two atoms of each distance that is held share its own."""
    n, (member, shape, vectors) = fix.system.atoms.n, clusters(fix)
    bent, multiplier = shape[:, 0] == ANGLE, fix.multiplier.get()[: fix.count]
    vectors[2] = np.where(bent[:, None], vectors[1] - vectors[0], vectors[2])
    found = np.zeros((n, 6))
    for k, vector in enumerate(vectors):
        half = 0.5 * multiplier[:, k, None] * np.stack([vector[:, a] * vector[:, b] for a, b in PAIRS], axis=1)
        held = np.isin(shape[:, 0], HELD[k]) | (bent & (k == 2))
        first = np.where(bent & (k == 2), member[:, 1], member[:, 0])
        for atom in (first, np.where(bent & (k == 2), member[:, 2], member[:, k + 1])):
            mine = held & (atom < n) & (atom >= 0)
            np.add.at(found, atom[mine], half[mine])
    return found
