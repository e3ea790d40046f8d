"""Constant temperature of spheres that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.turning import Spheres
from everlet.fixes.integrators.nvt import NVT


@fix_style("nvt/sphere")
class NVTSphere(Spheres, NVT):
    """fix ID group nvt/sphere temp TSTART TSTOP TDAMP [tchain N] [tloop N] [drag D] [update dipole] [disc]

    As fix nvt; the thermostat scales velocities and angular velocities, ID_temp is a compute temp/sphere.
    """

    name = "nvt"
