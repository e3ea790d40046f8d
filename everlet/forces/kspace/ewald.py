"""The Ewald sum.

    E = C [sum_k u(k) |S(k)|^2 - g sum q^2 / sqrt(pi) - pi (sum q)^2 / (2 g^2 V)]       u = 4 pi exp(-k^2/4g^2) / (V k^2)

over the half space of vectors k up to a length that follows from the accuracy; S = sum q e^{ik.r}.

    kspace_style ewald ACCURACY
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.forces.kspace.base import KspaceStyle, kspace_style
from everlet.forces.kspace.ewald_term import EwaldTerm
from everlet.forces.kspace.settings import Triple
from everlet.forces.kspace.summands import Summand
from everlet.forces.terms import Term

VECTORS = ("kmax", "reach", "longest", "k2max")  # what a restart file keeps
MORE = 1.00001  # vectors a little longer than the longest along an axis count: lengths are rounded


def axis_error(n: int, length: float, g: float, q2: float, natoms: int) -> float:
    """Error of forces that n vectors along an axis leave."""
    return 2.0 * q2 * g / length * math.sqrt(1.0 / (math.pi * n * natoms)) * math.exp(-((math.pi * n / (g * length)) ** 2))


def axis_vectors(accuracy: float, length: float, g: float, q2: float, natoms: int) -> int:
    n = 1
    while axis_error(n, length, g, q2, natoms) > accuracy:
        n += 1
    return n


@kspace_style("ewald")
class Ewald(KspaceStyle):
    """After `init`: kmax, the vectors along each axis, and k2max, the square of the longest.

    As in LAMMPS, vectors that lie along an axis of an upright box go up to `longest`, the largest of kmax; `reach` is where
    those within k2max end.
    """

    title = "Ewald"
    kmax: Triple = (0, 0, 0)
    reach: Triple = (0, 0, 0)
    longest = 0
    k2max = 0.0

    def vectors(self) -> Triple:
        """kmax and k2max for the present box; the vectors along each axis, were the box orthogonal."""
        lengths, box = self.lengths, self.system.need_box()
        if self.settings.kmax != (0, 0, 0):
            x, y, z = self.settings.kmax
        else:
            x, y, z = (axis_vectors(self.accuracy, float(edge), self.g, self.q2, self.natoms) for edge in lengths)
        self.kmax = upright = x, y, z
        self.k2max = MORE * max(float(2.0 * math.pi * n / edge) ** 2 for n, edge in zip(upright, lengths, strict=True))
        if box.triclinic and self.settings.kmax == (0, 0, 0):
            a, b, c = (n / edge for n, edge in zip(upright, box.lengths, strict=True))
            lx, ly, lz, yz, xz, xy = np.abs(box.h)
            self.kmax = (max(1, int(lx * a)), max(1, int(xy * a + ly * b)), max(1, int(xz * a + yz * b + lz * c)))
        self.longest = 0 if box.triclinic else max(upright)
        within = (int(math.sqrt(self.k2max) * float(edge) / (2.0 * math.pi)) for edge in lengths)
        x, y, z = (max(n, min(self.longest, most)) for n, most in zip(self.kmax, within, strict=True))
        self.reach = x, y, z
        return upright

    def state(self) -> dict[str, Any]:
        return super().state() | {name: getattr(self, name) for name in VECTORS}

    def choose(self) -> list[str]:
        upright = self.vectors()
        for name in VECTORS:
            setattr(self, name, self.kept.get(name, getattr(self, name)))
        errors = [axis_error(n, float(edge), self.g, self.q2, self.natoms)
                  for n, edge in zip(upright, self.lengths, strict=True)]
        most = max(self.kmax)
        count = int(self.inside().sum())
        return [f"  G vector (1/distance) = {self.g:.8g}",
                *self.estimates(math.sqrt(sum(e * e for e in errors) / 3.0), float(np.prod(self.lengths))),
                f"  KSpace vectors: actual max1d max3d = {count} {most} {4 * most**3 + 6 * most**2 + 3 * most}",
                f"                  kxmax kymax kzmax  = {' '.join(map(str, self.kmax))}"]

    def inside(self) -> np.ndarray:
        """Which whole numbers nx = 0 …, ny = -reach …, nz = -reach … are vectors of the sum."""
        x, y, z = self.reach
        nx, ny, nz = np.arange(x + 1.0)[:, None, None], np.arange(-y, y + 1.0)[:, None], np.arange(-z, z + 1.0)
        xx, yy, zz, yz, xz, xy = self.system.need_box().h_inverse
        k2 = (2.0 * math.pi) ** 2 * ((nx * xx) ** 2 + (nx * xy + ny * yy) ** 2
                                     + (nx * xz + ny * yz + nz * zz / self.settings.slab) ** 2)
        half = (nx > 0) | (ny > 0) | ((ny == 0) & (nz > 0))
        mx, my, mz = self.kmax
        near = (nx <= mx) & (abs(ny) <= my) & (abs(nz) <= mz)
        alone = (nx == 0).astype(int) + (ny == 0) + (nz == 0) >= 2
        return (k2 <= self.k2max) & half & (near | alone)

    def parts(self) -> list[Summand]:
        """What is summed."""
        return [Summand(self)]

    def term(self, exact: bool = False) -> Term:
        return EwaldTerm(self)
