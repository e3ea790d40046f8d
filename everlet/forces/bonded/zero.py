"""Styles zero: links that have no force, but count for special pairs, constraints and files.

    bond_style zero [nocoeff]          bond_coeff TYPE [r0]
    angle_style zero [nocoeff]         angle_coeff TYPE [theta0 (degrees)]
    dihedral_style zero [nocoeff]      improper_style zero [nocoeff]        coefficients are not looked at
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from everlet.errors import InputError

if TYPE_CHECKING:
    from everlet.forces.bonded.base import LinkStyle
else:
    LinkStyle = object


class Zero(LinkStyle):
    """Goes before the base class of a kind."""

    computes = False

    def settings(self, args: list[str]) -> None:
        if args not in ([], ["nocoeff"]):
            raise InputError(f"{self.kind.name}_style zero has one word, 'nocoeff', found {' '.join(args)}",
                             "remove the others")

    def coeff(self, args: list[str]) -> None:
        if self.args or not self.coeffs:  # words are for another style
            args = args[:1]
        super().coeff(args)
