"""Constant temperature and pressure of ellipsoids that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix
from everlet.fixes.integrators.nose_hoover.turning import Ellipsoids


@fix_style("npt/asphere")
class NPTAsphere(Ellipsoids, PressureFix):
    """fix ID group npt/asphere temp TSTART TSTOP TDAMP iso|aniso|… PSTART PSTOP PDAMP …

    As fix npt; the thermostat scales velocities and angular momenta, ID_temp is a compute temp/asphere.
    """

    name = "npt"
