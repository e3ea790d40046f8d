"""Constant enthalpy and pressure of ellipsoids that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix
from everlet.fixes.integrators.nose_hoover.turning import Ellipsoids


@fix_style("nph/asphere")
class NPHAsphere(Ellipsoids, PressureFix):
    """fix ID group nph/asphere iso|aniso|… PSTART PSTOP PDAMP …

    As fix nph; atoms turn, too, and ID_temp is a compute temp/asphere.
    """

    name = "nph"
