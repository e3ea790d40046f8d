"""How contacts are turned: tensors of their directions, lengths and forces (Bathurst and Rothenburg)."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.peratom.stress_atom import PAIRS
from everlet.errors import InputError, arguments, one_of
from everlet.forces.pair.single import PairsNear
from everlet.state.atom_styles import need_field
from everlet.state.operation import EXTENSIVE, INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group fabric type|radius contact|branch|force/normal … [type/include I J …]"
KINDS = ("contact", "branch", "force/normal")


@compute_style("fabric")
class Fabric(Compute):
    """compute ID group fabric type|radius contact|branch|force/normal … [type/include I J …]

    c_ID: N, the contacts of atoms of the group: pairs within the cutoff of their types, or that touch; with type/include those
    of types I and J (2, *, 1*3 or some with commas) alone. c_ID[1-6], c_ID[7-12] …: xx yy zz xy xz yz of what is asked for,

        contact       C = 15/2 (P - tr P / 3),        P = 1/N sum r r / r^2
        branch        15/2 (D - tr D / 3) / tr D,     D = 1/N sum |r| r r / (r^2 + r C r)
        force/normal  15/2 (F - tr F / 3) / tr F,     F = 1/N sum f r r / (r^2 + r C r), f the force, positive: apart
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        one_of("cutoff of compute fabric", args[0], ("type", "radius"))
        self.touching, words = args[0] == "radius", list(args[1:])
        if self.touching:
            need_field(system.atoms, "radius", "compute fabric radius")
        self.wanted: list[str] = []
        while words and words[0] != "type/include":
            word = words.pop(0)
            if word == "force/tangential":
                raise InputError("compute fabric: force/tangential is not available: forces of pairs are along them here",
                                 f"usage: {USAGE}")
            one_of("tensor of compute fabric", word, KINDS)
            self.wanted.append(word)
        self.chosen = np.zeros((system.ntypes + 1,) * 2, bool)
        while words:
            arguments(words[:3], 3, 3, USAGE)
            one_of("keyword of compute fabric", words[0], ("type/include",))
            ones, others = ([type for part in word.split(",") for type in system.type_range(part)] for word in words[1:3])
            self.chosen[np.ix_(ones, others)] = self.chosen[np.ix_(others, ones)] = True
            words = words[3:]
        arguments(self.wanted, 1, None, USAGE)
        self.gives = Gives(scalar=EXTENSIVE, vector=INTENSIVE, length=6 * len(self.wanted))

    def contacts(self) -> PairsNear:
        system = self.system
        if system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        largest = 0.0
        if self.touching:
            largest = float(system.ranks.max([float(system.atoms.read("radius").max(initial=0.0))])[0])
        found = PairsNear(system, f"compute {self.id}", 2.0 * largest)
        kept = ((found.masks & self.bit) != 0).all(axis=1)
        if found.radii is not None and self.touching:
            kept &= found.r2 < found.radii.sum(axis=1) ** 2
        if self.chosen.any():
            kept &= self.chosen[found.types[:, 0], found.types[:, 1]]
        return found.only(kept)

    def scalar(self) -> float:
        return float(self.system.ranks.sum(len(self.contacts().r2)))

    def vector(self) -> np.ndarray:
        found = self.contacts()
        number = max(int(self.system.ranks.sum(len(found.r2))), 1)
        turned = self._mean(found, 1.0 / found.r2, number)
        contact = 7.5 * (turned - np.trace(turned) / 3.0 * np.eye(3))
        stretched = found.r2 + np.einsum("na,ab,nb->n", found.d, contact, found.d)
        tensors = {"contact": contact}
        if "branch" in self.wanted:
            tensors["branch"] = self._part(self._mean(found, np.sqrt(found.r2) / stretched, number))
        if "force/normal" in self.wanted:
            force = found.values()[0] * np.sqrt(found.r2)
            tensors["force/normal"] = self._part(self._mean(found, force / stretched, number))
        return np.array([tensors[kind][pair] for kind in self.wanted for pair in PAIRS])

    def _mean(self, found: PairsNear, weights: np.ndarray, number: int) -> np.ndarray:
        return self.system.ranks.sum(np.einsum("na,nb,n->ab", found.d, found.d, weights).ravel()).reshape(3, 3) / number

    @staticmethod
    def _part(tensor: np.ndarray) -> np.ndarray:
        """Without its mean, as a part of its size; 0 if it has none."""
        trace = np.trace(tensor)
        return 7.5 * (tensor / trace - np.eye(3) / 3.0) if trace else np.zeros((3, 3))
