"""Stochastic velocity rescaling: Bussi, Donadio, Parrinello, J. Chem. Phys. 126, 014101 (2007)."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.base import fix_style
from everlet.fixes.thermostats.base import Stochastic
from everlet.portable import Kernel, View, exp, f64, i64, log, parallel_for, portable, sqrt
from everlet.state.clock import ramped
from everlet.state.control import STEP
from everlet.state.random import Marsaglia
from everlet.state.ranmar import WORDS, next_gaussian, next_uniform
from everlet.state.system import System

FEW = 6  # a gamma number of lower order is a product of uniform ones
SMALLEST, LOWEST = 1e-5, -700.0  # numbers below that are drawn again
TINY, LARGE = 2.2250759805e-308, 708.4


@portable
def gamma_number(order: i64, state: i64[:]):
    """Of whole order, by rejection from a Lorentzian."""
    found = 0.0
    if order >= 1 and order < FEW:
        product = 1.0
        for _ in range(order):
            product *= next_uniform(state)
        found = LARGE
        if product >= TINY:
            found = -log(product)
    if order >= FEW:
        a = f64(order) - 1.0
        s = sqrt(2.0 * a + 1.0)
        accepted = False
        while not accepted:
            u = next_uniform(state)
            w = 2.0 * next_uniform(state) - 1.0
            if u * u + w * w <= 1.0 and u > 0.0:
                y = w / u
                found = s * y + a
                if found > 0.0 and u >= SMALLEST:
                    power = a * log(found / a) - s * y
                    if power >= LOWEST:
                        accepted = next_uniform(state) <= (1.0 + y * y) * exp(power)
    return found


@portable
def resample(i, sums: f64[:], mvv2e: f64, dof: f64, boltz: f64, control: i64[:], start: f64, stop: f64, begin: i64, end: i64,
             keep: f64, state: i64[:], kept: f64[:], factor: f64[:], energy: f64[:]):
    """keep: exp(-dt/tau). The factor of velocities, and the energy that they lose by it."""
    twice = mvv2e * (sums[0] + sums[1] + sums[2])
    share = 0.0
    if twice > 0.0:
        share = (1.0 - keep) * ramped(control[STEP], start, stop, begin, end) * boltz / twice
    first = next_gaussian(state, kept)
    others = i64(dof) - 1
    squares = 0.0
    if others % 2 == 1:
        odd = next_gaussian(state, kept)
        squares = odd * odd
    if others > 1:
        squares += 2.0 * gamma_number(others // 2, state)
    square = keep + share * (first * first + squares) + 2.0 * first * sqrt(keep * share)
    factor[0] = sqrt(square) if twice > 0.0 else 1.0
    energy[0] += 0.5 * twice * (1.0 - square)


RESAMPLE = Kernel(resample)


@fix_style("temp/csvr")
class CSVR(Stochastic):
    """fix ID group temp/csvr T_START T_STOP DAMP SEED: with c = exp(-dt/DAMP), g = (1-c) T_target/(T N_f) and normal numbers r,
    v *= sqrt(c + g sum r^2 + 2 r_1 sqrt(c g)) at the end of a step. The numbers are those of LAMMPS (RANMAR)."""

    name = "temp/csvr"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.stream, self.second = View(WORDS + 1, np.int64, system.space), View(2, np.float64, system.space)
        self.stream.put([*Marsaglia(self.seed).mark(), 0])

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), RESAMPLE]

    def end_of_step(self) -> None:
        system, heat = self.system, self.temperature
        parallel_for(system.space, 1, RESAMPLE, self.measured(), system.units.mvv2e, heat.dof, system.units.boltz,
                     system.space.control, *self.target.arguments(), float(np.exp(-system.dt / self.damp)), self.stream,
                     self.second, self.factor, self.energy)
        self.scale_velocities()

    def state(self) -> dict[str, Any]:
        return super().state() | {"stream": self.stream.get().tolist(), "kept": self.second.get().tolist()}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.stream.put(state["stream"])
        self.second.put(state["kept"])
