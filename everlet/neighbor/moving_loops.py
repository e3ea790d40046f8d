"""The test whether atoms have moved too far, in a box that a kernel changes."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import f64, i64, local, portable
from everlet.state.control import STOP


@local
@portable
def mark_moved_in_box(i, x: f64[:, 4], held: f64[:], limit2: f64[:], position: i64, control: i64[:]):
    """Stop at this position if the atom has moved further than the limit since the last build, or is not a number."""
    dx = x[i, 0] - held[3 * i]
    dy = x[i, 1] - held[3 * i + 1]
    dz = x[i, 2] - held[3 * i + 2]
    if not dx * dx + dy * dy + dz * dz <= limit2[0]:
        control[STOP] = position
