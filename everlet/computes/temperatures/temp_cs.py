"""Temperature of core-shell pairs: of the motion of their centres of mass."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import PAIRS, Biased
from everlet.errors import InputError, RunError, arguments
from everlet.state.fragments import bonded_rows
from everlet.state.system import System
from everlet.state.topology import BOND, has, rows_of


@compute_style("temp/cs")
class TempCS(Biased):
    """compute ID group temp/cs CORES SHELLS: as temp, of velocities less those of cores and shells about their centre.

    A shell of the group SHELLS belongs to the core of the group CORES that a bond joins it to. Each shell takes three degrees
    of freedom (2-d: two). The vector is the kinetic tensor of all motion, as in LAMMPS: pressures have that of shells too.
    """

    reads = (*Biased.reads, "id", BOND.atoms, BOND.type)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 2, 2, "compute ID group temp/cs CORES SHELLS")
        if not has(system.atoms, BOND):
            raise InputError(f"compute {id}: atoms of this style have no bonds", "use atom_style bond, molecular or full")
        self.cores, self.shells = (system.groups.bit(name) for name in args)

    def partners(self) -> tuple[np.ndarray, np.ndarray]:
        """Rows of shells and of their cores, among all atoms."""
        atoms = self.system.whole
        mask = atoms.read("mask")
        bonds = bonded_rows(atoms, ((mask & self.shells) | (mask & self.cores)) != 0)
        a, b = np.concatenate([bonds, bonds[:, ::-1]]).T
        joined = ((mask[a] & self.shells) != 0) & ((mask[b] & self.cores) != 0)
        pairs = np.unique(np.stack([a[joined], b[joined]], axis=1), axis=0)
        shells, counts = np.unique(pairs[:, 0], return_counts=True)
        if len(shells) < int(((mask & self.shells) != 0).sum()) or (counts > 1).any():
            raise RunError(f"compute {self.id}: a shell is not joined to one core", "give each shell one bond to a core")
        return pairs[:, 0], pairs[:, 1]

    def degrees(self, count: float) -> float:
        shells = int(self.system.ranks.sum(np.array([float((self.members() & self.members(int(self.shells))).sum())]))[0])
        return super().degrees(count) - self.system.dimension * shells

    def vector(self) -> np.ndarray:
        rows = np.flatnonzero(self.members())
        v, m = self.system.atoms.read("v")[rows], self.masses()[rows]
        return self.system.units.mvv2e * self.system.ranks.sum(np.array([m @ (v[:, a] * v[:, b]) for a, b in PAIRS]))

    def bias(self) -> np.ndarray:
        everyone, atoms = self.system.whole, self.system.atoms
        shell, core = self.partners()
        v, m = everyone.read("v"), self.system.masses_of(everyone)[:, None]
        centre = (m[shell] * v[shell] + m[core] * v[core]) / (m[shell] + m[core])
        inner = np.zeros_like(v)
        inner[shell], inner[core] = v[shell] - centre, v[core] - centre
        return inner[rows_of(everyone, atoms.read("id"))]
