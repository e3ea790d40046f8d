"""Lists that serve again at a later set-up, or for a question between runs: atoms have moved little since they were made."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.neighbor.moving_loops import stay_near
from everlet.portable import Kernel, parallel_for
from everlet.portable.spaces import LATER
from everlet.state.box import Box
from everlet.state.control import STOP

if TYPE_CHECKING:  # it knows this file
    from everlet.neighbor.lists import Neighbor

STAY_NEAR = Kernel(stay_near)
H, PERIODIC = slice(3, 9), slice(15, 18)  # of what kernels get of a box: xx yy zz yz xz xy, and 0 or 1 for each axis


class Edges:
    """The edges of a box with ghosts up to a cutoff, to be compared with those of a box of a later set-up."""

    def __init__(self, box: Box, cutoff: float) -> None:
        self.h, self.images = box.params()[H], np.ceil(box.ghost_fraction(cutoff)) * box.periodic

    def moved(self, numbers: np.ndarray) -> float:
        """How far an image can have moved against its atom in a box of such numbers: as edges have, times how many of them lie
        between the two."""
        now = numbers[H]
        if now.tobytes() == self.h.tobytes():
            return 0.0
        xx, yy, zz, yz, xz, xy = now - self.h
        return float(self.images @ np.sqrt([xx**2, xy**2 + yy**2, xz**2 + yz**2 + zz**2]))


Within = Callable[[], AbstractContextManager[None]]


def serve_again(lists: Neighbor, comm: SerialComm, copies: bool, head: Within, rest: Within) -> bool:
    """Move ghosts along, if rows are good for the present positions too: atoms are the same in the same order, none has moved
    too far, and the box has changed little. They are wrapped into the box before, which may be too far. Copies, which nobody
    sees, stay at that side of a periodic box where they were at the last build."""
    system, atoms, space, box = lists.system, lists.system.atoms, lists.system.space, lists.system.need_box()
    before = atoms.n, atoms.nghost
    if not lists.settings.check or box.shrinks or system.members is not None or lists.edges is None:
        return False
    if system.ordered and system.sorts and not copies:  # they are sorted at each set-up
        return False
    numbers = box.params()
    reach = 0.5 * (lists.skin - lists.edges.moved(numbers))
    if reach <= 0.0 or lists.listed != atoms.n or lists.held.shape[0] < 3 * atoms.n:
        return False
    if copies and numbers[PERIODIC].all():
        system.put_box()
        with head():
            parallel_for(space, atoms.n, STAY_NEAR, atoms.view("x", modify=True), atoms.view("image", modify=True), lists.held,
                         system.box_view(), reach**2, space.control)
    else:
        comm.exchange(system)
        if atoms.n != before[0]:
            return False
        lists.mark_moved(reach=reach)
    if space.read_control()[STOP] != LATER:
        space.reset_control()
        return False
    atoms.nghost = before[1]
    with rest():
        comm.forward(system)
    lists.decision.built(count=False)
    return True
