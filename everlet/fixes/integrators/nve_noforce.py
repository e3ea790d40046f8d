"""Motion that forces do not change."""

from __future__ import annotations

from everlet.errors import arguments
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def drift(i, x: f64[:, 4], v: f64[:, 3], mask: i32[:], bit: i32, dt: f64):
    if mask[i] & bit:
        x[i, 0] += dt * v[i, 0]
        x[i, 1] += dt * v[i, 1]
        x[i, 2] += dt * v[i, 2]


DRIFT = Kernel(drift)


@fix_style("nve/noforce")
class NVENoForce(Fix):
    """fix ID group nve/noforce: x += dt v; velocities stay as they are."""

    steady = integrates = True
    reads: tuple[str, ...] = ("x", "v", "mask")
    writes: tuple[str, ...] = ("x",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 0, "fix ID group nve/noforce")

    def initial_integrate(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, DRIFT, atoms.view("x", modify=True), atoms.view("v"), atoms.view("mask"),
                     self.bit, self.system.dt)
