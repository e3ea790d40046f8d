"""Tabulated bonds; forces/bonded/tabulated.py has the syntax. A bond outside of its table stops the run."""

from __future__ import annotations

from everlet.forces.bonded.base import BondStyle, bond_style
from everlet.forces.bonded.tabulated import Tabulated, smooth, straight
from everlet.portable import either, portable, sqrt, where


@portable
def lines(r, p, data):
    return straight(r, p, data)


@portable
def curves(r, p, data):
    return smooth(r, p, data)


@bond_style("table")
class Table(Tabulated, BondStyle):
    formulas = {"linear": lines, "spline": curves}
    complaint = "the longest one; one is outside of its table of"

    @portable
    def alarm(r2, p):
        t = (sqrt(r2) - p.lo) * p.inverse
        return where(either(t < 0.0, t > p.last + 1.0), 2.0, 0.0)
