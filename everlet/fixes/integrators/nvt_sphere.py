"""Constant temperature of spheres that turn."""

from __future__ import annotations

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.chain import AHEAD, SCALE
from everlet.fixes.integrators.nose_hoover.motion import RESCALE
from everlet.fixes.integrators.nve_sphere import BALL, DISC, need_spheres, spin_up, turn
from everlet.fixes.integrators.nvt import NVT
from everlet.portable import Kernel, parallel_for
from everlet.state.system import System


@fix_style("nvt/sphere")
class NVTSphere(NVT):
    """fix ID group nvt/sphere temp TSTART TSTOP TDAMP [tchain N] [tloop N] [drag D] [disc]: as fix nvt, of velocities and
    angular velocities; ID_temp is a compute temp/sphere."""

    heat_style = "temp/sphere"
    reads, writes = ("x", "v", "f", "type", "mask", "omega", "torque", "radius", "rmass"), ("x", "v", "omega")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.inertia = DISC if "disc" in args else BALL
        super().__init__(system, id, group, [word for word in args if word != "disc"])
        if self.inertia == DISC and system.dimension != 2:
            raise InputError("fix nvt/sphere disc is for two dimensions", "leave out disc")

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), Kernel(spin_up)]

    def init(self) -> None:
        super().init()
        need_spheres(self.system, self.bit, f"fix {self.id} nvt/sphere")

    def _slow(self, half: int) -> None:
        """Angular velocities follow velocities."""
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, RESCALE, atoms.view("omega", modify=True), atoms.view("mask"), self.bit,
                     self.chain.state, half * self.chain.size + SCALE, atoms.view("type"), 0)

    def initial_integrate(self) -> None:
        super().initial_integrate()
        if not self.heat.biased:
            self._slow(AHEAD)
        turn(self.system, self.bit, self.inertia)

    def final_integrate(self) -> None:
        turn(self.system, self.bit, self.inertia)
        super().final_integrate()

    def _scale(self, half: int) -> None:
        super()._scale(half)
        self._slow(half)
