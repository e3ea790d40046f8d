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


def shape(tensors: np.ndarray) -> np.ndarray:
    """Of gyration tensors (n, 6): moments from the largest on, asphericity, acylindricity, relative shape anisotropy."""
    xx, yy, zz, xy, xz, yz = tensors.T
    whole = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=1).reshape(-1, 3, 3)
    a, b, c = np.linalg.eigvalsh(whole)[:, ::-1].T
    sphere, cylinder, total = a - 0.5 * (b + c), b - c, a + b + c
    anisotropy = (sphere**2 + 0.75 * cylinder**2) / np.where(total > 0.0, total, 1.0) ** 2
    return np.stack([a, b, c, sphere, cylinder, anisotropy], axis=1)


class OfAnother(Compute):
    """Base of those that look at a compute which is there when they are defined, `source`."""

    usage = ""
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, 1, self.usage)
        self.source = args[0]
        self.found()

    def found(self) -> Compute:
        """It, or the error that says what it should be."""
        raise NotImplementedError


@compute_style("gyration/shape")
class GyrationShape(OfAnother):
    """compute ID group gyration/shape GYRATION-ID: c_ID[1-3]: the moments of the tensor of a compute gyration, from the largest
    on; c_ID[4-6]: b = L1 - (L2 + L3) / 2, c = L2 - L3, (b^2 + 3/4 c^2) / (L1 + L2 + L3)^2."""

    gives = Gives(vector=INTENSIVE, length=6)
    usage = "compute ID group gyration/shape GYRATION-ID"

    def found(self) -> Gyration:
        found = self.system.computes.get(self.source)
        if not isinstance(found, Gyration):
            raise InputError(f"compute {self.id}: '{self.source}' is no compute gyration", "define one before it")
        return found

    def vector(self) -> np.ndarray:
        return shape(self.found().vector()[None])[0]


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


@compute_style("gyration/shape/chunk")
class GyrationShapeChunk(OfAnother):
    """compute ID group gyration/shape/chunk GYRATION-ID: c_ID[i][1-6] of each chunk of a compute gyration/chunk with tensor:
    what compute gyration/shape gives."""

    gives = Gives(array=INTENSIVE, width=6)
    usage = "compute ID group gyration/shape/chunk GYRATION-ID"

    def found(self) -> GyrationChunk:
        found = self.system.computes.get(self.source)
        if not isinstance(found, GyrationChunk) or not found.tensor:
            raise InputError(f"compute {self.id}: '{self.source}' is no compute gyration/chunk with tensor",
                             "define one before it: compute ID group gyration/chunk CHUNK-ID tensor")
        return found

    def needs(self, step: int) -> tuple[str, ...]:
        return self.found().needs(step)

    def array(self) -> np.ndarray:
        return shape(self.found().array())
