"""Momentum that is taken away."""

from __future__ import annotations

import numpy as np

from everlet.computes.motion.rotation import Body
from everlet.errors import InputError, arguments, integer, unknown
from everlet.fixes.base import Fix, every_steps, fix_style
from everlet.state.system import System

USAGE = "fix ID group momentum N [linear 0|1 0|1 0|1] [angular] [rescale]"


def flags(args: list[str], user: str, usage: str) -> tuple[np.ndarray, bool, bool]:
    """linear (three numbers, 0 or 1), angular, rescale."""
    linear, switches, words = np.zeros(3), {"angular": False, "rescale": False}, list(args)
    while words:
        word = words.pop(0)
        if word == "linear":
            three = [integer(value, "0 or 1") for value in words[:3]]
            if len(three) < 3 or not set(three) <= {0, 1}:
                raise InputError(f"{user} linear needs three flags of 0 or 1", f"usage: {usage}")
            linear, words = np.array(three, float), words[3:]
        elif word in switches:
            switches[word] = True
        else:
            raise unknown(f"keyword of {user}", word, ("linear", *switches), f"usage: {usage}")
    if not (linear.any() or switches["angular"]):
        raise InputError(f"{user} has nothing to do", f"usage: {usage}")
    return linear, switches["angular"], switches["rescale"]


@fix_style("momentum")
class Momentum(Fix):
    """fix ID group momentum N [linear 0|1 0|1 0|1] [angular] [rescale]: every N steps, at their end.

    linear: the centre of mass stands still along the axes with 1; angular: nothing rotates about it; rescale: velocities are
    scaled so that the kinetic energy is what it was.
    """

    reads, writes = ("x", "v", "image", "mask", "type"), ("v",)

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        arguments(args, 1, None, USAGE)
        self.every = every_steps(args[0], "fix momentum")
        self.linear, self.angular, self.rescale = flags(args[1:], "fix momentum", USAGE)

    def init(self) -> None:
        if self.group in self.system.groups.dynamic:
            return  # its atoms come and go
        if not self.system.ranks.sum(np.array([float(np.count_nonzero(self.system.atoms.read("mask") & self.bit))]))[0]:
            raise InputError(f"fix {self.id}: group {self.group} has no atoms", "a momentum needs some")

    def end_of_step(self) -> None:
        body = Body(self.system, self.bit)
        before = body.kinetic() if self.rescale else 0.0
        body.v = body.v - self.linear * body.velocity
        if self.angular:
            body.v = body.v - np.cross(body.angular_velocity(), body.x - body.centre)
        if self.rescale:
            after = body.kinetic()
            body.v = body.v * (np.sqrt(before / after) if after > 0 else 1.0)
        self.system.atoms.edit("v")[body.rows] = body.v
