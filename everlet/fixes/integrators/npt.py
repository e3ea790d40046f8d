"""Constant temperature and pressure."""

from __future__ import annotations

from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nose_hoover.pressure import PressureFix


@fix_style("npt")
class NPT(PressureFix):
    """fix ID group npt temp TSTART TSTOP TDAMP iso|aniso|tri|x|y|z|xy|xz|yz PSTART PSTOP PDAMP … [couple …] …

    f_ID      energy that atoms have lost to chains and barostat
    f_ID[k]   values of the links and their rates; strains and strain rates (1, 3 or 6: iso, aniso, tri); values of the links
              of the barostat and their rates; potential and kinetic energies of each in this order; energy of strain
    """

    name = "npt"
