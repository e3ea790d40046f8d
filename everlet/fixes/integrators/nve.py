"""Constant-energy time integration: velocity Verlet."""

from __future__ import annotations

from everlet.errors import no_arguments
from everlet.fixes.base import Fix, fix_style
from everlet.portable import Kernel, View, f64, i32, i64, local, parallel_for, portable, put_row
from everlet.state.groups import Bit
from everlet.state.masses import ByMass
from everlet.state.system import System

MOST_LENGTHS = 16  # of steps whose tables are kept


@portable
def set_velocity(i: i64, v: f64[:, 3], vx: f64, vy: f64, vz: f64):
    put_row(v, i, vx, vy, vz)


@portable
def kicked(i: i64, v: f64[:, 3], f: f64[:, 3], k: f64):
    """The velocity after a kick."""
    return v[i, 0] + k * f[i, 0], v[i, 1] + k * f[i, 1], v[i, 2] + k * f[i, 2]


@portable
def move_on(i: i64, x: f64[:, 4], v: f64[:, 3], vx: f64, vy: f64, vz: f64, dt: f64):
    """The atom has this velocity from now on and moves for dt. x is read before anything is written."""
    px = x[i, 0] + dt * vx
    py = x[i, 1] + dt * vy
    pz = x[i, 2] + dt * vz
    set_velocity(i, v, vx, vy, vz)
    x[i, 0] = px
    x[i, 1] = py
    x[i, 2] = pz


@local
@portable
def kick_drift(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], dt: f64):
    """v += dt/2 F/m; x += dt v. All is read before anything is written: a GPU then waits for memory once."""
    if mask[i] & bit:
        vx, vy, vz = kicked(i, v, f, kick[kind[i]])
        move_on(i, x, v, vx, vy, vz, dt)


@local
@portable
def kick(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:]):
    """v += dt/2 F/m."""
    if mask[i] & bit:
        vx, vy, vz = kicked(i, v, f, kick[kind[i]])
        set_velocity(i, v, vx, vy, vz)


class Kicks:
    """dt/2 / m, in the units of force and velocity, for kernels: by the kinds of `System.mass_kind`."""

    def __init__(self, system: System):
        self.system, self.table = system, ByMass(system, -1.0)
        self.others: dict[float, ByMass] = {}  # of steps of several lengths

    def by_mass(self, dt: float | None = None) -> View:
        """Of the timestep, or of another length."""
        if dt is None or dt == self.system.dt:
            return self.table.view(0.5 * self.system.dt * self.system.units.ftm2v)
        if len(self.others) > MOST_LENGTHS:  # the timestep changes
            self.others.clear()
        return self.others.setdefault(dt, ByMass(self.system, -1.0)).view(0.5 * dt * self.system.units.ftm2v)

    def give(self, bit: Bit, dt: float, moves: bool) -> None:
        """v += dt/2 F/m of a group; with `moves` x += dt v."""
        system, atoms = self.system, self.system.atoms
        own = atoms.view("v", modify=True), atoms.view("f"), system.mass_kind(), atoms.view("mask"), bit, self.by_mass(dt)
        if moves:
            parallel_for(system.space, atoms.n, kick_drift, atoms.view("x", modify=True), *own, dt)
        else:
            parallel_for(system.space, atoms.n, kick, *own)


@fix_style("nve")
class NVE(Fix):
    """fix ID group nve: v += dt/2 F/m, x += dt v, forces, v += dt/2 F/m."""

    steady = integrates = True
    reads: tuple[str, ...] = ("x", "v", "f", "type", "mask")
    writes: tuple[str, ...] = ("x", "v")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        no_arguments(args, "fix", "nve")
        self.kicks = Kicks(system)

    def kernels(self) -> list[Kernel]:
        return [Kernel(kick)]

    def initial_integrate(self) -> None:
        self.kicks.give(self.bit, self.system.dt, True)

    def final_integrate(self) -> None:
        self.kicks.give(self.bit, self.system.dt, False)

    def level_kick(self, dt: float, moves: bool, begins: bool) -> None:
        self.kicks.give(self.bit, dt, moves)
