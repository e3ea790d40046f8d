"""Spheres and ellipsoids under chains and barostats: they turn, and what they turn with is scaled as velocities are."""

from __future__ import annotations

from everlet.fixes.integrators.nose_hoover.chain import SCALE
from everlet.fixes.integrators.nose_hoover.motion import RESCALE
from everlet.fixes.integrators.nose_hoover.thermostat import NoseHoover
from everlet.fixes.integrators.nve_asphere import TURN, need_ellipsoids, turn_frames
from everlet.fixes.integrators.nve_sphere import Spinning, need_spheres, turn, turn_dipoles, words_of_spheres
from everlet.portable import Kernel, parallel_for
from everlet.state.atom_styles import need_field
from everlet.state.system import System


class Turning(NoseHoover):
    """Put before NVT or PressureFix. `spins`: the field of angular velocities or momenta."""

    turns = True
    spins = ""

    def turn(self, moves: bool) -> None:
        """Half a step of `spins`; with `moves` a whole one of directions."""
        raise NotImplementedError

    def initial_integrate(self) -> None:
        super().initial_integrate()
        self.turn(True)

    def final_integrate(self) -> None:
        self.turn(False)
        super().final_integrate()

    def _scale(self, half: int) -> None:
        super()._scale(half)
        system, atoms = self.system, self.system.atoms
        if self.chain is not None:
            parallel_for(system.space, atoms.n, RESCALE, atoms.view(self.spins, modify=True), atoms.view("mask"), self.bit,
                         self.chain.state, half * self.chain.size + SCALE, atoms.view("type"), 0)


class Spheres(Spinning, Turning):
    """With the words `disc` and `update dipole` of fix nve/sphere; ID_temp is a compute temp/sphere."""

    heat_style, spins = "temp/sphere", "omega"
    reads = ("x", "v", "f", "type", "mask", "omega", "torque", "radius", "rmass")
    writes: tuple[str, ...] = ("x", "v", "omega")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        self.inertia, self.dipoles, rest = words_of_spheres(system, args, f"fix {self.name}/sphere")
        super().__init__(system, id, group, rest)
        self.args = tuple(args)
        if self.dipoles:
            self.writes = (*self.writes, "mu")

    def init(self) -> None:
        super().init()
        need_spheres(self.system, self.bit, f"fix {self.id} {self.name}/sphere")

    def turn(self, moves: bool) -> None:
        turn(self.system, self.bit, self.inertia)
        if moves and self.dipoles:
            turn_dipoles(self.system, self.bit)


class Ellipsoids(Turning):
    """Frames turn as those of fix nve/asphere; ID_temp is a compute temp/asphere."""

    heat_style, spins = "temp/asphere", "angmom"
    reads = ("x", "v", "f", "type", "mask", "angmom", "torque", "quat", "shape", "rmass")
    writes = ("x", "v", "angmom", "quat")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        need_field(system.atoms, "shape", f"fix {self.name}/asphere")
        super().__init__(system, id, group, args)

    def kernels(self) -> list[Kernel]:
        return [*super().kernels(), TURN[False]]

    def init(self) -> None:
        super().init()
        need_ellipsoids(self.system, self.bit, f"fix {self.id} {self.name}/asphere")

    def turn(self, moves: bool) -> None:
        turn_frames(self.system, self.bit, TURN[moves])
