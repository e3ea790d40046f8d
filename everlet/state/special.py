"""special_bonds: which pairs count as special, and the factors of their forces."""

from __future__ import annotations

from dataclasses import dataclass

PRESETS = {"amber": ((0.0, 0.0, 0.5), (0.0, 0.0, 5.0 / 6.0)), "charmm": ((0.0, 0.0, 0.0),) * 2,
           "dreiding": ((0.0, 0.0, 1.0),) * 2, "fene": ((0.0, 1.0, 1.0),) * 2}
Weights = tuple[float, float, float]


@dataclass
class Special:
    """Factors of pair forces between atoms that are one, two or three bonds apart.

    angle      1-3 pairs only if they are the ends of an angle, or 1,3 or 2,4 of a dihedral
    dihedral   1-4 pairs only if they are the ends of a dihedral
    shells     types whose atoms have the special pairs of the one atom that a bond ties them to, and are one bond from it
    """

    lj: Weights = (0.0, 0.0, 0.0)
    coul: Weights = (0.0, 0.0, 0.0)
    angle: bool = False
    dihedral: bool = False
    shells: tuple[int, ...] = ()

    def deepest(self) -> int:
        """The last level whose pairs differ from others."""
        return max([level + 1 for level in range(1, 3) if self.lj[level] != 1.0 or self.coul[level] != 1.0], default=1)

    def rules(self) -> tuple[tuple[float, ...], tuple[float, ...], bool, bool, tuple[int, ...]]:
        """All that the lists depend on."""
        return self.lj[1:], self.coul[1:], self.angle, self.dihedral, self.shells

    def dropped(self) -> list[bool]:
        """By level 0 … 3: pairs are left out of neighbour lists, since their factors are not both 1."""
        return [False, *(a != 1.0 or b != 1.0 for a, b in zip(self.lj, self.coul, strict=True))]

    def felt(self) -> Weights:
        """1 for levels of which one factor at least is not 0."""
        _, one, two, three = (float(not gone) for gone in self.gone())
        return one, two, three

    def gone(self) -> list[bool]:
        """By level 0 … 3: both factors are 0."""
        return [False, *(a == 0.0 and b == 0.0 for a, b in zip(self.lj, self.coul, strict=True))]
