"""Flux of heat."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.peratom.ke_atom import KEAtom
from everlet.computes.peratom.pe_atom import PEAtom
from everlet.computes.peratom.stress_atom import StressAtom
from everlet.computes.words.references import operation
from everlet.errors import InputError, arguments
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

KINDS = ((KEAtom, "ke/atom"), (PEAtom, "pe/atom"), (StressAtom, "stress/atom"))
TENSOR = np.array([[0, 3, 4], [3, 1, 5], [4, 5, 2]])  # where the components of a tensor are among xx yy zz xy xz yz
WHOLE = np.array([[0, 3, 4], [6, 1, 5], [7, 8, 2]])  # and among these and yx zx zy


@compute_style("heat/flux")
class HeatFlux(Compute):
    """compute ID group heat/flux KE-ID PE-ID STRESS-ID: c_ID[1-3] = sum (e v - S v), c_ID[4-6] = sum e v over the group; e:
    energies of compute ke/atom and pe/atom, S: stress times volume of stress/atom or centroid/stress/atom, usually with the
    word virial. The volume is not divided by."""

    gives = Gives(vector=EXTENSIVE, length=6)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, 3, "compute ID group heat/flux KE-ID PE-ID STRESS-ID")
        for name, (kind, style) in zip(args, KINDS, strict=True):
            if not isinstance(operation(system, "c", name), kind):
                raise InputError(f"compute heat/flux: compute {name} is not of style {style}",
                                 f"define one: compute ID all {style}")
        self.names = args

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for name in self.names for need in operation(self.system, "c", name).needs(step))

    def vector(self) -> np.ndarray:
        system, atoms = self.system, self.system.atoms
        kinetic, potential, stress = (np.asarray(operation(system, "c", name).peratom()) for name in self.names)
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        v = atoms.read("v")[rows]
        carried = (kinetic + potential)[rows] @ v
        pushed = -np.einsum("iab,ib->a", stress[rows][:, WHOLE if stress.shape[1] == 9 else TENSOR], v) / system.units.nktv2p
        sums = system.ranks.sum(np.concatenate([carried, pushed]))
        return np.concatenate([sums[:3] + sums[3:], sums[:3]])
