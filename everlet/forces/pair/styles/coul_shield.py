"""Charges of different layers, which do not feel each other's nuclei at short distances."""

from __future__ import annotations

from everlet.errors import InputError, arguments
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.between import BetweenStyle
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.quantities import inverse_length
from everlet.portable import exp, log, portable, sqrt, where


@pair_style("coul/shield")
class CoulShield(BetweenStyle):
    """E = T(r) C q_i q_j / (r^3 + lambda^-3)^(1/3) for r < r_c, of atoms of different molecules.

    T = 20 x^7 - 70 x^6 + 84 x^5 - 35 x^4 + 1 with x = r/r_c, or 1 where the taper is 0.

    pair_style coul/shield r_c [taper]            r_c: length, taper: 1 (if nothing is said) or 0
    pair_coeff I J lambda                         lambda: 1/length
    """

    number = "q"
    others = True
    sums = 8
    coeffs = {"lambda": inverse_length}
    mixable = False

    def configure(self, args: list[str]) -> None:
        arguments(args, 1, 2, f"pair_style {self.name} r_c [0|1]")
        super().configure(args[:1])
        self.args, self.taper = list(args), [*args, "1"][1]
        if self.taper not in ("0", "1"):
            raise InputError(f"pair style {self.name}: the taper is on, 1, or off, 0; found {self.taper}", "correct it")

    @property
    def cut_words(self) -> tuple[str, ...]:
        return ()

    def parameters(self, values: Values) -> Values:
        if values["lambda"] <= 0.0:
            raise InputError(f"pair style {self.name}: lambda is above 0, found {values['lambda']:g}", "correct it")
        return {"cube": values["lambda"] ** -3, "inverse": 1.0 / values["cut"], "taper": float(self.taper),
                "c": self.system.coulomb}

    @portable
    def law(dx, dy, dz, r2, p, a_i, a_j):
        r = sqrt(r2)
        x = r * p.inverse
        x3 = x * x * x
        t = where(p.taper > 0.5, (((20.0 * x - 70.0) * x + 84.0) * x - 35.0) * x * x3 + 1.0, 1.0)
        slope = where(p.taper > 0.5, (((140.0 * x - 420.0) * x + 420.0) * x - 140.0) * x3 * p.inverse, 0.0)
        sum = r2 * r + p.cube
        bare = p.c * a_i * a_j * exp(log(sum) * (-1.0 / 3.0))
        pull = bare * (t * r / sum - slope / r)
        return pull * dx, pull * dy, pull * dz, t * bare
