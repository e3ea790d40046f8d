"""The loop that adds up forces of sub-styles."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import f64, i64, local, portable


@local
@portable
def join_forces(i, touched: i64, factor: f64, f: f64[:, 3], kept: f64[:, 3]):
    """Row i of f, which a sub-style has set if i < touched, times its factor: to `kept`, or from there with all others to f."""
    x = f64(0.0)
    y = f64(0.0)
    z = f64(0.0)
    if i < touched:
        x = factor * f[i, 0]
        y = factor * f[i, 1]
        z = factor * f[i, 2]
    if not FIRST:
        x += kept[i, 0]
        y += kept[i, 1]
        z += kept[i, 2]
    if LAST:
        f[i, 0] = x
        f[i, 1] = y
        f[i, 2] = z
    if not LAST:
        kept[i, 0] = x
        kept[i, 1] = y
        kept[i, 2] = z
