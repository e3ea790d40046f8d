"""E = K (theta - theta0)^2, and the repulsion of atoms 1 and 3.   angle_coeff TYPE K theta0 (degrees)

The repulsion is the energy of pair style lj/spica below its minimum, with eps added (bonded/one_four.py).
"""

from __future__ import annotations

import numpy as np

from everlet.forces.bonded.angles.harmonic import Harmonic
from everlet.forces.bonded.base import angle_style


@angle_style("spica", "sdk")
class Spica(Harmonic):
    def weights(self, types: list[int]) -> np.ndarray:
        found = np.zeros(self.system.topology.types["angle"] + 1)
        found[types] = 1.0
        return found
