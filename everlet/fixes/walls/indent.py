"""A hard sphere, cylinder or plane that is pressed into atoms."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.errors import InputError, arguments, number, one_of
from everlet.fixes.base import ForceFix, fix_style
from everlet.fixes.given_number import GivenNumber
from everlet.fixes.walls.faces import spacing
from everlet.portable import Kernel, View, add_row, f64, i32, i64, parallel_reduce, portable
from everlet.portable.sums import ADD_UP
from everlet.state.images import from_point
from everlet.state.operation import EXTENSIVE, Gives
from everlet.state.system import System

USAGE = ("fix ID group indent K sphere X Y Z R | cylinder x|y|z C1 C2 R | plane x|y|z PLACE lo|hi [side in|out] "
         "[units lattice|box]")
WORDS = {"sphere": 4, "cylinder": 4, "plane": 3, "side": 1, "units": 1}  # that follow a keyword


@portable
def press_round(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, free: i64, cx: f64, cy: f64, cz: f64, radius: f64,
                side: f64, k: f64, box: f64[:]):
    """Energy of one atom and its force on a sphere, or a cylinder along the axis of bit `free`; nearest image."""
    e = 0.0
    fx = 0.0
    fy = 0.0
    fz = 0.0
    if mask[i] & bit:
        dx, dy, dz, r = from_point(i, x, free, cx, cy, cz, box)
        d = side * (r - radius)
        if d < 0.0 and r > 0.0:
            push = side * k * d * d / r
            fx = push * dx
            fy = push * dy
            fz = push * dz
            e = -k * d * d * d / 3.0
            add_row(f, i, fx, fy, fz)
    return e, -fx, -fy, -fz


@portable
def press_flat(i, f: f64[:, 3], x: f64[:, 4], mask: i32[:], bit: i32, axis: i64, place: f64, side: f64, k: f64):
    """Energy of one atom and its force on a plane that acts on side +1 or -1 of it."""
    e = 0.0
    push = 0.0
    if mask[i] & bit:
        d = side * (place - x[i, axis])
        if d < 0.0:
            push = -side * k * d * d
            e = -k * d * d * d / 3.0
            f[i, axis] += push
    return e, -push if axis == 0 else 0.0, -push if axis == 1 else 0.0, -push if axis == 2 else 0.0


ROUND, FLAT = Kernel(press_round, sums=4), Kernel(press_flat, sums=4)


def scale_of(word: str, scale: float) -> float:
    """Variables are lengths, as in the reference."""
    return 1.0 if word.startswith("v_") else scale


@fix_style("indent")
class Indent(ForceFix):
    """fix ID group indent K sphere X Y Z R | cylinder x|y|z C1 C2 R | plane x|y|z PLACE lo|hi [side in|out] [units …]:
    F = K d^2 on atoms that are deeper than the surface by d; `side in`: that are outside of it. Places and R may be v_NAME,
    which is a length (not in lattice units).

    f_ID: energy, sum K d^3 / 3; f_ID[1-3]: force on the indenter.
    """

    gives = Gives(scalar=EXTENSIVE, vector=EXTENSIVE, length=3)
    steady = has_energy = minimizes = True
    reads, writes = ("f", "x", "mask"), ("f",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.k, options, words = number(args[0], "a force constant"), {}, list(args[1:])
        if self.k < 0.0:
            raise InputError(f"fix indent: the force constant is {args[0]}", "give 0 or more")
        while words:
            word = words.pop(0)
            one_of("keyword of fix indent", word, WORDS, f"usage: {USAGE}")
            arguments(words, WORDS[word], None, USAGE)
            options[word], words = words[: WORDS[word]], words[WORDS[word]:]
        shapes = [word for word in options if word in ("sphere", "cylinder", "plane")]
        if len(shapes) != 1:
            raise InputError(f"fix indent has {len(shapes) or 'no'} shapes", f"usage: {USAGE}")
        side = options.get("side", ["out"])[0]
        one_of("side of fix indent", side, ("in", "out"))
        scales = spacing(system, ["units", *options.get("units", ["lattice"])], f"fix {id}")
        self._shape(shapes[0], options[shapes[0]], side, [float(scale) for scale in scales])
        self.sums = View(4, np.float64, system.space)

    def _shape(self, shape: str, words: list[str], side: str, scales: Sequence[float]) -> None:
        system, user = self.system, f"fix {self.id}"
        self.axis, self.side = -1, 1.0 if side == "out" else -1.0
        if shape != "sphere":
            one_of("axis of fix indent", words[0], ("x", "y", "z"))
            self.axis, words = "xyz".index(words[0]), words[1:]
        self.flat = shape == "plane"
        axes = [self.axis] if self.flat else [axis for axis in range(3) if axis != self.axis]
        self.given = {axis: GivenNumber(system, word, "a place", user, scale_of(word, scales[axis]))
                      for axis, word in zip(axes, words, strict=False)}
        self.radius = GivenNumber(system, "0", "a radius", user)
        if self.flat:
            one_of("side of the plane of fix indent", words[1], ("lo", "hi"))
            self.side = 1.0 if words[1] == "hi" else -1.0
        else:
            self.radius = GivenNumber(system, words[-1], "a radius", user, scale_of(words[-1], scales[0]))

    def needs(self, step: int) -> tuple[str, ...]:
        return tuple(need for given in (*self.given.values(), self.radius) for need in given.needs(step))

    def kernels(self) -> list[Kernel]:
        return [FLAT if self.flat else ROUND, ADD_UP]

    def init(self) -> None:
        for one in (*self.given.values(), self.radius):
            one.init()

    def post_force(self) -> None:
        system, atoms = self.system, self.system.atoms
        places = [self.given[axis].now() if axis in self.given else 0.0 for axis in range(3)]
        radius = self.radius.now()
        if radius < 0.0:
            raise InputError(f"fix {self.id}: the radius is {radius:g}", "it must not be negative")
        views = (atoms.view("f", modify=True), atoms.view("x"), atoms.view("mask"), self.bit)
        if self.flat:
            parallel_reduce(system.space, atoms.n, FLAT, *views, self.axis, places[self.axis], self.side, self.k,
                            into=self.sums)
            return
        parallel_reduce(system.space, atoms.n, ROUND, *views, 1 << self.axis if self.axis >= 0 else 0, *places, radius,
                        self.side, self.k, system.box_view(), into=self.sums)

    def scalar(self) -> float:
        return float(self.over_ranks(self.sums.get())[0])

    def vector(self) -> np.ndarray:
        return self.over_ranks(self.sums.get())[1:]
