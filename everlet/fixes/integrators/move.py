"""Atoms that move as they are told, whatever the forces are."""

from __future__ import annotations

import math

import numpy as np

from everlet.computes.words.columns import unwrapped
from everlet.errors import InputError, arguments, number, one_of, unknown
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.given_force import GivenForce
from everlet.fixes.integrators.nve import Kicks
from everlet.fixes.walls.faces import spacing
from everlet.portable import Kernel, View, f64, i32, i64, local, parallel_for, portable
from everlet.state.operation import Gives
from everlet.state.system import System

USAGE = ("fix ID group move linear VX VY VZ | wiggle AX AY AZ PERIOD | rotate PX PY PZ RX RY RZ PERIOD | "
         "transrot VX VY VZ PX PY PZ RX RY RZ PERIOD | variable v_DX v_DY v_DZ v_VX v_VY v_VZ [units lattice|box]")
WORDS = {"variable": 6, "linear": 3, "wiggle": 4, "rotate": 7, "transrot": 10}


@local
@portable
def carry(i, x: f64[:, 4], v: f64[:, 3], f: f64[:, 3], image: i32[:, 3], origin: f64[:, 3], kind: i32[:], mask: i32[:],
          bit: i32, kick: f64[:], dt: f64, box: f64[:], free: i64, way: f64[:]):
    """x = origin + way, v = its rate; components of bits `free` move as in fix nve."""
    if mask[i] & bit:
        if free & 1:
            v[i, 0] += kick[kind[i]] * f[i, 0]
            x[i, 0] += dt * v[i, 0]
        else:
            x[i, 0] = origin[i, 0] + way[0] - (box[3] * image[i, 0] + box[8] * image[i, 1] + box[7] * image[i, 2])
            v[i, 0] = way[3]
        if free & 2:
            v[i, 1] += kick[kind[i]] * f[i, 1]
            x[i, 1] += dt * v[i, 1]
        else:
            x[i, 1] = origin[i, 1] + way[1] - (box[4] * image[i, 1] + box[6] * image[i, 2])
            v[i, 1] = way[4]
        if free & 4:
            v[i, 2] += kick[kind[i]] * f[i, 2]
            x[i, 2] += dt * v[i, 2]
        else:
            x[i, 2] = origin[i, 2] + way[2] - box[5] * image[i, 2]
            v[i, 2] = way[5]


@local
@portable
def kick_free(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:], free: i64):
    """The second half of fix nve along axes of bits `free`."""
    if mask[i] & bit:
        k = kick[kind[i]]
        if free & 1:
            v[i, 0] += k * f[i, 0]
        if free & 2:
            v[i, 1] += k * f[i, 1]
        if free & 4:
            v[i, 2] += k * f[i, 2]


@local
@portable
def turn(i, x: f64[:, 4], v: f64[:, 3], image: i32[:, 3], origin: f64[:, 3], mask: i32[:], bit: i32, box: f64[:], way: f64[:],
         about: f64[:]):
    """x = P + c + a cos wt + (r x a) sin wt + way; c and a: parts of origin - P along the axis r and across. about: P, r,
    cos wt, sin wt, w; way: a shift and its rate."""
    if mask[i] & bit:
        rx = about[3]
        ry = about[4]
        rz = about[5]
        dx = origin[i, 0] - about[0]
        dy = origin[i, 1] - about[1]
        dz = origin[i, 2] - about[2]
        along = dx * rx + dy * ry + dz * rz
        ax = dx - along * rx
        ay = dy - along * ry
        az = dz - along * rz
        px = ax * about[6] + (ry * az - rz * ay) * about[7]
        py = ay * about[6] + (rz * ax - rx * az) * about[7]
        pz = az * about[6] + (rx * ay - ry * ax) * about[7]
        x[i, 0] = about[0] + along * rx + px + way[0] - (box[3] * image[i, 0] + box[8] * image[i, 1] + box[7] * image[i, 2])
        x[i, 1] = about[1] + along * ry + py + way[1] - (box[4] * image[i, 1] + box[6] * image[i, 2])
        x[i, 2] = about[2] + along * rz + pz + way[2] - box[5] * image[i, 2]
        v[i, 0] = about[8] * (ry * pz - rz * py) + way[3]
        v[i, 1] = about[8] * (rz * px - rx * pz) + way[4]
        v[i, 2] = about[8] * (rx * py - ry * px) + way[5]


CARRY, KICK_FREE, TURN = Kernel(carry), Kernel(kick_free), Kernel(turn)


@fix_style("move")
class Move(Fix):
    """fix ID group move linear VX VY VZ | wiggle AX AY AZ PERIOD | rotate PX PY PZ RX RY RZ PERIOD | transrot VX … PERIOD |
    variable v_DX v_DY v_DZ v_VX v_VY v_VZ [units lattice|box]

    Atoms are at x0 + V t, x0 + A sin(2 pi t / PERIOD), or turn about an axis R through P; NULL among V and A: that component
    moves as in fix nve. variable: at x0 + D with velocities V, equal- or atom-style, lengths in any units (on the host);
    without D as V says, without V velocities stay, without both as in fix nve. t and x0 (unwrapped) count from the definition;
    f_ID[1-3] of atoms: x0.
    """

    gives = Gives(columns=3)
    integrates = follows_steps = True
    reads, writes = ("x", "v", "f", "image", "type", "mask"), ("x", "v")
    keeps = ("origin_step",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.kind = args[0]
        one_of("motion of fix move", self.kind, WORDS, f"usage: {USAGE}")
        count = 1 + WORDS[self.kind]
        arguments(args[1:], WORDS[self.kind], WORDS[self.kind] + 2, USAGE)
        words, rest = args[1:count], args[count:]
        if rest and (rest[0] != "units" or len(rest) != 2):
            raise unknown("keyword of fix move", rest[0], ("units",), f"usage: {USAGE}")
        scales = spacing(system, rest, f"fix {id}")
        self.free, self.way = 0, np.zeros(3)
        self.given: GivenForce | None = None
        if self.kind == "variable":
            self._variables(words)
        elif self.kind != "rotate":
            nulls = self.kind != "transrot"
            self.free = sum(1 << k for k in range(3) if nulls and words[k] == "NULL")
            self.way = np.array([0.0 if self.free & 1 << k else scales[k] * number(words[k], "a motion") for k in range(3)])
        self.period = number(words[-1], "a period") if self.kind not in ("linear", "variable") else 1.0
        if self.period <= 0.0:
            raise InputError(f"fix move: the period must be above zero, found {words[-1]}", "correct it")
        self.turns = self.kind in ("rotate", "transrot")
        self.about = np.zeros(9)
        if self.turns:
            numbers = [number(word, "a coordinate") for word in words[-7:-1]]
            axis = np.array(numbers[3:])
            if not axis.any():
                raise InputError("fix move: the axis has no direction", "give RX RY RZ that are not all zero")
            self.about[:3], self.about[3:6] = numbers[:3] * scales, axis / np.sqrt((axis**2).sum())
        if system.dimension == 2 and (self.way[2] != 0.0 or self.about[3:5].any()):
            raise InputError("fix move would move atoms along z in 2d", "use 0 or NULL for z, and an axis along z")
        self.origin_step = system.step
        system.need_box()
        if not self.add_field("origin", width=3):
            meant = (system.atoms.read("mask") & self.bit) != 0
            system.atoms.edit(self.field("origin"))[:] = unwrapped(system) * meant[:, None]
        self.kicks = Kicks(system)
        self.numbers = View(6, np.float64, system.space)
        self.circle = View(9, np.float64, system.space)

    def _variables(self, words: list[str]) -> None:
        for word in words:
            if word != "NULL" and not word.startswith("v_"):
                raise InputError(f"fix move variable: '{word}' is no variable", "use v_NAME or NULL")
        self.given = GivenForce(self.system, words, f"fix {self.id}", null=True)
        self.free = sum(1 << k for k in range(3) if words[k] == words[k + 3] == "NULL")
        if self.system.dimension == 2 and not self.free & 4:
            raise InputError("fix move would move atoms along z in 2d", "use NULL for z")

    def init(self) -> None:
        if self.given is not None:
            self.given.init()

    def needs(self, step: int) -> tuple[str, ...]:
        return self.given.needs(step) if self.given is not None else ()

    def _follow(self) -> None:
        """Where variables say, on the host."""
        system, atoms, given = self.system, self.system.atoms, self.given
        assert given is not None
        rows = np.flatnonzero(atoms.read("mask") & self.bit)
        ways = [None if not name else np.broadcast_to(given.of_atoms(name), atoms.n)[rows] for name in given.names]
        x, v, f = atoms.edit("x"), atoms.edit("v"), atoms.read("f")
        back = atoms.read(self.field("origin")) - (unwrapped(system) - x[:, :3])
        kick = 0.5 * system.dt * system.units.ftm2v / system.masses_of()[rows]
        for axis, (way, speed) in enumerate(zip(ways[:3], ways[3:], strict=True)):
            if speed is not None:
                v[rows, axis] = speed
            if way is not None:
                x[rows, axis] = back[rows, axis] + way
                continue
            if speed is None:
                v[rows, axis] += kick * f[rows, axis]
            x[rows, axis] += system.dt * v[rows, axis]

    def kernels(self) -> list[Kernel]:
        if self.given is not None:
            return [KICK_FREE]
        return [TURN] if self.turns else [CARRY, KICK_FREE]

    def initial_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        if self.given is not None:
            self._follow()
            return
        t, w = (system.step - self.origin_step) * system.dt, 2.0 * math.pi / self.period
        wiggles = self.kind == "wiggle"
        shift, rate = (math.sin(w * t), w * math.cos(w * t)) if wiggles else (t, 1.0)
        self.numbers.put(np.concatenate([self.way * shift, self.way * rate]))
        x, v, image = atoms.view("x", modify=True), atoms.view("v", modify=True), atoms.view("image")
        origin, mask = atoms.view(self.field("origin")), atoms.view("mask")
        if self.turns:
            self.about[6:] = math.cos(w * t), math.sin(w * t), w
            self.circle.put(self.about)
            parallel_for(system.space, atoms.n, TURN, x, v, image, origin, mask, self.bit, system.box_view(), self.numbers,
                         self.circle)
        else:
            parallel_for(system.space, atoms.n, CARRY, x, v, atoms.view("f"), image, origin, system.mass_kind(), mask, self.bit,
                         self.kicks.by_mass(), system.dt, system.box_view(), self.free, self.numbers)

    def final_integrate(self) -> None:
        system, atoms = self.system, self.system.atoms
        if self.free:
            parallel_for(system.space, atoms.n, KICK_FREE, atoms.view("v", modify=True), atoms.view("f"), system.mass_kind(),
                         atoms.view("mask"), self.bit, self.kicks.by_mass(), self.free)

    def new_atoms(self, rows: np.ndarray) -> None:
        """Where they would have begun to be here now."""
        system, atoms = self.system, self.system.atoms
        rows = rows[(atoms.read("mask")[rows] & self.bit) != 0]
        t, w = (system.step - self.origin_step) * system.dt, 2.0 * math.pi / self.period
        place = unwrapped(system)[rows] - self.way * (math.sin(w * t) if self.kind == "wiggle" else t)
        if self.turns:
            (point, axis), c, s = (self.about[:3], self.about[3:6]), math.cos(w * t), math.sin(w * t)
            along = ((place - point) @ axis)[:, None] * axis
            across = place - point - along
            place = point + along + c * across - s * np.cross(axis, across)
        atoms.edit(self.field("origin"))[rows] = place

    def peratom(self) -> np.ndarray:
        return self.system.atoms.read(self.field("origin"))
