"""The number of the present step, as a control word: kernels of a replayed step read it where the host cannot tell them.

    set_step(space, system.step)            # the host, before steps that count for themselves
    advance(space)                          # when forces are there: a kernel, collected and replayed like all others

    ready(space, place)                     # pre_force hooks of this step of a replayed sequence, counted from 1, are done

A kernel that is given `space.control` reads `control[STEP]`: the number of the present step in post_force and later hooks.
"""

from __future__ import annotations

from everlet.portable import Kernel, Space, f64, i64, parallel_for, portable
from everlet.state.control import READY, STEP


@portable
def ramped(step: i64, start: f64, stop: f64, begin: i64, end: i64):
    """start + (stop - start) (step - begin) / (end - begin), for kernels: step is control[STEP]. The last value is exact:
    one that is 0 but for rounding has no square root."""
    value = start
    if end > begin:
        value = start + (stop - start) * (f64(step - begin) / f64(end - begin))
        if step == end:
            value = stop
    return value


@portable
def next_step(i, control: i64[:]):
    control[STEP] += 1


@portable
def note_ready(i, place: i64, control: i64[:]):
    control[READY] = place


ADVANCE, NOTE_READY = Kernel(next_step), Kernel(note_ready)


def advance(space: Space) -> None:
    """One step more, by a kernel."""
    parallel_for(space, 1, ADVANCE, space.control)


def ready(space: Space, place: int) -> None:
    """Forces that are computed again because something did not fit need no pre_force again; 0: nothing is done yet."""
    parallel_for(space, 1, NOTE_READY, place, space.control)


def set_step(space: Space, step: int) -> None:
    """The step number as the host knows it; at once, also while launches are collected."""
    space.control[STEP] = step
