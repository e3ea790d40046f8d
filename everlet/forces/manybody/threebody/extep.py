"""ExTeP: Tersoff's potential with a correction of bonds by the numbers of neighbours of both atoms.

E = E of tersoff - 1/2 sum_ij fC(r) B exp(-lambda2 r) F_IJ(n_ij, n_ji) S(N_ij, N_ji)
N_ij = sum_{k not j} fC(r_ik),  n_ij the same for neighbours of another element than i
S(x, y) = [1 - a(x) a(y)] c(x) c(y),  a = (1 - x)^2 below 1, c = 1 - 3 u^2 + 2 u^3 of u = x - 3 from 3 to 4, 0 beyond
                                              (Los, Kroes, Albe, Gordillo, Katsnelson and Fasolino, Phys. Rev. B 96, 184108)

    pair_style extep    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Entries of a file are those of tersoff; lines with two elements have F at whole numbers: El1 El2 i j F dF/di dF/dj and a number
that is not used, i and j from 0 to 4. F is turned round for (El2, El1). On the edges of a square between four of these F is a
cubic; inside, those of opposite edges are mixed as x and y go from one to the other.

The correction is a style of its own, as in a hybrid style.
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody.eam.mutual import Mutual, MutualStyle
from everlet.forces.manybody.summed import SummedStyle
from everlet.forces.manybody.threebody.base import Triple, Values
from everlet.forces.manybody.threebody.scheme import ThreeBody
from everlet.forces.manybody.threebody.splines import four_cubics
from everlet.forces.manybody.threebody.tersoff import Tersoff, switch
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.forces.potential_file import PotentialFile
from everlet.portable import exp, floor, least, most, portable, sqrt
from everlet.registry import Registry
from everlet.state.system import System

extep_scheme: Registry[type[Scheme]] = Registry("scheme of pair style extep")
extep_scheme("full")(HybridScheme.of((ThreeBody, Mutual)))
POINTS = 5  # of F in each direction
CELL = 16  # numbers of a square


def patches(f: np.ndarray) -> np.ndarray:
    """Coefficients of x^a y^b of all squares, of values f[i, j, 0] and slopes f[i, j, 1], f[i, j, 2]."""
    made = np.zeros((POINTS - 1, POINTS - 1, 4, 4))
    ends = np.array([[1.0, -1.0], [0.0, 1.0]])  # 1 - x and x

    def bent(first: float, last: float, rise: float, fall: float) -> np.ndarray:
        """Of a cubic with these slopes at its ends what it has besides the straight line."""
        a, b = rise - (last - first), last - first - fall
        return np.array([0.0, a, b - 2.0 * a, a - b])

    for i in range(POINTS - 1):
        for j in range(POINTS - 1):
            c = made[i, j]
            for p in (0, 1):
                for q in (0, 1):
                    c[:2, :2] += f[i + p, j + q, 0] * np.outer(ends[p], ends[q])
            for q in (0, 1):
                one, two = f[i, j + q], f[i + 1, j + q]
                c[:, :2] += np.outer(bent(one[0], two[0], one[1], two[1]), ends[q])
                one, two = f[i + q, j], f[i + q, j + 1]
                c[:2, :] += np.outer(ends[q], bent(one[0], two[0], one[2], two[2]))
    return made


@portable
def surface(x, y, start, data):
    """F and its slopes with x and y."""
    k, m = most(least(floor(x), 3.0), 0.0), most(least(floor(y), 3.0), 0.0)
    x, y = least(x, 4.0) - k, least(y, 4.0) - m
    a, da, b, db, c, dc, d, dd = four_cubics(data, start + 16.0 * (4.0 * k + m), y)
    return a + x * (b + x * (c + x * d)), b + x * (2.0 * c + 3.0 * x * d), da + x * (db + x * (dc + x * dd))


@portable
def few_and_many(x):
    """a and c with their slopes."""
    under, u = most(1.0 - x, 0.0), most(least(x - 3.0, 1.0), 0.0)
    return under * under, -2.0 * under, 1.0 - u * u * (3.0 - 2.0 * u), -6.0 * u * (1.0 - u)


class Bonds(Tersoff):
    """The part of tersoff, and the table of F."""

    name = "extep bonds"

    def __init__(self, system: System):
        super().__init__(system, [])
        self.table_of: dict[tuple[str, str], np.ndarray] = {}

    def other_line(self, words: list[str], file: PotentialFile) -> bool:
        if len(words) != 8 or not words[2].isdigit():
            return False
        first, second, i, j = words[0], words[1], file.integer(words[2], "i"), file.integer(words[3], "j")
        if i >= POINTS or j >= POINTS:
            raise file.fail(f"F at {i} {j}", f"numbers of neighbours go from 0 to {POINTS - 1}")
        value, along_i, along_j = (file.number(word, "F") for word in words[4:7])
        for pair in ((first, second), (second, first)):
            self.table_of.setdefault(pair, np.full((POINTS, POINTS, 3), np.nan))
        self.table_of[first, second][i, j] = value, along_i, along_j
        if first != second:
            self.table_of[second, first][j, i] = value, along_j, along_i
        return True

    def coeff(self, args: list[str]) -> None:
        self.table_of = {}
        super().coeff(args)
        own = sorted(set(self.names.values()) - {"NULL"})
        for a in own:
            for b in own:
                if np.isnan(self.table_of.get((a, b), np.full(1, np.nan))).any():
                    raise InputError(f"{args[2]} has not F of {a} {b} at all of its points",
                                     f"give lines {a} {b} i j F dF/di dF/dj 0 for i and j from 0 to {POINTS - 1}")


class Correction(MutualStyle):
    name = "extep correction"
    two = True

    def __init__(self, system: System):
        super().__init__(system, [])
        self.bonds: Bonds

    def init(self) -> None:
        n, bonds, made = self.system.ntypes, self.bonds, dict[tuple[str, str], Values]()
        self.names = bonds.names
        blocks = list[np.ndarray]()
        for pair, table in bonds.table_of.items():
            a, b = pair
            if (a, b, b) in bonds.triples and (b, a, a) in bonds.triples:
                self._alike(bonds.triples, (a, b, b), (b, a, a))
                switching = bonds.switching(bonds.triples[a, b, b])
                made[pair] = {"start": float(CELL * (POINTS - 1) ** 2 * len(blocks)), "unlike": float(a != b),
                              **{key: switching[key] for key in ("near", "turn", "before", "steep", "b", "lambda2")}}
                blocks.append(patches(table).ravel())
        self.data = np.concatenate(blocks) if blocks else np.zeros(CELL)
        self.fields = tuple(next(iter(made.values()), {"start": 0.0}))
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if (a, b) in made:
                    self.table_array[i, j] = list(made[a, b].values())
                    self.cutoffs[i, j] = bonds.cutoff(bonds.triples[a, b, b])
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}

    @staticmethod
    def _alike(triples: dict[Triple, Values], one: Triple, other: Triple) -> None:
        for key in ("lambda2", "B", "R", "D"):
            if triples[one][key] != triples[other][key]:
                raise InputError(f"{key} of {' '.join(one)} and of {' '.join(other)} differ",
                                 "the correction of a bond is the same from both sides: give both the same number")

    @portable
    def amount(r2, p, data):
        f, df = switch(sqrt(r2), p)
        return p.unlike * f, p.unlike * df, f, df

    @portable
    def mutual(r2, n_i, all_i, n_j, all_j, p, data):
        r = sqrt(r2)
        f, df = switch(r, p)
        z, z_x, z_y = surface(n_i - p.unlike * f, n_j - p.unlike * f, p.start, data)
        few, few_x, room, room_x = few_and_many(all_i - f)
        few_j, few_y, room_j, room_y = few_and_many(all_j - f)
        some, space = 1.0 - few * few_j, room * room_j
        s = some * space
        s_x, s_y = some * room_x * room_j - few_x * few_j * space, some * room * room_y - few * few_y * space
        strength = p.b * exp(p.lambda2 * (p.near - r))
        bond = f * strength
        along = (df - p.lambda2 * f) * strength * z * s - bond * df * (p.unlike * (z_x + z_y) * s + z * (s_x + s_y))
        return -bond * z * s, -along, -bond * z_x * s, -bond * z * s_x


@pair_style("extep")
class ExTeP(SummedStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = extep_scheme

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        self.bonds, self.correction = Bonds(self.system), Correction(self.system)
        self.correction.bonds = self.bonds

    def coeff(self, args: list[str]) -> None:
        self.bonds.coeff(args)
        self.names, self.lines = self.bonds.names, [args]

    def init(self) -> None:
        self.need_newton()
        super().init()

    def parts(self) -> dict[str, PairStyle]:
        return {" bonds": self.bonds, " correction": self.correction}
