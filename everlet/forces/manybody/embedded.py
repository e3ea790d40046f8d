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

Forces follow by differentiation. Loops (short_loops.py and the pair styles' own) need three functions, which a style that
reads tables gives itself (eam.py):

    density(r2, p, data)                        -> density at i, density at j
    embed(rho, p, data)                         -> F, dF/drho
    pair(r2, p, data, slope_i, slope_j)         -> force / r, phi             slope: dF/drho of an atom
"""

from __future__ import annotations

import functools
from typing import Any, ClassVar

from everlet.errors import InputError
from everlet.forces.manybody.embedded_schemes import embedded_scheme
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.formulas import differentiated
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Space, portable
from everlet.registry import Registry

Functions = tuple[portable, portable, portable]


class EmbeddedParameters(Parameters):
    """With the functions of the density and of the embedding."""

    def __init__(self, style: EmbeddedStyle, space: Space, precision: str):
        super().__init__(style, space, precision)
        density, embed, _ = style.functions()
        self.density, self.embed = (("density", density), *self.common), (("embed", embed), *self.common)

    def function(self, style: Any) -> portable:
        return style.functions()[2]

    def check_float32(self, style: PairStyle) -> None:
        """Densities and energies of atoms in metals are far inside of the range."""


class EmbeddedStyle(PairStyle):
    """Base of embedded-atom styles."""

    schemes: ClassVar[Registry[type[Scheme]]] = embedded_scheme
    density: ClassVar[portable | None] = None
    embedding: ClassVar[portable | None] = None
    shiftable = False

    @classmethod
    def to_check(cls, name: str) -> dict[str, type[PairStyle]]:
        """Each of the three functions as if it were the energy of a pair: its slope is checked alike."""
        names = [part for part in ("energy", "density", "embedding") if getattr(cls, part) is not None]
        shared = {key: getattr(cls, key) for key in ("coeffs", "settings", "table", "example")}
        return {f"{name} {part}": type(part, (PairStyle,), {**shared, "name": name, "energy": getattr(cls, part)})
                for part in names}

    def numbers(self, space: Space, precision: str) -> EmbeddedParameters:
        return EmbeddedParameters(self, space, precision)

    def functions(self) -> Functions:
        """density, embed, pair as loops call them."""
        given = {"energy(r2, p)": self.energy, "density(r2, p)": self.density, "embedding(rho, p)": self.embedding}
        made = []
        for name, function in given.items():
            if function is None:
                raise InputError(f"pair style {self.name} has no {name}", "an embedded style needs all three functions")
            made.append(differentiated(function, self.fields))
        return from_energies(*made)


@functools.cache
def from_energies(phi: portable, f: portable, big_f: portable) -> Functions:
    """The loops' three functions from differentiated ones, which give (-2 dE/d(argument), E)."""

    @portable
    def density(r2, p, data):
        _, here = f(r2, p)
        return here, here

    @portable
    def embed(rho, p, data):
        minus_two, energy = big_f(rho, p)
        return energy, -0.5 * minus_two

    @portable
    def pair(r2, p, data, slope_i, slope_j):
        strength, energy = phi(r2, p)
        made, _ = f(r2, p)
        return strength + (slope_i + slope_j) * made, energy

    return density, embed, pair
