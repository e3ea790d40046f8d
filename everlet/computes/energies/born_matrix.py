"""Second derivatives of the energy with strain: the Born part of elastic constants.

    compute ID all born/matrix [pair]
    compute ID all born/matrix numdiff DELTA VIRIAL-ID      the same numbers; both words are read and change nothing

C_ab,cd = sum over pairs (u'' - u'/r) / r^2 d_a d_b d_c d_d, 21 numbers in the order 11 22 33 44 55 66 12 13 14 15 16 23 24 25
26 34 35 36 45 46 56, with 1 = xx, 2 = yy, 3 = zz, 4 = yz, 5 = xz, 6 = xy; not divided by the volume. u'' is the slope of the
force (PairsNear.slopes).
"""

from __future__ import annotations

import numpy as np

from everlet.computes.base import Compute, compute_style
from everlet.errors import InputError, arguments, number, unknown
from everlet.forces.pair.single import PairsNear
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

VOIGT = ((0, 0), (1, 1), (2, 2), (1, 2), (0, 2), (0, 1))
PLACES = [(k, k) for k in range(6)] + [(a, b) for a in range(6) for b in range(a + 1, 6)]
OTHERS = ("bond", "angle", "dihedral", "improper")


@compute_style("born/matrix")
class BornMatrix(Compute):
    gives = Gives(vector=INTENSIVE, length=21)  # as in the reference: a sum that thermo_modify norm does not divide
    copies_scale = False

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        if group != "all":
            raise InputError("compute born/matrix is for group all", "use compute ID all born/matrix")
        self.given = bool(args) and args[0] != "numdiff"
        if args[:1] == ["numdiff"]:
            arguments(args, 3, 3, "compute ID all born/matrix numdiff DELTA VIRIAL-ID")
            if number(args[1], "a strain") <= 0.0 or args[2] not in system.computes:
                raise InputError(f"compute born/matrix numdiff {args[1]} {args[2]}",
                                 "give a strain above 0 and a compute pressure NULL virial")
        for word in args if self.given else ():
            if word in OTHERS:
                raise InputError(f"compute born/matrix: the part of {word}s is not available",
                                 "use compute ID all born/matrix pair")
            if word != "pair":
                raise unknown("contribution of compute born/matrix", word, ("pair", "numdiff"))

    def vector(self) -> np.ndarray:
        system, user = self.system, f"compute {self.id}"
        if system.pair is None:
            raise InputError(f"{user}: there is no pair style", "give pair_style before it")
        left = [name for name, style in system.bonded.items() if style is not None]
        if left and not self.given:
            raise InputError(f"{user}: the part of {left[0]}s is not available", "use compute ID all born/matrix pair")
        if system.kspace is not None:
            raise InputError(f"{user}: the part of the long-range solver is not available", "use a pair style without long")
        found = PairsNear(system, user)
        force, slope = found.slopes()
        factor = (-slope + force / np.sqrt(found.r2)) / found.r2
        products = np.stack([found.d[:, a] * found.d[:, b] for a, b in VOIGT])
        whole = (products * factor) @ products.T
        return np.asarray(system.ranks.sum(np.array([whole[a, b] for a, b in PLACES])))
