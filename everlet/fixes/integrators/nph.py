"""Constant enthalpy and pressure: as fix npt, without a thermostat for the atoms."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix


@fix_style("nph")
class NPH(PressureFix):
    """fix ID group nph iso|aniso|tri|x|y|z|xy|xz|yz PSTART PSTOP PDAMP … [ptemp T] …; outputs as those of fix npt."""

    name = "nph"
