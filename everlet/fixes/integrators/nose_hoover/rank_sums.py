"""Sums that kernels have left in the memory of the space, added up over the ranks of a job."""

from __future__ import annotations

import numpy as np

from everlet.portable import View
from everlet.state.system import System


def sum_over_ranks(system: System, view: View, parts: int) -> np.ndarray:
    """The sum of the first `parts` numbers of all ranks, through the host, followed by six zeros."""
    total = np.zeros(7)
    total[0] = system.ranks.sum(float(view.get()[:parts].sum()))
    return total
