"""Energies and forces of three atoms from tables, without formulas.

E = sum_i sum_{j<k} phi(r_ij, r_ik, theta_jik), for neighbours within the cutoffs of (i, j, j) and (i, k, k)

    pair_style threebody/table    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Entries of FILE: three elements, cutoff TABLE KEYWORD linear N. A section of TABLE:

    KEYWORD
    N 12 rmin 2.55 rmax 3.65
    1 r_ij r_ik theta f_i1 f_i2 f_j1 f_j2 f_k1 f_k2 e

N distances r_ij from rmin to rmax; for each N of r_ik, or if j and k are alike those from r_ij on; for each 2 N angles in
degrees, from 180/4N on. The row that is nearest is taken as it is; beyond the distances there is nothing.
F_j = f_j1 r_ij + f_j2 r_jk, F_k = f_k1 r_ik - f_j2 r_jk, and atom i has the opposite of both: f_i and f_k2 are not read, nor is
the N of FILE. Tables of (i, j, k) and (i, k, j) are the same, exchanged. The reference takes the nearer neighbour for j even
where j and k are not alike; here each is what it is, and both agree where the table does not change by that.
"""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.threebody.base import ThreeBodyStyle, Triple, Values
from everlet.forces.manybody.threebody.nb3b import Angles
from everlet.forces.pair.base import pair_style
from everlet.forces.pair.styles.table import MOST_DATA
from everlet.forces.potential_file import PotentialFile
from everlet.portable import acos, both, floor, least, lookup4, most, portable, where

EXCHANGED = [0, 2, 1, 3]  # numbers of a row, of k and j


@pair_style("threebody/table")
class ThreeBodyTable(ThreeBodyStyle):
    columns = ("cutoff",)
    texts = ("table", "keyword", "linear", "N")
    linear = symmetric = fading = True

    def check(self, values: Values) -> str:
        return "" if values["cutoff"] >= 0.0 else f"cutoff is {values['cutoff']:g}, and must be 0 or more"

    def cutoff(self, values: Values) -> float:
        return values["cutoff"]

    def together(self, made: dict[Triple, Values]) -> dict[Triple, Values]:
        """Where the table of each triple is; it has four numbers of its own before its rows."""
        blocks, size, found = list[np.ndarray](), 0, dict[Triple, Values]()
        tables = {triple: section(self.said[triple], triple[1] == triple[2]) for triple in made}
        for (i, j, k), values in made.items():
            head, rows = tables[i, j, k]
            _, other = tables[i, k, j]
            if rows.shape != other.shape or not np.allclose(rows, other.transpose(1, 0, 2, 3)[..., EXCHANGED], 1e-6, 1e-12):
                raise InputError(f"tables of {i} {j} {k} and {i} {k} {j} differ", "they are the same with j and k exchanged")
            found[i, j, k] = {"reach": values["cutoff"], "start": float(size)}
            blocks += [head, rows.ravel()]
            size += head.size + rows.size
        if size > MOST_DATA:
            raise InputError(f"tables of three atoms have {size} numbers", f"{MOST_DATA} are the most")
        self.data = np.concatenate(blocks) if blocks else np.zeros(4)
        return found

    @portable
    def arm(r, p):
        return where(r < p.reach, 1.0, 0.0), 0.0 * r

    @portable
    def angle(r, u, du, s, v, dv, c, p, data):
        low, inverse, count, _ = lookup4(data, p.start)
        a, b = floor((r - low) * inverse + 0.5), floor((s - low) * inverse + 0.5)
        inside = both(both(least(a, b) > -0.5, most(a, b) < count), u * v > 0.5)
        angles = 2.0 * count
        t = most(least(floor(acos(c) * angles * 0.3183098861837907), angles - 1.0), 0.0)
        row = where(inside, (a * count + b) * angles + t, 0.0)
        energy, of_j, of_k, across = lookup4(data, p.start + 4.0 + 4.0 * row)
        return (where(inside, energy, 0.0), where(inside, (across - of_j) * r - across * s * c, 0.0),
                where(inside, (across - of_k) * s - across * r * c, 0.0), where(inside, -across * r * s, 0.0))

    bond = Angles.bond


def section(said: list[str], alike: bool) -> tuple[np.ndarray, np.ndarray]:
    """rmin, one over the step, N, 0; and e, f_j1, f_k1, f_j2 for each two distances and each angle."""
    name, keyword, way, _ = said
    if way != "linear":
        raise InputError(f"tables of three atoms are linear, found '{way}'", "write linear")
    file = PotentialFile(name, "table")
    while file.words(f"section {keyword}")[0] != keyword:
        pass
    words = file.words("the line of N, rmin and rmax")
    given = dict(zip(words[::2], words[1::2], strict=False))
    if len(words) != 6 or set(given) != {"N", "rmin", "rmax"}:
        raise file.fail(f"'{' '.join(words)}' is not N … rmin … rmax …")
    n, low, high = file.integer(given["N"], "N"), file.number(given["rmin"], "rmin"), file.number(given["rmax"], "rmax")
    if n < 2 or not 0.0 <= low < high:
        raise file.fail(f"N {n} rmin {low:g} rmax {high:g}", "N is 2 or more, rmax more than rmin")
    rows = np.zeros((n, n, 2 * n, 4))
    for a in range(n):
        for b in range(a if alike else 0, n):
            for t in range(2 * n):
                words = file.words("a row of a table")
                if len(words) != 11:
                    raise file.fail(f"a row has {len(words)} words, not 11")
                rows[a, b, t] = [file.number(words[k], "a number of a row") for k in (10, 6, 8, 7)]
                if alike:
                    rows[b, a, t] = rows[a, b, t][EXCHANGED]
    return np.array([low, (n - 1) / (high - low), n, 0.0]), rows
