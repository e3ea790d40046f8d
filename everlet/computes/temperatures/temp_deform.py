"""Temperature with velocities counted from the flow of a box that deforms."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import arguments
from everlet.state.system import System


@compute_style("temp/deform")
class TempDeform(Biased):
    """compute ID group temp/deform: as temp, with velocities counted from the flow of fix deform at the place of the atom,
    H' s + lo', where s are fractions of the box and H', lo' the rates of its shape and of its low corner; 0 without the fix."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group temp/deform")

    def bias(self) -> np.ndarray:
        system, x = self.system, self.system.atoms.read("x")[:, :3]
        return system.flow.velocity(system.need_box(), x) if system.flow is not None else np.zeros_like(x)
