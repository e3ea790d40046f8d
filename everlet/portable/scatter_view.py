"""ScatterView: many iterations add to the same elements of an array; how that is kept right depends on the space.

    plain        one thread: add directly
    duplicated   CPU threads: each adds to a copy of its own, copies are summed afterwards in order
    atomic       GPU: atomic adds

    s = ScatterView(f)             # f: a View
    s.reset(rows)
    parallel_for(space, n, body, …, s)
    s.collect(rows)

In the kernel the argument is annotated `f: scatter[f64[:, 3]]`, and `f[i, k] += value` is what the mode needs.
"""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.portable.copies import ADD, CLEAR, SUM
from everlet.portable.kernels import parallel_for
from everlet.portable.tapes import fill_zero
from everlet.portable.views import Scattered, View


class ScatterView(Scattered):
    """`view` is what kernels add to: the target itself, or one copy of it per thread, one after the other."""

    def __init__(self, target: View):
        if target.layout != "row":
            raise InputError(f"a ScatterView of {target.layout} layout",
                             "use row layout: an item's values are added together")
        if target.dtype != "float64":
            raise InputError(f"a ScatterView of {target.dtype} values", "sums are kept in float64")
        self.target, space = target, target.space
        self.mode = "atomic" if space.atomics else "duplicated" if space.threads > 1 else "plain"
        self.threads = space.threads
        self.copy_size = 0
        self.view = target
        if self.mode == "duplicated":
            self.copy_size = target.data.size
            self.view = View((target.shape[0] * self.threads, *target.shape[1:]), target.dtype, space)

    def _over_copies(self, which: int, rows: int, *targets: Any) -> None:
        parallel_for(self.view.space, rows * self.target.width, (CLEAR, SUM, ADD)[which], self.threads, self.copy_size,
                     self.view.data, *targets)

    def reset(self, rows: int) -> None:
        """Set the first rows to zero, in every copy."""
        if self.mode != "plain" or self.target.space.queue is not None:
            self._over_copies(0, rows)
        else:
            fill_zero(self.target.space, self.target.data[: rows * self.target.width])

    def collect(self, rows: int) -> None:
        """Sum the copies into the target."""
        if self.mode == "duplicated":
            self._over_copies(1, rows, self.target.data)

    # ---- the same on top of what the target has

    def begin(self, rows: int) -> None:
        """Set the first rows of the copies to zero, where there are copies; the target stays."""
        if self.mode == "duplicated":
            self._over_copies(0, rows)

    def end(self, rows: int) -> None:
        """Add the copies to the target."""
        if self.mode == "duplicated":
            self._over_copies(2, rows, self.target.data)
