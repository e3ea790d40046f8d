"""Properties of atoms as values per atom."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.words.columns import find
from everlet.errors import InputError, arguments
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("property/atom")
class PropertyAtom(Compute):
    """compute ID group property/atom WORD …: id type mass x y z xs xu xsu ix vx fx … as in dump custom.

    Of one word c_ID, of several c_ID[i]; 0 for atoms that are not in the group.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, "compute ID group property/atom WORD …")
        for word in args:
            if word[:2] in ("c_", "f_", "v_"):
                raise InputError(f"compute property/atom: '{word}' is no property of an atom",
                                 "name it where this compute is used")
        self.columns = [find(system, word, f"compute property/atom {word}") for word in args]
        for column in self.columns:
            if column.kind == "text":
                raise InputError(f"compute property/atom: '{column.word}' is not a number", "leave it out")
        self.gives = Gives(columns=len(args) if len(args) > 1 else 0)

    def peratom(self) -> np.ndarray:
        inside = (self.system.atoms.read("mask") & self.bit) != 0
        values = [np.where(inside, column.values(self.system), 0.0) for column in self.columns]
        return np.stack(values, axis=1) if len(values) > 1 else values[0]
