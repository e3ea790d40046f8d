"""Energy of the pair style, or of one sub-style of a hybrid."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.styles.hybrid import Hybrid
from everlet.state.operation import ENERGY, EXTENSIVE, Gives
from everlet.state.system import System

ENERGIES = {"epair": ("vdwl", "coul"), "evdwl": ("vdwl",), "ecoul": ("coul",)}
USAGE = "compute ID all pair STYLE [N] [epair|evdwl|ecoul]"


@compute_style("pair")
class PairEnergy(Compute):
    """E of a style without its tail correction. Of a sub-style it is without the factor of hybrid/scaled.

    compute ID all pair STYLE [N] [epair|evdwl|ecoul]     N: which one, where a hybrid names a style several times

    c_ID[i]: of reaxff bonds, coordination, lone pairs, molecule (0), angles, penalties, coalition, hydrogen bonds, torsions,
    conjugation, van der Waals, Coulomb, field (0), polarisation.
    """

    gives = Gives(scalar=EXTENSIVE)
    uses = (ENERGY,)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 3, USAGE)
        if group != "all":
            raise InputError("compute pair is for group all", "use compute ID all pair STYLE")
        self.words = list(args)
        self.names = ENERGIES[self.words.pop() if args[-1] in ENERGIES else "epair"]
        name, pair = self._entry(), system.pair
        style: PairStyle = pair if self.words == [pair.name] else pair.sub_styles[int(name.split()[-1]) - 1]
        if style.terms:
            self.gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=style.terms)

    def _entry(self) -> str:
        """The name of the sub-style in the ledger; that of the pair style itself if it is meant."""
        pair = self.system.pair
        if pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        if self.words == [pair.name]:
            return pair.name
        if not isinstance(pair, Hybrid):
            raise InputError(f"compute {self.id}: '{' '.join(self.words)}' is not the pair style", f"use {pair.name}")
        number, rest = pair.named(self.words, f"compute {self.id} all pair")
        if len(self.words) > 2 or rest not in ([], ["1"]):
            raise InputError(f"compute {self.id}: '{' '.join(rest)}' is not known", f"usage: {USAGE}")
        return f"{pair.name} {number + 1}"

    def scalar(self) -> float:
        self.check_tally()
        name, system = self._entry(), self.system
        if self.words == [name]:
            return sum(system.energies[energy] for energy in self.names)
        # its term, those of its parts, and what belongs to it besides: special pairs
        entries = [entry for own, entry in system.ledger.terms.items() if own == name or own.startswith(f"{name} ")]
        return sum(entry.unscaled.get(energy, 0.0) for entry in entries for energy in self.names)

    def vector(self) -> np.ndarray:
        self.check_tally()
        name, system = self._entry(), self.system
        mine = next(term.part_energies() for term in system.evaluator.terms if term.name == name)
        return system.ranks.sum(mine)
