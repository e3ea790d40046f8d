"""Values of each bond."""

from __future__ import annotations

import numpy as np

from everlet.computes.base import compute_style
from everlet.computes.local.link_values import Links, LinkValues, Value
from everlet.state.topology import BOND


def length(links: Links) -> np.ndarray:
    return np.sqrt((links.way(1, 2) ** 2).sum(axis=1))


def _along(k: int) -> Value:
    return lambda links: links.way(1, 2)[:, k]


def _force(k: int) -> Value:
    return lambda links: -links.slopes[:, 1 + k]


def pull(links: Links) -> np.ndarray:
    """The force of a bond, positive where it pushes its atoms apart."""
    return -(links.slopes[:, 1:4] * links.way(1, 2)).sum(axis=1) / length(links)


class Motion:
    """How the two atoms of each bond move: with their centre of mass, along the bond, about each other."""

    def __init__(self, links: Links):
        v, masses = links.all.read("v"), links.system.masses_of(links.all)
        one, two = links.rows.T
        self.m1, self.m2 = masses[one], masses[two]
        self.mass, r = self.m1 + self.m2, length(links)
        self.centre = (self.m1[:, None] * v[one] + self.m2[:, None] * v[two]) / self.mass[:, None]
        self.away = (-links.way(1, 2) / r[:, None] * (v[two] - v[one])).sum(axis=1)  # speed along the bond
        self.reduced, self.mvv2e = self.m1 * self.m2 / self.mass, links.system.units.mvv2e
        across = ((v[two] - v[one]) ** 2).sum(axis=1) - self.away**2
        self.turn2 = np.maximum(across, 0.0) / r**2  # omega squared
        self.r = r

    def translation(self) -> np.ndarray:
        return 0.5 * self.mvv2e * self.mass * (self.centre**2).sum(axis=1)

    def vibration(self) -> np.ndarray:
        return 0.5 * self.mvv2e * self.reduced * self.away**2

    def rotation(self) -> np.ndarray:
        return 0.5 * self.mvv2e * self.reduced * self.r**2 * self.turn2


@compute_style("bond/local")
class BondLocal(LinkValues):
    """compute ID group bond/local WORD …: dist, dx dy dz (atom 1 less atom 2), engpot, force (positive: apart), fx fy fz (on
    atom 1), engvib engrot engtrans (kinetic energies), omega, velvib (speed apart), v_NAME (set dist VARIABLE)."""

    kind, sets = BOND, {"dist": length}
    values = {"dist": length, "dx": _along(0), "dy": _along(1), "dz": _along(2), "engpot": lambda links: links.slopes[:, 0],
              "force": pull, "fx": _force(0), "fy": _force(1), "fz": _force(2),
              "engvib": lambda links: Motion(links).vibration(), "engrot": lambda links: Motion(links).rotation(),
              "engtrans": lambda links: Motion(links).translation(), "omega": lambda links: np.sqrt(Motion(links).turn2),
              "velvib": lambda links: Motion(links).away}
