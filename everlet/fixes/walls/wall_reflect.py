"""Walls that throw atoms back."""

from __future__ import annotations

from everlet.fixes.base import Fix, fix_style
from everlet.fixes.walls.faces import faces
from everlet.portable import Kernel, f64, i32, i64, local, parallel_for, portable
from everlet.state.system import System

USAGE = "fix ID group wall/reflect xlo|xhi|ylo|yhi|zlo|zhi EDGE|PLACE|v_NAME … [units lattice|box]"


@local
@portable
def bounce(i, x: f64[:, 4], v: f64[:, 3], mask: i32[:], bit: i32, axis: i64, side: f64, place: f64, speed: f64):
    """x = 2 place - x, v = 2 speed - v of an atom behind the wall, along its axis."""
    if mask[i] & bit:
        p = x[i, axis]
        if side * (p - place) < 0.0:
            x[i, axis] = place + (place - p)
            v[i, axis] = 2.0 * speed - v[i, axis]


BOUNCE = Kernel(bounce)


@fix_style("wall/reflect")
class WallReflect(Fix):
    """fix ID group wall/reflect xlo|… EDGE|PLACE|v_NAME … [units lattice|box]: atoms that have moved behind a wall are
    mirrored, with their velocity across it. EDGE: where the box ends when the fix is defined."""

    steady = True
    reads, writes = ("x", "v", "mask"), ("x", "v")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        self.faces = faces(system, args, f"fix {id} (wall/reflect)", (), ("units",), USAGE)

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for face in self.faces for need in face.place.needs(step))

    def kernels(self) -> list[Kernel]:
        return [BOUNCE]

    def init(self) -> None:
        for face in self.faces:
            face.place.init()

    def post_integrate(self) -> None:
        atoms = self.system.atoms
        for face in self.faces:
            parallel_for(self.system.space, atoms.n, BOUNCE, atoms.view("x", modify=True), atoms.view("v", modify=True),
                         atoms.view("mask"), self.bit, face.axis, face.side, face.place.now(), 0.0)
