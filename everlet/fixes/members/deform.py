"""Boxes of many systems whose edges change at rates of their own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.fixes.members.base import MemberFix, of_each
from everlet.portable import Kernel, f64, i32, i64, parallel_for, portable, sqrt
from everlet.state.box import BOX
from everlet.state.control import STEP
from everlet.state.system import System


@portable
def deform_boxes(s, control: i64[:], begin: i64, dt: f64, rates: f64[:], start: f64[:], before: f64[:], box: f64[:]):
    """Edges L0 (1 + R t) about their middles, t since the run began; tilts stay. The box so far is left in `before`."""
    b = BOX * s
    for k in range(BOX):
        before[b + k] = box[b + k]
    t = f64(control[STEP] - begin) * dt
    for d in range(3):
        if rates[3 * s + d] != 0.0:
            middle = 0.5 * (start[b + d] + start[b + 18 + d])
            half = 0.5 * start[b + 3 + d] * (1.0 + rates[3 * s + d] * t)
            box[b + d] = middle - half
            box[b + 18 + d] = middle + half
            box[b + 3 + d] = box[b + 18 + d] - box[b + d]
    xx = box[b + 3]
    yy = box[b + 4]
    zz = box[b + 5]
    yz = box[b + 6]
    xz = box[b + 7]
    xy = box[b + 8]
    box[b + 9] = 1.0 / xx
    box[b + 10] = 1.0 / yy
    box[b + 11] = 1.0 / zz
    box[b + 12] = -yz / (yy * zz)
    box[b + 13] = (yz * xy - yy * xz) / (xx * yy * zz)
    box[b + 14] = -xy / (xx * yy)


@portable
def follow_boxes(i, member: i32[:], before: f64[:], box: f64[:], x: f64[:, 4]):
    """Atoms keep their fractions of the box."""
    b = BOX * i64(member[i])
    dx = x[i, 0] - before[b]
    dy = x[i, 1] - before[b + 1]
    dz = x[i, 2] - before[b + 2]
    sx = dx * before[b + 9] + dy * before[b + 14] + dz * before[b + 13]
    sy = dy * before[b + 10] + dz * before[b + 12]
    sz = dz * before[b + 11]
    x[i, 0] = box[b] + box[b + 3] * sx + box[b + 8] * sy + box[b + 7] * sz
    x[i, 1] = box[b + 1] + box[b + 4] * sy + box[b + 6] * sz
    x[i, 2] = box[b + 2] + box[b + 5] * sz


@portable
def reach_left(s, skin: f64, built: f64[:], box: f64[:], reach2: f64[:]):
    """How far atoms may move until lists must be rebuilt: half of what the corners of the box have left of the skin, if two of
    them have moved as far as the one that moved most."""
    b = BOX * s
    most2 = 0.0
    for corner in range(8):
        sx = f64(corner & 1)
        sy = f64((corner >> 1) & 1)
        sz = f64((corner >> 2) & 1)
        dx = (box[b] - built[b] + (box[b + 3] - built[b + 3]) * sx + (box[b + 8] - built[b + 8]) * sy
              + (box[b + 7] - built[b + 7]) * sz)
        dy = box[b + 1] - built[b + 1] + (box[b + 4] - built[b + 4]) * sy + (box[b + 6] - built[b + 6]) * sz
        dz = box[b + 2] - built[b + 2] + (box[b + 5] - built[b + 5]) * sz
        most2 = max(most2, dx * dx + dy * dy + dz * dz)
    reach = max(0.5 * skin - sqrt(most2), 0.0)
    reach2[s] = reach * reach


DEFORM, FOLLOW, REACH = Kernel(deform_boxes), Kernel(follow_boxes), Kernel(reach_left)


class MemberDeform(MemberFix):
    """rate: strain per time of x, y and z, of each system: (systems, 3). Atoms follow their boxes at the end of each step."""

    steady = changes_box = moves_last = follows_clock = True
    reads, writes = ("x", "member"), ("x",)

    def __init__(self, system: System, id: str, rates: Sequence[Any]):
        super().__init__(system, id)
        self.rates = np.stack([of_each(rate, self.count, "rate of fix deform", None) for rate in rates], axis=1)
        if (self.rates[:, [any(not box.periodic[k] for box in self.members.boxes) for k in range(3)]] != 0.0).any():
            raise InputError("fix deform changes edges that are not periodic", "give rates of periodic edges")
        self.rate = self.table(self.rates)
        self.start, self.before = (self.table(np.zeros(BOX * self.count)) for _ in range(2))

    def kernels(self) -> list[Kernel]:
        return [DEFORM, FOLLOW, REACH]

    def begin(self) -> None:
        """Shapes when the run began; the last ones must have edges left."""
        span = (self.system.run_stop - self.system.run_start) * self.system.dt
        if (1.0 + self.rates * span <= 0.0).any():
            raise InputError("fix deform leaves a box without an edge at the end of the run", "use smaller rates")
        if self.system.step == self.system.run_start:
            self.start.put(np.array(self.members.view.get()))

    def end_of_step(self) -> None:
        system, members = self.system, self.members
        space, atoms = system.space, system.atoms
        parallel_for(space, self.count, DEFORM, space.control, system.run_start, system.dt, self.rate, self.start, self.before,
                     members.view)
        parallel_for(space, atoms.n, FOLLOW, atoms.view("member"), self.before, members.view, atoms.view("x", modify=True))
        parallel_for(space, self.count, REACH, system.evaluator.neighbor.skin, members.built, members.view, members.reach2)

    def take_box(self) -> None:
        if not self.system.space.separate_memory:
            self.members.take()

    def end_of_run(self) -> None:
        self.members.take()
