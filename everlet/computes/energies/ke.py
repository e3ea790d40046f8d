"""Kinetic energy of a group."""

from __future__ import annotations

from everlet.computes.base import Compute, compute_style
from everlet.computes.temperatures.temp import KINETIC, kinetic_sums
from everlet.errors import no_arguments
from everlet.portable import Kernel
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System


@compute_style("ke")
class KE(Compute):
    """K = 1/2 mvv2e sum m v^2. compute ID group ke"""

    gives = Gives(scalar=EXTENSIVE)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "compute", "ke")

    def kernels(self) -> list[Kernel]:
        return [KINETIC]

    def scalar(self) -> float:
        sums = kinetic_sums(self.system, self.bit)
        return 0.5 * self.system.units.mvv2e * float(sums[0] + sums[1] + sums[2])
