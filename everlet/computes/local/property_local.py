"""Which atoms each bond, angle, dihedral and improper has."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.local.link_values import Links
from everlet.computes.local.pair_local import LocalPairs, without_cutoff
from everlet.errors import InputError, arguments, unknown
from everlet.state.operation import Gives
from everlet.state.system import System
from everlet.state.topology import KINDS, has

WORDS = {f"{kind.name[0]}{what}": (kind, place) for kind in KINDS.values()
         for place, what in enumerate(("type", *(f"atom{k}" for k in range(1, kind.size + 1))))}
PAIRS = ("patom1", "patom2", "ptype1", "ptype2")
LISTED = ("natom1", "natom2", "ntype1", "ntype2")


@compute_style("property/local")
class PropertyLocal(LocalPairs):
    """compute ID group property/local WORD … [cutoff type]: btype batom1 batom2, atype aatom1 … aatom3, dtype datom1 … datom4,
    itype iatom1 … iatom4; or patom1 patom2 ptype1 ptype2 of pairs within their cutoff, as compute pair/local has them; all of
    one kind."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        args = without_cutoff(args, "property/local")
        arguments(args, 1, None, f"compute ID group property/local {'|'.join([*WORDS, *PAIRS])} …")
        for word in args:
            if word in LISTED:
                raise InputError(f"compute property/local: '{word}' is not available: lists are made for each purpose",
                                 f"use p{word[1:]}: pairs within their cutoff")
            if word not in WORDS and word not in PAIRS:
                raise unknown("word of compute property/local", word, [*WORDS, *PAIRS])
        self.words = args
        self.gives = Gives(local=len(args) if len(args) > 1 else 0)
        self.of_pairs = args[0] in PAIRS
        if any((word in PAIRS) != self.of_pairs for word in args):
            raise InputError("compute property/local: words of links and of pairs", "use a compute for each")
        if self.of_pairs:
            return
        self.kind, self.places = WORDS[args[0]][0], [WORDS[word][1] for word in args]
        if any(WORDS[word][0] is not self.kind for word in args):
            raise InputError("compute property/local: words of several kinds of links", "use a compute for each")
        if not has(system.atoms, self.kind):
            raise InputError(f"compute property/local: atoms have no {self.kind.plural}", "use another atom_style")

    def local(self) -> np.ndarray:
        if self.of_pairs:
            pairs = self.pairs()
            both = np.concatenate([pairs.ids, pairs.types], axis=1)[:, [PAIRS.index(word) for word in self.words]].astype(float)
            return both if len(self.words) > 1 else both[:, 0]
        found = Links(self.system, self.kind, int(self.bit))
        table = np.column_stack([found.type, found.ids])[:, self.places].astype(float)
        return table if len(self.places) > 1 else table[:, 0]
