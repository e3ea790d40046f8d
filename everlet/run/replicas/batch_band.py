"""Nudged elastic bands whose images are the systems of a batch: forces of the band in place of those of the atoms.

The formulas are those of run/replicas/neb_forces.py; energies of all images come from one launch. What remains is a few sums
over the atoms of each image, on the host.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.of_members import OfMembers
from everlet.errors import InputError
from everlet.fixes.members.base import MemberFix
from everlet.portable import Kernel
from everlet.run.replicas.neb_forces import Band, Springs, band_forces
from everlet.state.operation import ENERGY, VIRIAL
from everlet.state.system import System


class ElasticBand(MemberFix):
    """First and last image stay where they are. climb: the highest one climbs to the saddle."""

    reads, writes = ("x", "f"), ("f",)

    def __init__(self, system: System, id: str, springs: Springs, climb: bool):
        super().__init__(system, id)
        sizes, types = self.members.sizes, self.members.of_each(system.atoms.read("type"))
        if self.count < 3 or (sizes != sizes[0]).any() or any((one != types[0]).any() for one in types):
            raise InputError("the images of a band must be three or more systems of the same atoms in the same order",
                             "make one batch of the images, from the first to the last")
        self.springs, self.climb = springs, climb
        self.of = OfMembers(system)
        self.energies = np.zeros(self.count)
        self.largest = np.inf  # force on an atom, of all images that move
        self.band: Band | None = None

    def kernels(self) -> list[Kernel]:
        return self.of.kernels()

    def needs(self, step: int) -> tuple[str, ...]:
        return ENERGY, VIRIAL

    def setup(self) -> None:
        self.post_force()

    def post_force(self) -> None:
        atoms = self.system.atoms
        x, f = (np.array(self.members.of_each(atoms.read(name))) for name in ("x", "f"))
        self.energies, _ = self.of.potential()
        steps = [self._nearest(k, x[k + 1] - x[k]) for k in range(self.count - 1)]
        inner = self.energies[1:-1]
        climber = int(inner.argmax()) + 1 if self.climb else None
        made, self.band = band_forces(self.springs, self.energies.tolist(), steps, list(f), climber)
        made[0], made[-1] = 0.0 * f[0], 0.0 * f[-1]
        forces = np.concatenate(made)
        self.largest = float(np.sqrt((forces**2).sum(axis=1)).max())
        atoms.edit("f")[:] = forces

    def _nearest(self, k: int, way: np.ndarray) -> np.ndarray:
        """Ways of atoms from image k to the next, less whole edges of the box."""
        box = self.members.boxes[k]
        parts = box.to_fraction(way + box.lo)
        whole = np.where(box.periodic, np.round(parts), 0.0)
        return np.asarray(way - (box.from_fraction(whole) - box.lo))
