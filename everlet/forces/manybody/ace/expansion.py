"""Expansion: which sums over neighbours there are, and which products of them make which outputs. What loops read is made here.

For pair style pace, and for descriptors that are made of the same sums. It takes

    lmax, shells     radial functions R_nl of each l, shells[l] of them
    channels         for the species of a neighbour, the channel of sums A that it adds to
    table            tables.Table with columns R_nl in the order l, n, then direct functions; pairs in the order centre,
                     neighbour (`pair`)
    direct           (species, species, D): output that a direct function of a centre and a neighbour adds to, -1: none
    terms            of each species: factors (`factor`), coefficients and output (products.Term), of two factors or more
    densities        outputs that all terms have coefficients for; 0: each term adds to its own output, of `outputs`
"""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.forces.manybody.ace.products import Factor, Groups, Term, backward, forward, merged
from everlet.forces.manybody.ace.tables import Table
from everlet.portable import Space, View

SECTIONS = 64  # of terms that have coefficients for all outputs: as many items can share an atom


@dataclass
class Layout:
    """Where each A is among the numbers of an atom."""

    lmax: int
    shells: list[int]
    channels: list[int]

    def __post_init__(self) -> None:
        self.starts = np.concatenate([[0], np.cumsum([n * (ell + 1) for ell, n in enumerate(self.shells)])])
        self.size = int(self.starts[-1])  # of one channel
        self.count = self.size * (max(self.channels) + 1)
        of = np.concatenate([np.tile(np.arange(ell + 1), n) for ell, n in enumerate(self.shells)])
        self.real = np.tile(of == 0, max(self.channels) + 1)

    def factor(self, channel: int, n: int, ell: int, m: int) -> tuple[Factor, int]:
        """A of that channel, n counted from 0, and its sign: A_(l -m) = (-1)^m A_lm conjugated."""
        number = channel * self.size + int(self.starts[ell]) + n * (ell + 1) + abs(m)
        return (number, m < 0), -1 if m < 0 and m % 2 else 1

    def term(self, factors: list[tuple[int, int, int, int]], coefficients: Any, output: int = 0) -> Term:
        """A product of A (channel, n, l, m) with its coefficients."""
        found = [self.factor(*one) for one in factors]
        sign = np.prod([sign for _, sign in found])
        return tuple(one for one, _ in found), sign * np.atleast_1d(np.array(coefficients, float)), output


class Expansion:
    def __init__(self, layout: Layout, table: Table, direct: np.ndarray, terms: list[list[Term]], densities: int = 0,
                 outputs: int = 0):
        self.layout, self.table, self.densities = layout, table, densities
        self.species, self.direct = direct.shape[0], direct.shape[2]
        self.outputs = densities + 1 if densities else outputs
        self.sections = SECTIONS if densities else outputs
        self.terms = [merged(mine, layout.real) for mine in terms]
        self.size = 2 * layout.count + self.species * self.direct
        self.forward = forward(self.terms, layout.real, densities, self.sections)
        self.direct_outputs = direct

    @functools.cached_property
    def backward(self) -> Groups:
        """Not made for outputs whose slopes nobody asks for."""
        return backward(self.terms, self.layout.real, self.densities)

    @property
    def statics(self) -> dict[str, Any]:
        of = self.layout
        return {"L": of.lmax, "SPECIES": self.species, "NUMBERS": of.count, "CHANNEL": of.size, "RADIAL": sum(of.shells),
                "FUNCTIONS": self.table.functions, "DIRECT": self.direct, "SIZE": self.size, "PIECES": self.table.most_pieces,
                "DENSITIES": self.densities, "WIDTH": max(self.densities, 1), "SECTIONS": self.sections, "SLOPES": self.outputs}

    def views(self, space: Space, slopes: bool = True) -> dict[str, View]:
        """Its tables in the memory of a space; without `slopes` those of the outputs alone."""
        of = self.layout
        given = {"channels": np.array(of.channels, np.int32), "pieces": self.table.pieces, "rows": self.table.data,
                 "shells": np.concatenate([[0], np.cumsum(of.shells)]).astype(np.int32), "legendre": legendre(of.lmax),
                 "direct": self.direct_outputs.astype(np.int32)}
        for name, groups in (("forward", self.forward), *([("backward", self.backward)] if slopes else [])):
            given |= {f"{name}_{key}": values for key, values in vars(groups).items()}

        def put(values: np.ndarray) -> View:
            flat = values.reshape(-1) if values.size else np.zeros(1, values.dtype)
            view = View(len(flat), np.int32 if values.dtype == np.int32 else np.float64, space)
            view.put(flat)
            return view

        return {name: put(values) for name, values in given.items()}


def legendre(lmax: int) -> np.ndarray:
    """Two numbers a, b of each l and m <= l, in this order: P_lm = a z P_(l-1 m) + b P_(l-2 m), where P_(m-1 m) is 0 and 1
    stands for P_(m-2 m)."""
    found, top = [], 1.0
    for ell in range(lmax + 1):
        for m in range(ell):
            a = np.sqrt((4.0 * ell * ell - 1.0) / (ell * ell - m * m))
            found.append((a, -a * np.sqrt(((ell - 1.0) ** 2 - m * m) / (4.0 * (ell - 1.0) ** 2 - 1.0)) if ell > m + 1 else 0.0))
        top = top if ell == 0 else -top * np.sqrt(1.0 + 0.5 / ell)
        found.append((0.0, top))
    return np.array(found)
