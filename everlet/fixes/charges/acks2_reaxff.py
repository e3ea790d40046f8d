"""Charges of atoms whose bonds let them pass."""

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.charges.condensed import Condensed
from everlet.fixes.charges.iterations import Iterations
from everlet.fixes.charges.parameters import read_parameters, soft_of_pair
from everlet.fixes.charges.qeq_reaxff import QeqReaxff
from everlet.state.system import System


@fix_style("acks2/reaxff", "acks2/reax")
class Acks2Reaxff(QeqReaxff):
    """fix ID group acks2/reaxff EVERY INNER OUTER TOLERANCE reaxff|FILE [maxiter N] [nowarn]: atom-condensed Kohn-Sham theory
    to second order, Verstraelen et al., J. Chem. Phys. 138, 074108 (2013); O'Hearn et al., SIAM J. Sci. Comput. 42, C1 (2020).

    Charges q have the matrix H of qeq/reaxff, and pass along bonds alone, driven by differences of potentials u:

        q_i = sum_j X_ij (u_i - u_j),  X_ij = soft y^3 (1 - y)^6, y = r/reach < 1;   H q + u + mu = -chi,  sum u = 0

    so that molecules that are far from each other are neutral. soft and the reach of two types, the mean of both, are those of
    pair_style reaxff, which adds the energies of potentials, or of a file: a line with `soft`, then lines
    `type chi eta gamma reach`. Atoms outside of the group have the potential 0, and charges do not pass to them.

    f_ID: products of the matrix H and a vector of the last time. Solutions of earlier steps go into restart files.
    """

    name = "acks2/reaxff"
    guesses = ()
    soft = np.nan
    solver: Condensed

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.add_field("u", ghost="borders")
        self.potential = self.solver.potential = self.field("u")

    @property
    def histories(self) -> dict[str, int]:
        return {"s": 4}

    def make_solver(self, tolerance: float, most: int) -> Iterations:
        return Condensed(self.system, self.matrix, tolerance, most)

    def read(self, path: str) -> np.ndarray:
        found, self.soft = read_parameters(path, self.system.ntypes, 4, self.name, "the softness of bonds")
        return found

    def init(self) -> None:
        super().init()
        soft = self.soft if self.file else soft_of_pair(self.system)
        if not soft > 0.0:
            raise InputError(f"fix {self.id} {self.name}: the softness of bonds is {soft:g}",
                             "it must be above zero: use a force field for acks2, or fix qeq/reaxff")
        reach = np.nan_to_num(self.parameters()[:, 3])
        reach = 0.5 * (reach[:, None] + reach[None, :])
        farthest = float(reach[1:, 1:].max())
        if not 0.0 < farthest <= self.matrix.high:
            raise InputError(f"fix {self.id} {self.name}: soft bonds reach {farthest:g}, charges {self.matrix.high:g} Angstrom",
                             "soft bonds reach somewhere, and no farther than the outer radius of the fix")
        self.solver.bonds.high, self.solver.bonds.numbers = farthest, (float(soft), 0.0)
        with np.errstate(divide="ignore"):
            self.solver.bonds.use(np.where(reach > 0.0, 1.0 / reach, 0.0))
