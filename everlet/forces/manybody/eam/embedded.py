"""Embedded-atom styles: E = sum_i F(rho_i) + sum_pairs phi(r), with rho_i = sum_j f(r_ij).

A user's own one is one small class, with energies only:

    @pair_style("my/gupta")
    class Gupta(EmbeddedStyle):
        coeffs = {"a": energy, "xi": energy, "p": number, "q": number, "r0": length}
        @portable
        def energy(r2, p): ...                # phi, of a pair
        @portable
        def density(r2, p): ...               # f, made by either atom at the place of the other
        @portable
        def embedding(rho, p): ...            # F, with the parameters of the like pair

Forces follow by differentiation. Loops (short_loops.py, staged_loops.py and the pair styles' own) need four functions, which
a style that reads tables gives itself (eam.py):

    approach(r2, p)                             -> a, b, c                    three numbers of a distance, for the next ones
    density(a, b, c, p, data)                   -> density at i, density at j
    embed(rho, p, data)                         -> F, dF/drho
    pair(a, b, c, p, data, slope_i, slope_j)    -> force / r, phi             slope: dF/drho of an atom
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.manybody import short_loops as loops
from everlet.forces.manybody.eam.schemes import embedded_scheme
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import differentiated
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.scaling import scaled_slopes
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Portable, Space, View, parallel_for, portable
from everlet.registry import Registry

Functions = tuple[Portable, Portable, Portable, Portable]


class EmbeddedParameters(Parameters):
    """With the functions of the density and of the embedding."""

    embedded = True
    made = 0  # so far

    def __init__(self, style: EmbeddedStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        approach, density, embed, pair = style.functions()
        scaled = scaled_slopes(pair) if self.scaled else pair
        self.stages = {"approach": approach, "density": density, "pair": scaled}
        if self.scaled:
            self.statics = (("pair", at_once(approach, density, scaled)[1]), *self.common)
        whole, _ = at_once(approach, density, pair)
        self.density, self.embed = (("density", whole), *self.common), (("embed", embed), *self.common)
        self.rho = self.slope = View(0, np.float64, space)  # for per-atom energies
        self.unused = View((1, 4), np.int32, space)
        EmbeddedParameters.made += 1
        self.label = f"slope {EmbeddedParameters.made}"

    def with_factor(self, function: Any) -> Any:
        return function  # see above

    def function(self, style: Any) -> Portable:
        approach, density, _, pair = style.functions()
        return at_once(approach, density, pair)[1]

    # ---- per-atom energies: densities are those of the surroundings, so that nothing of the run must be at hand
    @property
    def _density(self) -> Kernel:
        statics = {"FULL": True, "NEWTON": False, "AHEAD": 1, "FIXED": False, "SLOTS": False, "DENSE": False, "SHORTEN": False,
                   "PAD": 1, "NARROW": False}
        return Kernel(loops.density_loop, 0, self.precision, self.fields, statics=(*self.density, *statics.items()))

    @property
    def _embed(self) -> Kernel:
        return Kernel(loops.embed_peratom, 0, self.precision, self.fields, statics=self.embed)

    def own_numbers(self, near: Surroundings, energy: View, factor: float) -> View:
        atoms, lists, space = near.system.atoms, near.neighbor, near.system.space
        x, kind, none = atoms.view("x"), atoms.view("type"), lists.first
        if self.rho.shape[0] != x.shape[0]:
            self.rho, self.slope = (View(x.shape[0], np.float64, space) for _ in range(2))
        parallel_for(space, near.n, self._density, near.n, x, self.unused, 1.0, kind, lists.neigh, lists.count,
                     none, lists.si, lists.sk, self.table, self.data, self.kinds, self.rho, none, lists.filler, none, none)
        parallel_for(space, near.n, self._embed, kind, self.rho, self.table, self.data, self.kinds, factor, self.slope, energy)
        near.comm.forward_values(near.system, self.label, self.slope)
        return self.slope

    def check_float32(self, style: PairStyle) -> None:
        """Densities and energies of atoms in metals are far inside of the range."""


class EmbeddedStyle(PairStyle):
    """Base of embedded-atom styles."""

    schemes: ClassVar[Registry[type[Scheme]]] = embedded_scheme
    of_kernels = EmbeddedParameters
    density: ClassVar[Portable | None] = None
    embedding: ClassVar[Portable | None] = None
    shiftable = False
    atom_values = ("rho", "fp")

    @classmethod
    def to_check(cls, name: str) -> dict[str, type[PairStyle]]:
        """Each of the three functions as if it were the energy of a pair: its slope is checked alike."""
        names = [part for part in ("energy", "density", "embedding") if getattr(cls, part) is not None]
        shared = {key: getattr(cls, key) for key in ("coeffs", "settings", "table", "example")}
        return {f"{name} {part}": type(part, (PairStyle,), {**shared, "name": name, "energy": getattr(cls, part)})
                for part in names}

    def functions(self) -> Functions:
        """approach, density, embed, pair as loops call them."""
        given = {"energy(r2, p)": self.energy, "density(r2, p)": self.density, "embedding(rho, p)": self.embedding}
        made = []
        for name, function in given.items():
            if function is None:
                raise InputError(f"pair style {self.name} has no {name}", "an embedded style needs all three functions")
            made.append(differentiated(function, self.fields))
        return from_energies(*made)


@functools.cache
def from_energies(phi: Portable, f: Portable, big_f: Portable) -> Functions:
    """The loops' functions from differentiated ones, which give (-2 dE/d(argument), E)."""

    @portable
    def approach(r2, p):
        made, here = f(r2, p)
        return r2, made, here

    @portable
    def density(r2, made, here, p, data):
        return here, here

    @portable
    def embed(rho, p, data):
        minus_two, energy = big_f(rho, p)
        return energy, -0.5 * minus_two

    @portable
    def pair(r2, made, here, p, data, slope_i, slope_j):
        strength, energy = phi(r2, p)
        return strength + (slope_i + slope_j) * made, energy

    return approach, density, embed, pair


@functools.cache
def at_once(first: Portable, density_after: Portable, pair_after: Portable) -> tuple[Portable, Portable]:
    """density and pair with r2 as their argument, for loops that do all of a pair before the next one."""

    @portable
    def whole_density(r2, p, data):
        a, b, c = first(r2, p)
        return density_after(a, b, c, p, data)

    @portable
    def whole_pair(r2, p, data, slope_i, slope_j):
        a, b, c = first(r2, p)
        return pair_after(a, b, c, p, data, slope_i, slope_j)

    return whole_density, whole_pair
