"""Molecules in which atoms of two types exchange them, by Monte Carlo."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, arguments, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.population.atom_swap import AtomSwap
from everlet.state.atom_styles import need_field
from everlet.state.system import System

USAGE = "fix ID group mol/swap N X I J SEED T [ke yes|no]"


@fix_style("mol/swap")
class MolSwap(AtomSwap):
    """fix ID group mol/swap N X I J SEED T [ke yes|no]: every N steps, first in the next one, X trials: in a molecule all atoms
    of type I become J and those of type J become I, with the charges of these types; probability min[1, exp(-dU / kT)].

    Molecules are drawn from the least id of the group to the largest. f_ID[1]: trials, f_ID[2]: those that were accepted. Each
    trial looks at the energy of all atoms; the rest is as in fix atom/swap.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 6, 8, USAGE)
        freq, trials, one, other, seed, temperature, *words = args
        if words[:1] not in ([], ["ke"]):
            raise unknown("keyword of fix mol/swap", words[0], ("ke",), f"usage: {USAGE}")
        arguments(words, 0 if not words else 2, 2, USAGE)
        need_field(system.atoms, "molecule", "fix mol/swap")
        types = [str(system.type_of(word)) for word in (one, other)]
        if types[0] == types[1]:
            raise InputError(f"fix mol/swap exchanges type {one} with itself", "name two types")
        super().__init__(system, id, group, [freq, trials, seed, temperature, "types", *types, *words])

    def _alone(self) -> bool:
        return False

    def act(self) -> None:
        whole = self.system.whole
        self.molecule_of = dict(zip(whole.read("id").tolist(), whole.read("molecule").tolist(), strict=True))
        super().act()

    def _charges(self, to: dict[int, int]) -> dict[int, float]:
        q, kinds = self.atoms.q, self.atoms.type
        return {row: 0.0 if q is None else float(q[kinds == type][0]) if (kinds == type).any() else float(q[row])
                for row, type in to.items()}

    def _two_types(self) -> bool:
        molecule = np.array([self.molecule_of[int(one)] for one in self.atoms.id])
        known = molecule[self.inside & (molecule > 0)]
        if not len(known):
            raise InputError(f"fix {self.id}: group {self.group} has no molecules", "use set … mol, or another group")
        first, last = int(known.min()), int(known.max())
        drawn = first + int((last - first + 1) * self.stream.uniform())
        one, other = self.types
        mine = self.inside & (molecule == drawn)
        to = {int(row): other if self.atoms.type[row] == one else one
              for row in np.flatnonzero(mine & np.isin(self.atoms.type, self.types))}
        change = self._change(to)
        return self._decide(self.stream.uniform() < np.exp(min(-change / self.kt, 0.0)), to, change)
