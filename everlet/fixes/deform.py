"""A box whose edges change as they are told."""
# mypy: ignore-errors

from __future__ import annotations

import math

import numpy as np

from everlet.errors import InputError, arguments, integer, number, unknown
from everlet.fixes.base import fix_style
from everlet.fixes.kept_forces import KeepsForces
from everlet.fixes.nose_hoover.pressure import PressureFix
from everlet.fixes.wall_faces import spacing
from everlet.portable import Kernel, f64, i32, local, parallel_for, portable

USAGE = ("fix ID group deform N x|y|z final LO HI | delta DLO DHI | scale S | vel V | erate R | trate R | volume | "
         "wiggle A PERIOD … [remap x|none] [units lattice|box]")
STYLES = {"final": 2, "delta": 2, "scale": 1, "vel": 1, "erate": 1, "trate": 1, "volume": 0, "wiggle": 2}
LENGTHS = {"final": 2, "delta": 2, "vel": 1, "wiggle": 1}  # numbers that are lengths come first


@local
@portable
def stretch(i, x: f64[:, 4], mask: i32[:], bit: i32, lx: f64, ly: f64, lz: f64, nx: f64, ny: f64, nz: f64, sx: f64, sy: f64,
            sz: f64):
    """x = n + s (x - l): l and n are the old and the new low corner."""
    if mask[i] & bit:
        x[i, 0] = nx + sx * (x[i, 0] - lx)
        x[i, 1] = ny + sy * (x[i, 1] - ly)
        x[i, 2] = nz + sz * (x[i, 2] - lz)


STRETCH = Kernel(stretch)


@fix_style("deform")
class Deform(KeepsForces):
    """fix ID group deform N x|y|z STYLE … [remap x|none] [units lattice|box]: every N steps edges are given new lengths.

    final LO HI, delta DLO DHI, scale S: faces go evenly to there until the end of the run. About the middle of the edge, with t
    since the beginning of the run: vel V: L0 + V t; erate R: L0 (1 + R t); trate R: L0 e^(R t); wiggle A T:
    L0 + A sin(2 pi t/T); volume: the volume stays. remap x: atoms of the group move with the box.
    """

    changes_box = True
    reads, writes = ("x", "mask"), ("x",)

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        arguments(args, 2, None, USAGE)
        self.every, box = integer(args[0], "a number of steps"), system.need_box()
        if self.every < 1:
            raise InputError(f"fix deform: N must be 1 or more, found {args[0]}", f"usage: {USAGE}")
        if box.triclinic:
            raise InputError("fix deform in a tilted box is not available", "use an orthogonal box")
        self.remap, self.moves, options, words = True, {}, [], list(args[1:])
        while words:
            word = words.pop(0)
            if word in ("x", "y", "z"):
                arguments(words, 1, None, USAGE)
                style = words.pop(0)
                if style not in STYLES:
                    raise unknown("style of fix deform", style, STYLES, f"usage: {USAGE}")
                arguments(words, STYLES[style], None, USAGE)
                self.moves["xyz".index(word)] = style, [number(value) for value in words[: STYLES[style]]]
                words = words[STYLES[style]:]
                continue
            if word not in ("remap", "units"):
                raise unknown("keyword of fix deform", word, ("x", "y", "z", "remap", "units"),
                              f"tilts, flip and others are not available; usage: {USAGE}")
            arguments(words, 1, None, USAGE)
            value = words.pop(0)
            if word == "units":
                options = ["units", value]
            elif value not in ("x", "none"):
                raise unknown("remap of fix deform", value, ("x", "none"), "remap v is not available: use remap x")
            else:
                self.remap = value == "x"
        self._check(spacing(system, options, f"fix {id}"))
        self.first_box = box.lo.copy(), box.hi.copy()

    def _check(self, scales):
        box = self.system.need_box()
        self.follow = [axis for axis, (style, _) in self.moves.items() if style == "volume"]
        if not self.moves or len(self.follow) == len(self.moves):
            raise InputError("fix deform changes no edge by itself", f"usage: {USAGE}")
        for axis, (style, numbers) in self.moves.items():
            if not box.periodic[axis] and any(code in "sm" for code in box.boundary[axis]):
                raise InputError(f"fix deform along {'xyz'[axis]}, where faces follow atoms", "use boundary p or f")
            if axis == 2 and self.system.dimension == 2:
                raise InputError("fix deform along z in 2d", "use x and y")
            if style == "wiggle" and numbers[1] <= 0.0 or style == "scale" and numbers[0] <= 0.0:
                raise InputError(f"fix deform {style}: {numbers[-1]:g} must be above zero", f"usage: {USAGE}")
            count = LENGTHS.get(style, 0)
            self.moves[axis] = style, [*(scales[axis] * value for value in numbers[:count]), *numbers[count:]]

    def init(self):
        super().init()
        for fix in self.system.fixes.values():
            apart = isinstance(fix, PressureFix) and not (self.follow or fix.words.driven[list(self.moves)].any())
            if fix is not self and fix.changes_box and not apart:
                raise InputError(f"fix {self.id} and fix {fix.id} both change the box", "let one of them do it")

    def begin(self):
        super().begin()
        system, box = self.system, self.system.need_box()
        goes_on = system.step != system.run_start
        self.lo, self.hi = self.first_box if goes_on else (box.lo.copy(), box.hi.copy())

    def kernels(self):
        return [STRETCH]

    def faces(self, axis, t, part):
        """Where the faces across an axis belong at time t, which is this part of the run."""
        style, numbers = self.moves[axis]
        lo, hi = self.lo[axis], self.hi[axis]
        if style == "final":
            return lo + part * (numbers[0] - lo), hi + part * (numbers[1] - hi)
        if style == "delta":
            return lo + part * numbers[0], hi + part * numbers[1]
        middle, edge, first = 0.5 * (lo + hi), hi - lo, numbers[0]
        if style == "scale":
            edge *= 1.0 + part * (first - 1.0)
        elif style == "trate":
            edge *= math.exp(first * t)
        elif style == "wiggle":
            edge += first * math.sin(2.0 * math.pi * t / numbers[1])
        else:
            edge += t * first * (edge if style == "erate" else 1.0)
        return middle - 0.5 * edge, middle + 0.5 * edge

    def end_of_step(self):
        system, box, atoms = self.system, self.system.need_box(), self.system.atoms
        t, span = (system.step - system.run_start) * system.dt, system.run_stop - system.run_start
        part = (system.step - system.run_start) / span if span else 0.0
        low, high, before = box.lo.copy(), box.hi.copy(), self.hi - self.lo
        for axis in self.moves:
            if axis not in self.follow:
                low[axis], high[axis] = self.faces(axis, t, part)
        if self.follow:
            others = [axis for axis in range(3) if axis not in self.follow]
            factor = np.prod(before[others] / (high - low)[others]) ** (1.0 / len(self.follow))
            for axis in self.follow:
                middle, edge = 0.5 * (self.lo[axis] + self.hi[axis]), before[axis] * factor
                low[axis], high[axis] = middle - 0.5 * edge, middle + 0.5 * edge
        if (high <= low).any():
            raise InputError(f"fix {self.id}: an edge of the box would vanish at step {system.step}", "deform it less")
        if self.remap:
            parallel_for(system.space, atoms.n, STRETCH, atoms.view("x", modify=True), atoms.view("mask"), self.bit,
                         *box.lo.tolist(), *low.tolist(), *((high - low) / (box.hi - box.lo)).tolist())
        box.lo[:], box.hi[:] = low, high

    def state(self):
        return super().state() | {"first_box": [self.first_box[0].tolist(), self.first_box[1].tolist()]}

    def restore(self, state):
        super().restore(state)
        self.first_box = tuple(np.array(side) for side in state["first_box"])
