"""Berendsen's thermostat: velocities are scaled towards a temperature."""

from __future__ import annotations

from everlet.errors import arguments
from everlet.fixes.base import fix_style
from everlet.fixes.thermostats.base import Thermostat, damping_time
from everlet.portable import Kernel, f64, i64, parallel_for, portable, sqrt
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.system import System


@portable
def measure(i, sums: f64[:], mvv2e: f64, heat: f64, control: i64[:], start: f64, stop: f64, begin: i64, end: i64, pull: f64,
            factor: f64[:], energy: f64[:]):
    """The factor of velocities, and the energy that they lose by it."""
    twice = mvv2e * (sums[0] + sums[1] + sums[2])
    square = 1.0
    if twice > 0.0:
        square = 1.0 + pull * (ramped(control[STEP], start, stop, begin, end) * heat / twice - 1.0)
    factor[0] = sqrt(square)
    energy[0] += 0.5 * twice * (1.0 - square)


@fix_style("temp/berendsen")
class Berendsen(Thermostat):
    """fix ID group temp/berendsen T_START T_STOP DAMP: at the end of a step v *= sqrt(1 + dt/DAMP (T_target/T - 1))."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 3, 3, "fix ID group temp/berendsen T_START T_STOP DAMP")
        super().__init__(system, id, group, args, *args[:2])
        self.damp = damping_time(args[2], "temp/berendsen")

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), Kernel(measure)]

    def end_of_step(self) -> None:
        system, heat = self.system, self.temperature
        parallel_for(system.space, 1, measure, self.measured(), system.units.mvv2e, heat.dof * system.units.boltz,
                     system.space.control, *self.target.arguments(), system.dt / self.damp, self.factor, self.energy)
        self.scale_velocities()
