"""Constant enthalpy and pressure of spheres that turn."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix
from everlet.fixes.integrators.nose_hoover.turning import Spheres


@fix_style("nph/sphere")
class NPHSphere(Spheres, PressureFix):
    """fix ID group nph/sphere iso|aniso|… PSTART PSTOP PDAMP … [update dipole] [disc]

    As fix nph; atoms turn, too, and ID_temp is a compute temp/sphere.
    """

    name = "nph"
