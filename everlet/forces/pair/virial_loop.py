"""The virial of forces that are complete on owned atoms and ghosts: sum of x f over all of them.

Forces of pairs, triples, … of the atoms that a rank sees add up to zero, so it does not matter where positions are counted
from: from the first of them, which is near. One short loop gives what a sum over all pairs gives.
"""

from __future__ import annotations

from everlet.portable import Kernel, f64, portable


@portable
def virial_loop(i, x: f64[:, 4], f: f64[:, 3]):
    """xx yy zz xy xz yz of row i."""
    dx = x[i, 0] - x[0, 0]
    dy = x[i, 1] - x[0, 1]
    dz = x[i, 2] - x[0, 2]
    return dx * f[i, 0], dy * f[i, 1], dz * f[i, 2], dx * f[i, 1], dx * f[i, 2], dy * f[i, 2]


VIRIAL = Kernel(virial_loop, 6)
