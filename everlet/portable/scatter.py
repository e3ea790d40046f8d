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
from everlet.portable.views import View


class ScatterView:
    """`view` is what kernels add to: the target itself, or one copy of it per thread, one after the other."""

    def __init__(self, target: View):
        if target.layout != "row":
            raise InputError(f"a ScatterView of {target.layout} layout",
                             "use row layout: an item's values are added together")
        self.target, space = target, target.space
        self.mode = "atomic" if space.target == "cuda" else "duplicated" if space.threads > 1 else "plain"
        self.threads = space.threads
        self.copy_size = 0
        self.view = target
        if self.mode == "duplicated":
            self.copy_size = target.data.size
            self.view = View((target.shape[0] * self.threads, *target.shape[1:]), target.dtype, space)

    def _copies(self) -> Any:
        return self.view.data.reshape(self.threads, self.copy_size)

    def reset(self, rows: int) -> None:
        """Set the first rows to zero, in every copy."""
        size = rows * self.target.width
        if self.mode == "duplicated":
            self._copies()[:, :size] = 0
        else:
            self.target.data[:size] = 0

    def collect(self, rows: int) -> None:
        """Sum the copies into the target."""
        if self.mode == "duplicated":
            size = rows * self.target.width
            self.target.data[:size] = self._copies()[:, :size].sum(axis=0)
