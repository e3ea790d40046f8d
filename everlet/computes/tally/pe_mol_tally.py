"""Energy of pairs between two groups, within and between molecules."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.tally.base import Tallied
from everlet.errors import InputError
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@compute_style("pe/mol/tally")
class PEMolTally(Tallied):
    """compute ID group pe/mol/tally GROUP2: energies of pairs within molecules, c_ID[1], of these between charges, c_ID[2], and
    of pairs of different molecules, c_ID[3] and c_ID[4]."""

    gives = Gives(vector=EXTENSIVE, length=4)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if "molecule" not in system.atoms.fields:
            raise InputError("compute pe/mol/tally: atoms have no molecules", "use another atom_style")

    def vector(self) -> np.ndarray:
        found = self.between()
        assert found.molecules is not None
        inside, energies = found.molecules[:, 0] == found.molecules[:, 1], 0.5 * found.parts()[:, 1:]
        return self.system.ranks.sum(np.concatenate([energies[inside].sum(axis=0), energies[~inside].sum(axis=0)]))
