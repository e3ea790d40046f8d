"""Atomic cluster expansion as it is defined, in plain NumPy, slowly: all m, products one by one, formulas instead of tables.

Nothing is shared with the package. `Ace(spec)` takes what a .yace file says, as a dict (`made_up` makes such ones, `text` is
the file); `ace(…)` gives energies of atoms and dE/dr of each pair of a full list. Functions of one variable are written once;
complex steps differentiate them exactly: f(x + ih) = f + ih f'.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

NUMBERS = {"Al": 13, "Ni": 28, "Cu": 29}  # of nuclei


def slope(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any]:
    v = f(x + 1e-30j)
    return v.real, v.imag * 1e30


def falling(x: Any, top: float, width: float) -> Any:
    """1 below top - width, 0 above top, a quintic between."""
    t = (top - x) / (width or 1e-12)
    t = np.where(t.real < 0, 0, np.where(t.real > 1, 1, t))
    return t**3 * (10 - 15 * t + 6 * t * t)


def cosine(x: Any, width: float) -> Any:
    return 0.5 + 0.5 * np.cos(np.pi / width * np.where(x.real < 0, 0, x))


def chebyshev(n: int, x: Any) -> Any:
    t = [1 + 0 * x, x]
    while len(t) <= n:
        t.append(2 * x * t[-1] - t[-2])
    return np.stack(t, -1)


def base(b: dict[str, Any], r: Any) -> Any:
    """g_k(r) of one pair of species, before the inner cutoff."""
    n, rc, lam, x = b["nradbasemax"], b["rcut"], b["radparameters"][0], r / b["rcut"]
    if b["radbasename"] == "ChebExpCos":
        t = chebyshev(n, 1 - 2 * (np.exp(-lam * x) - np.exp(-lam)) / (1 - np.exp(-lam)))
        g = 0.5 - 0.5 * t[:, :n]
        g[:, 0] = 1
        return g * (cosine(r, rc) * cosine(r - rc + b["dcut"], b["dcut"]))[:, None]
    if b["radbasename"] == "SBessel":
        found, d = [], 1.0
        for k in range(n):
            size = (-1) ** k * np.sqrt(2) * np.pi / rc**1.5 * (k + 1) * (k + 2) / np.hypot(k + 1, k + 2)
            f = size * (np.sinc(x * (k + 1)) + np.sinc(x * (k + 2)))
            if k:
                e = k * k * (k + 2) ** 2 / (4 * (k + 1) ** 4 + 1) / d
                d = 1 - e
                f = (f + np.sqrt(e) * found[-1]) / np.sqrt(d)
            found.append(f)
        return np.stack(found, -1)
    return 0.5 - 0.5 * chebyshev(n, 1 - 2 * (1 - x) ** lam if b["radbasename"] == "ChebPow" else 1 - x)[:, 1:]


def core(b: dict[str, Any], z: list[int], r: Any) -> Any:
    if b["inner_cutoff_type"] == "zbl":
        w, rc = b["dcut"], b["rcut"]
        k = np.array([3.19980, 0.94229, 0.40290, 0.20162]) * (z[0] ** 0.23 + z[1] ** 0.23) / 0.46850
        c = np.array([0.18175, 0.50986, 0.28022, 0.02817]) * b["prehc"] * 14.399645351950543 / 2 * z[0] * z[1]
        p, p1, p2 = ((c * (-k) ** q * np.exp(-k * rc)).sum() for q in range(3))
        e, e1, e2 = p / rc, p1 / rc - p / rc**2, p2 / rc - 2 * p1 / rc**2 + 2 * p / rc**3
        t = np.where(r.real > rc - w, r - rc + w, 0)
        shift = ((-3 * e1 + w * e2) / w**2 * t**3 / 3 + (2 * e1 - w * e2) / w**3 * t**4 / 4 - e + w * e1 / 2 - w * w * e2 / 12)
        return ((c * np.exp(-k * r[:, None])).sum(1) / r + shift) * falling(r, rc, w)
    lam = abs(b["lambdahc"])
    y = np.where(lam * r.real**2 < 50, abs(b["prehc"]) * np.exp(-lam * r * r) / r, 0) * cosine(r, b["rcut"])
    return y * falling(r, b["rcut_in"], b["dcut_in"]) if b["inner_cutoff_type"] == "distance" else y


def harmonics(u: np.ndarray, lmax: int) -> tuple[np.ndarray, np.ndarray]:
    """sqrt(4 pi) Y_lm (Condon-Shortley phase) in column l*l+l+m, and its gradient along the sphere."""
    z, s = u[:, 2], u[:, 0] + 1j * u[:, 1]
    p = {(0, 0): (1 + 0 * z, 0 * z)}
    for q in range(1, lmax + 1):
        top, c = p[q - 1, q - 1][0], np.sqrt(2 * q + 1)
        p[q, q], p[q, q - 1] = (-np.sqrt(1 + 0.5 / q) * top, 0 * z), (c * z * top, c * top)
        for m in range(q - 1):
            a, b = np.sqrt((4 * q * q - 1) / (q * q - m * m)), -np.sqrt(((q - 1) ** 2 - m * m) / (4 * (q - 1) ** 2 - 1))
            (f, df), (g, dg) = p[q - 1, m], p[q - 2, m]
            p[q, m] = a * (z * f + b * g), a * (f + z * df + b * dg)
    y, grad = np.empty((len(u), (lmax + 1) ** 2), complex), np.empty((len(u), (lmax + 1) ** 2, 3), complex)
    for (q, m), (f, df) in p.items():
        h = m * s ** max(m - 1, 0) * f
        g = np.stack([h, 1j * h, s**m * df], -1)
        for k, sign, side in ((q * q + q - m, (-1) ** m, np.conj), (q * q + q + m, 1, np.array)):
            y[:, k], grad[:, k] = sign * side(s**m * f), sign * side(g - (g * u).sum(-1, keepdims=True) * u)
    return y, grad


def embed(kind: str, rho: Any, m: float) -> Any:
    sign = -1 if rho.real < 0 else 1
    a = sign * rho
    if kind == "FinnisSinclair":
        g = np.exp(-((1e6 * a) ** 3)) if (1e6 * a.real) ** 3 <= 30 else 0.0
        return sign * ((1 - g) * a**m + 1e6 ** (1 - m) * g * a)
    if abs(m - 1) < 1e-10:
        return rho
    n, e = 1 / m, np.exp(-a)
    return sign * ((n ** (n / (1 - n)) * e + a) ** m - n ** (1 / (1 - n)) * e)


class Ace:
    def __init__(self, spec: dict[str, Any]):
        self.spec, self.bonds, self.names = spec, spec["bonds"], spec["elements"]
        shapes = [np.shape(b["radcoefficients"]) for b in self.bonds.values()]
        self.n, self.l, self.k = (max(s[0] for s in shapes), max(s[1] for s in shapes) - 1, max(s[2] for s in shapes))
        self.nlm = (self.l + 1) ** 2

    def mixing(self, b: dict[str, Any]) -> np.ndarray:
        found = np.zeros((self.n, self.l + 1, self.k))
        given = np.array(b["radcoefficients"])
        found[: given.shape[0], : given.shape[1], : given.shape[2]] = given
        return found

    def radial(self, a: int, c: int, r: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Columns g_k and last the core, and their derivatives."""
        b, z = self.bonds[a, c], [NUMBERS[self.names[s]] for s in (a, c)]

        def exact(r: Any) -> Any:
            less = 1 - falling(r, b["rcut_in"], b["dcut_in"]) if b["inner_cutoff_type"] == "distance" else 1 + 0 * r
            g = np.pad(base(b, r) * less[:, None], ((0, 0), (0, self.k - b["nradbasemax"])))
            return np.column_stack([g, core(b, z, r)])

        return slope(exact, r)

    def product(self, function: dict[str, Any], a1: np.ndarray, a: np.ndarray, m: list[int], skip: int = -1) -> complex:
        mus, ns, ls = function["mus"], function["ns"], function["ls"]
        if len(mus) == 1:
            return a1[mus[0], ns[0] - 1] if skip else 1.0
        found = 1.0 + 0j
        for t, (mu, n, q) in enumerate(zip(mus, ns, ls, strict=True)):
            if t != skip:
                found *= a[mu, n - 1, q * q + q + m[t]]
        return found

    def __call__(self, i: np.ndarray, j: np.ndarray, rij: np.ndarray, species: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Energies of atoms and dE/drij of the pairs of a full list."""
        out, r = np.zeros_like(rij), np.linalg.norm(rij, axis=1)
        keep = r < np.array([self.bonds[p]["rcut"] for p in zip(species[i], species[j], strict=True)])
        i, j, r, u = i[keep], j[keep], r[keep], (rij / r[:, None])[keep]
        sj, degree = species[j], np.floor(np.sqrt(np.arange(self.nlm))).astype(int)
        g, dg = np.zeros((2, len(r), self.k + 1))
        rad, drad = np.zeros((2, len(r), self.n, self.l + 1))
        for (a, c), b in self.bonds.items():
            s = (species[i] == a) & (sj == c)
            g[s], dg[s] = self.radial(a, c, r[s])
            rad[s], drad[s] = (np.einsum("nlk,pk->pnl", self.mixing(b), v[s, :-1]) for v in (g, dg))
        rad, drad, (y, grad) = rad[:, :, degree], drad[:, :, degree], harmonics(u, self.l)
        energies = np.array(self.spec["E0"], float)[species]
        along, across = np.zeros(len(r)), np.zeros((len(r), 3))
        for at, s in enumerate(species):
            mine = np.flatnonzero(i == at)
            energies[at] += self.atom(s, mine, sj, r, g, dg, rad, drad, y, grad, along, across)
        out[keep] = along[:, None] * u + across / r[:, None]
        return energies, out

    def atom(self, s: int, mine: Any, sj: Any, r: Any, g: Any, dg: Any, rad: Any, drad: Any, y: Any, grad: Any,
             along: np.ndarray, across: np.ndarray) -> float:
        """The energy of one atom without that of its species; slopes with its neighbours are added to the last two."""
        ns, em = len(self.names), self.spec["embeddings"][s]
        a1, a = np.zeros((ns, self.k)), np.zeros((ns, self.n, self.nlm), complex)
        np.add.at(a1, sj[mine], g[mine, :-1])
        np.add.at(a, sj[mine], rad[mine] * y[mine, None])
        densities, parameters = em["ndensity"], np.reshape(em["FS_parameters"], (-1, 2))
        rho, functions = np.zeros(densities), self.spec["functions"].get(s, [])
        for f in functions:
            for m, c in zip(np.reshape(f["ms_combs"], (-1, f["rank"])), np.reshape(f["ctildes"], (-1, densities)), strict=True):
                rho += np.real(self.product(f, a1, a, m)) * c
        values = [np.multiply(w, slope(lambda x, m=m: embed(em["npoti"], x, m), q))
                  for q, (w, m) in zip(rho, parameters, strict=True)]
        e, slopes = sum(v[0] for v in values), np.array([v[1] for v in values])
        repulsion, own = g[mine, -1].sum(), self.bonds[s, s]
        if own["inner_cutoff_type"] == "zbl":
            part = 1.0
            if len(mine):
                inner = [(self.bonds[s, sj[q]]["rcut_in"], self.bonds[s, sj[q]]["dcut_in"]) for q in mine]
                k = int(np.argmin([r[q] - top + width for q, (top, width) in zip(mine, inner, strict=True)]))
                part, change = slope(lambda x: 1 - falling(x, *inner[k]), r[mine[k]])
                along[mine[k]] += (e - repulsion) * change
            whole, of_core = e * part + repulsion * (1 - part), 1 - part
        else:
            part, change = slope(lambda x: falling(x, em["rho_core_cutoff"], em["drho_core_cutoff"]), repulsion)
            whole, of_core = e * part + repulsion, 1 + e * change
        w1, w = np.zeros_like(a1), np.zeros_like(a)
        for f in functions:
            for m, c in zip(np.reshape(f["ms_combs"], (-1, f["rank"])), np.reshape(f["ctildes"], (-1, densities)), strict=True):
                theta = (c * slopes).sum() * part
                if f["rank"] == 1:
                    w1[f["mus"][0], f["ns"][0] - 1] += theta
                    continue
                for t, (mu, n, q) in enumerate(zip(f["mus"], f["ns"], f["ls"], strict=True)):
                    w[mu, n - 1, q * q + q + m[t]] += theta * self.product(f, a1, a, m, t)
        along[mine] += (w1[sj[mine]] * dg[mine, :-1]).sum(1) + of_core * dg[mine, -1]
        along[mine] += (w[sj[mine]] * drad[mine] * y[mine, None]).real.sum((1, 2))
        across[mine] += np.einsum("pnk,pnk,pkx->px", w[sj[mine]], rad[mine], grad[mine]).real
        return float(whole)


def all_pairs(x: np.ndarray, box: np.ndarray, cut: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """i, j and the way from i to j, of all images within a distance."""
    found = []
    for shift in itertools.product(*(range(-int(np.ceil(cut / edge)) - 1, int(np.ceil(cut / edge)) + 2) for edge in box)):
        d = x[None] - x[:, None] + np.array(shift) * box
        r = np.linalg.norm(d, axis=2)
        i, j = np.nonzero((r < cut) & (r > 1e-9))
        found.append((i, j, d[i, j]))
    return tuple(np.concatenate(parts) for parts in zip(*found, strict=True))  # type: ignore[return-value]


def expected(spec: dict[str, Any], x: np.ndarray, species: np.ndarray, box: np.ndarray
             ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Energies of atoms, forces, and virial (3 x 3)."""
    cut = max(b["rcut"] for b in spec["bonds"].values())
    i, j, d = all_pairs(x, box, cut)
    energies, g = Ace(spec)(i, j, d, species)
    forces = np.zeros_like(x)
    np.add.at(forces, i, g)
    np.add.at(forces, j, -g)
    return energies, forces, -np.einsum("ea,eb->ab", d, g)


# ---- potentials without a meaning
def made_up(elements: tuple[str, ...] = ("Al", "Ni"), radial: str = "ChebExpCos", inner: str = "density",
            embedding: str = "FinnisSinclairShiftedScaled", densities: int = 2, seed: int = 1, rank: int = 4, half: bool = False
            ) -> dict[str, Any]:
    """What a file may say: all products with sum of m = 0 of some functions. `half`: only one of two that are conjugated, with
    twice the coefficient, where each has the same (as files have it)."""
    rng = np.random.default_rng(seed)
    count, powers = len(elements), [1.0, 0.5, 0.8]
    spec: dict[str, Any] = {"elements": list(elements), "E0": [round(v, 3) for v in rng.uniform(-1, 1, count)],
                            "deltaSplineBins": 0.001, "embeddings": {}, "bonds": {}, "functions": {}}
    lam = {"ChebExpCos": 3.3, "ChebPow": 2.0, "ChebLinear": 1.0, "SBessel": 1.0}[radial]
    for s in range(count):
        fs = [v for d in range(densities) for v in (1.0 - 0.3 * d, powers[d])]
        spec["embeddings"][s] = {"ndensity": densities, "FS_parameters": fs, "npoti": embedding,
                                 "rho_core_cutoff": 3.0, "drho_core_cutoff": 2.5}
        for t in range(count):
            n, lmax, k = (2, 2, 4) if s == t else (3, 1 + s, 3)
            spec["bonds"][s, t] = {
                "nradmax": n, "lmax": lmax, "nradbasemax": k, "radbasename": radial, "radparameters": [lam],
                "radcoefficients": rng.uniform(-1, 1, (n, lmax + 1, k)).round(6).tolist(),
                "prehc": 2.0 if inner != "zbl" else 0.7,
                "lambdahc": 0.4, "rcut": 3.9 + 0.1 * s - 0.2 * t, "dcut": 0.3, "rcut_in": 2.3 + 0.1 * t, "dcut_in": 0.8,
                "inner_cutoff_type": inner}
        spec["functions"][s] = _functions(spec, s, densities, rng, rank, half)
    return spec


def _functions(spec: dict[str, Any], s: int, densities: int, rng: np.random.Generator, rank: int, half: bool
               ) -> list[dict[str, Any]]:
    count, found = len(spec["elements"]), []
    for mu in range(count):
        for k in range(spec["bonds"][s, mu]["nradbasemax"]):
            found.append({"mu0": s, "rank": 1, "ndensity": densities, "num_ms_combs": 1, "mus": [mu], "ns": [k + 1], "ls": [0],
                          "ms_combs": [0], "ctildes": rng.uniform(-0.1, 0.1, densities).round(6).tolist()})
    for size in range(2, rank + 1):
        for _ in range(4):
            mus = sorted(rng.integers(0, count, size).tolist())
            ns = [int(rng.integers(1, spec["bonds"][s, mu]["nradmax"] + 1)) for mu in mus]
            ls = [int(rng.integers(0, spec["bonds"][s, mu]["lmax"] + 1)) for mu in mus]
            every = [m for m in itertools.product(*(range(-q, q + 1) for q in ls)) if sum(m) == 0]
            values = dict(zip(every, rng.uniform(-1, 1, (len(every), densities)).round(6) * 0.02 / size, strict=True))
            if half:  # alike for m and -m
                values = {m: (c + values[tuple(-k for k in m)]) * (1.0 if m > tuple(-k for k in m) else 0.5)
                          for m, c in values.items() if m >= tuple(-k for k in m)}
            found.append({"mu0": s, "rank": size, "ndensity": densities, "num_ms_combs": len(values), "mus": mus, "ns": ns,
                          "ls": ls, "ms_combs": [k for m in values for k in m],
                          "ctildes": [float(c) for m in values for c in values[m]]})
    return found


def text(spec: dict[str, Any]) -> str:
    """The file: keys in blocks, the rest in brackets, as the tools write it."""
    def flow(value: Any) -> str:
        if isinstance(value, dict):
            return "{" + ", ".join(f"{k}: {flow(v)}" for k, v in value.items()) + "}"
        if isinstance(value, (list, tuple)):
            return "[" + ", ".join(map(flow, value)) + "]"
        return repr(float(value)) if isinstance(value, float) else str(value)

    lines = [f"{key}: {flow(spec[key])}" for key in ("elements", "E0", "deltaSplineBins")]
    for key in ("embeddings", "bonds"):
        lines += [f"{key}:", *(f"  {flow(k)}: {flow(v)}" for k, v in spec[key].items())]
    lines.append("functions:")
    for s, functions in spec["functions"].items():
        lines += [f"  {s}:", *(f"    - {flow(f)}" for f in functions)]
    return "\n".join(lines) + "\n"
