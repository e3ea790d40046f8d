"""The well of styles cosine/shift/exp: E = -Umin (exp(-a U) - 1) / (exp(a) - 1), U = -[1 + cos(x - x0)] / 2.

Below |a| = 0.001 it is its expansion to first order in a.
"""

from __future__ import annotations

import math
from typing import Any

from everlet.forces.pair.formulas import Values
from everlet.portable import cos, exp, where


def deepened(umin: float, a: float) -> Values:
    """Parameters but for the place of the minimum."""
    small = abs(a) < 0.001
    return {"small": float(small), "a": a, "scale": 0.0 if small else umin / math.expm1(a), "umin": umin}


def well(away: Any, p: Any) -> Any:
    """Of the angle from the minimum."""
    c = cos(away)
    line = -0.125 * p.umin * (1.0 + c) * (4.0 + p.a * (c - 1.0))
    return where(p.small > 0.5, line, -p.scale * (exp(0.5 * p.a * (1.0 + c)) - 1.0))
