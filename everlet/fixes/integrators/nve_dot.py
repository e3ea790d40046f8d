"""Velocity Verlet of ellipsoids that turn about their own axes, one after the other."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve_asphere import SPIN, NVEAsphere


@fix_style("nve/dot")
class NVEDot(NVEAsphere):
    """fix ID group nve/dot: as fix nve/asphere, but frames turn about their own axes z, y, x, y, z, each time by the momentum
    about that axis, which keeps L, and the energy over long times (Miller et al., J. Chem. Phys. 116, 8649 (2002))."""

    turns = SPIN
