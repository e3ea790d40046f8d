"""Velocity Verlet of spheres that turn."""

from __future__ import annotations

from everlet.errors import InputError, arguments, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.integrators.nve import NVE
from everlet.portable import Kernel, add_row, f64, i32, local, parallel_for, portable, put_row, sqrt
from everlet.state.atom_styles import need_field
from everlet.state.groups import Bit
from everlet.state.system import System

BALL, DISC = 0.4, 0.5  # moment of inertia over m R^2
USAGE = "fix ID group nve/sphere [update dipole] [disc]"


@local
@portable
def spin_up(i, omega: f64[:, 3], torque: f64[:, 3], radius: f64[:], mass: f64[:], mask: i32[:], bit: i32, half: f64):
    """omega += half torque / (m R^2)."""
    if mask[i] & bit:
        k = half / (mass[i] * radius[i] * radius[i])
        add_row(omega, i, k * torque[i, 0], k * torque[i, 1], k * torque[i, 2])


@local
@portable
def turn_dipole(i, omega: f64[:, 3], mu: f64[:, 3], mask: i32[:], bit: i32, dt: f64):
    """mu += dt omega x mu, with the length that it had."""
    if mask[i] & bit:
        x = mu[i, 0]
        y = mu[i, 1]
        z = mu[i, 2]
        size = x * x + y * y + z * z
        if size > 0.0:
            px = x + dt * (omega[i, 1] * z - omega[i, 2] * y)
            py = y + dt * (omega[i, 2] * x - omega[i, 0] * z)
            pz = z + dt * (omega[i, 0] * y - omega[i, 1] * x)
            k = sqrt(size / (px * px + py * py + pz * pz))
            put_row(mu, i, k * px, k * py, k * pz)


def need_spheres(system: System, bit: Bit, user: str) -> None:
    """Refuse points."""
    need_field(system.atoms, "radius", user)
    atoms = system.atoms
    points = atoms.read("id")[((atoms.read("mask") & bit) != 0) & (atoms.read("radius") <= 0.0)]
    if len(points):
        raise InputError(f"{user} turns spheres, and atom {points[0]} is a point", "use set … diameter, or another group")


def words_of_spheres(system: System, args: list[str], user: str) -> tuple[float, bool, list[str]]:
    """Inertia over m R^2, whether dipoles turn, and the other words: `disc` and `update dipole` are taken out."""
    words = list(args)
    turns = "update" in words
    if turns:
        place = words.index("update")
        arguments(words[place + 1 : place + 2], 1, 1, "update dipole")
        one_of(f"what {user} can update", words[place + 1], ("dipole",), "use update dipole")
        words[place : place + 2] = []
        need_field(system.atoms, "mu", f"{user} update dipole")
    need_field(system.atoms, "radius", user)
    if "disc" in words and system.dimension != 2:
        raise InputError(f"{user} disc is for two dimensions", "leave out disc")
    return (DISC if "disc" in words else BALL), turns, [word for word in words if word != "disc"]


def turn(system: System, bit: Bit, inertia: float) -> None:
    """Half a step of omega."""
    atoms = system.atoms
    parallel_for(system.space, atoms.n, spin_up, atoms.view("omega", modify=True), atoms.view("torque"), atoms.view("radius"),
                 atoms.view("rmass"), atoms.view("mask"), bit, 0.5 * system.dt * system.units.ftm2v / inertia)


def turn_dipoles(system: System, bit: Bit) -> None:
    """A step of dipoles."""
    atoms = system.atoms
    parallel_for(system.space, atoms.n, turn_dipole, atoms.view("omega"), atoms.view("mu", modify=True), atoms.view("mask"),
                 bit, system.dt)


class Spinning(Fix):
    """A fix that turns spheres."""

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), Kernel(spin_up)]


@fix_style("nve/sphere")
class NVESphere(Spinning, NVE):
    """fix ID group nve/sphere [update dipole] [disc]: as fix nve, and omega += dt/2 torque / I in both halves, I = 2/5 m R^2;
    disc: m R^2/2. update dipole: dipoles turn with omega, mu += dt omega x mu, and keep their length."""

    reads = ("x", "v", "f", "omega", "torque", "radius", "rmass", "type", "mask")
    writes: tuple[str, ...] = ("x", "v", "omega")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.inertia, self.turns, rest = words_of_spheres(system, args, "fix nve/sphere")
        for word in rest:
            one_of("keyword of fix nve/sphere", word, ("disc", "update"), f"usage: {USAGE}")
        super().__init__(system, id, group, [])
        self.args = tuple(args)
        if self.turns:
            self.writes = (*self.writes, "mu")

    def init(self) -> None:
        need_spheres(self.system, self.bit, f"fix {self.id} nve/sphere")

    def initial_integrate(self) -> None:
        super().initial_integrate()
        turn(self.system, self.bit, self.inertia)
        if self.turns:
            turn_dipoles(self.system, self.bit)

    def final_integrate(self) -> None:
        super().final_integrate()
        turn(self.system, self.bit, self.inertia)
