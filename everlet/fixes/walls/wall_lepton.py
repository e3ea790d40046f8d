"""Walls whose energy is a formula of a script."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.walls.energy import Wall
from everlet.fixes.walls.faces import FACES
from everlet.forces.lepton import Formula, with_variables
from everlet.portable import Portable
from everlet.portable.language.autodiff import Tape, write
from everlet.portable.language.functions import written
from everlet.state.system import System


def law_of(formulas: list[str]) -> Portable:
    """The formula whose number is `a`, of r and rc, and minus its slope."""
    tape = Tape()
    r, a, rc = (tape.value("input", (), name) for name in ("r", "a", "cutoff"))
    found: list[Any] = []
    for k, formula in enumerate(formulas):
        energy = tape.lift(Formula(formula).value(r=r, rc=rc))
        both = [energy, tape.apply("*", -1.0, tape.slope(energy, r))]
        chosen = tape.apply("==", a, float(k))
        found = [tape.apply("where", chosen, new, old) for new, old in zip(both, found, strict=True)] if found else both
    return written(write(found, "law(r, a, b, c, cutoff)", ("r",)), "formulas of fix wall/lepton")


@fix_style("wall/lepton")
class WallLepton(Wall):
    """fix ID group wall/lepton xlo|… PLACE "FORMULA [; NAME = FORMULA …]" CUTOFF …: E is a formula of the distance r, and
    of the cutoff rc, in the language of forces/lepton.py. Forces on walls and virials of the reference have the other sign."""

    coefficients, variables = ("FORMULA",), ()

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        words, formulas, count = list(args), [], 0
        while words[count : count + 1] and words[count] in FACES and len(words) > count + 3:
            formulas.append(with_variables(words[count + 2], system.variables))
            words[count + 2] = str(len(formulas) - 1)
            count += 4
        if not formulas:
            raise InputError(f"fix {id} wall/lepton has no walls",
                             'usage: fix ID group wall/lepton xlo|… PLACE "FORMULA" CUTOFF …')
        self.law = law_of(formulas)
        super().__init__(system, id, group, words)
        self.args = tuple(args)
