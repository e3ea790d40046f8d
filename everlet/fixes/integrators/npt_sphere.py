"""Constant temperature and pressure of spheres that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix
from everlet.fixes.integrators.nose_hoover.turning import Spheres


@fix_style("npt/sphere")
class NPTSphere(Spheres, PressureFix):
    """fix ID group npt/sphere temp TSTART TSTOP TDAMP iso|aniso|… PSTART PSTOP PDAMP … [update dipole] [disc]

    As fix npt; the thermostat scales velocities and angular velocities, ID_temp is a compute temp/sphere.
    """

    name = "npt"
