"""Velocity Verlet whose forces see velocities that were foreseen, for dissipative particles."""

from __future__ import annotations

from everlet.errors import InputError, arguments, number
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.integrators.nve import Kicks, kicked, set_velocity
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable
from everlet.state.system import System


@local
@portable
def foresee(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], half: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:],
            dt: f64, part: f64):
    """half = v + dt/2 F/m, x += dt half, v += part dt/2 F/m."""
    if mask[i] & bit:
        k = kick[kind[i]]
        px, py, pz = kicked(i, v, f, k)
        vx, vy, vz = kicked(i, v, f, part * k)
        half[i, 0] = px
        half[i, 1] = py
        half[i, 2] = pz
        set_velocity(i, v, vx, vy, vz)
        x[i, 0] += dt * px
        x[i, 1] += dt * py
        x[i, 2] += dt * pz


@local
@portable
def come_back(i, v: f64[:, 3], f: f64[:, 3], half: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:]):
    """v = half + dt/2 F/m."""
    if mask[i] & bit:
        px, py, pz = kicked(i, half, f, kick[kind[i]])
        set_velocity(i, v, px, py, pz)


FORESEE, COME_BACK = Kernel(foresee), Kernel(come_back)


@fix_style("mvv/dpd")
class MvvDpd(Fix):
    """fix ID group mvv/dpd [LAMBDA]: x += dt v + dt^2/2 F/m, forces F' with v + LAMBDA dt F/m, v += dt/2 (F + F')/m (Groot and
    Warren, J. Chem. Phys. 107, 4423, 1997). LAMBDA: 0.5, as fix nve, unless given; 0 to 1."""

    steady = integrates = True
    reads, writes = ("x", "v", "f", "type", "mask"), ("x", "v")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 0, 1, "fix ID group mvv/dpd [LAMBDA]")
        self.part = number(args[0], "a part of the step") if args else 0.5
        if not 0.0 <= self.part <= 1.0:
            raise InputError(f"fix mvv/dpd {args[0]}", "give a number of 0 to 1, such as 0.65")
        self.kicks = Kicks(system)
        self.add_field("half", width=3)

    def kernels(self) -> list[Kernel]:
        return [COME_BACK]

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, FORESEE, atoms.view("x", modify=True), atoms.view("v", modify=True),
                     atoms.view("f"), atoms.view(self.field("half"), modify=True), system.mass_kind(), atoms.view("mask"),
                     self.bit, self.kicks.by_mass(), system.dt, 2.0 * self.part)

    def final_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        parallel_for(system.space, atoms.n, COME_BACK, atoms.view("v", modify=True), atoms.view("f"),
                     atoms.view(self.field("half")), system.mass_kind(), atoms.view("mask"), self.bit, self.kicks.by_mass())
