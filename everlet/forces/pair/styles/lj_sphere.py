"""Lennard-Jones 12-6 between spheres of sizes of their own."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.between import BetweenStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.radii import largest_radii
from everlet.forces.pair.styles.lj_cut import numbers
from everlet.portable import portable, sqrt, where


class OfSpheres(BetweenStyle):
    """Cutoffs follow from the sizes that atoms have when a run begins."""

    number = "radius"
    shiftable = True

    def init(self) -> None:
        super().init()
        self.cutoffs = self.reaches(largest_radii(self.system))
        self.max_cutoff = float(self.cutoffs.max())

    def reaches(self, radius: np.ndarray) -> np.ndarray:
        """The longest distances of pairs of types, whose largest radii are these."""
        raise NotImplementedError

    def by_types(self, name: str) -> np.ndarray:
        """A value of all pairs of types."""
        found = np.zeros(self.cutoffs.shape)
        for (i, j), values in self.pairs.items():
            found[i, j] = found[j, i] = values[name]
        return found


@pair_style("lj/cut/sphere")
class LJCutSphere(OfSpheres):
    """E = 4 eps [(s/r)^12 - (s/r)^6] for r < k s; s: mean of both diameters by the rule of pair_modify mix, without sixthpower.

    pair_style lj/cut/sphere k                    k: number
    pair_coeff I J eps [k]                        eps: energy
    """

    coeffs = {"epsilon": energy}

    def table(self, epsilon: float, cut: float) -> Values:
        if self.mix_rule == "sixthpower":
            raise InputError(f"pair style {self.name} has no sixthpower mixing", "use pair_modify mix geometric or arithmetic")
        return {"e4": 4.0 * epsilon, "ratio2": cut * cut, "geometric": float(self.mix_rule == "geometric")}

    def _plain(self, r2: float, i: int, j: int) -> tuple[float, float]:
        """At a distance in units of s, for pair_modify shift."""
        x6, e4 = r2**-3, float(self.table_array[i, j, 0])
        return 6.0 * e4 * x6 * (2.0 * x6 - 1.0) / r2, e4 * x6 * (x6 - 1.0)

    def reaches(self, radius: np.ndarray) -> np.ndarray:
        a, b = radius[:, None], radius[None, :]
        return self.by_types("cut") * np.where(self.mix_rule == "geometric", 2.0 * np.sqrt(a * b), a + b)

    @portable
    def law(dx, dy, dz, r2, p, a_i, a_j):
        s2 = where(p.geometric > 0.5, 4.0 * a_i * a_j, (a_i + a_j) * (a_i + a_j))
        x2 = s2 / r2
        x6 = x2 * x2 * x2
        near = r2 < p.ratio2 * s2
        pull = where(near, 6.0 * p.e4 * x6 * (2.0 * x6 - 1.0) / r2, 0.0)
        return pull * dx, pull * dy, pull * dz, where(near, p.e4 * x6 * (x6 - 1.0) - p.offset, 0.0)


@pair_style("lj/expand/sphere")
class LJExpandSphere(OfSpheres):
    """E = 4 eps [(sigma/s)^12 - (sigma/s)^6] for s < r_c, s = r - (d_i + d_j)/2: distances of surfaces.

    pair_style lj/expand/sphere r_c               r_c: length
    pair_coeff I J eps sigma [r_c]                eps: energy, sigma: length

    pair_modify shift makes E zero at s = r_c. In the reference this leaves a jump, and forces are s^2 times the slope of E.
    """

    coeffs = {"epsilon": energy, "sigma": length}

    def table(self, epsilon: float, sigma: float, cut: float) -> Values:
        return {**numbers(epsilon, sigma), "cut": cut}

    def _plain(self, r2: float, i: int, j: int) -> tuple[float, float]:
        p = dict(zip(self.fields, self.table_array[i, j].tolist(), strict=True))
        ir6 = r2**-3
        return ir6 * (p["a"] * ir6 - p["b"]) / r2, ir6 * (p["c"] * ir6 - p["d"])

    def reaches(self, radius: np.ndarray) -> np.ndarray:
        cut = self.by_types("cut")
        return np.where(cut > 0.0, cut + radius[:, None] + radius[None, :], 0.0)

    @portable
    def law(dx, dy, dz, r2, p, a_i, a_j):
        r = sqrt(r2)
        s = r - (a_i + a_j)
        is2 = 1.0 / (s * s)
        is6 = is2 * is2 * is2
        near = s < p.cut
        pull = where(near, is6 * (p.a * is6 - p.b) / (s * r), 0.0)
        return pull * dx, pull * dy, pull * dz, where(near, is6 * (p.c * is6 - p.d) - p.offset, 0.0)
