"""Values of each angle, dihedral and improper. Angles are in degrees."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.local.link_values import Links, LinkValues
from everlet.state.topology import ANGLE, DIHEDRAL, IMPROPER


def dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a * b).sum(axis=1)


def size(a: np.ndarray) -> np.ndarray:
    return np.sqrt(dot(a, a))


def theta(links: Links) -> np.ndarray:
    one, three = links.way(1, 2), links.way(3, 2)
    return np.degrees(np.arccos(np.clip(dot(one, three) / (size(one) * size(three)), -1.0, 1.0)))


def phi(links: Links) -> np.ndarray:
    """-180 to 180; trans is 180."""
    one, middle, last = links.way(1, 2), -links.way(3, 2), links.way(4, 3)
    a, b = np.cross(one, middle), np.cross(last, middle)
    scale = np.maximum(size(a) * size(b), 1e-300)
    sine = size(middle) * dot(a, last) / scale
    return np.degrees(np.arctan2(sine, np.clip(dot(a, b) / scale, -1.0, 1.0)))


def chi(links: Links) -> np.ndarray:
    """Between the planes 1 2 3 and 2 3 4, 0 to 180."""
    return np.abs(phi(links))


@compute_style("angle/local")
class AngleLocal(LinkValues):
    """compute ID group angle/local WORD …: theta, eng, v_NAME (set theta VARIABLE)."""

    sets = {"theta": lambda links: np.radians(theta(links))}
    kind, values = ANGLE, {"theta": theta, "eng": lambda links: links.slopes[:, 0]}


@compute_style("dihedral/local")
class DihedralLocal(LinkValues):
    """compute ID group dihedral/local WORD …: phi, v_NAME (set phi VARIABLE)."""

    sets = {"phi": lambda links: np.radians(phi(links))}
    kind, values = DIHEDRAL, {"phi": phi}


@compute_style("improper/local")
class ImproperLocal(LinkValues):
    """compute ID group improper/local chi."""

    kind, values = IMPROPER, {"chi": chi}
