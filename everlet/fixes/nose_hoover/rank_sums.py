"""Sums that kernels have left in the memory of the space, added up over the ranks of a job."""

from __future__ import annotations

from everlet.portable import View
from everlet.state.system import System


def sum_over_ranks(system: System, view: View) -> None:
    """Every rank gets the sum of all ranks' numbers, through the host; on one rank nothing is done."""
    if system.ranks.size > 1:
        view.put(system.ranks.sum(view.get()))
