"""How the neighbours of atoms are arranged in space: invariants of spherical harmonics."""

from __future__ import annotations

from functools import lru_cache
from math import factorial, pi, sqrt

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.peratom.near_points import NearPoints, positive
from everlet.errors import InputError, integer, one_of, yes_no
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = ("compute ID group orientorder/atom [cutoff R] [nnn N|NULL] [degrees K L_1 … L_K] [wl yes|no] [wl/hat yes|no] "
         "[components L]")
KEYWORDS = ("cutoff", "nnn", "degrees", "wl", "wl/hat", "components", "chunksize")
NOISE = 1e-6  # a smaller Q_l is rounding of one that vanishes by symmetry: what is divided by it has no meaning


def harmonics(degree: int, d: np.ndarray, r: np.ndarray) -> np.ndarray:
    """Y_lm of directions d / r (..., 3), m = -l ... l (..., 2 l + 1)."""
    x, y, z = np.moveaxis(d / r[..., None], -1, 0)
    found = np.zeros((*r.shape, 2 * degree + 1), complex)
    for m in range(degree + 1):
        power = (x + 1j * y) ** m  # sin^m theta exp(i m phi)
        before, legendre = np.zeros_like(z), np.full_like(z, float((-1) ** m * np.prod(np.arange(1, 2 * m, 2.0))))
        for k in range(m + 1, degree + 1):
            before, legendre = legendre, ((2 * k - 1) * z * legendre - (k + m - 1) * before) / (k - m)
        norm = sqrt((2 * degree + 1) / (4 * pi) * factorial(degree - m) / factorial(degree + m))
        found[..., degree + m] = norm * legendre * power
        found[..., degree - m] = (-1) ** m * np.conj(found[..., degree + m])
    return found


@lru_cache
def three_j(degree: int) -> list[tuple[int, int, int, float]]:
    """Wigner's symbols (l l l; a b c) with a + b + c = 0, by Racah's formula: places of a, b, c and the symbol."""
    f, n, found = factorial, degree, []
    triangle = f(n) ** 3 / f(3 * n + 1)
    for a in range(-n, n + 1):
        for b in range(max(-n, -n - a), min(n, n - a) + 1):
            c = -a - b
            total = 0.0
            for t in range(max(0, -a, b), min(n, n - a, n + b) + 1):
                low = (t, t + a, t - b, n - t, n - a - t, n + b - t)
                total += (-1) ** t * (f(n) ** 2 / np.prod([float(f(k)) for k in low]))
            size = sqrt(np.prod([float(f(n + k) * f(n - k)) for k in (a, b, c)]))
            found.append((a + n, b + n, c + n, (-1) ** abs(c) * sqrt(triangle) * size * total / f(n) ** 2))
    return found


@compute_style("orientorder/atom")
class OrientOrderAtom(NearPoints):
    """compute ID group orientorder/atom [cutoff R] [nnn N|NULL] [degrees K L_1 … L_K] [wl yes|no] [wl/hat yes|no]
    [components L]

    q_m: mean of Y_lm over the N nearest neighbours (12; NULL: all) within R, seen from these. Columns: of the degrees l (4 6 8
    10 12) Q_l = sqrt(4 pi / (2 l + 1) sum |q|^2); wl: T_l / sqrt(2 l + 1), T_l = sum (l l l; a b c) q_a q_b q_c; wl/hat:
    T_l / (sum |q|^2)^(3/2); components: real and imaginary parts of q_m / sqrt(sum |q|^2) of degree L. 0 with fewer
    neighbours; wl/hat and components also where Q_l < 1e-6.
    """

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.count, self.degrees, self.shown = 12, [4, 6, 8, 10, 12], 0
        self.third = self.hat = False
        words = list(args)
        while words:
            word = words.pop(0)
            one_of("keyword of compute orientorder/atom", word, KEYWORDS, f"usage: {USAGE}")
            if not words:
                raise InputError(f"compute orientorder/atom {word} lacks a value", f"usage: {USAGE}")
            self._keyword(word, words)
        if min(self.degrees) < 0 or max(self.degrees) > 30:
            raise InputError("compute orientorder/atom: degrees are 0 to 30", f"usage: {USAGE}")
        if self.shown and self.shown not in self.degrees:
            raise InputError(f"compute orientorder/atom: components {self.shown} is not among the degrees", "add it to degrees")
        columns = len(self.degrees) * (1 + self.third + self.hat) + (2 * (2 * self.shown + 1) if self.shown else 0)
        self.width = columns
        self.gives = Gives(columns=columns)

    def _keyword(self, word: str, words: list[str]) -> None:
        value = words.pop(0)
        if word == "cutoff":
            self.cutoff = positive(value, "a cutoff")
        elif word == "nnn":
            self.count = 0 if value == "NULL" else integer(value, "a number of neighbours")
            if value != "NULL" and self.count < 1:
                raise InputError(f"compute orientorder/atom: nnn is {value}", "give 1 or more, or NULL: all within reach")
        elif word == "degrees":
            number = integer(value, "a number of degrees")
            if not 1 <= number <= len(words):
                raise InputError(f"compute orientorder/atom: degrees {value} is followed by {len(words)} words",
                                 f"usage: {USAGE}")
            self.degrees = [integer(words.pop(0), "a degree") for _ in range(number)]
        elif word == "components":
            self.shown = integer(value, "a degree")
        elif word == "wl":
            self.third = yes_no(value, "compute orientorder/atom wl")
        elif word == "wl/hat":
            self.hat = yes_no(value, "compute orientorder/atom wl/hat")
        else:
            integer(value, "a number of atoms")  # chunksize: how many the reference looks at together

    def peratom(self) -> np.ndarray:
        rows, inside, d, r2 = self.near()
        wanted = np.full(len(rows), self.count) if self.count else inside
        full = (inside >= wanted) & (wanted > 0)
        used = (np.arange(d.shape[1]) < wanted[:, None]) & np.isfinite(r2)
        d, used, wanted = -d[full], used[full], wanted[full]
        r = np.where(used, np.sqrt(np.where(used, r2[full], 1.0)), 1.0)
        means = [np.where(used[:, :, None], harmonics(n, d, r), 0.0).sum(axis=1) / wanted[:, None] for n in self.degrees]
        squares = [(np.abs(q) ** 2).sum(axis=1) for q in means]
        columns = [np.sqrt(4 * pi / (2 * n + 1) * s) for n, s in zip(self.degrees, squares, strict=True)]
        inverse = [np.divide(1.0, np.sqrt(s), where=q >= NOISE, out=np.zeros_like(s))
                   for q, s in zip(columns, squares, strict=True)]
        if self.third or self.hat:
            third = [sum(w * (q[:, a] * q[:, b] * q[:, c]).real for a, b, c, w in three_j(n)) for n, q in
                     zip(self.degrees, means, strict=True)]
            if self.third:
                columns += [w / sqrt(2 * n + 1) for n, w in zip(self.degrees, third, strict=True)]
            if self.hat:
                columns += [w * i**3 for w, i in zip(third, inverse, strict=True)]
        if self.shown:
            k = self.degrees.index(self.shown)
            unit = means[k] * inverse[k][:, None]
            parts = np.stack([unit.real, unit.imag], axis=2)
            columns += list(parts.reshape(len(wanted), 2 * (2 * self.shown + 1)).T)
        found = np.zeros((self.system.atoms.n, self.width))
        found[rows[full]] = np.stack(columns, axis=1)
        return found
