"""Formulas of a script, of phi; forces/bonded/formulas.py has the syntax."""

from __future__ import annotations

import math
from typing import Any

from everlet.forces.bonded.base import DihedralStyle, dihedral_style
from everlet.forces.bonded.formulas import Lepton
from everlet.portable import where


@dihedral_style("lepton")
class DihedralLepton(Lepton, DihedralStyle):
    coordinate = "phi"

    def place(self, at: Any, p: Any) -> Any:
        return where(at < 0.0, at + 2.0 * math.pi, at)
