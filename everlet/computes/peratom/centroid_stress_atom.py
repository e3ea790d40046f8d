"""Stress of each atom times its volume, where forces of several atoms are shared out by their distance from their centre
(Surblys, Matsubara, Kikugawa and Ohara, PRE 99, 051301, 2019): what fluxes of heat in molecules need."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.local.link_values import Links
from everlet.computes.peratom.of_terms import PARTS
from everlet.computes.peratom.stress_atom import StressAtom
from everlet.errors import InputError
from everlet.forces.bonded.driver import LinkTerm
from everlet.forces.pair.driver import PairTerm
from everlet.forces.terms import Term
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import View
from everlet.state.operation import Gives
from everlet.state.system import System
from everlet.state.topology import KINDS, has, rows_of

ORDER = ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2), (1, 0), (2, 0), (2, 1))


@compute_style("centroid/stress/atom")
class CentroidStressAtom(StressAtom):
    """compute ID group centroid/stress/atom TEMP-ID|NULL [ke] [pair] [bond] [angle] [dihedral] [improper] [fix] [virial]

    -(m v_a v_b + W_ab), W_ab = sum over pairs and links of (r_a - R_a) F_b, with R the mean place of their atoms; xx yy zz xy
    xz yz yx zx zy. Of pairs and bonds W is that of stress/atom. Many-body pair styles, long-range solvers, cross terms and
    rigid bodies are refused.
    """

    style = "centroid/stress/atom"
    gives = Gives(columns=9)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if "kspace" in args:
            raise InputError("compute centroid/stress/atom: kspace is not available", "leave it out: name the other parts")
        self.wanted = PARTS if self.everything else self.parts
        self.parts = ("centroid", *self.wanted)  # not what others ask for

    def _ask(self, near: Surroundings, energy: View, virial: View) -> None:
        """Of two atoms."""
        with near.instead():
            for term in self.system.evaluator.terms:
                if term.part in self.wanted and not (isinstance(term, LinkTerm) and term.kind.size > 2):
                    self._check(term)
                    term.peratom(near, energy, virial)

    def _check(self, term: Term) -> None:
        numbers = term.scheme.parameters if isinstance(term, PairTerm) else None
        if term.part == "kspace" or (numbers is not None and not (numbers.by_pairs or numbers.embedded)):
            raise InputError(f"compute {self.id}: {term.name} has no forces of single pairs", "use compute stress/atom")

    def peratom(self) -> np.ndarray:
        units, atoms = self.system.units, self.system.atoms
        six = units.mvv2e * self._kinetic() if self.kinetic else np.zeros((atoms.n, 6))
        for fix in self.system.fixes.values() if self.everything or self.of_fixes else ():
            if fix.virial_on:
                six = six + fix.centroid_virials()
        total = six[:, [0, 1, 2, 3, 4, 5, 3, 4, 5]]
        if self.wanted:
            total += self.of_atoms()[1][:, [0, 1, 2, 3, 4, 5, 3, 4, 5]] + self._links()
        return self.chosen(-units.nktv2p * total)

    def _links(self) -> np.ndarray:
        """Of angles, dihedrals and impropers."""
        system = self.system
        found = np.zeros((system.natoms, 9))
        for kind in KINDS.values():
            if kind.size > 2 and kind.name in self.wanted and has(system.atoms, kind):
                self._add(Links(system, kind, int(system.groups.bit("all"))), found)
        whole = system.ranks.sum(found.ravel()).reshape(-1, 9)
        return whole[rows_of(system.whole, system.atoms.read("id"))]

    def _add(self, links: Links, found: np.ndarray) -> None:
        if self.system.ranks.sum(len(links.type)) == 0:
            return
        size = links.kind.size
        others = [k for k in range(size) if k != 1]
        places, forces = np.zeros((2, len(links.type), size, 3))
        slopes = links.slopes[:, 1:].reshape(-1, size - 1, 3)
        for column, k in enumerate(others):
            places[:, k] = links.way(k + 1, 2)
            forces[:, k] = -slopes[:, column]
        forces[:, 1] = slopes.sum(axis=1)
        places -= places.mean(axis=1, keepdims=True)
        for k in range(size):
            work = np.stack([places[:, k, a] * forces[:, k, b] for a, b in ORDER], axis=1)
            np.add.at(found, links.rows[:, k], work)
