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
from everlet.forces.bonded.driver import START, evaluate
from everlet.forces.pair.single import evaluate_pairs, nearest
from everlet.state.operation import Gives
from everlet.state.system import System
from everlet.state.topology import Kind, has, links, rows_of


class Links:
    """The links of one kind that count: `type` (n,), `ids` (n, size), and their geometry, which is made when asked for."""

    def __init__(self, system: System, kind: Kind, bit: int):
        self.system, self.kind = system, kind
        table = links(system.atoms, kind)
        self.all = system.whole
        self.rows = rows_of(self.all, table[:, 1:])
        inside = ((self.all.read("mask")[self.rows] & bit) != 0).all(axis=1) & (table[:, 0] != 0)
        self.type, self.ids, self.rows = table[inside, 0], table[inside, 1:], self.rows[inside]

    def way(self, one: int, other: int, name: str = "x") -> np.ndarray:
        """x of one atom less x of another, numbered from 1, to the nearest image."""
        x = self.all.read(name)
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
                    given = ways
                    if member.starts:
                        given = np.concatenate([ways, self.way(1, 2, START)], axis=1)
                    if member.directed:
                        given = np.concatenate([ways[:, :3], self.all.read("mu")[self.rows[:, 0]]], axis=1)
                    found[rows] = evaluate(member, given[rows], self.system.space, type, types)[:, : found.shape[1]]
                    if member.breaks and self.system.pair is not None:
                        found[rows, 0] -= self._pair_energies(rows, ways[rows])
        return found

    def _pair_energies(self, rows: np.ndarray, ways: np.ndarray) -> np.ndarray:
        """What bonds that may break take away as long as they hold."""
        types = self.all.read("type")[self.rows[rows]]
        charges = self.all.read("q")[self.rows[rows]] if "q" in self.all.fields else None
        r2 = (ways**2).sum(axis=1)
        return evaluate_pairs(self.system, r2, types, charges, np.zeros(len(r2), np.int64), "compute bond/local")[1]


Value = Callable[[Links], np.ndarray]


class LinkValues(Compute):
    """Base: `values` are the words of the style and what they mean. v_NAME is an equal-style variable, evaluated for every
    link; `set WORD VARIABLE` at the end puts the value of a word (`sets`, angles in radians) into an internal-style variable
    before."""

    kind: ClassVar[Kind]
    values: ClassVar[dict[str, Value]] = {}
    sets: ClassVar[dict[str, Value]] = {}

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        name = f"{self.kind.name}/local"
        usage = f"compute ID group {name} {' | '.join(self.values)} …"
        usage += f" | v_NAME set {' | '.join(self.sets)} VARIABLE" if self.sets else ""
        self.words, self.told = list(args), []
        if "set" in args and self.sets:
            at = args.index("set")
            self.words, rest = list(args[:at]), list(args[at:])
            while rest:
                if len(rest) < 3 or rest[0] != "set" or rest[1] not in self.sets:
                    raise InputError(f"compute {name}: '{' '.join(rest)}' is not known", f"usage: {usage}")
                self.told.append((self.sets[rest[1]], rest[2]))
                rest = rest[3:]
        arguments(self.words, 1, None, usage)
        if not has(system.atoms, self.kind):
            raise InputError(f"compute {name}: atoms of this style have no {self.kind.plural}", "use another atom_style")
        for word in self.words:
            if word not in self.values and not (word.startswith("v_") and self.sets):
                raise unknown(f"value of compute {name}", word, self.values)
            if word.startswith("v_") and not self.told:
                raise InputError(f"compute {name}: '{word}' has no variable to depend on", f"usage: {usage}")
        self.gives = Gives(local=len(self.words) if len(self.words) > 1 else 0)

    def local(self) -> np.ndarray:
        found = Links(self.system, self.kind, int(self.bit))
        columns = {word: np.asarray(self.values[word](found), float) for word in self.words if word in self.values}
        formulas = [word for word in self.words if word not in self.values]
        columns |= dict(zip(formulas, self._formulas(found, formulas), strict=True))
        return np.stack([columns[word] for word in self.words], axis=1) if len(self.words) > 1 else columns[self.words[0]]

    def _formulas(self, found: Links, words: list[str]) -> np.ndarray:
        """Values of variables (words, links)."""
        variables, table = self.system.variables, np.zeros((len(words), len(found.type)))
        told = [(np.asarray(value(found), float), name) for value, name in self.told] if words else []
        for row in range(len(found.type) if words else 0):
            for values, name in told:
                variables.set_internal(name, float(values[row]))
            table[:, row] = [variables.evaluate(word[2:]) for word in words]
        return table
