"""Forces that are shared out evenly among the atoms of a group."""
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.forces.given import Setting
from everlet.portable import Kernel, View, f64, i32, i64, local, parallel_for, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.system import System


@portable
def force_sum(i, f: f64[:, 3], mask: i32[:], bit: i32, each: f64[:, 4]):
    """The force on one atom that is meant, and 1; or zeros."""
    one = 0.0
    if mask[i] & bit:
        one = 1.0
        if HOST:
            one = each[i, 3]
    return one * f[i, 0], one * f[i, 1], one * f[i, 2], one


@local
@portable
def give_share(i, f: f64[:, 3], mask: i32[:], bit: i32, keep: i64, fx: f64, fy: f64, fz: f64, each: f64[:, 4], sums: f64[:]):
    meant = (mask[i] & bit) != 0
    if HOST:
        meant = meant and each[i, 3] != 0.0
    if meant:
        if (keep & 1) == 0:
            f[i, 0] = sums[0] / sums[3] + fx
        if (keep & 2) == 0:
            f[i, 1] = sums[1] / sums[3] + fy
        if (keep & 4) == 0:
            f[i, 2] = sums[2] / sums[3] + fz


@fix_style("aveforce")
class AveForce(Setting):
    """fix ID group aveforce FX FY FZ [region ID]: every atom gets the mean force plus a value: numbers, NULL (this component
    stays), v_NAME (equal style). f_ID[1-3]: the sum before."""

    name, usage = "aveforce", "fix ID group aveforce FX FY FZ [region ID]"
    levels = ""

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.sums = View(4, np.float64, system.space)

    def _kernels(self) -> tuple[Kernel, Kernel]:
        statics = (("HOST", int(bool(self.given.region))),)
        return Kernel(force_sum, sums=4, statics=statics), Kernel(give_share, statics=statics)

    def kernels(self) -> list[Kernel]:
        return [*self._kernels(), ADD_UP]

    def init(self) -> None:
        super().init()
        for name in filter(None, self.given.names):
            if self.system.variables.style(name) == "atom":
                raise InputError(f"fix {self.id}: variable '{name}' is of style atom", "use an equal-style variable")

    def post_force(self) -> None:
        system, atoms, given = self.system, self.system.atoms, self.given
        measure, share = self._kernels()
        value = [given.of_atoms(name) if name else given.constant[k] for k, name in enumerate(given.names)]
        each = given.now() if given.region else given.each
        parallel_reduce(system.space, atoms.n, measure, atoms.view("f"), atoms.view("mask"), self.bit, each, into=self.sums)
        if system.ranks.size > 1:
            self.sums.put(system.ranks.sum(self.sums.get()))
        parallel_for(system.space, atoms.n, share, atoms.view("f", modify=True), atoms.view("mask"), self.bit, given.flags,
                     *value, each, self.sums)

    def vector(self) -> np.ndarray:
        return self.sums.get()[:3]
