"""What computes of per-atom energies and virials share: the terms of forces are asked for them when the compute is."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError
from everlet.neighbor.surroundings import Surroundings, dry_surroundings, surroundings
from everlet.portable import Kernel, Space, View

PARTS = ("pair", "bond", "angle", "dihedral", "improper", "kspace")  # words for terms that exist: Term.part


class OfTerms(Compute):
    """Energy and virial of atoms, of those terms that `parts` names (empty: all of them)."""

    style = ""
    parts: tuple[str, ...] = ()
    _energy: View | None = None
    _held: tuple[int, np.ndarray, np.ndarray] | None = None

    def refuse(self, words: list[str], more: tuple[str, ...] = ()) -> None:
        """Words must name something that is there."""
        for word in words:
            if word not in (*PARTS, *more):
                raise InputError(f"compute {self.style}: contribution '{word}' is not known",
                                 f"leave it out, or use {' '.join((*PARTS, *more))}")

    def kernels(self) -> list[Kernel]:
        evaluator = self.system.evaluator
        if evaluator is None or evaluator.neighbor.system.space is not self.system.space:
            return []
        with dry_surroundings(self.system, evaluator.neighbor.cutoff) as (near, notes):
            self._ask(near, View(near.n, np.float64, self.system.space), View((near.n, 6), np.float64, self.system.space))
            return notes.kernels()

    def hold(self) -> None:
        """Make them now, for all who ask at this step: a fix will change the box at its end, after forces were computed."""
        self._held = None
        energy, virial = self.of_atoms()
        self._held = (self.system.step, energy.copy(), virial.copy())

    def setup(self) -> None:
        super().setup()
        self._held = None

    def forget(self) -> None:
        super().forget()
        self._held = None

    def of_atoms(self) -> tuple[np.ndarray, np.ndarray]:
        """Energy (n,) and virial (n, 6: xx yy zz xy xz yz) of this rank's atoms, by the terms that forces are made of."""
        self.system.fresh.need()
        evaluator = self.system.evaluator
        if self._held is not None and self._held[0] == self.system.step:
            return self._held[1:]
        near = surroundings(evaluator.neighbor.system, evaluator.neighbor.cutoff)
        if self.parts not in near.kept:  # pe/atom and stress/atom of the same atoms ask for both
            energy, virial = self._room(near.n, near.system.space)
            self._ask(near, energy, virial)
            near.kept[self.parts] = energy.get()[: near.n], virial.get()[: near.n]
        return near.kept[self.parts]

    def _ask(self, near: Surroundings, energy: View, virial: View) -> None:
        """The terms for what they have of each atom."""
        with near.instead():
            for term in self.system.evaluator.terms:
                if not self.parts or term.part in self.parts:
                    term.peratom(near, energy, virial)

    def _room(self, n: int, space: Space) -> tuple[View, View]:
        """Zeros for n atoms. Arrays are used again: a GPU would have to record its steps anew if others took their place."""
        if self._energy is None or self._energy.shape[0] < n or self._energy.space is not space:
            rows = n if self._energy is None else int(1.2 * n)
            self._energy, self._virial = View(rows, np.float64, space), View((rows, 6), np.float64, space)
        self._energy.data[:] = 0.0
        self._virial.data[:] = 0.0
        return self._energy, self._virial

    def chosen(self, values: np.ndarray) -> np.ndarray:
        """Values of atoms of the group, 0 for others."""
        member = (self.system.atoms.read("mask") & self.bit) != 0
        return np.where(member if values.ndim == 1 else member[:, None], values, 0.0)


