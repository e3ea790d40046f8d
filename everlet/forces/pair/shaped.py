"""What styles of pairs of ellipsoids have in common: shapes of types, and wells that belong to types, not to pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, number
from everlet.forces.pair.quantities import Quantity
from everlet.forces.pair.schemes.own import OwnStyle
from everlet.portable import Constants
from everlet.state.atom_styles import need_field

WELLS = ("well_ia", "well_ib", "well_ic", "well_ja", "well_jb", "well_jc")
well = Quantity("number", "length")


class Shaped(OwnStyle):
    """Base of these styles. Two spheres are points with a formula of their own, which alone `pair_modify shift` moves.

    pair_coeff I J number number e_ia e_ib e_ic e_ja e_jb e_jc [r_c]     wells belong to types I and J; 0 0 0 leaves them
    """

    shiftable = True

    def coeff(self, args: list[str]) -> None:
        super().coeff(args)
        turned = self.system.type_range(args[0]).start > self.system.type_range(args[1]).start
        for pair in (pair[::-1] if turned else pair for pair in self.type_pairs(args[0], args[1])):
            for kind, words in zip(pair, (args[4:7], args[7:10]), strict=True):
                found = [number(word, "a well depth") for word in words]
                if min(found) < 0.0:
                    raise InputError(f"pair_coeff {' '.join(args)}: a well depth below zero", "give three numbers above zero")
                if any(found):
                    self.wells[kind] = found

    def configure(self, args: list[str]) -> None:
        self.wells: dict[int, list[float]] = getattr(self, "wells", {})
        super().configure(args)

    def shapes(self) -> np.ndarray:
        """Half axes of each type; 0 of points."""
        atoms, n = self.system.atoms, self.system.ntypes
        kinds, shape = atoms.read("type"), atoms.read("shape")
        low, high = np.full((n + 1, 3), np.inf), np.zeros((n + 1, 3))
        np.minimum.at(low, kinds, shape)
        np.maximum.at(high, kinds, shape)
        low, high = -self.system.ranks.max(-low), self.system.ranks.max(high)
        for k in range(1, n + 1):
            if (low[k] < high[k]).any():
                raise InputError(f"pair style {self.name}: atoms of type {k} have different shapes", "give each shape a type")
        return high

    def each_type(self, shapes: np.ndarray, wells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Numbers of each type for the loop, and which types are spheres with a formula of their own."""
        raise NotImplementedError

    def init(self) -> None:
        for name in ("shape", "torque"):
            need_field(self.system.atoms, name, f"pair style {self.name}")
        n, shapes = self.system.ntypes, self.shapes()
        for k in range(1, n + 1):
            if k not in self.wells and (self.only is None or any(k in pair for pair in self.only)):
                raise InputError(f"pair style {self.name}: type {k} has no well depths", f"give pair_coeff {k} {k} with them")
        wells = np.array([[1.0] * 3, *(self.wells.get(k, [1.0] * 3) for k in range(1, n + 1))])
        numbers, self.round = self.each_type(shapes, wells)
        self.each = Constants(numbers.size, self.system.space)
        self.each.set(numbers.ravel())
        super().init()
        place = self.fields.index("round")
        self.table_array[:, :, place] = self.round[:, None] & self.round[None, :]

    def table(self, epsilon: float, sigma: float) -> dict[str, float]:
        return {"epsilon": epsilon, "sigma": sigma, "round": 0.0}

    def _plain(self, r2: float, i: int, j: int) -> tuple[float, float]:
        """Of two spheres, for pair_modify shift: others are not shifted."""
        p = dict(zip(self.fields, self.table_array[i, j].tolist(), strict=True))
        s6 = (p["sigma"] ** 2 / r2) ** 3 if self.round[i] and self.round[j] else 0.0
        return 24.0 * p["epsilon"] * s6 * (2.0 * s6 - 1.0) / r2, 4.0 * p["epsilon"] * s6 * (s6 - 1.0)

    def state(self) -> dict[str, Any]:
        return super().state() | {"wells": [[k, values] for k, values in self.wells.items()]}

    def restore(self, state: dict[str, Any]) -> None:
        super().restore(state)
        self.wells = {k: list(values) for k, values in state["wells"]}
