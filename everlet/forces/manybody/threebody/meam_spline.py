"""Modified embedded-atom method with splines.

E = 1/2 sum_ij phi_IJ(r_ij) + sum_i [U_I(n_i) - U_I(0)] + sum_i sum_{j<k} F(r_ij) F(r_ik) G(cos theta_jik)
n_i = sum_j rho_J(r_ij) + sum_{j<k} f_J(r_ij) f_K(r_ik) g_JK(cos theta_jik)
                                                (Lenosky and others, Modelling Simul. Mater. Sci. Eng. 8, 825; with F and G:
                                                 Hennig and others, Phys. Rev. B 78, 054121)

    pair_style meam/spline       pair_coeff * * FILE El1 El2 …    one element for each atom type, NULL: none; without F and G
    pair_style meam/sw/spline    the same, for one element

Files: meam_spline_file.py. Beyond their points functions go on in a straight line; all end where the longest of phi, rho, f and
F does. The sum with F and G is a three-body style of its own, as in a hybrid style.
"""

from __future__ import annotations

from typing import ClassVar

from everlet.errors import InputError
from everlet.forces.manybody.summed import SummedStyle
from everlet.forces.manybody.threebody.base import ThreeBodyParameters, ThreeBodyStyle
from everlet.forces.manybody.threebody.curves import Blocks, curve
from everlet.forces.manybody.threebody.meam_spline_file import Curve, SplineFile
from everlet.forces.manybody.threebody.meam_spline_loops import embedded_loop, embedded_shares
from everlet.forces.manybody.threebody.own_loops import OwnLoops
from everlet.forces.manybody.threebody.scheme import ThreeBody
from everlet.forces.manybody.threebody.uf3 import no_bond
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.forces.pair.schemes.base import Scheme
from everlet.forces.pair.schemes.hybrid import HybridScheme
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Portable, portable
from everlet.registry import Registry

spline_scheme: Registry[type[Scheme]] = Registry("scheme of meam/spline")
both_scheme: Registry[type[Scheme]] = Registry("scheme of meam/sw/spline")


@portable
def radial(r, p, data):
    """phi and rho, each with its slope."""
    phi, along = curve(r, p.phi, data)
    rho, rise = curve(r, p.rho, data)
    return phi, along, rho, rise


@portable
def bend(c, p, data):
    return curve(c, p.g, data)


@portable
def raised(density, p, data):
    return curve(density, p.u, data)


@spline_scheme("full")
class SplineScheme(OwnLoops):
    loop, share_loop = embedded_loop, embedded_shares
    statics: ClassVar[dict[str, Portable]] = {"radial": radial, "bend": bend, "raised": raised}


both_scheme("full")(HybridScheme.of((SplineScheme, ThreeBody)))


class SplineParameters(ThreeBodyParameters):
    def sharing(self, near: Surroundings) -> ThreeBody:
        return SplineScheme(near.system, near.dense, self)


class Splines(ThreeBodyStyle):
    """A style whose functions are curves; all pairs end at one distance."""

    symmetric = linear = True

    def read_from(self, args: list[str]) -> tuple[dict[int, str], SplineFile, float]:
        """Elements of types, the file, and what its energies are multiplied by."""
        names = self.elements(args)
        found = SplineFile(args[2])
        factor = found.file.energy_factor(self.system.units.name)
        used = sorted(set(names.values()) - {"NULL"})
        if not found.names:
            if len(used) > 1:
                raise InputError(f"{found.file.path} is for one element, not for {' '.join(used)}",
                                 "a file for several begins with meam/spline n El1 El2 …")
            found.names = used
        self.need_known(names, found.names, found.file.path)
        return names, found, factor

    def cutoff(self, values: dict[str, float]) -> float:
        return self.farthest

    def take(self, names: dict[int, str], reach: float) -> None:
        self.names, self.farthest = names, reach


@pair_style("meam/spline")
class MeamSpline(Splines):
    schemes: ClassVar[Registry[type[Scheme]]] = spline_scheme
    of_kernels = SplineParameters

    def coeff(self, args: list[str]) -> None:
        names, found, factor = self.read_from(args)
        n = found.names
        pairs = [(a, b) for k, a in enumerate(n) for b in n[k:]]
        phi = {pair: found.spline(f"phi of {' '.join(pair)}").times(factor) for pair in pairs}
        rho = {a: found.spline(f"rho of {a}") for a in n}
        u = {a: found.spline(f"U of {a}").times(factor) for a in n}
        f = {a: found.spline(f"f of {a}") for a in n}
        g = {pair: found.spline(f"g of {' '.join(pair)}") for pair in pairs}
        found.file.end("the last spline")
        self.fill(phi, rho, u, f, g)
        self.take(names, max(one.high for one in (*phi.values(), *rho.values(), *f.values())))
        self.lines = [args]

    def fill(self, phi: dict[tuple[str, str], Curve], rho: dict[str, Curve], u: dict[str, Curve], f: dict[str, Curve],
             g: dict[tuple[str, str], Curve]) -> None:
        """Put the splines into `data`, and say of each triple where they are."""
        blocks = Blocks()
        phi_at, g_at = ({key: blocks.add(one.low, one.high, one.cubics) for pair, one in of.items()
                         for key in (pair, pair[::-1])} for of in (phi, g))
        rho_at, u_at, f_at = ({name: blocks.add(one.low, one.high, one.cubics) for name, one in of.items()}
                              for of in (rho, {name: one.without_zero() for name, one in u.items()}, f))
        self.triples = {(a, b, c): {"phi": phi_at[a, b], "rho": rho_at[b], "f": f_at[b], "g": g_at[b, c], "u": u_at[a]}
                        for a in rho for b in rho for c in rho}
        self.data = blocks.data

    @portable
    def arm(r, p, data):
        return curve(r, p.f, data)

    angle, bond = bend, radial  # of another form, for loops of their own


class SplineAngles(Splines):
    """The sum with F and G."""

    name = "meam/sw/spline angles"
    fading = True

    def fill(self, name: str, f: Curve, g: Curve) -> None:
        blocks = Blocks()
        at_f, at_g = (blocks.add(one.low, one.high, one.cubics) for one in (f, g))
        self.triples = {(name, name, name): {"f": at_f, "g": at_g}}
        self.data = blocks.data

    @portable
    def arm(r, p, data):
        return curve(r, p.f, data)

    @portable
    def angle(r, u, du, s, v, dv, c, p, data):
        g, dg = curve(c, p.g, data)
        return u * v * g, du * v * g, u * dv * g, u * v * dg

    bond = no_bond


@pair_style("meam/sw/spline")
class MeamSwSpline(SummedStyle):
    schemes: ClassVar[Registry[type[Scheme]]] = both_scheme

    def configure(self, args: list[str]) -> None:
        super().configure(args)
        self.density, self.angles = MeamSpline(self.system, []), SplineAngles(self.system, [])

    def coeff(self, args: list[str]) -> None:
        names, found, factor = self.density.read_from(args)
        if len(found.names) > 1:
            raise found.file.fail(f"{len(found.names)} elements", f"pair style {self.name} is for one")
        phi, f, g, rho, u, weight, turn = (found.spline(what) for what in ("phi", "F", "G", "rho", "U", "f", "g"))
        found.file.end("the last spline")
        self.names, self.lines, reach = names, [args], max(one.high for one in (phi, f, rho, weight))
        for name in found.names:
            self.density.fill({(name, name): phi.times(factor)}, {name: rho}, {name: u.times(factor)}, {name: weight},
                              {(name, name): turn})
            self.angles.fill(name, f, g.times(factor))
        for one in (self.density, self.angles):
            one.take(names, reach)

    def parts(self) -> dict[str, PairStyle]:
        return {" density": self.density, " angles": self.angles}
