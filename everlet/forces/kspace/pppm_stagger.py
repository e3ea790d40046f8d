"""PPPM with two meshes, half a cell apart along all axes, and the mean of both: most errors of one are those of the other with
the opposite sign, so that a coarser mesh will do (Cerutti, Duke, Darden, Lybrand, J. Chem. Theory Comput. 5, 2322 (2009)).

    kspace_style pppm/stagger ACCURACY

The influence function divides by (S^2 + T^2)/2 where that of pppm divides by S^2; S: the sum of U^2 over all aliases, T: the
same with the sign (-1)^(mx + my + mz). The mesh is the one of pppm for the same accuracy: forces are better than asked for.
kspace_modify mesh gives a coarser one.
"""

from __future__ import annotations

import math

from everlet.forces.kspace.base import kspace_style
from everlet.forces.kspace.pppm import Pppm


@kspace_style("pppm/stagger")
class PppmStagger(Pppm):
    title, staggered = "PPPM/Stagger", True
    four_pi = 4.0 * math.pi
