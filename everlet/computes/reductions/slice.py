"""Some numbers out of vectors."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.words.references import written_out
from everlet.computes.words.vectors import Vector
from everlet.errors import InputError, arguments, integer
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System


@compute_style("slice")
class Slice(Compute):
    """compute ID group slice START STOP SKIP INPUT …: numbers START, START + SKIP … of vectors, (STOP - START) / SKIP of them;
    STOP itself is not among them. INPUT: c_ID f_ID v_NAME, or a column of a table: c_ID[j] c_ID[*] f_ID[j] f_ID[*].
    One input: c_ID[i]; several: c_ID[i][j]."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 4, None, "compute ID group slice START STOP SKIP INPUT …")
        start, stop, skip = (integer(word, "a place in a vector") for word in args[:3])
        if start < 1 or stop < start or skip < 1:
            raise InputError(f"compute slice: {start} {stop} {skip} choose no numbers", "START is 1 or more, STOP not below it")
        user = f"compute {id}"
        self.inputs = [Vector(system, word, user) for word in written_out(system, args[3:], True, user)]
        self.places = start - 1 + skip * np.arange((stop - start) // skip)
        kind = EXTENSIVE if all(one.kind == EXTENSIVE for one in self.inputs) else INTENSIVE
        several = len(self.inputs) > 1
        self.gives = Gives(array=kind, width=len(self.inputs)) if several else Gives(vector=kind, length=len(self.places))

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for one in self.inputs for need in one.needs(self.system, step))

    def _values(self, one: Vector) -> np.ndarray:
        values = one.values(self.system)
        if len(self.places) and self.places[-1] >= len(values):
            raise InputError(f"compute {self.id}: {one.word.word} has {len(values)} numbers and not {self.places[-1] + 1}",
                             "choose fewer")
        return values[self.places]

    def vector(self) -> np.ndarray:
        return self._values(self.inputs[0]) if self.gives.vector else super().vector()

    def array(self) -> np.ndarray:
        return np.stack([self._values(one) for one in self.inputs], axis=1) if self.gives.array else super().array()
