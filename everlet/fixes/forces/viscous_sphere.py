"""Drag that slows the turning of spheres."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.forces.viscous import Viscous
from everlet.state.atom_styles import need_field
from everlet.state.system import System


@fix_style("viscous/sphere")
class ViscousSphere(Viscous):
    """fix ID group viscous/sphere GAMMA [scale TYPE RATIO] …: torque -= GAMMA RATIO omega."""

    minimizes = False
    kind, slowed = "viscous/sphere", ("torque", "omega")
    reads, writes = ("omega", "torque", "type", "mask"), ("torque",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        need_field(system.atoms, "radius", "fix viscous/sphere")
