"""Temperature with velocities counted from a ramp."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.temperatures.biased import Biased
from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.state.system import System

USAGE = "compute ID group temp/ramp vx|vy|vz VLO VHI x|y|z CLO CHI [units lattice|box]"


@compute_style("temp/ramp")
class TempRamp(Biased):
    """compute ID group temp/ramp vx|vy|vz VLO VHI x|y|z CLO CHI [units lattice|box]: as temp, where one component is counted
    from VLO + (VHI - VLO) (x - CLO) / (CHI - CLO), which stays at its ends beyond them."""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 6, 8, USAGE)
        if args[6:7] not in ([], ["units"]):
            raise unknown("keyword of compute temp/ramp", args[6], ("units",), f"usage: {USAGE}")
        units = "".join(args[7:]) if len(args) > 6 else "lattice"
        one_of("units of compute temp/ramp", units, ("lattice", "box"))
        for word, words in ((args[0], ("vx", "vy", "vz")), (args[3], ("x", "y", "z"))):
            one_of("component of compute temp/ramp", word, words, f"usage: {USAGE}")
        self.component, self.axis = "xyz".index(args[0][1]), "xyz".index(args[3])
        if system.dimension == 2 and args[0] == "vz":
            raise InputError("compute temp/ramp: there is no vz in two dimensions", "use vx or vy")
        spacing = system.lattice.spacing if units == "lattice" and system.lattice is not None else np.ones(3)
        self.velocities = [float(spacing[self.component]) * number(word, "a velocity") for word in args[1:3]]
        self.ends = [float(spacing[self.axis]) * number(word, "a coordinate") for word in args[4:6]]
        if self.ends[0] == self.ends[1]:
            raise InputError("compute temp/ramp begins and ends at the same place", f"usage: {USAGE}")

    def bias(self) -> np.ndarray:
        (slow, fast), (low, high) = self.velocities, self.ends
        share = np.clip((self.system.atoms.read("x")[:, self.axis] - low) / (high - low), 0.0, 1.0)
        found = np.zeros((len(share), 3))
        found[:, self.component] = slow + share * (fast - slow)
        return found
