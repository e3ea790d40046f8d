"""Radii of gyration of a group and of chunks."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.computes.chunk.base import Chunked
from everlet.computes.motion.rotation import Body
from everlet.errors import InputError, arguments, unknown
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System


def products(d: np.ndarray) -> np.ndarray:
    """xx yy zz xy xz yz of rows."""
    x, y, z = d.T
    return np.stack([x * x, y * y, z * z, x * y, x * z, y * z], axis=1)


@compute_style("gyration")
class Gyration(Compute):
    """compute ID group gyration: c_ID = sqrt(sum m d^2 / sum m), d from the centre of mass, unwrapped; c_ID[1-6]: the mean
    products xx yy zz xy xz yz."""

    gives = Gives(scalar=INTENSIVE, vector=INTENSIVE, length=6)
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "compute ID group gyration")

    def vector(self) -> np.ndarray:
        body = Body(self.system, self.bit)
        return self.system.ranks.sum(body.m @ products(body.x - body.centre)) / (body.mass or 1.0)

    def scalar(self) -> float:
        return float(np.sqrt(self.vector()[:3].sum()))


@compute_style("gyration/chunk")
class GyrationChunk(Chunked):
    """compute ID group gyration/chunk CHUNK-ID [tensor]: c_ID[i] of each chunk; tensor: c_ID[i][1-6], its mean products."""

    usage, most = "compute ID group gyration/chunk CHUNK-ID [tensor]", 2

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.tensor = args[1:] == ["tensor"]
        if args[1:] and not self.tensor:
            raise unknown("keyword of compute gyration/chunk", args[1], ("tensor",))
        self.gives = Gives(array=INTENSIVE) if self.tensor else Gives(vector=INTENSIVE)

    def _tensors(self) -> np.ndarray:
        members = self.members()
        x = members.x
        return members.means(products(x - members.means(x)[members.chunk]))

    def array(self) -> np.ndarray:
        if not self.tensor:
            raise InputError(f"{self.user} gives a vector", f"use c_{self.id}[i], or add tensor")
        return self._tensors()

    def vector(self) -> np.ndarray:
        return np.sqrt(self._tensors()[:, :3].sum(axis=1))
