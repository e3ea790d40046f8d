"""Stillinger-Weber with energies of angles from tables.

E = the first sum of sw + sum_i sum_{j<k} f(theta) exp(gamma sigma_ij / (r_ij - a sigma_ij)) exp(… ik)

    pair_style sw/angle/table    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Entries of a file are those of sw, with TABLE KEYWORD linear|spline N behind them: a section of a file of angle_style table, and
how many nodes are made of it (forces/bonded/tabulated.py). lambda and cos_theta0 are read and mean nothing. f is that of
(i, j, k). Energies and forces are interpolated each by itself: forces are not quite the slopes of the energy.
"""

from __future__ import annotations

import functools
import math

import numpy as np

from everlet.errors import InputError, integer
from everlet.forces.bonded.tabulated import FORMULAS, Rows, made_nodes, read_rows
from everlet.forces.manybody.threebody.base import Triple, Values
from everlet.forces.manybody.threebody.sw import StillingerWeber
from everlet.forces.pair.base import pair_style
from everlet.forces.potential_file import find
from everlet.portable import Portable, acos, most, portable, sqrt

DEGREE = math.pi / 180.0
SMALL = 1e-12  # of a squared sine


@functools.cache
def turned_by(curve: Portable) -> Portable:
    """An angle's energy by a curve of theta, which gives its slope first."""
    @portable
    def angle(r, u, du, s, v, dv, c, p, data):
        slope, height = curve(acos(c), p, data)
        return height * u * v, height * du * v, height * u * dv, -slope * u * v / sqrt(most(1.0 - c * c, SMALL))

    return angle


@pair_style("sw/angle/table")
class StillingerWeberTable(StillingerWeber):
    texts = ("table", "keyword", "linear|spline", "N")

    def configure(self, args: list[str]) -> None:
        if args:
            raise InputError(f"unknown option '{args[0]}'", "usage: pair_style sw/angle/table")
        super().configure(args)

    @property
    def way(self) -> str:
        """The one interpolation of all tables."""
        ways = {words[2] for words in self.said.values()}
        if not ways <= set(FORMULAS):
            raise InputError(f"'{(ways - set(FORMULAS)).pop()}' is no way to interpolate", "give linear or spline")
        if len(ways) > 1:
            raise InputError("tables of angles are both linear and spline", "give one of them in all entries")
        return ways.pop() if ways else "linear"

    @property
    def angle(self) -> Portable:  # type: ignore[override]
        return turned_by(FORMULAS[self.way])

    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        blocks, places, size = list[np.ndarray](), dict[tuple[str, ...], Values](), 0
        for (i, j, k), values in made.items():
            words = self.said[i, j, k]
            if words != self.said[i, k, j]:
                raise InputError(f"tables of {i} {j} {k} and {i} {k} {j} differ", "an angle has no order: name the same one")
            key = tuple(words)
            if key not in places:
                rows, nodes = read_rows(str(find(words[0], "table")), words[1]), integer(words[3], "a number of nodes")
                self._check(rows, nodes, words)
                blocks.append(made_nodes(rows, self.way, nodes, DEGREE).ravel())
                places[key] = {"first": float(size), "lo": 0.0, "inverse": (nodes - 1) / math.pi, "last": float(nodes - 2)}
                size += blocks[-1].size
            del values["strength"], values["cosine"]
            values.update(places[key])
        self.data = np.concatenate(blocks) if blocks else np.zeros(4)
        return made

    @staticmethod
    def _check(rows: Rows, nodes: int, words: list[str]) -> None:
        if rows.x[0] != 0.0 or rows.x[-1] != 180.0:
            raise InputError(f"{words[0]}: the table of an angle goes from 0 to 180 degrees, found {rows.x[0]:g} to "
                             f"{rows.x[-1]:g}", "give all of it")
        if nodes < 2:
            raise InputError(f"a table of {nodes} nodes", "give 2 or more")
