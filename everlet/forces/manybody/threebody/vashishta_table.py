"""Vashishta potential whose terms of pairs are read from tables, made when a run begins.

    pair_style vashishta/table N cutinner    N rows, from the distance cutinner on; pair_coeff as of vashishta

Rows are at equal steps of r^2 from cutinner^2 to the square of the largest cutoff. Energies and forces over r are both linear
between them, as in the reference: forces are not quite the slopes of the energy. Atoms that are nearer end a run.
"""

from __future__ import annotations

from math import nan

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.forces.manybody.threebody.base import Triple, Values
from everlet.forces.manybody.threebody.vashishta import Vashishta, shifted
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.styles.table import MOST_DATA
from everlet.portable import floor, least, lookup4, most, portable, where


@portable
def from_table(r, u, du, zeta, p, data):
    x = (r * r - p.inner2) * p.inverse
    k = most(least(floor(x), p.last), 0.0)
    energy, rise, force, turn = lookup4(data, p.start + 4.0 * k)
    x -= k
    inside = r < p.cut
    energy = where(r * r >= p.inner2, energy + x * rise, p.nothing)
    return 0.5 * where(inside, energy, 0.0) + 0.5 * zeta, where(inside, -0.5 * r * (force + x * turn), 0.0), 0.5 + 0.0 * zeta


@pair_style("vashishta/table")
class VashishtaTable(Vashishta):
    bond = from_table

    def configure(self, args: list[str]) -> None:
        arguments(args, 2, 2, "pair_style vashishta/table N cutinner")
        self.rows, self.inner = integer(args[0], "a number of rows"), number(args[1], "an inner cutoff")
        if self.rows < 2:
            raise InputError(f"a table of {self.rows} rows", "give 2 rows or more")
        if self.inner <= 0.0:
            raise InputError(f"an inner cutoff of {self.inner:g}", "it must be more than 0")
        self.args, self.setting = list(args), {}

    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        """The numbers of (i, j, j) say where the table of a pair is, those of other triples what they need not."""
        outer = max(self.cutoff(values) for values in self.triples.values())
        if self.inner >= outer:
            raise InputError(f"an inner cutoff of {self.inner:g}", f"it must be less than the largest cutoff, {outer:g}")
        step = (outer**2 - self.inner**2) / (self.rows - 1)
        r = np.sqrt(self.inner**2 + step * np.arange(self.rows))
        tables, found = list[np.ndarray](), dict[Triple, Values]()
        for (i, j, k), values in made.items():
            start = 4.0 * self.rows * len(tables)
            if j == k:
                energy, slope = shifted(r, values)
                lines = [energy, np.diff(energy, append=0.0), -slope / r, np.diff(-slope / r, append=0.0)]
                tables.append(np.stack(lines, axis=1).ravel())
            angles = {name: values[name] for name in ("b", "c", "cosine", "decay", "reach", "cut")}
            found[i, j, k] = {**angles, "start": start, "inner2": self.inner**2, "inverse": 1.0 / step,
                              "last": float(self.rows - 2), "nothing": nan}
        self.data = np.concatenate(tables) if tables else np.zeros(1)
        if self.data.size > MOST_DATA:
            raise InputError(f"tables of {self.rows} rows are too large", f"give {MOST_DATA // (4 * len(tables))} or less")
        return found
