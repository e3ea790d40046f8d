"""BetweenStyle: pair styles of one law of the way between two atoms and of a number of each (between_loops.py)."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair import between_loops
from everlet.forces.pair.schemes.own import OwnStyle
from everlet.portable import Portable, View
from everlet.state.atom_styles import need_field
from everlet.state.atoms import Atoms


class BetweenStyle(OwnStyle):
    """`law` is the formula, `number` the field of atoms that it gets; None: nothing. `others`: atoms of one molecule have no
    such force."""

    loop = between_loops.between_loop
    law: ClassVar[Portable]
    number: ClassVar[str | None] = None
    others: ClassVar[bool] = False
    none: tuple[View, View] | None = None  # what the loop does not read

    def statics(self) -> dict[str, Any]:
        return {"LAW": self.law, "OWN": self.number is not None, "OTHERS": self.others, "COUL": self.sums == 8}

    def init(self) -> None:
        for name in [*([self.number] if self.number else []), *(["molecule"] if self.others else [])]:
            need_field(self.system.atoms, name, f"pair style {self.name}")
        super().init()

    def extra(self, atoms: Atoms) -> tuple[Any, ...]:
        if self.none is None or self.none[0].space is not atoms.space:
            self.none = View(1, np.float64, atoms.space), View(1, np.int64, atoms.space)
        return (atoms.view(self.number) if self.number else self.none[0],
                atoms.view("molecule") if self.others else self.none[1])

    def write(self, args: list[str]) -> str:
        raise InputError(f"pair_write is for potentials of distances, and {self.name} has more", "leave it out")

    def single(self, *args: Any) -> tuple[float, float]:
        raise InputError(f"pair style {self.name} has no force that follows from a distance alone", "leave it out")
