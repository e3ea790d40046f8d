"""Everything that a fit of an atomic cluster expansion needs from one configuration, as a table.

    compute ID all pace FILE.yace [bikflag [dgradflag]]        flags: 0 or 1

Components are the functions of the file, in its order (those of one factor first), each with the first coefficient of its
products; embeddings and cores are left out. Types are the elements of the file, in its order. Rows and columns, and what the
flags do: described.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.descriptors.described import TableByAtom
from everlet.errors import InputError, arguments
from everlet.forces.descriptors.base import Batch, descriptor
from everlet.state.system import System

USAGE = "compute ID all pace FILE.yace [bikflag [dgradflag]]"


@compute_style("pace")
class PaceTable(TableByAtom):
    style = "pace"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.choose(*self.flags)

    def read(self, words: list[str]) -> None:
        arguments(words, 1, 3, USAGE)
        if self.group != "all":
            raise InputError(f"compute pace is for all atoms, not for group {self.group}", "use group all")
        file, *flags = words
        if not set(flags) <= {"0", "1"}:
            raise InputError(f"compute pace: flags {' '.join(flags)} must be 0 or 1", USAGE)
        self.flags = tuple(flag == "1" for flag in (*flags, "0", "0"))[:2]
        self.descriptor = descriptor["ace"](file, self.system.space)
        if len(self.descriptor.elements) != self.system.ntypes:
            raise InputError(f"{file} has {len(self.descriptor.elements)} elements ({' '.join(self.descriptor.elements)}), and "
                             f"there are {self.system.ntypes} atom types", "types are its elements, in this order")

    @property
    def width(self) -> int:
        return self.descriptor.components

    def batches(self, x: np.ndarray, kind: np.ndarray, rows: np.ndarray) -> Iterator[Batch]:
        yield from self.descriptor.batches(self.system, x, kind, rows, self.slopes)
