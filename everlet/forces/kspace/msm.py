"""Multilevel summation: charges are spread on a mesh, those of the mesh on one with half as many points along each axis, and so
on; each mesh has the part of 1/r that is smooth on it (splitting.py). Boxes need not be periodic.

    kspace_style msm ACCURACY
    kspace_modify mesh NX NY NZ  order N  cutoff/adjust yes|no  …        see settings.py

Along each axis the mesh has 2, 4, 8 … parts. With cutoff/adjust yes, as without that line, there are about as many points as
atoms, and the cutoff of charges is the one for which the error of forces is as asked for; with no it is that of pair_style, and
there are as many points as the accuracy needs. The error along an axis is K Q^2 h^(p-2)/(a^(p-1) L sqrt N), p the order.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.kspace.base import NEUTRAL, SMALL, KspaceStyle, kspace_style
from everlet.forces.kspace.msm_term import MsmTerm
from everlet.forces.kspace.settings import Triple
from everlet.forces.kspace.splitting import gamma_powers
from everlet.forces.pair.charged import ChargedStyle
from everlet.forces.terms import Term
from everlet.state.system import System

ERRORS = {4: 0.78379121, 6: 5.5304124, 8: 61.495245, 10: 975.69194}  # K by order: the reference's estimate
LARGEST = 2**27  # points


def power_of_two(parts: float) -> int:
    """The nearest one, 2 at least.

    >>> [power_of_two(parts) for parts in (1.0, 2.9, 3.0, 5.0, 6.0, 11.9)]
    [2, 2, 4, 4, 8, 8]
    """
    found = 2
    while parts >= 1.5 * found:
        found *= 2
    return found


@kspace_style("msm")
class Msm(KspaceStyle):
    """After `init`: mesh, the parts of each edge of the box, and order."""

    title = "MSM"
    multilevel = True
    mesh: Triple = (0, 0, 0)

    def __init__(self, system: System, args: list[str]):
        super().__init__(system, args)
        self.settings.orders, self.settings.order = tuple(ERRORS), 10

    @property
    def order(self) -> int:
        return self.settings.order

    @property
    def own(self) -> float:
        """Minus the energy of a charge 1 with itself."""
        return 0.5 * self.constant * float(gamma_powers(self.order)[0]) / self.cut

    def state(self) -> dict[str, Any]:
        return {"mesh": list(self.mesh), "cut": self.cut}

    def _check_box(self) -> None:
        box = self.system.need_box()
        if self.system.dimension == 2:
            raise InputError(f"kspace_style {self.name} is for three dimensions", "use a cut-off pair style in two dimensions")
        if box.triclinic:
            raise InputError(f"kspace_style {self.name} is for orthogonal boxes", "use kspace_style pppm or ewald")
        if self.settings.slabs or self.settings.nozforce:
            raise InputError(f"kspace_modify slab is not for kspace_style {self.name}, which has no images where a box is not "
                             "periodic", "leave it out")

    def _real_part(self) -> str:
        return "polynomials"

    def first_g(self, volume: float) -> float:
        return 0.0

    def choose(self) -> list[str]:
        settings, box = self.settings, self.system.need_box()
        if any(box.periodic) and abs(self.qsum) > SMALL:
            raise InputError(f"{NEUTRAL}{self.qsum:.8g}, and kspace_style {self.name} has no background for it",
                             "make it neutral, or use kspace_style pppm")
        lengths = np.array(box.lengths)
        given = self.kept.get("mesh") or (settings.mesh if settings.mesh != (0, 0, 0) else None)
        if given is None and settings.adjust:
            given = lengths / (math.prod(lengths) / self.natoms) ** (1.0 / 3.0)
        parts = [power_of_two(n) for n in given] if given is not None else [self._parts(length) for length in lengths]
        self.mesh = parts[0], parts[1], parts[2]
        if math.prod(self.mesh) > LARGEST:
            raise InputError(f"a mesh of {' x '.join(map(str, self.mesh))} parts does not fit in memory",
                             "ask for less accuracy, a larger cutoff of the pair style or a smaller box")
        lines = list[str]()
        if settings.adjust or "cut" in self.kept:
            self.cut = self.kept.get("cut") or (self.error(1.0) / self.accuracy) ** (1.0 / (self.order - 1))
            self._use_cutoff()
            lines.append(f"  cutoff of charges, adjusted = {self.cut:.8g}")
        self.estimated = self.error(self.cut)
        return [*lines, f"  estimated absolute RMS force accuracy = {self.estimated:.8g}",
                f"  estimated relative force accuracy = {self.estimated / self.unit_force:.8g}",
                f"  grid = {' '.join(map(str, self.mesh))}", f"  order = {self.order}"]

    def _use_cutoff(self) -> None:
        """The pair style's part ends there."""
        for _, style in [("", self.system.pair), *(("", sub) for sub in self.system.pair.sub_styles)]:
            if isinstance(style, ChargedStyle) and style.cut_coul:
                name = "cut_coul" if "cut_coul" in style.setting else "cut"
                style.setting[name] = self.cut
                for values in style.explicit.values():
                    values[name] = self.cut

    def _axis_error(self, parts: float, length: float, cut: float) -> float:
        p = self.order
        return ERRORS[p] * self.q2 * (length / parts) ** (p - 2) / (cut ** (p - 1) * length * math.sqrt(self.natoms))

    def error(self, cut: float) -> float:
        return math.sqrt(sum(self._axis_error(n, length, cut) ** 2 for n, length in zip(
            self.mesh, self.system.need_box().lengths, strict=True)) / 3.0)

    def _parts(self, length: float) -> int:
        """Of an edge, for the accuracy."""
        found = 2
        while self._axis_error(found, length, self.cut) > self.accuracy and found < LARGEST:
            found *= 2
        return found

    def term(self, exact: bool = False) -> Term:
        return MsmTerm(self, exact)
