"""PPPM of systems in which few atoms have charges. Here it is PPPM: atoms without a charge add nothing and feel nothing.

    kspace_style pppm/cg ACCURACY [SMALLQ]              charges below SMALLQ, 1e-5, are left out; those must be 0
"""

from __future__ import annotations

from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.charged_few import ChargedFew
from everlet.forces.kspace.pppm import Pppm


@kspace_style("pppm/cg")
class PppmCg(ChargedFew, Pppm):
    pass
