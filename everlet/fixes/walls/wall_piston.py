"""A piston: a wall that moves into the box and throws atoms on."""

from __future__ import annotations

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.walls.faces import spacing
from everlet.fixes.walls.wall_reflect import BOUNCE
from everlet.portable import Kernel, parallel_for
from everlet.state.system import System

USAGE = "fix ID group wall/piston zlo [pos Z] [vel V] [ramp] [units lattice|box]"


@fix_style("wall/piston")
class WallPiston(Fix):
    """fix ID group wall/piston zlo [pos Z] [vel V] [ramp] [units lattice|box]: atoms that are behind the piston, z < z_p, go on
    with z = 2 z_p - z and v_z = 2 v_p - v_z. z_p = Z + V t, v_p = V; with ramp v_p grows from 0 to V in the run and
    z_p = Z + v_p t / 2. t: the time since the run began (or that of `run … start`), so that each run has a push of its own.

    Z is 0 unless it is given.
    """

    steady = True
    reads, writes = ("x", "v", "mask"), ("x", "v")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        one_of("face of fix wall/piston", args[0], ("zlo",), "turn the system, so that the piston moves up along z")
        if system.need_box().periodic[2]:
            raise InputError(f"fix {id} (wall/piston): the box is periodic along z", "use boundary p p s")
        self.ramp, given, words = "ramp" in args, {"pos": 0.0, "vel": 0.0}, [word for word in args[1:] if word != "ramp"]
        scale = float(spacing(system, words, f"fix {id} (wall/piston)")[2])
        while words:
            word = words.pop(0)
            if word == "temp":
                raise InputError("fix wall/piston: keyword temp is not available", "use fix langevin with a group of its own")
            one_of("keyword of fix wall/piston", word, ("pos", "vel", "ramp", "units"), f"usage: {USAGE}")
            arguments(words[:1], 1, 1, USAGE)
            value = words.pop(0)
            if word != "units":
                given[word] = scale * number(value, "a place" if word == "pos" else "a velocity")
        self.place, self.speed = given["pos"], given["vel"]

    def kernels(self) -> list[Kernel]:
        return [BOUNCE]

    def motion(self) -> tuple[float, float]:
        """Where it is, and its velocity."""
        system = self.system
        steps = system.step - system.run_start
        speed = self.speed
        if self.ramp:
            speed *= steps / (system.run_stop - system.run_start)
        return self.place + (0.5 if self.ramp else 1.0) * speed * steps * system.dt, speed

    def post_integrate(self) -> None:
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, BOUNCE, atoms.view("x", modify=True), atoms.view("v", modify=True),
                     atoms.view("mask"), self.bit, 2, 1.0, *self.motion())
