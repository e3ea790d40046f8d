"""Which pairs count: those that neighbour lists leave out are pairs of special_bonds whose factors are not 1, and of
neigh_modify exclude. Whoever asks which these are, on the host or in kernels, asks here.

Rows are edited in a pass after they are built, which systems without such pairs never run. Special pairs that have a force all
the same are computed on their own (forces/pair/special.py): loops over lists know nothing of any of this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from everlet.errors import InputError, integer
from everlet.portable import Constants, Kernel, Space, View, f64, i32, i64, parallel_for, portable
from everlet.state.atoms import Atoms
from everlet.state.groups import Bit
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.neighbor.rows import Rows

TYPE, GROUP, INTRA, INTER = range(4)  # ways to exclude
TEAM = 8  # GPU threads of a row
SURELY = 1e-4  # of the list radius, for what is rounded
WIDTH = 3  # numbers of a rule: the way, and two types or groups


@portable
def excluded(i: i64, j: i64, type: i32[:], mask: i32[:], molecule: i64[:], rules: i64[:], count: i64):
    """1 if a rule of neigh_modify exclude names atoms i and j."""
    found = i64(0)
    for k in range(count):
        way = rules[WIDTH * k]
        a = rules[WIDTH * k + 1]
        b = rules[WIDTH * k + 2]
        if way == TYPE:
            if (type[i] == a and type[j] == b) or (type[i] == b and type[j] == a):
                found = i64(1)
        elif way == GROUP:
            if (mask[i] & a and mask[j] & b) or (mask[i] & b and mask[j] & a):
                found = i64(1)
        elif mask[i] & a and mask[j] & a:
            if (molecule[i] == molecule[j]) == (way == INTRA):
                found = i64(1)
    return found


@portable
def special_pair(i: i64, j: i64, x: f64[:, 4], id: i64[:], special: i64[:], begin: i64, end: i64, dropped: i64[:],
                 h: i64, half: f64[:]):
    """1 if j is a special partner of i whose pair is left out. Of its images only the one within half a box counts; if rows
    reach no further (not IMAGES), there is no other."""
    found = i64(0)
    for k in range(begin, end):
        if special[k] // 4 == id[j] and dropped[special[k] % 4] != 0:
            if not IMAGES:
                found = i64(1)
            elif (abs(x[i, 0] - x[j, 0]) <= half[h] and abs(x[i, 1] - x[j, 1]) <= half[h + 1]
                    and abs(x[i, 2] - x[j, 2]) <= half[h + 2]):
                found = i64(1)
    return found


@portable
def edit_row(i, x: f64[:, 4], member: i32[:], id: i64[:], type: i32[:], mask: i32[:], molecule: i64[:], special: i64[:],
             width: i64, dropped: i64[:], half: f64[:], rules: i64[:], count_rules: i64, filler: i64, si: i64, sk: i64,
             first: i32[:], neigh: i32[:], count: i32[:]):
    """Leave pairs out of the row of atom i; what stays moves up, and the row is filled up again.

    THREADS: several share a row, as lanes; otherwise one goes through it. MANY: `half` has a row for each of many systems, and
    `member` says which.
    """
    h = i64(0)
    if MANY:
        h = 3 * i64(member[i])
    to = i * si
    if DENSE:
        to = i64(first[i]) * 8
    begin = i * width
    end = begin + width
    low = i64(0)  # ids of the partners to leave out are between these: most neighbours are not
    high = i64(-1)
    for k in range(begin, end):
        if dropped[special[k] % 4] != 0:
            partner = special[k] // 4
            low = partner if high < low else min(low, partner)
            high = max(high, partner)
    kept = i64(0)
    m = i64(count[i])
    if THREADS:
        for q in lane_steps(0, m):  # all of them make the same steps
            near = load(neigh, to + q * sk)
            j = i64(near)
            out = i64(0)
            if count_rules > 0:
                out = excluded(i, j, type, mask, molecule, rules, count_rules)
            if id[j] >= low and id[j] <= high:
                out += special_pair(i, j, x, id, special, begin, end, dropped, h, half)
            kept += append(neigh, to, kept, sk, near, both(live(q, m), out == 0))
        for q in lane_steps(kept, (m + PAD - 1) // PAD * PAD):
            if q < (m + PAD - 1) // PAD * PAD:
                store(neigh, to + q * sk, i32(filler))
        if leader():
            count[i] = i32(kept)
    if not THREADS:
        for q in range(m):
            j = i64(neigh[to + q * sk])
            out = i64(0)
            if count_rules > 0:
                out = excluded(i, j, type, mask, molecule, rules, count_rules)
            if id[j] >= low and id[j] <= high:
                out += special_pair(i, j, x, id, special, begin, end, dropped, h, half)
            if kept < q:
                neigh[to + kept * sk] = i32(j)
            if out == 0:
                kept += 1
        for q in range(kept, (m + PAD - 1) // PAD * PAD):
            neigh[to + q * sk] = i32(filler)
        count[i] = i32(kept)


@portable
def name_pair(k, first: i64[:], second: i64[:], type: i32[:], mask: i32[:], molecule: i64[:], rules: i64[:], count: i64,
              out: i64[:]):
    out[k] = excluded(first[k], second[k], type, mask, molecule, rules, count)


NAME = Kernel(name_pair)


@dataclass
class Rules:
    """neigh_modify exclude: rows of WIDTH numbers."""

    rows: list[tuple[int, Bit, Bit]] = field(default_factory=list)

    def add(self, system: System, words: list[str]) -> list[str]:
        """The words after `exclude`; gives those that are left."""
        if words[:1] == ["none"]:
            self.rows.clear()
            return words[1:]
        ways = {"type": (TYPE, 2), "group": (GROUP, 2), "molecule": (INTRA, 1), "molecule/intra": (INTRA, 1),
                "molecule/inter": (INTER, 1)}
        if not words or words[0] not in ways:
            raise InputError(f"neigh_modify exclude {' '.join(words[:1])} is not known",
                             f"use {' | '.join(ways)} or none")
        way, count = ways[words[0]]
        if len(words) < 1 + count:
            raise InputError(f"neigh_modify exclude {words[0]} needs {count} more words",
                             "for example: neigh_modify exclude type 1 2")
        if way == TYPE:
            known = system.box is not None  # before there is a box nobody knows how many types there will be
            values: list[Bit] = [system.type_of(word) if known else integer(word, "an atom type") for word in words[1:3]]
        else:
            values = [system.groups.bit(word) for word in words[1 : 1 + count]]
        if way in (INTRA, INTER) and "molecule" not in system.atoms.fields:
            raise InputError(f"neigh_modify exclude {words[0]}: atoms have no molecules", "use an atom style that has them")
        self.rows.append((way, values[0], values[-1]))
        return words[1 + count :]

    def name(self, atoms: Atoms, i: np.ndarray, j: np.ndarray) -> np.ndarray:
        """Which of the pairs of rows i and j they exclude."""
        if not self.rows or not len(i):
            return np.zeros(len(i), bool)
        first, second, out = (View(len(i), np.int64, atoms.space) for _ in range(3))
        first.put(i)
        second.put(j)
        parallel_for(atoms.space, len(i), NAME, first, second, *Table(atoms.space, self.rows).arguments(atoms), out)
        return out.get() != 0


def left_out(system: System, special: str = "scaled") -> list[bool]:
    """By level 0 … 3: special pairs that lists leave out, or that computes do not count.

    scaled     those whose factors are not both 1, which have a term of their own
    gone       those whose factors are both 0
    unlisted   the same, but none where charges stand for all their images: what lists of LAMMPS leave out, and so what its
               computes over neighbours do not count
    """
    factors = system.topology.special
    if special == "scaled":
        return factors.dropped()
    images = special == "unlisted" and (system.kspace is not None or system.pair is not None and system.pair.for_images)
    return [False] * 4 if images else factors.gone()


def apart(system: System) -> list[bool]:
    """By level: lists leave special pairs out, and they have a force nevertheless, or charges whose images have one."""
    return [out and not gone for out, gone in zip(left_out(system), left_out(system, "unlisted"), strict=True)]


class Table:
    """Rules in memory of a space, with what kernels need of atoms to apply them: the arguments of `excluded` from type on."""

    def __init__(self, space: Space, rows: Sequence[tuple[int, Bit, Bit]] = ()):
        self.rows, self.no_molecule = list(rows), View(1, np.int64, space)
        self.view = View(WIDTH * max(len(self.rows), 1), np.int64, space)
        if self.rows:
            self.view.put(np.array(self.rows).ravel())

    def arguments(self, atoms: Atoms) -> tuple[View, View, View, View, int]:
        molecule = atoms.view("molecule") if "molecule" in atoms.fields else self.no_molecule
        return atoms.view("type"), atoms.view("mask"), molecule, self.view, len(self.rows)


class Exclusions:
    """Takes pairs out of the rows of a list.

    special     which special pairs go: see `left_out`
    """

    def __init__(self, system: System, rules: Rules, special: str = "scaled"):
        self.system, self.rules, self.special = system, rules, special
        self.dropped, self.half = Constants(4, system.space, np.int64), Constants(
            3 * (1 if system.members is None else system.members.count), system.space)
        self.none, self.table = View(2, np.int64, system.space), Table(system.space)

    @property
    def needed(self) -> bool:
        return bool(self.rules.rows) or ("special" in self.system.atoms.fields and any(self.levels()))

    def levels(self) -> list[bool]:
        """By level 0 … 3: special pairs are left out."""
        return left_out(self.system, self.special)

    def images(self, near: Rows) -> bool:
        """Rows may hold several images of one atom. Boxes that kernels change may be smaller than the host knows."""
        box = self.system.need_box()
        shortest = np.where(box.periodic, box.lengths, np.inf).min()
        small = box.triclinic or shortest < 2.0 * (1.0 + SURELY) * near.radius
        return bool(self.system.members is not None or self.system.space.many_threads or small)

    def kernel(self, near: Rows) -> Kernel:
        team = self.system.space.shared(TEAM)
        statics = (("DENSE", near.dense), ("PAD", near.pad), ("THREADS", team > 1), ("IMAGES", self.images(near)),
                   ("MANY", self.system.members is not None))
        return Kernel(edit_row, statics=statics, team=team)

    def apply(self, near: Rows) -> None:
        """Edit the rows that `near` has just built."""
        system, atoms, space = self.system, self.system.atoms, self.system.space
        if space.queue is None:
            self.dropped.set([int(out) for out in self.levels()])
            boxes = [system.need_box()] if system.members is None else system.members.boxes
            self.half.set(np.concatenate([np.where(box.periodic, 0.5 * box.lengths, np.inf) for box in boxes]))
            if self.table.rows != self.rules.rows:
                self.table = Table(space, self.rules.rows)
        special, width = self.none, 0
        if "special" in atoms.fields:
            view = atoms.view("special")
            special, width = view.data, view.width
        type, mask, molecule, rules, count = self.table.arguments(atoms)
        parallel_for(space, atoms.n, self.kernel(near), atoms.view("x"), near.member, atoms.view("id"), type, mask, molecule,
                     special, width, self.dropped.view, self.half.view, rules, count, near.filler, near.si, near.sk, near.first,
                     near.neigh, near.count)
