"""How many atoms or links there are of each type."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, one_of
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System
from everlet.state.topology import KINDS, has, links, rows_of


@compute_style("count/type")
class CountType(Compute):
    """compute ID group count/type atom|bond|angle|dihedral|improper: c_ID[T]: atoms of type T, or links all of whose atoms
    are in the group; those that are switched off (types below 0) count. c_ID, of links: how many of them are of type 0, broken
    bonds."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, f"compute ID group count/type atom|{'|'.join(KINDS)}")
        one_of("mode of compute count/type", args[0], ("atom", *KINDS))
        self.kind = KINDS.get(args[0])
        if self.kind is not None and not has(system.atoms, self.kind):
            raise InputError(f"compute count/type {args[0]}: atoms have no {self.kind.plural}",
                             "use an atom style that has them")
        self.types = system.topology.types[self.kind.name] if self.kind is not None else system.ntypes
        self.gives = Gives(scalar=INTENSIVE if self.kind is not None else "", vector=INTENSIVE, length=self.types)

    def counts(self) -> np.ndarray:
        """By type, from 0 on."""
        system, atoms = self.system, self.system.atoms
        if self.kind is None:
            types = atoms.read("type")[atoms.read("mask") & self.bit != 0]
        else:
            table, whole = links(atoms, self.kind), system.whole
            inside = (whole.read("mask")[rows_of(whole, table[:, 1:])] & self.bit != 0).all(axis=1)
            types = np.abs(table[inside, 0])
        return system.ranks.sum(np.bincount(types, minlength=self.types + 1)[: self.types + 1].astype(float))

    def scalar(self) -> float:
        return float(self.counts()[0])

    def vector(self) -> np.ndarray:
        return self.counts()[1:]
