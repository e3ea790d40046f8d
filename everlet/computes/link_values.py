"""Values of each bond, angle, dihedral or improper: what computes of links have in common.

Links count whose atoms are all in the group; each is a row of the rank that owns the atom it is counted with.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import ClassVar

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, arguments, unknown
from everlet.forces.bonded.driver import evaluate
from everlet.state.box import Box
from everlet.state.operation import Gives
from everlet.state.system import System
from everlet.state.topology import Kind, has, links, rows_of


def nearest(box: Box, d: np.ndarray) -> np.ndarray:
    """Differences (n, 3) less the whole box vectors in them."""
    vectors = ((box.lengths[0], 0.0, 0.0), (box.xy, box.lengths[1], 0.0), (box.xz, box.yz, box.lengths[2]))
    for k in (2, 1, 0):
        if box.periodic[k]:
            d = d - np.floor(d[:, k] / box.lengths[k] + 0.5)[:, None] * np.array(vectors[k])
    return d


class Links:
    """The links of one kind that count: `type` (n,), `ids` (n, size), and their geometry, which is made when asked for."""

    def __init__(self, system: System, kind: Kind, bit: int):
        self.system, self.kind = system, kind
        table = links(system.atoms, kind)
        self.all = system.whole
        self.rows = rows_of(self.all, table[:, 1:])
        inside = ((self.all.read("mask")[self.rows] & bit) != 0).all(axis=1) & (table[:, 0] != 0)
        self.type, self.ids, self.rows = table[inside, 0], table[inside, 1:], self.rows[inside]

    def way(self, one: int, other: int) -> np.ndarray:
        """x of one atom less x of another, numbered from 1, to the nearest image."""
        x = self.all.read("x")
        return nearest(self.system.need_box(), x[self.rows[:, one - 1]] - x[self.rows[:, other - 1]])

    @cached_property
    def slopes(self) -> np.ndarray:
        """Energy, and its slopes along the ways from atom 2 to the others; zeros for links that are switched off."""
        others = (1, 3, 4)[: self.kind.size - 1]
        ways = np.concatenate([self.way(k, 2) for k in others], axis=1)
        found = np.zeros((len(ways), 1 + ways.shape[1]))
        style = self.system.bonded[self.kind.name]
        if style is None:
            raise InputError(f"there is no {self.kind.name}_style", "give one before energies are asked for")
        for member, types in style.members():
            for type in types:
                rows = self.type == type
                if rows.any():
                    found[rows] = evaluate(member, ways[rows], self.system.space, type, types)
        return found


Value = Callable[[Links], np.ndarray]


class LinkValues(Compute):
    """Base: `values` are the words of the style and what they mean."""

    kind: ClassVar[Kind]
    values: ClassVar[dict[str, Value]] = {}

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        name = f"{self.kind.name}/local"
        arguments(args, 1, None, f"compute ID group {name} {' | '.join(self.values)} …")
        if not has(system.atoms, self.kind):
            raise InputError(f"compute {name}: atoms of this style have no {self.kind.plural}", "use another atom_style")
        for word in args:
            if word.startswith("v_") or word == "set":
                raise InputError(f"compute {name}: '{word}': variables of local values are not available",
                                 "compute them from the dump")
            if word not in self.values:
                raise unknown(f"value of compute {name}", word, self.values)
        self.words = list(args)
        self.gives = Gives(local=len(args) if len(args) > 1 else 0)

    def local(self) -> np.ndarray:
        found = Links(self.system, self.kind, int(self.bit))
        columns = [np.asarray(self.values[word](found), float) for word in self.words]
        return np.stack(columns, axis=1) if len(columns) > 1 else columns[0]
