"""Constant temperature of ellipsoids that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.turning import Ellipsoids
from everlet.fixes.integrators.nvt import NVT


@fix_style("nvt/asphere")
class NVTAsphere(Ellipsoids, NVT):
    """fix ID group nvt/asphere temp TSTART TSTOP TDAMP [tchain N] [tloop N] [drag D]

    As fix nvt; the thermostat scales velocities and angular momenta, ID_temp is a compute temp/asphere.
    """

    name = "nvt"
