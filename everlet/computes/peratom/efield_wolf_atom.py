"""The electric field at each atom, by Wolf's sum."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.peratom.near_points import pairs_of, positive
from everlet.errors import arguments, one_of
from everlet.forces.pair.single import PairsNear
from everlet.state.atom_styles import need_field
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = "compute ID group efield/wolf/atom ALPHA [group GROUP-ID] [cutoff R]"


@compute_style("efield/wolf/atom")
class EfieldWolfAtom(Compute):
    """compute ID group efield/wolf/atom ALPHA [group GROUP-ID] [cutoff R]: x, y and z of

        E_i = C sum over j of q_j [e(r) - e(R)] (x_i - x_j) / r
        e(r) = erfc(ALPHA r) / r^2 + 2 ALPHA / sqrt(pi) exp(-(ALPHA r)^2) / r

    of atoms i of the group, 0 of others; j within R (that of the pair style), of GROUP-ID (all). C: the energy of two
    charges 1 at distance 1. Of pairs that special_bonds names the bare field times 1 less the Coulomb factor is taken away.
    """

    gives = Gives(columns=3)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        need_field(system.atoms, "q", "compute efield/wolf/atom")
        self.alpha, self.cutoff, self.source = positive(args[0], "a damping parameter"), 0.0, "all"
        for word, value in pairs_of(system, args[1:], USAGE):
            if one_of("keyword of compute efield/wolf/atom", word, ("group", "cutoff")) == "group":
                self.source = value
            else:
                self.cutoff = positive(value, "a cutoff")
        self.sources = system.groups.bit(self.source)

    def _field(self, r: np.ndarray) -> np.ndarray:
        from scipy.special import erfc  # a tenth of a second to import

        a = self.alpha
        return np.asarray(erfc(a * r) / r**2 + 2.0 * a / math.sqrt(math.pi) * np.exp(-((a * r) ** 2)) / r)

    def peratom(self) -> np.ndarray:
        system, reach = self.system, self.cutoff or self.system.pair_cutoff
        near = PairsNear(system, f"compute {self.id}", reach, both=True)
        meant = ((near.masks & [self.bit, self.sources]) != 0).all(axis=1)
        near = near.only(meant)
        assert near.charges is not None
        r, weight = np.sqrt(near.r2), np.array([1.0, *system.topology.special.coul])[near.levels]
        size = near.charges[:, 1] * (self._field(r) - self._field(np.array([reach])) - (1.0 - weight) / near.r2) / r
        found = np.stack([np.bincount(near.rows, size * near.d[:, axis], system.atoms.n) for axis in range(3)], axis=1)
        return np.asarray(system.coulomb * found)
