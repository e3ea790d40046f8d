"""Rotation of chunks about their centres of mass: moments of inertia, angular momentum, torque, angular velocity."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.chunk.base import Chunked, Members
from everlet.state.moments import SMALL_MOMENT


def arms(members: Members) -> np.ndarray:
    """From the centre of mass of its chunk to each atom, unwrapped."""
    x = members.x
    return x - members.means(x)[members.chunk]


def inertia(members: Members) -> np.ndarray:
    """xx yy zz xy yz xz of each chunk."""
    x, y, z = arms(members).T
    rows = np.stack([y * y + z * z, x * x + z * z, x * x + y * y, -x * y, -y * z, -x * z], axis=1)
    return members.sums(rows * members.m[:, None])


def spin(members: Members) -> np.ndarray:
    """Angular momentum of each chunk."""
    return members.sums(np.cross(arms(members), members.field("v")) * members.m[:, None])


def turning(members: Members) -> np.ndarray:
    """omega with L = I omega, none about an axis on which all atoms of a chunk are."""
    xx, yy, zz, xy, yz, xz = inertia(members).T
    tensors = np.stack([xx, xy, xz, xy, yy, yz, xz, yz, zz], axis=1).reshape(-1, 3, 3)
    moments, axes = np.linalg.eigh(tensors)
    along = np.einsum("cab,ca->cb", axes, spin(members))
    turns = moments > SMALL_MOMENT * np.maximum(moments.max(axis=1, initial=0.0), 0.0)[:, None]
    return np.einsum("cab,cb->ca", axes, np.divide(along, moments, out=np.zeros_like(along), where=turns))


@compute_style("inertia/chunk")
class InertiaChunk(Chunked):
    """compute ID group inertia/chunk CHUNK-ID: I_xx yy zz xy yz xz = sum m (d^2 delta - d d)."""

    usage = "compute ID group inertia/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        return inertia(self.members())


@compute_style("angmom/chunk")
class AngmomChunk(Chunked):
    """compute ID group angmom/chunk CHUNK-ID: sum m d x v."""

    usage = "compute ID group angmom/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        return spin(self.members())


@compute_style("torque/chunk")
class TorqueChunk(Chunked):
    """compute ID group torque/chunk CHUNK-ID: sum d x f."""

    usage = "compute ID group torque/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        members = self.members()
        return members.sums(np.cross(arms(members), members.field("f")))


@compute_style("omega/chunk")
class OmegaChunk(Chunked):
    """compute ID group omega/chunk CHUNK-ID: omega with L = I omega, none about an axis on which all atoms of a chunk are."""

    usage = "compute ID group omega/chunk CHUNK-ID"

    def array(self) -> np.ndarray:
        return turning(self.members())
