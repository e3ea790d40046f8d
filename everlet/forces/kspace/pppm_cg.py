"""PPPM of systems in which few atoms have charges. Here it is PPPM: atoms without a charge add nothing and feel nothing.

    kspace_style pppm/cg ACCURACY [SMALLQ]              charges below SMALLQ, 1e-5, are left out; those must be 0
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError, number
from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.pppm import Pppm


@kspace_style("pppm/cg")
class PppmCg(Pppm):
    more = ("[SMALLQ]",)

    def use_charges(self) -> None:
        super().use_charges()
        small = abs(number(self.args[1], "a charge")) if len(self.args) > 1 else 1e-5
        q = np.abs(self.system.atoms.read("q"))
        if self.system.ranks.any(bool(((q > 0.0) & (q < small)).any())):
            raise InputError(f"kspace_style {self.name} leaves charges below {small:g} out, and there are some",
                             "set them to 0, give a smaller number after the accuracy, or use kspace_style pppm")
