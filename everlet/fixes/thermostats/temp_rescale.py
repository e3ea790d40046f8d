"""Velocities that are scaled when the temperature leaves a window."""

from __future__ import annotations

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import every_steps, fix_style
from everlet.fixes.thermostats.base import Thermostat
from everlet.portable import Kernel, f64, i64, parallel_for, portable, sqrt
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.system import System


@portable
def judge(i, sums: f64[:], mvv2e: f64, heat: f64, control: i64[:], start: f64, stop: f64, begin: i64, end: i64, window: f64,
          fraction: f64, factor: f64[:], energy: f64[:]):
    """The factor of velocities, 1 inside the window, and the energy that they lose; heat: degrees of freedom times k_B."""
    now = mvv2e * (sums[0] + sums[1] + sums[2]) / heat
    target = ramped(control[STEP], start, stop, begin, end)
    factor[0] = 1.0
    if now > 0.0 and abs(now - target) > window:
        target = now - fraction * (now - target)
        factor[0] = sqrt(target / now)
        energy[0] += 0.5 * heat * (now - target)


JUDGE = Kernel(judge)


@fix_style("temp/rescale")
class Rescale(Thermostat):
    """fix ID group temp/rescale N T_START T_STOP WINDOW FRACTION: every N steps, if T is farther from the target than WINDOW, T
    becomes T - FRACTION (T - T_target)."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        arguments(args, 5, 5, "fix ID group temp/rescale N T_START T_STOP WINDOW FRACTION")
        super().__init__(system, id, group, args, *args[1:3])
        self.every = every_steps(args[0], "fix temp/rescale")
        self.window, self.fraction = number(args[3], "a temperature"), number(args[4], "a fraction")
        if self.window < 0.0:
            raise InputError(f"fix temp/rescale: the window is {args[3]}", "give 0 or more: how far temperatures may be off")

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), JUDGE]

    def end_of_step(self) -> None:
        system, heat = self.system, self.temperature
        parallel_for(system.space, 1, JUDGE, self.measured(), system.units.mvv2e, heat.dof * system.units.boltz,
                     system.space.control, *self.target.arguments(), self.window, self.fraction, self.factor, self.energy)
        self.scale_velocities()
