"""Stress through planes across an edge of the box (Todd, Evans and Daivis, PRE 52, 1627, 1995).

    conf    1/A sum of the forces of pairs that have one atom on each side of the plane, on the one above
    kin     1/(A dt) sum of m v of atoms that have come through the plane in the last step, minus that of those that came down
    total   both

x, y and z of each, in units of pressure. v is the velocity in the middle of the step. A plane is there with its images. Only
the pair style has forces here; one atom of a pair must be of the group, and the atoms that move.
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute
from everlet.errors import InputError, number, one_of, unknown
from everlet.forces.pair.single import PairsNear
from everlet.state.topology import KINDS

PARTS = ("total", "conf", "kin")
BONDED = ("bond", "angle", "dihedral", "improper")


class Planes(Compute):
    """Base: which direction, where, and what is asked for."""

    def begin(self, way: str, place: str, words: list[str]) -> float:
        """The first plane."""
        system = self.system
        one_of(f"direction of compute {self.style}", way, ("x", "y", "z"))
        self.axis = "xyz".index(way)
        for word in words:
            if word in BONDED:
                raise InputError(f"compute {self.style}: '{word}' is not available: forces of pairs alone are known by pairs",
                                 "use conf and kin")
            if word not in PARTS:
                raise unknown(f"part of compute {self.style}", word, PARTS)
        self.parts = words
        box = system.need_box()
        if box.triclinic:
            raise InputError(f"compute {self.style} is for boxes that are not tilted", "use compute stress/atom and chunks")
        low, high = float(box.lo[self.axis]), float(box.hi[self.axis])
        known = {"lower": low, "center": 0.5 * (low + high), "upper": high}
        first = known[place] if place in known else number(place, "a coordinate")
        if not low <= first <= high:
            raise InputError(f"compute {self.style}: a plane at {place} is outside of the box", f"give {low:g} to {high:g}")
        return first

    def through(self, planes: np.ndarray) -> dict[str, np.ndarray]:
        """(planes, 3) of each part."""
        system, box = self.system, self.system.need_box()
        area = box.volume / box.lengths[self.axis]
        pairs, moved = np.zeros((len(planes), 3)), np.zeros((len(planes), 3))
        if {"conf", "total"} & set(self.parts):
            self._pairs(planes, pairs)
        if {"kin", "total"} & set(self.parts):
            self._moved(planes, moved)
        both = system.ranks.sum(np.concatenate([pairs, moved]).ravel()).reshape(2, len(planes), 3)
        both *= system.units.nktv2p / area
        return {"conf": both[0], "kin": both[1], "total": both[0] + both[1]}

    def _pairs(self, planes: np.ndarray, sums: np.ndarray) -> None:
        system = self.system
        if system.pair is None:
            raise InputError(f"compute {self.id}: there is no pair style", "give pair_style before it")
        if "total" in self.parts and any(system.bonded.get(kind) is not None for kind in KINDS):
            raise InputError(f"compute {self.id}: a total would be without bonds and angles", "use conf and kin")
        found = PairsNear(system, f"compute {self.id}")
        found = found.only(((found.masks & self.bit) != 0).any(axis=1))
        force = found.values()[0][:, None] * found.d
        start = system.atoms.read("x")[found.rows, self.axis]
        self._crossed(planes, start - found.d[:, self.axis], start, force, sums)

    def _moved(self, planes: np.ndarray, sums: np.ndarray) -> None:
        system, atoms = self.system, self.system.atoms
        mine = (atoms.read("mask") & self.bit) != 0
        system.fresh.need()
        masses = system.masses_of()[mine][:, None]
        v = atoms.read("v")[mine] - 0.5 * system.dt * system.units.ftm2v * atoms.read("f")[mine] / masses
        x = atoms.read("x")[mine, self.axis]
        self._crossed(planes, x - system.dt * v[:, self.axis], x, system.units.mvv2e / system.dt * masses * v, sums)

    def _crossed(self, planes: np.ndarray, start: np.ndarray, end: np.ndarray, values: np.ndarray, sums: np.ndarray) -> None:
        """Add values of what goes through planes, minus those of what comes down."""
        length = self.system.need_box().lengths[self.axis] if self.system.need_box().periodic[self.axis] else np.inf
        low, high, sign = np.minimum(start, end), np.maximum(start, end), np.sign(end - start)
        for place, row in zip(planes, sums, strict=True):
            if np.isfinite(length):
                times = np.maximum(np.ceil((high - place) / length) - np.floor((low - place) / length) - 1.0, 0.0)
            else:
                times = ((low < place) & (high > place)).astype(float)
            row += (times * sign) @ values
