"""Solvers of systems in which few atoms have charges: what these styles have in common."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, number
from everlet.forces.kspace.base import KspaceStyle


class ChargedFew(KspaceStyle):
    """Before the class of a solver."""

    more = ("[SMALLQ]",)

    def use_charges(self) -> None:
        """Charges below the number after the accuracy, 1e-5, must be 0: the reference leaves them out."""
        super().use_charges()
        small = abs(number(self.args[1], "a charge")) if len(self.args) > 1 else 1e-5
        q = np.abs(self.system.atoms.read("q"))
        if self.system.ranks.any(bool(((q > 0.0) & (q < small)).any())):
            raise InputError(f"kspace_style {self.name} leaves charges below {small:g} out, and there are some",
                             "set them to 0, give a smaller number after the accuracy, or use kspace_style "
                             f"{self.name.removesuffix('/cg')}")
