"""Styles of forces as Python objects, made from the registries: everlet.pair, bond, angle, dihedral, improper, kspace.

    sim.pair = ev.pair.lj_cut(2.5, epsilon=1.0, sigma=1.0)
    sim.pair = ev.pair.lj_cut(10.0).coeff("Ar", "Ar", epsilon=0.238, sigma=3.405).coeff("Ar", "Ne", epsilon=0.1, sigma=3.1)
    sim.pair = ev.pair.eam_alloy("Cu.eam.alloy")                  # elements are those of the simulation
    sim.pair = ev.pair.sw("Si.sw") + ev.pair.zbl(3.0, 4.0).coeff("*", "*", 14, 14)     # hybrid/overlay
    sim.bond = ev.bond.harmonic().coeff(1, 450.0, 0.9572)
    sim.kspace = ev.kspace.pppm(1e-4)

Names have _ where scripts have /. Arguments without a name are the words of the line pair_style; arguments with one are
settings and coefficients that the style declares, the latter for all types.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from everlet.api.record import quoted
from everlet.errors import InputError, one_of, unknown
from everlet.forces.bonded.base import STYLES as LINKS
from everlet.forces.kspace.base import kspace_style
from everlet.forces.manybody.file_style import FileStyle
from everlet.forces.pair.base import PairStyle, pair_style
from everlet.registry import Registry

M = TypeVar("M", bound="Maker")
HYBRID = ("hybrid", "hybrid/overlay", "hybrid/scaled")


def words(value: Any) -> list[str]:
    """A value of a program as words of a script."""
    if isinstance(value, bool):
        return ["yes" if value else "no"]
    if isinstance(value, dict):
        return [word for key, item in value.items() for word in (str(key), *words(item))]
    if isinstance(value, (list, tuple)) or (hasattr(value, "tolist") and getattr(value, "ndim", 0) > 0):
        return [word for item in value for word in words(item)]
    return [value if isinstance(value, str) else repr(float(value)) if isinstance(value, float) else str(value)]


class Style:
    """A style with its coefficients: lines of a script when a simulation gets it."""

    def __init__(self, kind: str, name: str, settings: Sequence[Any] = ()):
        self.kind, self.name, self.settings = kind, name, words(list(settings))
        self.coeffs: list[list[str]] = []
        self.modifications: list[str] = []

    def modify(self, **options: Any) -> Style:
        """Words of pair_modify or kspace_modify: modify(shift=True, mix="arithmetic")."""
        self.modifications += words(options)
        return self

    def lines(self, species: Sequence[str]) -> list[str]:
        """`species` are the names of types 1, 2, …; none if they have none."""
        return self.written(self.coeffs)

    def written(self, coeffs: list[list[str]]) -> list[str]:
        found = [[f"{self.kind}_style", self.name, *self.settings], *([f"{self.kind}_coeff", *one] for one in coeffs)]
        found += [[f"{self.kind}_modify", *self.modifications]] if self.modifications else []
        return [" ".join(map(quoted, line)) for line in found]

    def __repr__(self) -> str:
        return f"<{' '.join([f'{self.kind}_style', self.name, *self.settings])}>"


class Linked(Style):
    """A style of bonds, angles, dihedrals or impropers."""

    def modify(self, **options: Any) -> Linked:
        """There is nothing to modify: refused."""
        raise InputError(f"{self.kind} styles have no options to modify", "give them with the style or its coefficients")

    def coeff(self, types: int | str, *values: Any) -> Linked:
        """Coefficients of a type, or of several: coeff("*", 450.0, 0.9572)."""
        self.coeffs.append([str(types), *words(list(values))])
        return self


class Pair(Style):
    """A pair style; `+` lays several over each other."""

    def __init__(self, name: str, settings: Sequence[Any] = (), files: Sequence[str] = (),
                 species: Sequence[str] | None = None):
        super().__init__("pair", name, settings)
        self.files, self.species = list(files), None if species is None else list(species)

    def coeff(self, first: int | str, second: int | str, *values: Any, **named: Any) -> Pair:
        """Coefficients of a pair of types, given by numbers or names; `*` is all of them."""
        self.coeffs.append([str(first), str(second), *words(list(values)), *coefficients(self.name, named)])
        return self

    def modify(self, **options: Any) -> Pair:
        """Words of pair_modify: modify(shift=True, mix="arithmetic")."""
        super().modify(**options)
        return self

    def pieces(self) -> list[Pair]:
        """The styles that it is made of."""
        return [self]

    def all_coeffs(self, species: Sequence[str]) -> list[list[str]]:
        """Those given; of styles that know elements first the line with its files and the element of each type."""
        if not of_elements(pair_style[self.name]) or self.coeffs and not self.files:
            return self.coeffs
        elements = list(species) if self.species is None else self.species
        if not elements:
            raise InputError(f"ev.pair.{python_name(self.name)}: which elements the types are is not known",
                             "give species=[…], one for each type, or names of species when atoms are made")
        return [["*", "*", *self.files, *elements], *self.coeffs]

    def lines(self, species: Sequence[str]) -> list[str]:
        return self.written(self.all_coeffs(species))

    def __add__(self, other: Pair) -> Pair:
        if not isinstance(other, Pair):
            return NotImplemented
        return Overlay([*self.pieces(), *other.pieces()])


class Overlay(Pair):
    """Several styles over each other: hybrid/overlay."""

    def __init__(self, parts: list[Pair]):
        super().__init__("hybrid/overlay")
        self.parts = parts

    def pieces(self) -> list[Pair]:
        return self.parts

    def coeff(self, first: int | str, second: int | str, *values: Any, **named: Any) -> Pair:
        raise InputError("coefficients of several styles over each other", "give them to each one before they are added")

    def lines(self, species: Sequence[str]) -> list[str]:
        names = [part.name for part in self.parts]
        found = [["pair_style", self.name, *(word for part in self.parts for word in (part.name, *part.settings))]]
        for place, part in enumerate(self.parts):
            number = [str(names[: place + 1].count(part.name))] if names.count(part.name) > 1 else []
            found += [["pair_coeff", *one[:2], part.name, *number, *one[2:]] for one in part.all_coeffs(species)]
            found += [["pair_modify", "pair", part.name, *number, *part.modifications]] if part.modifications else []
        found += [["pair_modify", *self.modifications]] if self.modifications else []
        return [" ".join(map(quoted, line)) for line in found]


def of_elements(style: type[PairStyle]) -> bool:
    """Its pair_coeff line names the element of each type."""
    return issubclass(style, FileStyle) and not style.by_type


def files_of(style: type[PairStyle]) -> tuple[str, ...]:
    """The files that its pair_coeff line names."""
    return style.files if issubclass(style, FileStyle) and not style.by_type else ()


def python_name(name: str) -> str:
    """lj/cut -> lj_cut."""
    return name.replace("/", "_")


def coefficients(name: str, named: dict[str, Any]) -> list[str]:
    """The words of declared coefficients that are given by name, in their order."""
    declared = pair_style[name].coeffs
    if named and not declared:
        raise InputError(f"{name} has no coefficients with names, found {', '.join(named)}",
                         f"give the words of its lines in their order: ev.pair.{python_name(name)}(WORD, …).coeff(I, J, …)")
    for word in named:
        one_of(f"coefficient of {name}", word, declared)
    if named and (missing := [word for word in declared if word not in named]):
        raise InputError(f"{name}: {', '.join(missing)} of {', '.join(declared)} not given", "give all of them")
    return [word for key in declared if key in named for word in words(named[key])]


class Maker:
    """Makes styles of one name. Its signature and help are those of the style."""

    def __init__(self, kind: str, name: str, style: type):
        self.kind, self.name, self.style = kind, name, style
        self.__name__, self.__doc__ = python_name(name), inspect.getdoc(style)
        self.__signature__ = inspect.Signature(
            [inspect.Parameter("settings", inspect.Parameter.VAR_POSITIONAL, annotation=Any)], return_annotation=Style)

    def __repr__(self) -> str:
        return f"<everlet.{self.kind}.{self.__name__}: {self.kind}_style {self.name}>"


class PairMaker(Maker):
    def __init__(self, kind: str, name: str, style: type[PairStyle]):
        super().__init__(kind, name, style)
        plain, named = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
        listed = [inspect.Parameter(word.split(".")[0].lower() + str(k or ""), plain, annotation=str)
                  for k, word in enumerate(files_of(style))]
        listed += [inspect.Parameter(word, plain, annotation=float) for word in style.settings]
        own = [inspect.Parameter(word, named, annotation=float) for word in style.coeffs if word not in style.settings]
        own += [inspect.Parameter("species", named, annotation=Sequence[str], default=None)] if of_elements(style) else []
        self.__signature__ = inspect.Signature([*listed, *own], return_annotation=Pair)

    def __call__(self, *settings: Any, species: Sequence[str] | None = None, **named: Any) -> Pair:
        style = pair_style[self.name]
        count = len(files_of(style))
        files, rest = [str(one) for one in settings[:count]], list(settings[count:])
        if len(files) < count:
            raise InputError(f"ev.pair.{self.__name__} needs {' and '.join(files_of(style))}", "give the path first")
        if isinstance(species, str):
            raise InputError(f"species must be a list of names, found {species!r}", f"give species=[{species!r}]")
        if species is not None and not of_elements(style):
            raise InputError(f"pair style {self.name} knows no elements", "leave out species")
        made = Pair(self.name, [*rest, *(named.pop(word) for word in style.settings if word in named)], files, species)
        if found := coefficients(self.name, named):
            made.coeffs.append(["*", "*", *found])
        return made


class LinkMaker(Maker):
    def __call__(self, *settings: Any) -> Linked:
        return Linked(self.kind, self.name, settings)


class SolverMaker(Maker):
    def __call__(self, *settings: Any) -> Style:
        return Style(self.kind, self.name, settings)


class Styles(Generic[M]):
    """All styles of a kind as attributes."""

    def __init__(self, kind: str, registry: Registry[Any], maker: type[M]):
        self._kind, self._registry, self._maker = kind, registry, maker
        self.__doc__ = f"All {kind} styles: everlet.{kind}.NAME(…), with _ where scripts have /."

    def _names(self) -> dict[str, str]:
        return {python_name(name): name for name in self._registry if name not in HYBRID and name != "none"}

    def __getattr__(self, name: str) -> M:
        if name.startswith("_"):
            raise AttributeError(name)
        found = self._names()
        if name not in found:
            near = unknown(f"{self._kind} style", name, found)
            raise AttributeError(f"{near.cause}: {near.remedy}")
        return self[found[name]]

    def __getitem__(self, name: str) -> M:
        """By its name in scripts: everlet.pair["lj/cut"]."""
        return self._maker(self._kind, name, self._registry[name])

    def __dir__(self) -> list[str]:
        return sorted(self._names())


pair = Styles("pair", pair_style, PairMaker)
bond, angle, dihedral, improper = (Styles(kind, LINKS[kind], LinkMaker) for kind in ("bond", "angle", "dihedral", "improper"))
kspace = Styles("kspace", kspace_style, SolverMaker)
