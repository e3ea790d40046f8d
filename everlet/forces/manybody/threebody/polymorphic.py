"""Polymorphic potential: the forms of Stillinger-Weber, of Tersoff and of embedded atoms, all functions from tables.

eta 0, 3:  E = 1/2 sum_ij [U_IJ(r_ij) - F_IJ(X_ij) V_IJ(r_ij)]
           X_ij = sum_k W_IK(r_ik) G_JIK(cos theta_jik) P(r_ij - xi_IJ r_ik),  P is P_IK, with eta 3 P_JIK
eta 1:     E = 1/2 sum_ij U_IJ(r_ij) - 1/2 sum_i F_II(X_i),  X_i = sum_k W_KK(r_ik)
                                            (Zhou, Foster, van Swol, Martin and Wong, J. Phys. Chem. C 118, 20661)

    pair_style polymorphic    pair_coeff * * FILE El1 El2 …     one element for each atom type, NULL: none

Files: polymorphic_file.py; masses are not taken from them. Between points: the cubic through values and slopes, which are
differences of four neighbours; beyond the ends P, G and F go on in a straight line, U, V and W are 0. (The reference uses the
cubic behind the nearest point for half an interval before that point, too: its energy jumps in the middle of intervals. In its
own files, whose numbers have nine digits, forces differ by 1e-6 to 1e-4 for that.)
"""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from everlet.forces.manybody.eam.eam import cubics
from everlet.forces.manybody.eam.embedded import EmbeddedStyle, Functions
from everlet.forces.manybody.eam.schemes import embedded_scheme
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.manybody.summed import SummedStyle
from everlet.forces.manybody.threebody.base import ThreeBodyStyle
from everlet.forces.manybody.threebody.curves import Blocks, curve, line, spot
from everlet.forces.manybody.threebody.polymorphic_file import PolymorphicFile
from everlet.forces.manybody.threebody.scheme import threebody_scheme
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import lookup8, portable, sqrt, where
from everlet.registry import Registry
from everlet.state.system import System


class PolymorphicBonds(ThreeBodyStyle):
    """eta 0 and 3."""

    name = "polymorphic bonds"

    def __init__(self, system: System):
        super().__init__(system, [])

    def take(self, names: dict[int, str], file: PolymorphicFile) -> None:
        self.names, own, blocks, found = names, sorted(set(names.values()) - {"NULL"}), Blocks(), file.tables
        self.cuts = file.cut
        far = max(file.cut.values())
        pairs = [(a, b) for a in own for b in own if a <= b]
        radial = {key: blocks.add(0.0, file.cut[key], cubics(found["U"][key]), cubics(found["V"][key])) for key in pairs}
        arms = {key: blocks.add(0.0, file.cut[key], cubics(found["W"][key])) for key in pairs}
        orders = {key: blocks.add(0.0, file.x_max, cubics(found["F"][key])) for key in pairs}
        turns = {(a, b, c): blocks.add(-1.0, 1.0, cubics(found["G"][a, b, c])) for a in own for b in own for c in own}
        stretches = {key: blocks.add(-far, far, cubics(found["P"][key])) for key in (turns if file.eta == 3 else pairs)}
        for i, j, k in turns:
            pair, other = (min(i, j), max(i, j)), (min(i, k), max(i, k))
            self.triples[i, j, k] = {"radial": radial[pair], "w": arms[pair], "order": orders[pair], "turn": turns[j, i, k],
                                     "stretch": stretches[(j, i, k) if file.eta == 3 else other], "xi": file.xi[i, j]}
        self.data = blocks.data

    def pair_cutoff(self, a: str, b: str) -> float:
        return self.cuts[a, b]

    @portable
    def arm(r, p, data):
        return curve(r, p.w, data)

    @portable
    def angle(r, u, du, s, v, dv, c, p, data):
        g, dg = curve(c, p.turn, data)
        e, de = curve(r - p.xi * s, p.stretch, data)
        return v * g * e, v * g * de, g * (dv * e - p.xi * v * de), v * dg * e

    @portable
    def bond(r, u, du, zeta, p, data):
        k, t, inverse = spot(r, p.radial, data)
        a, b, c, d, va, vb, vc, vd = lookup8(data, p.radial + 8.0 * k + 4.0)
        repel, steep = line(t, a, b, c, d, inverse)
        attract, pull = line(t, va, vb, vc, vd, inverse)
        order, by_zeta = curve(zeta, p.order, data)
        return 0.5 * (repel - order * attract), 0.5 * (steep - order * pull), -0.5 * by_zeta * attract


@portable
def approach(r2, p):
    r = sqrt(r2)
    return r, r2, r2


@portable
def densities(r, r2, same, p, data):
    of_j, _ = curve(r, p.w_j, data)
    of_i, _ = curve(r, p.w_i, data)
    return where(r < p.cut_j, of_j, 0.0), where(r < p.cut_i, of_i, 0.0)


@portable
def embedding(x, p, data):
    energy, slope = curve(x, p.order, data)
    return -0.5 * energy, -0.5 * slope


@portable
def between(r, r2, same, p, data, slope_i, slope_j):
    energy, along = curve(r, p.u, data)
    _, by_j = curve(r, p.w_j, data)
    _, by_i = curve(r, p.w_i, data)
    inside = r < p.cut
    along = where(inside, along, 0.0) + where(r < p.cut_j, slope_i * by_j, 0.0) + where(r < p.cut_i, slope_j * by_i, 0.0)
    return -along / r, where(inside, energy, 0.0)


class PolymorphicAtoms(FileStyle, EmbeddedStyle):
    """eta 1."""

    name = "polymorphic atoms"
    costly = True

    def __init__(self, system: System):
        super().__init__(system, [])

    def take(self, names: dict[int, str], file: PolymorphicFile) -> None:
        self.names, self.file = names, file

    def functions(self) -> Functions:
        return approach, densities, embedding, between

    def init(self) -> None:
        n, file, blocks = self.system.ntypes, self.file, Blocks()
        own, found = sorted(set(self.names.values()) - {"NULL"}), file.tables
        pairs = {(a, b): blocks.add(0.0, file.cut[a, b], cubics(found["U"][a, b])) for a in own for b in own if a <= b}
        arms = {a: blocks.add(0.0, file.cut[a, a], cubics(found["W"][a, a])) for a in own}
        orders = {a: blocks.add(0.0, file.x_max, cubics(found["F"][a, a])) for a in own}
        self.data = blocks.data
        self.fields = ("u", "w_i", "w_j", "cut", "cut_i", "cut_j", "order")
        self.cutoffs, self.offset = np.zeros((n + 1, n + 1)), np.zeros((n + 1, n + 1))
        self.table_array = np.zeros((n + 1, n + 1, len(self.fields)))
        for i, a in self.names.items():
            for j, b in self.names.items():
                if a in own and b in own:
                    cuts = file.cut[a, b], file.cut[a, a], file.cut[b, b]
                    self.table_array[i, j] = pairs[min(a, b), max(a, b)], arms[a], arms[b], *cuts, orders[a]
                    self.cutoffs[i, j] = max(cuts)
        self.max_cutoff, self.pairs = float(self.cutoffs.max()), {}


@pair_style("polymorphic")
class Polymorphic(SummedStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = threebody_scheme
    form: PolymorphicBonds | PolymorphicAtoms

    def coeff(self, args: list[str]) -> None:
        names = self.elements(args)
        file = PolymorphicFile(args[2], self.system.units.name)
        self.need_known(names, file.names, file.file.path)
        self.form = PolymorphicAtoms(self.system) if file.eta == 1 else PolymorphicBonds(self.system)
        self.schemes = embedded_scheme if file.eta == 1 else threebody_scheme  # type: ignore[misc]
        self.form.take(names, file)
        self.names, self.lines = names, [args]

    def parts(self) -> dict[str, PairStyle]:
        return {"": self.form}
