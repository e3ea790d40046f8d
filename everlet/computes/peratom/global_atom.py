"""Numbers of vectors, given to atoms."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.words.peratom import reference
from everlet.computes.words.references import written_out
from everlet.computes.words.vectors import Vector
from everlet.errors import InputError, arguments
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("global/atom")
class GlobalAtom(Compute):
    """compute ID group global/atom INDEX INPUT …: each atom of the group gets number k of vectors, where k is its INDEX, a
    value per atom: c_ID c_ID[i] f_ID f_ID[i] v_NAME; 0 if there is no such number. INPUT: c_ID f_ID v_NAME, or a column of a
    table: c_ID[j] c_ID[*] f_ID[j] f_ID[*]. One input: c_ID; several: c_ID[i]."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, "compute ID group global/atom INDEX INPUT …")
        user = f"compute {id}"
        index = reference(system, args[0], user)
        if index is None:
            raise InputError(f"compute global/atom: '{args[0]}' names no values per atom", "use c_ID, c_ID[i], f_ID or v_NAME")
        self.index = index
        self.inputs = [Vector(system, word, user) for word in written_out(system, args[1:], True, user)]
        self.gives = Gives(columns=len(self.inputs) if len(self.inputs) > 1 else 0)

    def needs(self, step: int) -> tuple[str, ...]:
        found = [one.needs(self.system, step) for one in self.inputs]
        return sum(found, self.index.needs(self.system, step))

    def peratom(self) -> np.ndarray:
        system = self.system
        place = self.index.column(self.index.all_columns(system)).astype(np.int64) - 1
        inside, found = (system.atoms.read("mask") & self.bit) != 0, []
        for one in self.inputs:
            values = one.values(system)
            there = inside & (place >= 0) & (place < len(values))
            found.append(np.append(values, 0.0)[np.where(there, place, len(values))])
        return np.stack(found, axis=1) if len(found) > 1 else found[0]
