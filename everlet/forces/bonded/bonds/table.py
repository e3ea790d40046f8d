"""Tabulated bonds; forces/bonded/tabulated.py has the syntax. A bond outside of its table stops the run."""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.tabulated import Tabulated
from everlet.portable import either, portable, sqrt, where


@bond_style("table")
class Table(Tabulated, BondStyle):
    complaint = "the longest one; one is outside of its table of"

    @portable
    def alarm(r2, p):
        t = (sqrt(r2) - p.lo) * p.inverse
        return where(either(t < 0.0, t > p.last + 1.0), 2.0, 0.0)
