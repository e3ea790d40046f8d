"""Stress through one plane."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.stress.planes import Planes
from everlet.errors import arguments
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

USAGE = "compute ID group stress/mop x|y|z lower|center|upper|COORDINATE total|conf|kin ..."


@compute_style("stress/mop")
class StressMop(Planes):
    """compute ID group stress/mop x|y|z lower|center|upper|COORDINATE total|conf|kin …: c_ID[1-3] of the first of these,
    c_ID[4-6] of the second … (planes.py)"""

    style = "stress/mop"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 3, None, USAGE)
        self.place = self.begin(args[0], args[1], args[2:])
        self.gives = Gives(vector=INTENSIVE, length=3 * len(self.parts))

    def vector(self) -> np.ndarray:
        found = self.through(np.array([self.place]))
        return np.concatenate([found[part][0] for part in self.parts])
