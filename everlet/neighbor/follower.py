"""Lists of a box that kernels change: what they need to be made without the host, while a GPU replays steps."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.neighbor.moving_loops import fit_to_box
from everlet.portable import Kernel, parallel_for

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.lists import Neighbor

SHRINKS = 0.02  # by so much boxes may shrink until bins are made anew


class BoxFollower:
    """Bins, ghosts and corners follow the edges of an orthogonal box, while it is nearly the one that bins were made for."""

    def __init__(self, lists: Neighbor):
        self.lists, self.system = lists, lists.system

    def follows(self) -> bool:
        """Kernels can make lists for the present box, in the bins that the host made last."""
        box, lists = self.system.need_box(), self.lists
        change = np.abs(box.lengths / np.maximum(lists.made_for.now, 1e-300) - 1.0)
        return lists.corners.on_device and not box.triclinic and lists.rows and bool((change < 0.5 * SHRINKS).all())

    def fit(self, comm: SerialComm) -> None:
        """A loop that fits all numbers to the box."""
        space, lists, bins = self.system.space, self.lists, self.lists.bins
        parallel_for(space, 1, Kernel(fit_to_box), self.system.box_view(), lists.ghost_cutoff, int(self.system.dimension == 2),
                     bins.shape.view, lists.made_for.view, SHRINKS, comm.cut.view, bins.parameters.view,
                     lists.steps.origin.view, lists.corners.given.view, lists.exclusions.half.view, space.control)

    def forget(self, comm: SerialComm) -> None:
        """What that loop may have changed is set anew, even to what the host set last."""
        lists = self.lists
        for numbers in (comm.cut, lists.bins.parameters, lists.steps.origin, lists.corners.given, lists.exclusions.half):
            numbers.forget()
