"""Errors of forces on a mesh, and the mesh that keeps them below what is asked for.

Deserno & Holm, J. Chem. Phys. 109, 7678 and 7694 (1998); Hockney & Eastwood (1988).
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from everlet.errors import InputError
from everlet.forces.kspace.settings import Triple

# a_m of the error of differences in Fourier space, by order
SERIES = {
    2: (1 / 50, 5 / 294),
    3: (1 / 588, 7 / 1440, 21 / 3872),
    4: (1 / 4320, 3 / 1936, 7601 / 2271360, 143 / 28800),
    5: (1 / 23232, 7601 / 13628160, 143 / 69120, 517231 / 106536960, 106640677 / 11737571328),
    6: (691 / 68140800, 13 / 57600, 47021 / 35512320, 9694607 / 2095994880, 733191589 / 59609088000,
        326190917 / 11700633600),
    7: (1 / 345600, 3617 / 35512320, 745739 / 838397952, 56399353 / 12773376000, 25091609 / 1560084480,
        1755948832039 / 36229939200000, 4887769399 / 37838389248),
}
ALIASES = 2  # of each sign that sums over aliases have
FINER = 0.95  # each try with slopes of stencils has a mesh so much finer
TRIES = 500
AT_ONCE = 2**22  # mesh points of one array operation
MOST = 2**28  # mesh points


class MeshError:
    """Of one system: Q^2, atoms, shape of the box (Box.h, higher for slabs), order, how fields are made (ik or ad)."""

    def __init__(self, q2: float, natoms: int, shape: np.ndarray, order: int, diff: str):
        self.q2, self.natoms, self.shape, self.order, self.diff = q2, natoms, shape, order, diff
        self.lengths = [float(edge) for edge in shape[:3]]

    def along(self, h: float, length: float, g: float) -> float:
        """Of mesh width h along an axis, with differences in Fourier space."""
        series = sum(a * (h * g) ** (2 * m) for m, a in enumerate(SERIES[self.order]))
        return self.q2 * (h * g) ** self.order * math.sqrt(g * length * math.sqrt(2.0 * math.pi) * series / self.natoms
                                                           ) / length**2

    def of(self, mesh: Triple, g: float) -> float:
        """Of a mesh."""
        if self.diff == "ik":
            errors = [self.along(h, edge, g) for h, edge in zip(self._widths(mesh), self.lengths, strict=True)]
            return math.sqrt(sum(e * e for e in errors)) / math.sqrt(3.0)
        return math.sqrt(self._optimum(mesh, g) / self.natoms) * self.q2 / math.prod(self.lengths)

    def _widths(self, mesh: Triple) -> list[float]:
        """Mesh widths; in a tilted box, of the points per length along x, y and z."""
        a, b, c = mesh
        lx, ly, lz, yz, xz, xy = self.shape.tolist()
        return [lx / a, 1.0 / (b / ly - a * xy / (lx * ly)),
                1.0 / (c / lz - b * yz / (ly * lz) + a * (yz * xy - ly * xz) / (lx * ly * lz))]

    def _optimum(self, mesh: Triple, g: float) -> float:
        """Q_opt: what the best influence function leaves, summed over the mesh.

            sum_{k != 0} [sum_m 16 pi^2 e^{-K^2/2g^2}/K^2 - (sum_m 4 pi e^{-K^2/4g^2} U^2)^2 / (sum_m U^2 sum_m K^2 U^2)]

        with K = k + 2 pi m n / L. All sums over aliases but the first are products of sums along axes. Signs of k do not
        matter: each index of either sign is taken once, with its count. The difference is taken vector by vector, since
        it is small.
        """
        aliases = np.arange(-ALIASES, ALIASES + 1)
        waves, counts, once, gauss, square = [], [], [], [], []
        for n, edge in zip(mesh, self.lengths, strict=True):
            i = np.arange(n // 2 + 1)
            wave = (2.0 * math.pi / edge * (i[:, None] + n * aliases)) ** 2
            u2 = np.sinc(i[:, None] / n + aliases) ** (2 * self.order)
            waves.append(wave)
            counts.append(np.where((i == 0) | (2 * i == n), 1.0, 2.0))
            once.append(u2.sum(1))
            gauss.append((np.exp(-wave / (4.0 * g * g)) * u2).sum(1))
            square.append((wave * u2).sum(1))
        total, step = 0.0, max(1, AT_ONCE // (len(counts[1]) * len(counts[2])))
        for first in range(0, len(counts[0]), step):  # planes by planes: a mesh may be large
            planes = slice(first, first + step)
            u, gauss0, square0 = once[0][planes], gauss[0][planes], square[0][planes]
            k2 = (_product([square0, once[1], once[2]]) + _product([u, square[1], once[2]])
                  + _product([u, once[1], square[2]]))
            value = -(_product([gauss0, gauss[1], gauss[2]]) ** 2) / (_product([u, once[1], once[2]]) * k2)
            for a, b, c in itertools.product(range(len(aliases)), repeat=3):
                k2 = waves[0][planes, a][:, None, None] + waves[1][:, b][:, None] + waves[2][:, c]
                value += np.exp(-k2 / (2.0 * g * g)) / np.where(k2 > 0.0, k2, 1.0)
            if first == 0:
                value[0, 0, 0] = 0.0
            total += (4.0 * math.pi) ** 2 * float(np.einsum("ijk,i,j,k->", value, counts[0][planes], counts[1], counts[2]))
        return total

    # ---- meshes
    def mesh(self, g: float, accuracy: float) -> Triple:
        """The first mesh that is fine enough."""
        return self._fine_ik(g, accuracy) if self.diff == "ik" else self._fine_ad(g, accuracy)

    def _fine_ik(self, g: float, accuracy: float) -> Triple:
        found = []
        for edge in self.lengths:
            h = 1.0 / g
            n, error = int(edge / h) + 1, self.along(h, edge, g)
            while error > accuracy:  # the error is that of the width before: the reference goes one or two too far
                error = self.along(h, edge, g)
                n += 1
                h = edge / n
            found.append(n)
        if (self.shape[3:] != 0.0).any():  # as fine at right angles to the faces of a tilted box
            a, b, c = (n / edge for n, edge in zip(found, self.lengths, strict=True))
            lx, ly, lz, yz, xz, xy = np.abs(self.shape)
            found = [int(lx * a) + 1, int(xy * a + ly * b) + 1, int(xz * a + yz * b + lz * c) + 1]
        return found[0], found[1], found[2]

    def _fine_ad(self, g: float, accuracy: float) -> Triple:
        h, mesh = 4.0 / g, (2, 2, 2)
        for _ in range(TRIES):
            x, y, z = (max(2, int(edge / h)) for edge in self.lengths)
            mesh = x, y, z
            if x * y * z > MOST:
                raise InputError(f"kspace_modify diff ad with order {self.order}: the accuracy needs a mesh of more than "
                                 f"{MOST} points", "use a higher order, diff ik, or ask for less accuracy")
            if self.of(mesh, g) <= accuracy:
                break
            h *= FINER
        return mesh


def _product(parts: list[np.ndarray]) -> np.ndarray:
    x, y, z = parts
    return x[:, None, None] * y[:, None] * z


def factorable(n: int) -> int:
    """The next number that has no factors but 2, 3 and 5.

    >>> factorable(31), factorable(25)
    (32, 25)
    """
    while True:
        rest = n
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return n
        n += 1
