"""Formulas of a script, in the language of the Lepton library."""

from __future__ import annotations

from typing import Any

from everlet.errors import arguments, number
from everlet.forces.lepton import Formula, with_variables
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coefficients import check_cutoff
from everlet.forces.pair.recorded import RecordedStyle
from everlet.portable.language.autodiff import Recorded, Tape
from everlet.portable.language.words import sqrt


@pair_style("lepton")
class Lepton(RecordedStyle):
    """E is a formula of r, and F = -dE/dr, for r < r_c.

    pair_style lepton r_c                         r_c: length
    pair_coeff I J "FORMULA [; NAME = FORMULA ...]" [r_c]

    + - * / ^, numbers, names that are defined behind it, and the functions of forces/lepton.py.
    """

    def coeff(self, args: list[str]) -> None:
        arguments(args, 3, 4, 'pair_coeff I J "FORMULA" [cut]')
        cut = number(args[3], "a cutoff") if len(args) > 3 else self.setting["cut"]
        check_cutoff(cut)
        self.set_formula(self.type_pairs(args[0], args[1]), with_variables(args[2], self.system.variables), cut)

    def record(self, formula: Any, tape: Tape, r2: Recorded) -> tuple[Recorded, Recorded]:
        energy = tape.lift(Formula(formula).value(r=sqrt(r2)))
        return tape.apply("*", -2.0, tape.slope(energy, r2)), energy

    def state(self) -> dict[str, Any]:
        return super().state() | {"formulas": list(self.formulas)}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.formulas = list(state["formulas"])
