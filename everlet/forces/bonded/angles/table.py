"""Tabulated angles, from 0 to 180 degrees; forces/bonded/tabulated.py has the syntax."""

from __future__ import annotations

import math

from everlet.errors import InputError
from everlet.forces.bonded.base import AngleStyle, angle_style
from everlet.forces.bonded.tabulated import Rows, Tabulated


@angle_style("table")
class Table(Tabulated, AngleStyle):
    unit = math.pi / 180.0

    def check_rows(self, rows: Rows, path: str) -> None:
        if rows.x[0] != 0.0 or rows.x[-1] != 180.0:
            raise InputError(f"{path}: the table of an angle goes from 0 to 180 degrees, found {rows.x[0]:g} to {rows.x[-1]:g}",
                             "give all of it")
