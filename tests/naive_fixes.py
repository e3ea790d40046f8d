"""Fixes as somebody writes them who has never heard of graphs: each goes by something that is another one at the next step,
reads it where it is handy, on the host, and says that it is steady since it only launches a kernel.
tests/unit/test_naive_fixes.py loads this file as users load theirs."""

import time

from everlet import Fix, fix_style, portable
from everlet.portable import Constants, f64, parallel_for


@portable
def push(i, f: f64[:, 3], x: f64[:, 4], size: f64):
    f[i, 0] -= size * x[i, 0]


@portable
def push_by(i, f: f64[:, 3], x: f64[:, 4], size: f64[:]):
    f[i, 0] -= size[0] * x[i, 0]


class Naive(Fix):
    """F_x = -size x, with the size that `size` gives."""

    steady = True
    reads, writes = ("f", "x"), ("f",)

    def setup(self):
        self.post_force()

    def post_force(self):
        atoms = self.system.atoms
        parallel_for(self.system.space, atoms.n, push, atoms.view("f", modify=True), atoms.view("x"), self.size())


@fix_style("naive/box")
class OfBox(Naive):
    def size(self):
        return 1.0 / self.system.need_box().volume


@fix_style("naive/step")
class OfStep(Naive):
    def size(self):
        return 0.001 * self.system.step


@fix_style("naive/ramp")
class OfRamp(Naive):
    """From 0 to 1 in the course of a run."""

    def size(self):
        system = self.system
        return (system.step - system.run_start) / max(system.run_stop - system.run_start, 1)


@fix_style("naive/variable")
class OfVariable(Naive):
    def size(self):
        return self.system.variables.evaluate("size")


@fix_style("naive/timestep")
class OfTimestep(Naive):
    def size(self):
        return 20.0 * self.system.dt


@fix_style("naive/group")
class OfGroup(Naive):
    def size(self):
        atoms, groups = self.system.atoms, self.system.groups
        return 0.01 * groups.count("left", atoms.read("mask"))


@fix_style("naive/own")
class OfItself(Naive):
    calls = 0

    def begin(self):
        self.calls = 0

    def size(self):
        self.calls += 1
        return 0.01 * self.calls


@fix_style("naive/list")
class OfList(Naive):
    """What it has counted is no plain number."""

    def init(self):
        self.seen = [self.system.step]

    def begin(self):
        self.seen = [0]

    def size(self):
        self.seen.append(0)
        return 0.01 * len(self.seen)


@fix_style("naive/constants")
class OfConstants(Naive):
    """The same number in memory of the device."""

    def __init__(self, system, id, group, args):
        super().__init__(system, id, group, args)
        self.number = Constants(1, system.space)

    def post_force(self):
        atoms = self.system.atoms
        self.number.set([1.0 / self.system.need_box().volume])
        parallel_for(self.system.space, atoms.n, push_by, atoms.view("f", modify=True), atoms.view("x"), self.number.view)


@fix_style("naive/now_and_then")
class NowAndThen(Naive):
    """It thinks about its size every seven steps."""

    every, strength = 7, 0.1

    def size(self):
        return self.strength

    def end_of_step(self):
        self.strength = 0.1 + 0.01 * self.system.step


@fix_style("naive/begins")
class Begins(Naive):
    """Its size is that of the run."""

    strength = 0.1

    def size(self):
        return self.strength

    def begin(self):
        self.strength = 0.01 * self.system.step


@fix_style("naive/field")
class OfField(Naive):
    """A hook between two that are fused: atoms have moved for whoever looks."""

    mean = 0.0

    def post_integrate(self):
        self.mean = float(self.system.atoms.read("x")[:, 0].mean())

    def size(self):
        return 0.1 * self.mean


@fix_style("naive/clock")
class OfClock(Naive):
    """No two calls are alike."""

    def size(self):
        return 1e-6 * time.perf_counter()


@fix_style("naive/nudges")
class Nudges(Fix):
    """On the host, now and then: atoms are moved a little, and slow down. It has no numbers of its own."""

    every = 4
    moves_last = True
    reads, writes = ("x", "v"), ("x", "v")

    def end_of_step(self):
        self.system.atoms.edit("x")[:, 0] += 0.001
        self.system.atoms.edit("v")[:] *= 0.9
