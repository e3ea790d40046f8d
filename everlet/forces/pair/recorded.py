"""Pair styles whose pairs of types have formulas of their own, known when a script is read: they are recorded, and all of them
make one function for kernels."""

from __future__ import annotations

from typing import Any

from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import Values, with_data
from everlet.portable import Portable
from everlet.portable.language.autodiff import Recorded, Tape, write
from everlet.portable.language.functions import written
from everlet.state.system import System


class RecordedStyle(PairStyle):
    """`formulas`: anything that `record` makes F/r and E from; the one of a pair of types is p.formula."""

    mixable = False

    def __init__(self, system: System, args: list[str]):
        self.formulas: list[Any] = []
        self._made: dict[tuple[Any, ...], Portable] = {}
        super().__init__(system, args)

    def record(self, formula: Any, tape: Tape, r2: Recorded) -> tuple[Recorded, Recorded]:
        raise NotImplementedError

    def set_formula(self, pairs: list[tuple[int, int]], formula: Any, cut: float) -> None:
        if formula not in self.formulas:
            tape = Tape()
            self.record(formula, tape, tape.value("input", (), "r2"))  # what cannot be recorded is refused here
            self.formulas.append(formula)
        for pair in pairs:
            self.explicit[pair] = {"formula": float(self.formulas.index(formula)), "cut": cut}

    def table(self, formula: float) -> Values:
        return {"formula": formula}

    def pair_function(self) -> Portable:
        key = tuple(self.formulas)
        if key not in self._made:
            tape = Tape()
            r2, number = tape.value("input", (), "r2"), tape.value("input", (), "p.formula")
            force, energy = self.record(key[0], tape, r2)
            for k, formula in enumerate(key[1:], 1):
                this = tape.apply("==", number, float(k))
                own = self.record(formula, tape, r2)
                force, energy = tape.apply("where", this, own[0], force), tape.apply("where", this, own[1], energy)
            self._made = {key: with_data(written(write([force, energy]), f"formulas of pair style {self.name}"))}
        return self._made[key]

    def data_coeffs(self, unlike: bool = False) -> list[str]:
        """A data file has no lines for formulas."""
        return []
