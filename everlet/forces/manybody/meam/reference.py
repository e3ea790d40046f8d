"""The pair function of MEAM: what is left of the energy of a reference lattice when its atoms are embedded.

In the lattice of elements a and b the energy of an atom is known (Rose, Smith, Guinea and Ferrante):
Eu = -Ec (1 + x + k x^3) exp(-x), x = alpha (r / re - 1). So phi(r) = (2 Eu - F_a - F_b) / Z of most lattices, with the
densities that the lattice has; second neighbours are taken away by a series, or by what is known of the like pairs.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.manybody.eam.eam import cubics
from everlet.forces.manybody.meam.lattices import LATTICES, Lattice, lattice
from everlet.forces.manybody.meam.library import Meam

POINTS = 1000  # of tables, up to 1.1 rc
FAR = 1.1
TERMS, NEGLIGIBLE = 10, 1e-20  # of the series
VOID = 1e-14  # a density that is none
Values = np.ndarray


def taper(x: Any) -> Any:
    """From 0 at 0 to 1 at 1."""
    y = 1.0 - np.clip(x, 0.0, 1.0)
    return (1.0 - y**4) ** 2


def over(a: Any, b: Any) -> Any:
    """a / b, 0 where b is not above 0."""
    return np.where(b > 0, a / np.where(b > 0, b, 1.0), 0.0)


def zbl(r: Values, z1: float, z2: float) -> Values:
    """Repulsion of screened nuclei."""
    u = r * (z1**0.23 + z2**0.23) / 0.4685
    shells = zip((0.028171, 0.28022, 0.50986, 0.18175), (0.20162, 0.40290, 0.94229, 3.1998), strict=True)
    s = sum(c * np.exp(-d * u) for c, d in shells)
    return np.where(r > 0, s * 14.3997 * z1 * z2 / np.where(r > 0, r, 1.0), s)


class Reference:
    def __init__(self, of: Meam):
        self.of, self.smooth = of, of.options["gsmooth_factor"]

    def lattice(self, a: int, b: int) -> Lattice:
        return lattice(self.of.lattce[a, b], self.of.theta[a, b])

    def cut(self, i: int, k: int, c: float) -> float:
        """Screening of a pair i i by an atom k."""
        low, high = self.of.Cmin[i, i, k], self.of.Cmax[i, i, k]
        return float(taper((c - low) / (high - low)))

    def second(self, a: int, b: int) -> tuple[int, float, float, float]:
        """Second neighbours of the lattice of a and b: how many, how far, screening of a a by b and of b b by a."""
        kind = self.lattice(a, b)
        if not kind.second:
            return 0, 1.0, 0.0, 0.0
        c = 1.0 if self.of.lattce[a, b] == "dia3" else 4.0 / kind.ratio**2 - 1.0
        s = self.cut(a, b, c) ** kind.screens
        if self.of.lattce[a, b] == "l12":
            s = (self.cut(a, a, c) * self.cut(a, b, c)) ** 2
        return kind.second, kind.ratio, s, self.cut(b, a, c) ** kind.screens

    def gain(self, gamma: Values, ibar: int) -> Values:
        """G."""
        if ibar == 1:
            return np.exp(0.5 * gamma)
        if ibar == 3:
            return 2.0 / (1.0 + np.exp(np.minimum(-gamma, 700.0)))
        f = self.smooth
        low = (gamma < -f / (f + 1.0)) & (ibar != -5)
        x, y = np.where(low, gamma, -1.0), np.where(low, 1.0, 1.0 + gamma)
        return np.where(low, np.sqrt((-f / (f + 1.0) / x) ** f / (f + 1.0)), np.copysign(np.sqrt(np.abs(y)), y))

    def embedding(self, e: int, rho: Values) -> Values:
        of = self.of
        size, linear, here = of.asub[e] * of.Ec[e, e], -of.options["emb_lin_neg"], rho > 0
        return size * rho * np.where(here, np.log(np.where(here, rho, 1.0)), linear)

    def partial(self, e: int, r: Values) -> list[Values]:
        """f0 … f3 of an element, and the three minus ones; then weights t are in them."""
        of = self.of
        s = r / of.re[e, e] - 1.0
        weights = [1.0, *of.t[e], *of.t_minus[e]] if of.minus else [1.0] * 4
        betas = [*of.beta[e], *of.beta_minus[e]]
        return [w * of.rho0[e] * np.exp(-b * s) for w, b in zip(weights, betas, strict=True)]

    def shape(self, e: int) -> Values:
        return np.array(self.lattice(e, e).shape) * (self.of.ibar[e] > 0)

    def background(self, e: int, t: Any = None) -> Any:
        """The density of the lattice of an element; t: weights, where these depend on the surroundings."""
        of, kind, mix = self.of, self.lattice(e, e), self.of.flag("mixture_ref_t")
        z2, q, screened, _ = self.second(e, e)
        weights = t if mix and t is not None else of.t[e]
        gamma = sum(u * v for u, v in zip(self.shape(e), weights, strict=True)) / kind.first**2
        g = self.gain(np.asarray(gamma), of.ibar[e])
        if mix:
            return of.rho0[e] * kind.first * g
        if of.flag("bkgd_dyn"):
            return of.rho0[e] * kind.first
        return of.rho0[e] * (kind.first + of.nn2[e, e] * z2 * screened * np.exp(-of.beta[e, 0] * (q - 1.0))) * g

    def sites(self, r: Values, a: int, b: int) -> Any:
        """Both sites of the lattice: rho0, the squares rho1 … rho3, the weights t."""
        of, name = self.of, self.of.lattce[a, b]
        here, there = self.lattice(a, b), self.lattice(a, b)
        if name == "ch4":
            there = LATTICES["dim"]
        if name == "tri":
            here = LATTICES["dim"]
        fa, fb, ta, tb = self.partial(a, r), self.partial(b, r), list(of.t[b]), list(of.t[a])
        minus = of.minus and name not in ("ch4", "lin", "zig", "tri")
        ra, rb = ([kind.shape[k] * (f[k + 1] ** 2 - (f[k + 4] ** 2 if minus else 0.0)) for k in range(3)]
                  for kind, f in ((here, fb), (there, fa)))
        pa, pb = here.first * fb[0], there.first * fa[0]
        if name == "l12":
            pa = 8.0 * fa[0] + 4.0 * fb[0]
            wa, wb = (of.t[a, 1], of.t[b, 1]) if of.alloy == 1 and not of.minus else (1.0, 1.0)
            ra[1] = 8.0 / 3.0 * ((fa[2] * wa - fb[2] * wb) ** 2 - ((fa[5] - fb[5]) ** 2 if minus else 0.0))
            ra[1] = over(ra[1] * pa, 8.0 * fa[0] * wa**2 + 4.0 * fb[0] * wb**2)
            ta = [over(8.0 * u * fa[0] + 4.0 * v * fb[0], pa) for u, v in zip(of.t[a], of.t[b], strict=True)]
        if of.nn2[a, b]:
            z2, q, sa, sb = self.second(a, b)
            pa, pb = pa + z2 * sa * self.partial(a, q * r)[0], pb + z2 * sb * self.partial(b, q * r)[0]
        if of.alloy == 2:
            ta, tb = list(of.t[a]), list(of.t[b])
        return (pa, ra, ta), (pb, rb, tb)

    def rose(self, r: Values, a: int, b: int) -> Values:
        of = self.of
        x = np.where(r > 0, r, 1.0) / of.re[a, b]
        s, attrac, repuls = of.alpha[a, b] * (x - 1.0), of.attrac[a, b], of.repuls[a, b]
        own = np.where(s >= 0, attrac, repuls)
        form = int(of.options["erose_form"])
        cubic = repuls / (x * of.re[a, b]) - attrac if form == 1 else own if form == 2 else own / x
        return np.where(r > 0, -of.Ec[a, b] * (1.0 + s + cubic * s**3) * np.exp(-s), 0.0)

    def bare(self, r: Values, a: int, b: int) -> Values:
        """phi without second neighbours."""
        if self.of.lattce[a, b] == "c11":
            return self._c11(r, a, b)
        sites, energies = self.sites(r, a, b), []
        for e, (p, squares, t) in zip((a, b), sites, strict=True):
            parts = sum(squares) if self.of.minus else sum(u * v for u, v in zip(t, squares, strict=True))
            gamma = over(parts, np.where(p < VOID, 0.0, p) ** 2)
            energies.append(self.embedding(e, p / self.background(e, t) * self.gain(gamma, self.of.ibar[e])))
        name, eu, (fa, fb) = self.of.lattce[a, b], self.rose(r, a, b), energies
        if name == "l12":
            phi = eu / 3.0 - 0.25 * fa - fb / 12.0 - self.series(r, a, a)
        elif name == "ch4":
            phi = 0.25 * (5.0 * eu - fa - 4.0 * fb)
        elif name == "tri":
            phi = 0.5 * (3.0 * eu - 2.0 * fa - fb)
        else:
            phi = (2.0 * eu - fa - fb) / LATTICES[name].first
        if name in ("zig", "tri") and a != b:
            far = self.lattice(a, b).ratio * r
            phi = phi - 0.5 * self.cut(a, b, 1.0) * self.bare(far, a, a)
            phi = phi - (0.5 * self.cut(b, a, 1.0) * self.bare(far, b, b) if name == "zig" else 0.0)
        return np.where((r == 0) | (sites[0][0] <= VOID) & (sites[1][0] <= VOID), 0.0, phi)

    def _c11(self, r: Values, a: int, b: int) -> Values:
        of = self.of
        one, two = (a, b) if of.lattce[a, a] == "dia" else (b, a)
        f, g = self.partial(one, r), self.partial(two, r)
        t = [over(u * f[0] + v * g[0], f[0] + g[0]) if of.alloy != 2 else u for u, v in zip(of.t[one], of.t[two], strict=True)]
        first = (25.0 * (f[0] + g[0]) ** 2 + t[0] * (f[1] - g[1]) ** 2 + t[1] / 6.0 * (f[2] + g[2]) ** 2
                 + 121.0 / 40.0 * t[2] * (f[3] - g[3]) ** 2)
        other = 100.0 * f[0] ** 2 + 2.0 / 3.0 * t[1] * f[2] ** 2
        fs = [self.embedding(e, np.sqrt(np.maximum(square, 0.0))) for e, square in ((one, first), (two, other))]
        phi = (3.0 * self.rose(r, a, b) - 2.0 * fs[0] - fs[1] - 5.0 * self.series(r, one, one)) / 10.0
        return np.where((r == 0) | (f[0] <= VOID) & (g[0] <= VOID), 0.0, phi)

    def series(self, r: Values, a: int, b: int) -> Values:
        """phi with the series of second neighbours of second neighbours."""
        out, alive, (z2, q, s, _) = self.bare(r, a, b), np.ones(len(r), bool), self.second(a, b)
        for k in range(1, TERMS + 1 if s > 0 else 1):
            term = (-z2 * s / self.lattice(a, b).first) ** k * self.bare(r * q**k, a, b)
            alive &= np.abs(term) >= NEGLIGIBLE
            out = out + np.where(alive, term, 0.0)
        return out

    def phi(self, r: Values, a: int, b: int) -> Values:
        """The pair function of elements a <= b."""
        of, name = self.of, self.of.lattce[a, b]
        if of.nn2[a, b] and name in ("b1", "b2", "l12", "dia"):
            z2, q, sa, sb = self.second(a, b)
            parts = (0.75, 0.25) if name == "l12" else (0.5 * z2 / LATTICES[name].first,) * 2
            out = (self.bare(r, a, b) - parts[0] * sa * self.series(q * r, a, a) - parts[1] * sb * self.series(q * r, b, b))
        else:
            out = self.series(r, a, b) if of.nn2[a, b] else self.bare(r, a, b)
        if of.zbl[a, b]:
            w = taper(1.5 + 0.5 * of.alpha[a, b] * (r / of.re[a, b] - 1.0))
            out = np.where(w > 0, w * out, 0.0) + (1.0 - w) * zbl(r, of.number[a], of.number[b])
        return out

    @property
    def step(self) -> float:
        return FAR * self.of.options["rc"] / POINTS

    def table(self, a: int, b: int) -> Values:
        """Cubics of phi on each interval, as eam has them; the slope at the last point is 0."""
        return cubics(self.phi(np.arange(POINTS) * self.step, min(a, b), max(a, b)), 0.0)
