"""Atoms that have too few neighbours to be held in their place."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.peratom.near_points import Spread, pairs_within
from everlet.errors import InputError, arguments, integer, one_of
from everlet.neighbor.surroundings import surroundings
from everlet.state.atom_styles import need_field
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group rattlers/atom type|radius ZMIN TRIES"


@compute_style("rattlers/atom")
class RattlersAtom(Compute):
    """compute ID group rattlers/atom type|radius ZMIN TRIES: 1 for rattlers, else 0; c_ID: how many there are.

    Atoms with fewer than ZMIN neighbours are rattlers, and are no neighbours any more when the others are counted again, up to
    TRIES times in all. Neighbours are atoms of the group within the cutoff of their types, or that touch: r below the sum of
    their radii.
    """

    gives = Gives(scalar=EXTENSIVE, columns=0)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, USAGE)
        one_of("cutoff of compute rattlers/atom", args[0], ("type", "radius"))
        self.touching, self.least = args[0] == "radius", integer(args[1], "a number of neighbours")
        self.tries = integer(args[2], "a number of tries")
        if self.least < 0 or self.tries < 1:
            raise InputError(f"compute rattlers/atom {' '.join(args)}", f"give a ZMIN of 0 or more and a try or more: {USAGE}")
        if self.touching:
            need_field(system.atoms, "radius", "compute rattlers/atom radius")
        self.spread = Spread(self)

    def peratom(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        if self.touching:
            largest = float(system.ranks.max([float(atoms.read("radius").max(initial=0.0))])[0])
        elif system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style to take cutoffs from", "use: radius")
        reach = 2.0 * largest if self.touching else system.pair_cutoff
        near = surroundings(system, reach, "unlisted")
        _, i, j, d = pairs_within(near, int(self.bit), reach)
        kinds, masks = (near.system.atoms.view(name).get() for name in ("type", "mask"))
        if self.touching:
            radius = near.system.atoms.view("radius").get()
            limit = radius[i] + radius[j]
        else:
            assert system.pair is not None
            limit = system.pair.cutoffs[kinds[i], kinds[j]]
        kept = ((d**2).sum(axis=1) < limit**2) & ((masks[j] & self.bit) != 0)
        i, j = i[kept], j[kept]
        mine = (atoms.read("mask") & self.bit) != 0
        held = mine
        for _ in range(self.tries):
            count = np.bincount(i, self.spread(near, held.astype(float))[j], minlength=near.n)
            left = held & (count >= self.least)
            changed = system.ranks.sum(int((left != held).sum()))
            held = left
            if not changed:
                break
        return (mine & ~held).astype(float)

    def scalar(self) -> float:
        return float(self.system.ranks.sum(self.peratom().sum()))
