"""The number of the present step, as a control word: kernels of a replayed step read it where the host cannot tell them.

    set_step(space, system.step)            # the host, before steps that count for themselves
    advance(space)                          # when forces are there: a kernel, collected and replayed like all others

A kernel that is given `space.control` reads `control[STEP]`: the number of the present step in post_force and later hooks.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import Kernel, i64, parallel_for, portable
from everlet.state.control import STEP


@portable
def next_step(i, control: i64[:]):
    control[STEP] += 1


ADVANCE = Kernel(next_step)


def advance(space):
    """One step more, by a kernel."""
    parallel_for(space, 1, ADVANCE, space.control)


def set_step(space, step):
    """The step number as the host knows it; at once, also while launches are collected."""
    space.control[STEP] = step
