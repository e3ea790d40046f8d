"""Energy and force between two groups of atoms."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, one_of, yes_no
from everlet.forces.pair.single import PairsNear
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

KEYWORDS = ("pair", "kspace", "boundary", "molecule")
MOLECULES = ("off", "inter", "intra")


@compute_style("group/group")
class GroupGroup(Compute):
    """compute ID group group/group GROUP2 [pair yes|no] [kspace no] [boundary yes|no] [molecule off|inter|intra]

    c_ID: energy of pairs between atoms of the group and of GROUP2, each pair once; c_ID[1] … c_ID[3]: force on the group. Only
    the pair style counts; molecule: pairs of different molecules, or within molecules.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, "compute ID group group/group GROUP2 [pair yes|no] [kspace no] [molecule off|inter|intra]")
        self.other = system.groups.bit(args[0])
        self.counts, self.molecule, words = True, "off", list(args[1:])
        while words:
            word, value = words[0], words[1] if len(words) > 1 else ""
            one_of("keyword of compute group/group", word, KEYWORDS)
            if word == "molecule":
                one_of("way to choose molecules of compute group/group", value, MOLECULES)
                if value != "off" and "molecule" not in system.atoms.fields:
                    raise InputError("compute group/group molecule: atoms have no molecules", "use another atom_style")
                self.molecule = value
            elif yes_no(value, f"compute group/group {word}"):
                if word == "kspace":
                    raise InputError("compute group/group kspace yes is not available: energies of the long-range solver are "
                                     "those of all charges", "leave it out; pair energies are computed")
                self.counts = True if word == "pair" else self.counts
            elif word == "pair":
                self.counts = False
            words = words[2:]

    def _sums(self) -> np.ndarray:
        """Energy and force."""
        system = self.system
        if system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        if not self.counts:
            return np.zeros(4)
        found = PairsNear(system, f"compute {self.id}")
        mine, theirs = ((found.masks & bit) != 0 for bit in (self.bit, self.other))
        ahead, back = mine[:, 0] & theirs[:, 1], mine[:, 1] & theirs[:, 0]
        kept = ahead | back
        if self.molecule != "off":
            assert found.molecules is not None
            kept &= (found.molecules[:, 0] == found.molecules[:, 1]) == (self.molecule == "intra")
        found = found.only(kept)
        strength, energy = found.values()
        sign = ahead[kept].astype(float) - back[kept]
        return system.ranks.sum(np.array([energy.sum(), *((sign * strength)[:, None] * found.d).sum(axis=0)]))

    def scalar(self) -> float:
        return float(self._sums()[0])

    def vector(self) -> np.ndarray:
        return self._sums()[1:]
