"""Potentials less a straight line, so that energy and force are zero at the cutoff."""

from __future__ import annotations

import functools
from types import SimpleNamespace

from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.formulas import Values, with_data
from everlet.forces.pair.styles.lj_cut import LJCut
from everlet.forces.pair.styles.morse import Morse
from everlet.portable import Portable, portable, sqrt


@functools.cache
def straightened(bare: Portable) -> Portable:
    @portable
    def pair(r2, p):
        force, energy = bare(r2, p)
        r = sqrt(r2)
        return force - p.f_end / r, energy - p.e_end + (r - p.end) * p.f_end

    return pair


class SmoothLinear(PairStyle):
    def parameters(self, values: Values) -> Values:
        own, cut = super().parameters(values), values["cut"]
        assert self.pair is not None
        force, energy = self.pair(cut * cut, SimpleNamespace(**own)) if cut else (0.0, 0.0)
        return own | {"end": cut, "f_end": force * cut, "e_end": energy}

    def pair_function(self) -> Portable:
        assert self.pair is not None
        return with_data(straightened(self.pair))


@pair_style("lj/smooth/linear", "lj/sf")
class LJSmoothLinear(SmoothLinear, LJCut):
    """E = phi(r) - phi(r_c) - (r - r_c) phi'(r_c) with phi = 4 eps [(sigma/r)^12 - (sigma/r)^6], for r < r_c.
    (The reference multiplies forces of special pairs by their factor, and their energies not.)

    pair_style lj/smooth/linear r_c           r_c: length
    pair_coeff I J eps sigma [r_c]            eps: energy, sigma: length
    """

    tail = None  # type: ignore[assignment]


@pair_style("morse/smooth/linear")
class MorseSmoothLinear(SmoothLinear, Morse):
    """The same with phi = D [exp(-2 alpha (r - r0)) - 2 exp(-alpha (r - r0))].

    pair_style morse/smooth/linear r_c        r_c: length
    pair_coeff I J D alpha r0 [r_c]           D: energy, alpha: 1/length, r0: length
    """
