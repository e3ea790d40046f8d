"""Pair forces divided by distance, for steps of several lengths (run_style respa ... inner middle outer).

    F = F (1 - R_1)  +  F R_1 (1 - R_2)  +  F R_2        inner, middle, outer;  without middle: F (1 - R_1) + F R_1

R rises from 0 to 1 in a zone, R = s^2 (3 - 2 s), s = (r - r_1) / (r_2 - r_1) between 0 and 1. Each part is a pair style of
its own that computes a share of the force; the outer one has all of the energy. Where a long-range solver has the far part of
charges it is the bare Coulomb force that is divided, C q_i q_j / r^2, and the outer part has what is left of the near one.
"""

from __future__ import annotations

import functools
from typing import Any
from weakref import WeakSet

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair.base import PairStyle
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.pair.coulomb import Long
from everlet.forces.pair.formulas import Values, with_data
from everlet.portable import Portable, least, most, portable, sqrt
from everlet.state.levels import Levels

PLAIN = (PairStyle.numbers, ChargedStyle.numbers, Long.numbers)  # of styles whose formula is all there is


@portable
def rising(r, low, over):
    """R, with over = 1 / (r_2 - r_1)."""
    s = least(most((r - low) * over, 0.0), 1.0)
    return s * s * (3.0 - 2.0 * s)


@portable
def inner_share(r2, p):
    return 1.0 - rising(sqrt(r2), p.ends, p.ending)


@portable
def middle_share(r2, p):
    r = sqrt(r2)
    return rising(r, p.begins, p.beginning) * (1.0 - rising(r, p.ends, p.ending))


@portable
def outer_share(r2, p):
    return rising(sqrt(r2), p.begins, p.beginning)


SHARES = {"inner": inner_share, "middle": middle_share, "outer": outer_share}


@functools.cache
def of_force(formula: Portable, share: Portable) -> Portable:
    """A share of the force, and no energy."""

    @portable
    def shared(r2, p, data):
        force, energy = formula(r2, p, data)
        return share(r2, p) * force, 0.0 * r2

    return shared


@functools.cache
def with_energy(formula: Portable, share: Portable) -> Portable:
    """A share of the force, and the whole energy."""

    @portable
    def shared(r2, p, data):
        force, energy = formula(r2, p, data)
        return share(r2, p) * force, energy

    return shared


@functools.cache
def left_over(formula: Portable, bare: Portable, share: Portable) -> Portable:
    """The near part of charges without the bare force that nearer shares have, and the whole energy."""

    @portable
    def left(r2, p, data):
        force, energy = formula(r2, p, data)
        plain, potential = bare(r2, p, data)
        return force - (1.0 - share(r2, p)) * plain, energy

    return left


class Share:
    """Put before the class of a pair style: one of its parts. `begins`, `ends`: zones where it does. `plain`: the bare Coulomb
    force that is divided, where a long-range solver has the far part; None: the style's own is."""

    part = ""
    plain: Portable | None = None
    begins: tuple[float, float] | None = None
    ends: tuple[float, float] | None = None

    @property
    def share(self) -> Portable:
        return SHARES[self.part]

    @property
    def outer(self) -> bool:
        return self.ends is None

    def parameters(self: Any, values: Values) -> Values:
        found = super().parameters(values)  # type: ignore[misc]
        for names, zone in ((("begins", "beginning"), self.begins), (("ends", "ending"), self.ends)):
            if zone is not None:
                found |= zip(names, (zone[0], 1.0 / (zone[1] - zone[0])), strict=True)
        return found

    def ready(self: Any) -> None:
        super().ready()  # type: ignore[misc]
        if self.outer:
            return
        for name in ("cutoffs", "vdwl_cutoffs", "coul_cutoffs"):
            if hasattr(self, name):
                setattr(self, name, np.minimum(getattr(self, name), self.ends[1]))
        if self.charged:
            self.data[1] = min(self.data[1], self.ends[1] ** 2)
        self.offset[:] = 0.0
        self.etail = self.ptail = 0.0

    def pair_function(self: Any) -> Portable:
        whole = super().pair_function()  # type: ignore[misc]
        return with_energy(whole, self.share) if self.outer else of_force(whole, self.share)

    def coulomb_function(self: Any, precision: str) -> Portable:
        whole = super().coulomb_function(precision)  # type: ignore[misc]
        if self.outer:
            return with_energy(whole, self.share) if self.plain is None else left_over(whole, self.plain, self.share)
        return of_force(whole if self.plain is None else self.plain, self.share)

    def self_energy(self: Any) -> float:
        return super().self_energy() if self.outer else 0.0  # type: ignore[misc]


@functools.cache
def _class(kind: Any, part: str) -> type[PairStyle]:
    """Special pairs of a style that stands for all images of a charge: weights multiply the bare force, and from the outer part
    that share of it is taken which it has."""
    own: dict[str, Any] = {"part": part}
    if issubclass(kind, ChargedStyle) and kind.for_images:
        bare = own["plain"] = with_data(kind.bare)
        own |= {"bare": with_energy(bare, SHARES[part])} if part == "outer" else {"for_images": False}
    return type(f"{part.title()}{kind.__name__}", (Share, kind), own)


def divided(style: PairStyle, levels: Levels, place: int, count: int) -> list[tuple[str, int, PairStyle]]:
    """The parts of a style: what is put behind its name, its level, and the style; of levels that do not divide it, itself. It
    is one of so many pieces of a hybrid style."""
    if levels.hybrid and len(levels.hybrid) != count:
        raise InputError(f"run_style respa hybrid has {len(levels.hybrid)} levels, and the pair style {count} "
                         f"sub-style{'s' * (count > 1)}", "give one for each")
    if not levels.divides:
        return [("", levels.hybrid[place] if levels.hybrid else levels.of["pair"], style)]
    _check(style)
    style.ready()  # others ask it, too
    names = ["inner", *(["middle"] if "middle" in levels.of else []), "outer"]
    found = []
    for k, part in enumerate(names):
        own: Any = type(style)
        kind = _class(own, part)
        one = kind.__new__(kind)
        one.__dict__.update(style.__dict__)
        one.live, one.warnings, one.fits_float32 = WeakSet(), [], ()
        one.begins = levels.zones[k - 1] if k else None  # type: ignore[attr-defined]
        one.ends = levels.zones[k] if part != "outer" else None  # type: ignore[attr-defined]
        found.append(("" if part == "outer" else f" {part}", levels.of[part], one))
    return found


def _check(style: PairStyle) -> None:
    """The style is a formula of the distance, and of charges that a solver or nobody else has the rest of."""
    reason = ""
    if type(style).numbers not in PLAIN or style.moving or style.whole:
        reason = "is more than a function of the distance of two atoms"
    elif isinstance(style, ChargedStyle) and (style.rest is not None or style.for_images and not style.cut_coul):
        reason = "has energies of all images of an atom"
    if reason:
        raise InputError(f"run_style respa: pair style {style.name} {reason}, and has no inner and outer forces",
                         "use pair M, or pair styles such as lj/cut, lj/cut/coul/long, lj/charmm/coul/long")
