"""Van der Waals energies that are switched off over a width w before their cutoff, and Gaussian charges, as YAFF has them.

    E = S(x) E_vdwl(r) for r < r_c;  S = 3 x^2 - 2 x^3, x = (r_c - r)/w, or 1 for r < r_c - w
"""

from __future__ import annotations

from everlet.errors import InputError, number
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.formulas import Values
from everlet.forces.pair.gaussians import GaussiansLong
from everlet.forces.pair.quantities import energy, length
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.portable import exp, least, portable, sqrt

SHARP = 1e-30  # widths below are no switch


@portable
def switched(r, pull, energy, p):
    """Force / r and energy with the switch, from those without."""
    x = least((p.edge - r) * p.steep, 1.0)
    s = x * x * (3.0 - 2.0 * x)
    return pull * s + energy * 6.0 * x * (1.0 - x) * p.steep / r, energy * s


class Switch3(GaussiansLong):
    """The last argument of pair_style is the width."""

    coeffs = {"epsilon": energy, "sigma": length, "gamma": length}
    mixing = {"gamma": "mean"}
    shiftable = False

    def configure(self, args: list[str]) -> None:
        if len(args) not in (2, 3):
            raise InputError(f"pair_style {self.name} has {len(args)} arguments",
                             f"usage: pair_style {self.name} cutoff [cutoff of charges] width")
        super().configure(args[:-1])
        self.args, self.width = list(args), number(args[-1], "a width")
        if not 0.0 <= self.width <= self.setting["cut"]:
            raise InputError(f"pair style {self.name}: the width {args[-1]} is not between 0 and the cutoff", "change it")

    def parameters(self, values: Values) -> Values:
        return super().parameters(values) | {"edge": values["cut"], "steep": 1.0 / max(self.width, SHARP)}


@pair_style("lj/switch3/coulgauss/long")
class LJSwitch3CoulGaussLong(Switch3):
    """E_vdwl = 4 eps [(sigma/r)^12 - (sigma/r)^6], and C q_i q_j [erf(r/gamma_ij) - erf(g r)]/r for r < r_q, where
    gamma_ij^2 = gamma_i^2 + gamma_j^2; kspace_style has the rest and chooses g. (In the reference charges are points beyond
    r_c, so that their energy jumps there if they are wide.)

    pair_style lj/switch3/coulgauss/long r_c [r_q] w          r_c, r_q, w: length; r_q is r_c if it is not given
    pair_coeff I J eps sigma gamma [r_c]                      eps: energy, sigma, gamma: length
    """

    def table(self, epsilon: float, sigma: float) -> Values:
        return LJCut.table(self, epsilon, sigma)  # type: ignore[arg-type]

    @portable
    def pair(r2, p):
        ir2 = 1.0 / r2
        ir6 = ir2 * ir2 * ir2
        return switched(sqrt(r2), ir6 * (p.a * ir6 - p.b) * ir2, ir6 * (p.c * ir6 - p.d), p)


@pair_style("mm3/switch3/coulgauss/long")
class MM3Switch3CoulGaussLong(Switch3):
    """E_vdwl = eps [184000 exp(-12 r/s) - 2.25 (s/r)^6] with s = 2 sigma, and charges as lj/switch3/coulgauss/long. Of unlike
    types eps is the geometric mean and s = sigma_i + sigma_j, whatever pair_modify mix says.

    pair_style mm3/switch3/coulgauss/long r_c [r_q] w
    pair_coeff I J eps sigma gamma [r_c]
    """

    mixing = {"epsilon": "geometric", "sigma": "mean", "gamma": "mean"}

    def table(self, epsilon: float, sigma: float) -> Values:
        if sigma <= 0.0:
            raise InputError(f"sigma must be positive, found {sigma:g}", "change it in pair_coeff")
        return {"a": 184000.0 * epsilon, "fall": 6.0 / sigma, "c": 2.25 * epsilon * (2.0 * sigma) ** 6}

    @portable
    def pair(r2, p):
        r = sqrt(r2)
        ir2 = 1.0 / r2
        near, far = p.a * exp(-p.fall * r), p.c * ir2 * ir2 * ir2
        return switched(r, p.fall * near / r - 6.0 * far * ir2, near - far, p)
