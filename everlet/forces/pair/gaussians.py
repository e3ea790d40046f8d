"""Charges that are Gaussian clouds, C q_i q_j erf(alpha r)/r; alpha is a parameter of pairs of types."""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.pair.charged import ChargedStyle, without
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.splitting import tail
from everlet.portable import Portable, portable

POINT = 1e-10  # widths below are points


@portable
def overlap(r2, p, data):
    """What clouds have less than points."""
    return tail(r2, p.alpha)


GAUSSIANS = without(ChargedStyle.bare, overlap)


class GaussiansLong(Long):
    """C q_i q_j [erf(r/w) - erf(g r)]/r for r < r_q, w^2 = gamma_i^2 + gamma_j^2 whatever pair_coeff says of an unlike pair;
    the solver has the rest. The coefficients have `gamma`, a length."""

    bare = GAUSSIANS

    def _resolve(self, n: int) -> None:
        super()._resolve(n)
        for i, j in self.pairs:
            missing = [k for k in (i, j) if (k, k) not in self.explicit]
            if missing:
                raise InputError(f"pair style {self.name}: type {missing[0]} has no gamma",
                                 f"give pair_coeff {missing[0]} {missing[0]}")
            width = math.hypot(self.explicit[i, i]["gamma"], self.explicit[j, j]["gamma"])
            self.pairs[i, j] = {**self.pairs[i, j], "width": width}

    def parameters(self, values: Values) -> Values:
        width = values.get("width", math.sqrt(2.0) * values["gamma"])
        return super().parameters(values) | {"alpha": 1.0 / max(width, POINT)}

    def coulomb_function(self, precision: str) -> Portable:
        return without(super().coulomb_function(precision), overlap)
