"""Temperature of the atoms in a region."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import InputError, arguments, one_of
from everlet.state.system import System


@compute_style("temp/region")
class TempRegion(Biased):
    """compute ID group temp/region REGION: of the atoms of the group that are in the region now; N_f = d N - extra, and what
    fixes remove is not taken off. For thermostats velocities of other atoms do not count."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, "compute ID group temp/region REGION")
        self.region = args[0]
        one_of("region", self.region, system.regions)

    @property
    def recounts(self) -> bool:
        return True

    def degrees(self, count: float) -> float:
        return max(self.system.dimension * count - self.extra, 0)

    def _inside(self) -> np.ndarray:
        if self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while compute {self.id} uses it", f"uncompute {self.id} first")
        return self.system.regions[self.region].inside(self.system.atoms.read("x"))

    def counting(self) -> np.ndarray:
        return self.members() & self._inside()

    def bias(self) -> np.ndarray:
        return np.where(self._inside()[:, None], 0.0, self.system.atoms.read("v"))
