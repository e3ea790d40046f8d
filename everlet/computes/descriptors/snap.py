"""Everything that a fit of SNAP coefficients needs from one configuration, as a table.

    compute ID group snap …                     arguments: bispectrum.py; rows and columns: described.py

bikflag and dgradflag: TableByAtom there.
"""

from __future__ import annotations

from everlet.computes.base import compute_style
from everlet.computes.descriptors.bispectrum import Bispectrum
from everlet.computes.descriptors.described import TableByAtom
from everlet.errors import InputError
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


@compute_style("snap")
class SnapTable(Bispectrum, TableByAtom):
    style = "snap"
    gives = Gives(array=INTENSIVE)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if self.by_atom["dgradflag"] and self.quadratic:
            raise InputError("compute snap: dgradflag 1 with quadraticflag 1 is not available", "leave one of them out")
        self.choose(self.by_atom["bikflag"], self.by_atom["dgradflag"])
