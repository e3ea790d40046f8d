"""Three components of a force: numbers, equal- or atom-style variables, for all atoms of a group or those in a region."""
# ruff: noqa: F821

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.computes.words.peratom import owned
from everlet.computes.words.references import needs, variables
from everlet.errors import InputError, number, one_of
from everlet.portable import View, f64, i32, i64, portable
from everlet.state.groups import Bit
from everlet.state.system import System


def virials(forces: np.ndarray, places: np.ndarray) -> np.ndarray:
    """Virials (n, 6) of forces (n, 3) at places (n, 3): xx yy zz xy xz yz."""
    return np.stack([forces[:, a] * places[:, b] for a, b in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))], axis=1)


@portable
def told(i: i64, mask: i32[:], bit: i32, each: f64[:, 4], fx: f64, fy: f64, fz: f64):
    """Whether atom i is meant, and its force."""
    meant = (mask[i] & bit) != 0
    if HOST:
        meant = meant and each[i, 3] != 0.0
        fx = each[i, 0]
        fy = each[i, 1]
        fz = each[i, 2]
    return meant, fx, fy, fz


class GivenForce:
    """What fixes that add or set forces are told: words such as `0.5 NULL v_NAME`, and a region.

    HOST 0 in kernels: constant[k] holds for all atoms of the group. HOST 1: rows of `each` have three numbers and 1 for atoms
    that are meant, 0 for others.
    """

    def __init__(self, system: System, words: list[str], user: str, null: bool = False):
        self.system, self.user, self.region = system, user, ""
        self.keeps = [null and word == "NULL" for word in words]
        self.names = [word[2:] if word.startswith("v_") else "" for word in words]
        self.constant = [0.0 if name or keep else number(word, f"a force of {user}")
                         for name, keep, word in zip(self.names, self.keeps, words, strict=True)]
        self.each = View((1, 4), np.float64, system.space)

    def in_region(self, name: str) -> None:
        self.region = one_of("region", name, self.system.regions)

    @property
    def flags(self) -> int:
        """Bit k: component k stays as it is."""
        return sum(1 << k for k, keep in enumerate(self.keeps) if keep)

    @property
    def on_host(self) -> bool:
        return bool(self.region) or any(self.names)

    def init(self) -> None:
        for name in filter(None, self.names):
            style = variables(self.system, name).style(name)
            if style not in ("equal", "internal", "atom"):
                raise InputError(f"{self.user}: variable '{name}' is of style {style}", "use an equal- or atom-style variable")
        if self.region and self.region not in self.system.regions:
            raise InputError(f"region {self.region} was removed while {self.user} uses it", "define it again")

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for name in self.names if name for need in needs(self.system, f"v_{name}", step))

    def of_atoms(self, name: str) -> Any:
        """A variable now: one number, or one for each atom of this rank."""
        known = variables(self.system, name)
        if known.style(name) == "atom":
            return owned(self.system, np.asarray(known.peratom(name)))
        return known.evaluate(name)

    def on_atoms(self, bit: Bit) -> np.ndarray:
        """Forces (n, 3) on atoms of a group, on this rank; 0 on others."""
        atoms = self.system.atoms
        meant = (atoms.read("mask") & bit) != 0
        if not self.on_host:
            return meant[:, None] * np.array(self.constant)
        rows = self.now().get()[: atoms.n]
        return (meant * rows[:, 3])[:, None] * rows[:, :3]

    def now(self) -> View:
        """Rows of the present step."""
        atoms = self.system.atoms
        if not self.on_host:
            return self.each  # nobody reads it
        if self.each.shape[0] < atoms.n:
            self.each = View((atoms.capacity, 4), np.float64, self.system.space)
        rows = np.zeros((self.each.shape[0], 4))
        for k, name in enumerate(self.names):
            rows[: atoms.n, k] = self.of_atoms(name) if name else self.constant[k]
        rows[: atoms.n, 3] = 1.0
        if self.region:
            rows[: atoms.n, 3] = self.system.regions[self.region].inside(atoms.read("x"))
        self.each.put(rows)
        return self.each
