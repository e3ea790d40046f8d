"""ScatterView: many iterations add to the same elements of an array; how that is kept right depends on the space.

    plain        one thread: add directly
    duplicated   CPU threads: each adds to a copy of its own, copies are summed afterwards in order
    atomic       GPU: atomic adds

    s = ScatterView(f)             # f: a View
    s.reset(rows)
    parallel_for(space, n, body, …, s)
    s.collect(rows)
"""

from __future__ import annotations

from everlet.portable.views import View


class ScatterView:
    def __init__(self, target: View):
        self.target, space = target, target.space
        self.mode = "atomic" if space.target == "cuda" else "duplicated" if space.threads > 1 else "plain"
        self.copy_size = 0
        self.data = target.data
        if self.mode == "duplicated":
            self.copy_size = target.data.size
            self.data = space.zeros(self.copy_size * space.threads, target.dtype)

    def reset(self, rows: int) -> None:
        """Set the first rows to zero, in every copy."""
        size = rows * self.target.width
        if self.mode == "duplicated":
            self.data.reshape(-1, self.copy_size)[:, :size] = 0
        else:
            self.data[:size] = 0

    def collect(self, rows: int) -> None:
        """Sum the copies into the target."""
        if self.mode == "duplicated":
            size = rows * self.target.width
            self.target.data[:size] = self.data.reshape(-1, self.copy_size)[:, :size].sum(axis=0)
