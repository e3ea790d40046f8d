"""Multilevel summation of systems in which few atoms have charges: the same, as atoms without a charge add and feel nothing.

    kspace_style msm/cg ACCURACY [SMALLQ]              charges below SMALLQ, 1e-5, are left out; those must be 0
"""

from __future__ import annotations

from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.charged_few import ChargedFew
from everlet.forces.kspace.msm import Msm


@kspace_style("msm/cg")
class MsmCg(ChargedFew, Msm):
    pass
