"""The end of a reduction: sums of blocks are added up by a kernel, so that they can stay in the memory of the space."""
# mypy: ignore-errors
# ruff: noqa: F821

from __future__ import annotations

import numpy as np

from everlet.portable import Kernel, View, f64, i64, portable

TEAM = 256


@portable
def add_up(k, n: i64, counter: i64, size: i64, sums: i64, first: i64, add: i64, control: i64[:], partial: f64[:], into: f64[:]):
    """into[first + k] = sum number k of all blocks of `size` items; of n items, or of as many as a control word says."""
    items = n
    if counter > 0:
        items = min(n, control[counter])
    total = 0.0
    for block in team_range((items + size - 1) // size):
        total += partial[block * sums + k]
    whole = team_sum(total)
    if team_rank() == 0:
        if add > 0:
            whole += into[first + k]
        into[first + k] = whole


ADD_UP = Kernel(add_up, team=TEAM, league=True)


def memory(space, size):
    """Memory for so many sums of blocks. All reductions of a space use the same, one after the other.

    Launches that were collected keep the one they were given, if a larger one is made later.
    """
    if space.partial is None or space.partial.shape[0] < size:
        space.partial = View(size + size // 4 + 64, np.float64, space)
    return space.partial
