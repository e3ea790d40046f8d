"""Constant lengths of bonds and angles by forces that are found before each move."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.constraints.base import Constraints


@fix_style("shake")
class Shake(Constraints):
    """fix ID group shake TOLERANCE ITERATIONS N [b TYPE …] [a TYPE …] [t TYPE …] [m MASS …] [mol TEMPLATE]

    Holds the bonds that a list names, by their type (b), or the type (t) or mass (m, to 0.1) of one of their atoms, and the
    angles of types `a` whose two bonds are held; both atoms must be in the group. Lengths and angles come from bond_coeff and
    angle_coeff; energies and forces of these bonds and angles are switched off while the fix is there. TOLERANCE: iterations
    end when multipliers change by less (in units of mass), or after so many ITERATIONS. N: statistics every N steps, 0: never.
    mol: copies of this template that fix deposit brings are held, too.

    After all forces, F += sum l r is such that x + dt v + dt^2 F/m has the right lengths (kernels.py); define the fix after
    those that add forces. The set-up of a run repairs the geometry; velocities along bonds are gone after the first step.
    """

    name, tallies = "shake", True
    writes = ("x", "f")  # in steps; the set-up of a run repairs velocities, too

    def post_force(self) -> None:
        self.constrain(self.square)
