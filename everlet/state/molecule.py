"""Molecule templates: a few atoms with their links, to be put in many places.

A template that is turned by an angle t about a unit axis a has its atoms, relative to their geometric centre, at R x, where R
follows from the quaternion (cos t/2, a sin t/2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from everlet.errors import InputError
from everlet.state.random import Marsaglia


@dataclass
class Template:
    """`x`, `type`, `q` and `molecule` of its atoms (None: not given), and links by kind: type and atoms, counted from 1."""

    name: str
    atoms: int
    x: np.ndarray | None = None
    type: np.ndarray | None = None
    q: np.ndarray | None = None
    molecule: np.ndarray | None = None
    links: dict[str, np.ndarray] = field(default_factory=dict)

    @property
    def molecules(self) -> int:
        """How many molecules it is."""
        return 1 if self.molecule is None else int(self.molecule.max(initial=1))

    def centred(self) -> np.ndarray:
        """Positions relative to the geometric centre."""
        assert self.x is not None
        return self.x - self.x.sum(axis=0) / self.atoms


def turned(angle: float, axis: np.ndarray) -> np.ndarray:
    """The rotation matrix of an angle about an axis, which need not have length 1."""
    length = math.sqrt(float((axis * axis).sum()))
    if length == 0.0:
        raise InputError("the axis of a rotation has no length", "give an axis such as 0 0 1")
    i, j, k = (float(value) * (1.0 / length) * math.sin(0.5 * angle) for value in axis)
    w = math.cos(0.5 * angle)
    return np.array([[w * w + i * i - j * j - k * k, 2.0 * i * j - 2.0 * k * w, 2.0 * j * w + 2.0 * i * k],
                     [2.0 * i * j + 2.0 * k * w, w * w - i * i + j * j - k * k, 2.0 * j * k - 2.0 * i * w],
                     [2.0 * i * k - 2.0 * j * w, 2.0 * j * k + 2.0 * i * w, w * w - i * i - j * j + k * k]])


def at_random(stream: Marsaglia, dimension: int) -> np.ndarray:
    """The next random rotation of a stream."""
    axis = np.array([0.0, 0.0, 1.0])
    if dimension == 3:
        axis = np.array([stream.uniform() - 0.5 for _ in range(3)])
    return turned(stream.uniform() * 2.0 * math.pi, axis)


def placed(template: Template, sites: np.ndarray, rotations: list[np.ndarray]) -> np.ndarray:
    """Positions (sites * atoms, 3) of copies with their centres on sites, one rotation for each."""
    x = template.centred()
    return np.concatenate([x @ rotation.T + site for site, rotation in zip(sites, rotations, strict=True)])
