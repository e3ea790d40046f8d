"""Charge equilibration of shielded charges."""

from __future__ import annotations

from typing import Any

from everlet.fixes.base import fix_style
from everlet.fixes.charges import matrix_loops
from everlet.fixes.charges.qeq_point import QeqPoint


@fix_style("qeq/shielded")
class QeqShielded(QeqPoint):
    """fix ID group qeq/shielded EVERY CUTOFF TOLERANCE MAXITER FILE|reaxff [warn yes|no]:
    H_ij = 14.4 T(r/CUTOFF) / (r^3 + (gamma_i gamma_j)^(-3/2))^(1/3), T = 20 x^7 - 70 x^6 + 84 x^5 - 35 x^4 + 1."""

    coupling: Any = staticmethod(matrix_loops.tapered)
    shielded = True
