"""Langevin's thermostat for rigid bodies: drag and noise of a temperature T act on centres and on turning.

    F = -M V / tau + sqrt(24 k T M / (tau dt)) (u - 1/2),    T_k = -I_k w_k / tau + sqrt(24 k T I_k / (tau dt)) (u - 1/2)

about each axis k of a body; u are numbers of LAMMPS (RANMAR), three and three for each body.
"""

from __future__ import annotations

import numpy as np

from everlet.fixes.ramp import Ramp
from everlet.fixes.rigid.kernels import E, J, M, V, W
from everlet.state.random import Marsaglia
from everlet.state.system import System


class Noise:
    def __init__(self, system: System, words: tuple[str, str, float, int]):
        first, last, self.damp, seed = words
        self.system, self.target = system, Ramp(system, first, last, "a temperature")
        self.stream = Marsaglia(seed)

    def draw(self, body: np.ndarray) -> np.ndarray:
        """Forces and torques (bodies, 6), for the present velocities."""
        units, dt = self.system.units, self.system.dt
        u = self.stream.uniforms(6 * len(body)).reshape(-1, 6) - 0.5
        size = np.sqrt(24.0 * units.boltz * self.target.now() / (self.damp * dt * units.mvv2e)) / units.ftm2v
        drag = 1.0 / (self.damp * units.ftm2v)
        mass, moments, axes = body[:, M, None], body[:, J : J + 3], body[:, E : E + 9].reshape(-1, 3, 3)
        found = np.empty((len(body), 6))
        found[:, :3] = -drag * mass * body[:, V : V + 3] + size * np.sqrt(mass) * u[:, :3]
        turning = np.einsum("nkj,nj->nk", axes, body[:, W : W + 3])
        torque = -drag * moments * turning + size * np.sqrt(moments) * u[:, 3:]
        found[:, 3:] = np.einsum("nkj,nk->nj", axes, torque)
        if self.system.dimension == 2:
            found[:, 2:5] = 0.0
        return found
