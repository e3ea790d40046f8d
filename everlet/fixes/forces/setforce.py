"""Forces that are set to given values."""

from __future__ import annotations

import numpy as np

from everlet.fixes.base import fix_style
from everlet.fixes.forces.given import Setting
from everlet.fixes.given_force import told
from everlet.portable import Kernel, View, f64, i32, i64, parallel_reduce, portable, put_row
from everlet.portable.sums import ADD_UP
from everlet.state.system import System


@portable
def set_force(i, f: f64[:, 3], mask: i32[:], bit: i32, keep: i64, fx: f64, fy: f64, fz: f64, each: f64[:, 4]):
    """The force on one atom before it is set, or zeros."""
    x = 0.0
    y = 0.0
    z = 0.0
    meant, fx, fy, fz = told(i, mask, bit, each, fx, fy, fz)
    if meant:
        x = f[i, 0]
        y = f[i, 1]
        z = f[i, 2]
        put_row(f, i, x if keep & 1 else fx, y if keep & 2 else fy, z if keep & 4 else fz)
    return x, y, z


@fix_style("setforce")
class SetForce(Setting):
    """fix ID group setforce FX FY FZ [region ID]: numbers, NULL (this component stays), v_NAME. f_ID[1-3]: the sum before."""

    name, usage = "setforce", "fix ID group setforce FX FY FZ [region ID]"

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.before = View(3, np.float64, system.space)
        self.inner: dict[int, View] = {}  # the same of levels below the last

    @property
    def holds(self) -> bool:
        """Atoms of the group have no force at all."""
        return not (self.given.on_host or self.given.flags or any(self.given.constant))

    @property
    def levels(self) -> str:  # type: ignore[override]
        """Forces of the outer level are set, those of others are 0."""
        return "" if self.given.on_host else "every"

    def init(self) -> None:
        super().init()
        self.inner = {}

    def _kernel(self) -> Kernel:
        return Kernel(set_force, sums=3, statics=(("HOST", int(self.given.on_host)),))

    def kernels(self) -> list[Kernel]:
        return [self._kernel(), ADD_UP]

    def post_force(self) -> None:
        self._set(self.given.constant, self.before)

    def post_force_of(self, level: int) -> None:
        self._set([0.0, 0.0, 0.0], self.inner.setdefault(level, View(3, np.float64, self.system.space)))

    def _set(self, values: list[float], before: View) -> None:
        atoms, given = self.system.atoms, self.given
        parallel_reduce(self.system.space, atoms.n, self._kernel(), atoms.view("f", modify=True), atoms.view("mask"), self.bit,
                        given.flags, *values, given.now(), into=before)

    def vector(self) -> np.ndarray:
        return self.over_ranks(sum((one.get() for one in self.inner.values()), self.before.get()))
