"""Particle-particle particle-mesh: charges are spread on a mesh, the potential is found there by Fourier transforms, and
forces are read off at the atoms.

    kspace_style pppm ACCURACY
    kspace_modify mesh NX NY NZ  order N  diff ik|ad  …        see settings.py
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.kspace.base import KspaceStyle, kspace_style
from everlet.forces.kspace.pppm_error import MeshError, factorable
from everlet.forces.kspace.pppm_term import PppmTerm
from everlet.forces.kspace.settings import Triple
from everlet.forces.terms import Term

STEP, CLOSE, STEPS = 1e-6, 1e-5, 10000  # of the search for g: difference for slopes, when it ends, when it has failed
FOUR_PI = {"ik": 12.5663706, "ad": 4.0 * math.pi}
LARGEST = 2**30  # mesh points: with their borders they are counted in 32 bits


@kspace_style("pppm")
class Pppm(KspaceStyle):
    """After `init`: mesh, the points along each axis, and order."""

    title = "PPPM"
    staggered = False  # the mean of two meshes
    mesh: Triple = (0, 0, 0)

    @property
    def order(self) -> int:
        return self.settings.order

    @property
    def four_pi(self) -> float:
        """In the digits of the reference, which its forces show in the ninth place."""
        return FOUR_PI[self.settings.diff]

    def state(self) -> dict[str, Any]:
        return super().state() | {"mesh": list(self.mesh)}

    def choose(self) -> list[str]:
        settings, box = self.settings, self.system.need_box()
        if settings.minorder > settings.order:
            raise InputError(f"kspace_modify order {settings.order} is below minorder {settings.minorder}",
                             "change one of them")
        shape = box.h * np.array([1.0, 1.0, settings.slab, 1.0, 1.0, 1.0])
        errors = MeshError(self.q2, self.natoms, shape, self.order, settings.diff)
        wanted = self.kept.get("mesh") or (settings.mesh if settings.mesh != (0, 0, 0) else errors.mesh(self.g, self.accuracy))
        x, y, z = (factorable(n) for n in wanted)
        self.mesh = x, y, z
        if math.prod(self.mesh) > LARGEST:
            raise InputError(f"a mesh of {x} x {y} x {z} points does not fit in memory",
                             "ask for less accuracy, a larger cutoff of the pair style or a smaller box")
        if not (settings.gewald or self.kept):
            self._adjust(errors)
        return [f"  G vector (1/distance) = {self.g:.8g}", f"  grid = {x} {y} {z}", f"  stencil order = {self.order}",
                *self.estimates(errors.of(self.mesh, self.g), float(np.prod(box.lengths)))]

    def _adjust(self, errors: MeshError) -> None:
        """The g for which both parts have the same error, with this mesh."""
        volume = float(np.prod(self.system.need_box().lengths))

        def difference(g: float) -> float:
            return self.real_error(g, volume) - errors.of(self.mesh, g)

        for _ in range(STEPS):
            now = difference(self.g)
            self.g -= now * STEP / (difference(self.g + STEP) - now)
            if abs(difference(self.g)) < CLOSE:
                return
        raise InputError(f"kspace_style {self.name}: no splitting parameter fits the mesh and the accuracy",
                         "give one with kspace_modify gewald, or another mesh")

    def term(self, exact: bool = False) -> Term:
        return PppmTerm(self, exact)
