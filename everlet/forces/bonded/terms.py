"""The terms of all bonded styles of a system."""

from __future__ import annotations

from collections.abc import Callable

from everlet.forces.bonded.breaking import BreakingTerm
from everlet.forces.bonded.directed import DirectedTerm
from everlet.forces.bonded.driver import LinkTerm
from everlet.forces.bonded.one_four import OneFourTerm, OneThreeTerm
from everlet.forces.terms import Term
from everlet.state.levels import Levels
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System


def link_terms(system: System, rows: RowsOfIds, repeatable: bool, warn: Callable[[str], None], levels: Levels | None = None
               ) -> list[Term]:
    """`repeatable`: sums are made in the same order at any time; `warn` hears of bonds that are too long. `levels`: of steps of
    several lengths."""
    found: list[Term] = []
    for style in system.bonded.values():
        for member, types in style.members() if style is not None else ():
            kind = BreakingTerm if member.breaks else DirectedTerm if member.directed else LinkTerm
            term = kind(system, member, types, rows, repeatable, warn)
            found.append(term)
            weights = member.weights(types)
            if weights.any():
                ends = OneFourTerm if member.kind.size == 4 else OneThreeTerm
                found.append(ends(system, member.name, weights, term.links, repeatable))
            if levels is not None:
                for one in found[-1 - bool(weights.any()) :]:
                    one.level = levels.of[member.kind.name]
    return found
