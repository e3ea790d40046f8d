"""Transparent walls that give atoms the velocities of a flow."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from everlet.errors import InputError, arguments, integer, number, one_of
from everlet.fixes.base import Fix, fix_style
from everlet.fixes.walls.faces import spacing
from everlet.portable import Constants, Kernel, erfc, exp, f64, i32, i64, parallel_for, portable, put_row, sqrt
from everlet.portable.random import normals, uniforms
from everlet.state.control import STEP
from everlet.state.random import Marsaglia
from everlet.state.system import System

USAGE = "fix ID group wall/flow x|y|z SPEED T SEED N PLACE … [units lattice|box]"
HALVINGS = 60
ROOT = 0.7071067811865476  # of 1/2
NORMAL = 0.3989422804014327  # 1 / sqrt(2 pi)


@portable
def share(velocity: f64, flow: f64, width: f64):
    """The integral of u f(u) from below up to a velocity, f a normal distribution about the flow."""
    z = (velocity - flow) / width
    return flow * 0.5 * erfc(-ROOT * z) - width * NORMAL * exp(-0.5 * z * z)


@portable
def through(part: f64, flow: f64, width: f64):
    """The velocity of which this part of all atoms that come through a wall has a lower one: their distribution is |u| f(u)."""
    below = share(0.0, flow, width)
    wanted = part * (flow - 2.0 * below)
    low = flow - 12.0 * width
    high = flow + 12.0 * width
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        found = -share(middle, flow, width)
        if middle > 0.0:
            found = share(middle, flow, width) - 2.0 * below
        if found < wanted:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


@portable
def between(place: f64, walls: f64[:], count: i64):
    """How many walls are below a place."""
    found = 0
    for k in range(count):
        if place >= walls[k]:
            found += 1
    return found


@portable
def cross(i, x: f64[:, 4], v: f64[:, 3], kind: i32[:], mass: f64[:], mask: i32[:], bit: i32, id: i64[:], where: f64[:],
          walls: f64[:], count: i64, axis: i64, flow: f64, heat: f64, seed: i64, control: i64[:]):
    """Atoms that are between other walls than before get new velocities; DRAWS: otherwise it is only noted where they are.
    walls: their places, behind them lower face and edge of the box; heat: k T in units of m v^2."""
    if mask[i] & bit:
        lo = walls[count]
        edge = walls[count + 1]
        place = x[i, axis]
        if place < lo:
            place += edge
        if place >= lo + edge:
            place -= edge
        now = f64(between(place, walls, count))
        if DRAWS:  # noqa: F821
            if now != where[i]:
                width = sqrt(heat / mass[kind[i]])
                a, b, c, d = normals(seed, id[i], control[STEP], 0)
                u, p, q, r = uniforms(seed, id[i], control[STEP], 1)
                put_row(v, i, width * a, width * b, width * c)
                v[i, axis] = through(u, flow, width)
        where[i] = now


NOTE, CROSS = (Kernel(cross, statics=(("DRAWS", draws), ("HALVINGS", HALVINGS), ("ROOT", ROOT), ("NORMAL", NORMAL)))
               for draws in (False, True))


@fix_style("wall/flow")
class WallFlow(Fix):
    """fix ID group wall/flow x|y|z SPEED T SEED N PLACE … [units lattice|box]: atoms that come through one of N walls, or
    through the face of the box there, are taken for others of a flow of this speed and temperature.

    Along the walls their velocities are normal with the variance s^2 = k T / m, across them they have the distribution
    |u| exp(-(u - SPEED)^2 / 2 s^2) (Pavlov et al., PPAM 2022). Positions stay. Numbers are those of SEED, the id and the step.
    """

    steady = follows_clock = True
    reads, writes = ("x", "v", "type", "mask", "id"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 6, None, USAGE)
        self.axis = "xyz".index(one_of("axis of fix wall/flow", args[0], tuple("xyz")))
        self.flow, self.temperature = number(args[1], "a velocity"), number(args[2], "a temperature")
        self.seed, count = integer(args[3], "a seed"), integer(args[4], "a number of walls")
        Marsaglia(self.seed)  # refuses seeds that are too small or large
        places, words = args[5 : 5 + count], args[5 + count :]
        if count < 1 or len(places) < count or len(words) not in (0, 2) or words and words[0] != "units":
            raise InputError(f"fix {id} wall/flow: {args[4]} walls, then {' '.join(args[5:])}", f"usage: {USAGE}")
        scale = spacing(system, words, f"fix {id}")[self.axis]
        self.places = [float(scale) * number(word, "a place") for word in places]
        if self.temperature <= 0.0:
            raise InputError(f"fix {id} wall/flow: the temperature {args[2]}", "give one above 0")
        self._check()
        self.walls = Constants(count + 2, system.space)
        self.known = self.add_field("between")

    def _check(self) -> None:
        box, axis = self.system.need_box(), self.axis
        if box.triclinic or not box.periodic[axis]:
            raise InputError(f"fix {self.id} wall/flow: the box is tilted, or not periodic along {'xyz'[axis]}",
                             "use an orthogonal box and boundary p there")
        within = [float(box.lo[axis]), *self.places, float(box.hi[axis])]
        if any(low >= high for low, high in pairwise(within)):
            raise InputError(f"fix {self.id} wall/flow: walls at {' '.join(f'{place:g}' for place in self.places)}",
                             f"name places within the box, {within[0]:g} to {within[-1]:g}, from low to high")

    def kernels(self) -> list[Kernel]:
        return [NOTE, CROSS]

    def init(self) -> None:
        self._check()
        box = self.system.need_box()
        self.walls.set([*self.places, float(box.lo[self.axis]), float(box.lengths[self.axis])])

    def setup(self) -> None:
        if not self.known:
            self._look(NOTE)
        self.known = True

    def new_atoms(self, rows: np.ndarray) -> None:
        x = self.system.atoms.read("x")[rows, self.axis]
        self.system.atoms.edit(self.field("between"))[rows] = np.searchsorted(self.places, x, "right")

    def end_of_step(self) -> None:
        self._look(CROSS)

    def _look(self, kernel: Kernel) -> None:
        system, atoms = self.system, self.system.atoms
        units = system.units
        parallel_for(system.space, atoms.n, kernel, atoms.view("x"), atoms.view("v", modify=True), system.mass_kind(),
                     system.masses_view(), atoms.view("mask"), self.bit, atoms.view("id"),
                     atoms.view(self.field("between"), modify=True), self.walls.view, len(self.places), self.axis, self.flow,
                     units.boltz * self.temperature / units.mvv2e, self.seed, system.space.control)
