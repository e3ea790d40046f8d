"""Temperature with velocities counted from that of the centre of mass."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import arguments
from everlet.state.system import System


@compute_style("temp/com")
class TempCOM(Biased):
    """compute ID group temp/com: as temp, of v - v_c, v_c = sum m v / sum m of the group. N_f as for temp."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group temp/com")

        self.mean: np.ndarray | None = None

    def bias(self) -> np.ndarray:
        atoms, m = self.system.atoms, np.where(self.members(), self.masses(), 0.0)
        total = self.system.ranks.sum(np.array([m.sum(), *(m @ atoms.read("v"))]))
        self.mean = total[1:] / total[0] if total[0] else np.zeros(3)
        return self.bias_again()

    def bias_again(self) -> np.ndarray:
        return self.bias() if self.mean is None else np.broadcast_to(self.mean, (self.system.atoms.n, 3))
