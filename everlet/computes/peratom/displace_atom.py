"""How far each atom has come."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.words.columns import unwrapped
from everlet.computes.words.peratom import owned
from everlet.errors import InputError, arguments, unknown
from everlet.state.operation import Gives
from everlet.state.system import System


@compute_style("displace/atom")
class DisplaceAtom(Compute):
    """compute ID group displace/atom [refresh VARIABLE]: dx dy dz and their length since it was defined, unwrapped; 0 for atoms
    that are not in the group. `dump_modify refresh c_ID` renews the origin of atoms whose atom-style variable is not 0."""

    gives = Gives(columns=4)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 2, "compute ID group displace/atom [refresh VARIABLE]")
        if args and args[0] != "refresh":
            raise unknown("keyword of compute displace/atom", args[0], ("refresh",))
        if len(args) == 1:
            raise InputError("compute displace/atom refresh lacks a variable", "name one of style atom, without v_")
        self.variable = args[1] if args else ""
        self.refreshes = bool(args)
        system.need_box()
        if not self.add_field("origin", width=3):
            system.atoms.edit(self.field("origin"))[:] = unwrapped(system)

    def new_atoms(self, rows: np.ndarray) -> None:
        self.system.atoms.edit(self.field("origin"))[rows] = unwrapped(self.system)[rows]

    def refresh(self) -> None:
        values = owned(self.system, np.asarray(self.system.variables.peratom(self.variable)))
        rows = (values != 0.0) & ((self.system.atoms.read("mask") & self.bit) != 0)
        self.system.atoms.edit(self.field("origin"))[rows] = unwrapped(self.system)[rows]

    def peratom(self) -> np.ndarray:
        atoms = self.system.atoms
        d = unwrapped(self.system) - atoms.read(self.field("origin"))
        d = np.where(((atoms.read("mask") & self.bit) != 0)[:, None], d, 0.0)
        return np.concatenate([d, np.sqrt((d**2).sum(axis=1))[:, None]], axis=1)
