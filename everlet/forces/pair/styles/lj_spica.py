"""Lennard-Jones potentials of coarse-grained models (SPICA, SDK), with one of four pairs of powers."""

from __future__ import annotations

import numpy as np

from everlet.forces.pair.base import pair_style
from everlet.forces.pair.coulomb import Long, Msm
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.one_four import OneFour
from everlet.forces.pair.quantities import Quantity, energy, length
from everlet.forces.pair.styles.mie_cut import MieCut, TwoPowers
from everlet.portable import portable, where

two_powers = TwoPowers.pair
FORMS = {"lj9_6": (9.0, 6.0), "lj12_4": (12.0, 4.0), "lj12_6": (12.0, 6.0), "lj12_5": (12.0, 5.0)}


@portable
def repulsion(r2, p, data, q_i, q_j):
    strength, energy = two_powers(r2, p)
    near = r2 < p.least2
    return where(near, strength, 0.0), where(near, energy + p.epsilon, 0.0), 0.0 * r2, 0.0 * r2


@pair_style("lj/spica", "lj/sdk")
class LJSpica(TwoPowers):
    """E = C eps [(sigma/r)^n - (sigma/r)^m] with C = n/(n - m) (n/m)^(m/(n - m)), for r < r_c.

    pair_style lj/spica r_c                                            r_c: length
    pair_coeff I J lj9_6|lj12_4|lj12_5|lj12_6 eps sigma [r_c]          eps: energy, sigma: length
    """

    coeffs = {"form": Quantity("form", words=tuple(FORMS)), "epsilon": energy, "sigma": length}
    mixable = False

    def table(self, form: float, epsilon: float, sigma: float) -> Values:
        n, m = list(FORMS.values())[int(form)]
        c = epsilon * MieCut.prefactor(n, m)
        return self.numbers_of(sigma, n, m, c, c)

    def one_three(self) -> OneFour:
        """The repulsion, for r below the minimum, with eps added so that it ends there."""
        numbers = np.zeros((*self.cutoffs.shape, len(self.fields) + 2))
        for (i, j), values in self.pairs.items():
            n, m = list(FORMS.values())[int(values["form"])]
            least = values["sigma"] * (n / m) ** (1.0 / (n - m))
            numbers[i, j] = numbers[j, i] = [*self.parameters(values).values(), least**2, values["epsilon"]]
        fields = (*self.fields, "least2", "epsilon")
        return OneFour(repulsion, fields, numbers, np.zeros(1), angles=("spica", "sdk"), counts="angle")


@pair_style("lj/spica/coul/long", "lj/sdk/coul/long")
class LJSpicaCoulLong(Long, LJSpica):
    """And C q_i q_j erfc(g r)/r for r < r_q, the same for all pairs of types; kspace_style has the rest and chooses g.

    pair_style lj/spica/coul/long r_c [r_q]
    pair_coeff I J lj9_6|lj12_4|lj12_5|lj12_6 eps sigma [r_c]
    """


@pair_style("lj/spica/coul/msm", "lj/sdk/coul/msm")
class LJSpicaCoulMsm(Msm, LJSpica):
    """And C q_i q_j [1/r - gamma(r/r_q)/r_q] for r < r_q, the same for all pairs of types; kspace_style msm has the rest.

    pair_style lj/spica/coul/msm r_c [r_q]
    pair_coeff I J lj9_6|lj12_4|lj12_5|lj12_6 eps sigma [r_c]
    """
