"""E = f(theta123) f(theta234) V(phi): V from a table as that of dihedral style table, f(t) = K up to theta1, and beyond

    f(t) = K [1 - (t - theta1)^2 / (theta2 - theta1)^2]

    dihedral_style table/cut linear|spline N
    dihedral_coeff TYPE aat K theta1 theta2 FILE KEYWORD      (degrees; of angles that get straight, 180 for theta2)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, number
from everlet.forces.bonded.base import dihedral_style
from everlet.forces.bonded.dihedrals.table import Table
from everlet.portable import most, portable
from everlet.state.text import shortest


@portable
def fading(v, theta123, theta234, p):
    a = most(theta123 - p.theta1, 0.0)
    b = most(theta234 - p.theta1, 0.0)
    return p.k2 * (1.0 - p.per2 * a * a) * (1.0 - p.per2 * b * b) * v


@dihedral_style("table/cut")
class TableCut(Table):
    shape = fading

    def settings(self, args: list[str]) -> None:
        super().settings(args)
        self.cuts: dict[int, tuple[float, float, float]] = {}

    def coeff(self, args: list[str]) -> None:
        arguments(args, 7, 7, "dihedral_coeff TYPE aat K theta1 theta2 FILE KEYWORD")
        if args[1] != "aat":
            raise InputError(f"dihedral style table/cut: 'aat' comes before K, found '{args[1]}'", "write aat")
        k, theta1, theta2 = (number(word, name) for word, name in zip(args[2:5], ("K", "theta1", "theta2"), strict=True))
        if not theta1 < theta2 <= 180.0:
            raise InputError(f"dihedral style table/cut: theta2 is above theta1 and at most 180, found {theta1:g} and "
                             f"{theta2:g}", "correct them")
        super().coeff([args[0], *args[5:]])
        for type in self.system.topology.type_range(self.kind, args[0]):
            self.cuts[type] = k, theta1, theta2

    def numbers(self, types: list[int] | None = None) -> tuple[tuple[str, ...], np.ndarray]:
        names, table = super().numbers(types)
        more = np.zeros((len(table), 3))
        for type, (k, theta1, theta2) in self.cuts.items():
            more[type] = k * k, math.radians(theta1), math.radians(theta2 - theta1) ** -2
        return (*names, "k2", "theta1", "per2"), np.hstack([table, more])

    def data_coeffs(self, part: str = "") -> list[str]:
        return [" ".join([str(type), *self._words(type)]) for type in sorted(self.files)] if not part else []

    def _words(self, type: int) -> list[str]:
        return ["aat", *map(shortest, self.cuts[type]), *self.files[type]]

    def state(self) -> dict[str, Any]:
        return {**super().state(), "files": [[type, *self._words(type)] for type in self.files]}

    def restore(self, state: dict[str, Any]) -> None:
        for type, *words in state["files"]:
            self.coeff([str(type), *words])
