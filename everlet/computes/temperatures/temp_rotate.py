"""Temperature without the motion of a group as a rigid body."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.motion.rotation import Body
from everlet.computes.temperatures.biased import Biased
from everlet.computes.words.columns import unwrapped
from everlet.errors import arguments
from everlet.state.system import System


@compute_style("temp/rotate")
class TempRotate(Biased):
    """compute ID group temp/rotate: as temp, of v - v_c - omega x (x - x_c), the velocity of the centre of mass and rotation
    about it taken off. N_f as for temp: compute_modify extra/dof 6 takes off those of a rotation, too."""

    reads = ("x", "image", "v", "type", "mask")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group temp/rotate")
        self.body: tuple[np.ndarray, np.ndarray, np.ndarray] | None = None

    def bias(self) -> np.ndarray:
        body = Body(self.system, self.bit)
        self.body = body.centre, body.velocity, body.angular_velocity()
        return self.bias_again()

    def bias_again(self) -> np.ndarray:
        if self.body is None:
            return self.bias()
        centre, velocity, omega = self.body
        return velocity + np.cross(omega, unwrapped(self.system) - centre)
