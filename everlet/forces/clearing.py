"""The loop that clears forces, where no term sets them."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import Kernel, f64, local, portable


@local
@portable
def clear_forces(i, f: f64[:, 3]):
    f[i, 0] = 0.0
    f[i, 1] = 0.0
    f[i, 2] = 0.0


CLEAR = Kernel(clear_forces)
