"""Velocity Verlet of ellipsoids that turn."""
# ruff: noqa: F821

from __future__ import annotations

from everlet.errors import InputError
from everlet.fixes.base import fix_style
from everlet.fixes.integrators.nve import NVE
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable, put_row
from everlet.state.atom_styles import need_field
from everlet.state.groups import Bit
from everlet.state.rotations import inertia_of, rates, spun, turned, unit4
from everlet.state.system import System


@local
@portable
def turn_ellipsoid(i, angmom: f64[:, 3], torque: f64[:, 3], quat: f64[:, 4], shape: f64[:, 3], mass: f64[:], mask: i32[:],
                   bit: i32, half: f64, dt: f64):
    """L += half torque; if MOVES, the frame turns for dt: q_1 in one step, q_2 in two, the second with the velocity in the
    middle, then 2 q_2 - q_1. If SPINS, it turns about its own axes z y x y z, for half, half, all, half and half of dt."""
    if mask[i] & bit:
        lx = angmom[i, 0] + half * torque[i, 0]
        ly = angmom[i, 1] + half * torque[i, 1]
        lz = angmom[i, 2] + half * torque[i, 2]
        put_row(angmom, i, lx, ly, lz)
        if MOVES or SPINS:
            w = quat[i, 0]
            x = quat[i, 1]
            y = quat[i, 2]
            z = quat[i, 3]
            i0, i1, i2 = inertia_of(mass[i], shape[i, 0], shape[i, 1], shape[i, 2])
            if MOVES:
                ox, oy, oz = rates(w, x, y, z, i0, i1, i2, lx, ly, lz)
                aw, ax, ay, az = turned(w, x, y, z, 0.5 * dt, ox, oy, oz)
                bw, bx, by, bz = turned(w, x, y, z, 0.25 * dt, ox, oy, oz)
                ox, oy, oz = rates(bw, bx, by, bz, i0, i1, i2, lx, ly, lz)
                bw, bx, by, bz = turned(bw, bx, by, bz, 0.25 * dt, ox, oy, oz)
                w, x, y, z = unit4(2.0 * bw - aw, 2.0 * bx - ax, 2.0 * by - ay, 2.0 * bz - az)
            if SPINS:
                w, z, x, y = spun(w, z, x, y, 0.5 * dt / i2, lz, lx, ly)
                w, y, z, x = spun(w, y, z, x, 0.5 * dt / i1, ly, lz, lx)
                w, x, y, z = spun(w, x, y, z, dt / i0, lx, ly, lz)
                w, y, z, x = spun(w, y, z, x, 0.5 * dt / i1, ly, lz, lx)
                w, z, x, y = spun(w, z, x, y, 0.5 * dt / i2, lz, lx, ly)
                w, x, y, z = unit4(w, x, y, z)
            quat[i, 0] = w
            quat[i, 1] = x
            quat[i, 2] = y
            quat[i, 3] = z


def _kernel(moves: bool, spins: bool) -> Kernel:
    return Kernel(turn_ellipsoid, statics=(("MOVES", moves), ("SPINS", spins)))


TURN = {moves: _kernel(moves, False) for moves in (False, True)}
SPIN = _kernel(False, True)


def need_ellipsoids(system: System, bit: Bit, user: str) -> None:
    """Refuse points."""
    need_field(system.atoms, "shape", user)
    atoms = system.atoms
    flat = ((atoms.read("mask") & bit) != 0) & (atoms.read("shape") <= 0.0).any(axis=1)
    if flat.any():
        raise InputError(f"{user} turns ellipsoids, and atom {atoms.read('id')[flat][0]} is a point",
                         "use set … shape, or another group")


def turn_frames(system: System, bit: Bit, kernel: Kernel, kick: float = 1.0) -> None:
    """Half a step of angular momenta, by that part of torques; with TURN[True] and SPIN a whole one of frames."""
    atoms = system.atoms
    parallel_for(system.space, atoms.n, kernel, atoms.view("angmom", modify=True), atoms.view("torque"),
                 atoms.view("quat", modify=True), atoms.view("shape"), atoms.view("rmass"), atoms.view("mask"), bit,
                 0.5 * kick * system.dt * system.units.ftm2v, system.dt)


@fix_style("nve/asphere")
class NVEAsphere(NVE):
    """fix ID group nve/asphere: as fix nve, and L += dt/2 torque in both halves; frames turn by Richardson's step."""

    reads = ("x", "v", "f", "angmom", "torque", "quat", "shape", "rmass", "type", "mask")
    writes = ("x", "v", "angmom", "quat")
    turns = TURN[True]  # frames, in the first half

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        need_field(system.atoms, "shape", f"fix {id}")

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), TURN[False]]

    def init(self) -> None:
        need_ellipsoids(self.system, self.bit, f"fix {self.id} {self.style}")

    def initial_integrate(self) -> None:
        super().initial_integrate()
        turn_frames(self.system, self.bit, self.turns)

    def final_integrate(self) -> None:
        super().final_integrate()
        turn_frames(self.system, self.bit, TURN[False])
