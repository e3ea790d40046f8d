"""Ellipsoids that move and turn on, without forces."""

from __future__ import annotations

from everlet.errors import no_arguments
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve_asphere import TURN, need_ellipsoids, turn_frames
from everlet.fixes.integrators.nve_noforce import NVENoForce
from everlet.state.atom_styles import need_field
from everlet.state.system import System


@fix_style("nve/asphere/noforce")
class NVEAsphereNoForce(NVENoForce):
    """fix ID group nve/asphere/noforce: x += dt v, and frames turn as those of fix nve/asphere; velocities and angular momenta
    stay as they are."""

    reads = ("x", "v", "angmom", "torque", "quat", "shape", "rmass", "mask")
    writes = ("x", "quat", "angmom")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        no_arguments(args, "fix", "nve/asphere/noforce")
        super().__init__(system, id, group, args)
        need_field(system.atoms, "shape", f"fix {id}")

    def init(self) -> None:
        need_ellipsoids(self.system, self.bit, f"fix {self.id} {self.style}")

    def initial_integrate(self) -> None:
        super().initial_integrate()
        turn_frames(self.system, self.bit, TURN[True], kick=0.0)
