"""E = K (cos gamma - cos gamma0)^2, gamma: the angle of the dipole of atom 1 with the way from there to atom 2.

    angle_coeff TYPE K gamma0 (degrees)

Atom 3 has no part in it. Atoms 1 and 2 have forces, atom 1 a torque: slopes of the energy, which keep the angular momentum.
The virial is that of the forces; the reference has none.
"""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.bonded.base import AngleStyle, Degrees, angle_style
from everlet.forces.pair.formulas import Values
from everlet.portable import portable
from everlet.state.atom_styles import need_field


@angle_style("dipole")
class Dipole(AngleStyle):
    coeffs = {"k": 2.1, "gamma0": Degrees(110.0)}
    directed = True

    def table(self, k: float, gamma0: float) -> Values:
        return {"k": k, "at": math.cos(gamma0)}

    def begin(self) -> None:
        for name in ("mu", "torque"):
            need_field(self.system.atoms, name, f"angle style {self.name}")

    def rest(self, type: int) -> float:
        raise InputError(f"angle style {self.name} has no angle of three atoms that could be constrained",
                         "leave it out of fix shake and rattle")

    @portable
    def energy(tilt, p):
        return p.k * (tilt - p.at) ** 2
