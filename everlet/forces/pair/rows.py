"""What loops over rows have in common: where an atom is, where its row begins, how far away other atoms are.

Statics: DENSE and FIXED as in loops.py.
"""
# mypy: disable-error-code="index, name-defined, operator, valid-type"

from __future__ import annotations

from everlet.portable import f64, i32, i64, portable, real


@portable
def row_start(i: i64, first: i32[:], si: i64):
    """Where the row of atom i begins."""
    start = i * si
    if DENSE:
        start = i64(first[i]) * 8
    return start


@portable
def row_starts(i: i64, first: i32[:], si: i64):
    """Where the rows of atoms i, i + 1, … of the lanes begin."""
    start = (lane_ids() + i32(i)) * i32(si)
    if DENSE:
        start = load(first, i) * i32(8)
    return start


@portable
def position(i: i64, x: f64[:, 4]):
    return x[i, 0], x[i, 1], x[i, 2]


@portable
def away(j, x: f64[:, 4], xi, yi, zi):
    """The way from here to atoms j of the lanes, and the square of the distance."""
    xj, yj, zj = gather3(x, j, True)
    dx = as_real(xj - xi)
    dy = as_real(yj - yi)
    dz = as_real(zj - zi)
    return dx, dy, dz, fma(dx, dx, fma(dy, dy, dz * dz))


# ---- positions in double, or in steps: FIXED
@portable
def place_of(i: i64, x: f64[:, 4], fixed: i32[:, 4]):
    if FIXED:
        return fixed[i, 0], fixed[i, 1], fixed[i, 2]
    if not FIXED:
        return position(i, x)


@portable
def places_of(j, x: f64[:, 4], fixed: i32[:, 4]):
    """Positions of atoms j of the lanes."""
    if FIXED:
        return gather3(fixed, j, True)
    if not FIXED:
        return gather3(x, j, True)


@portable
def apart(xi, yi, zi, xj, yj, zj, scale: f64):
    """The way from j to i, and the square of the distance."""
    if FIXED:
        dx = real(scale) * difference(xi, xj)
        dy = real(scale) * difference(yi, yj)
        dz = real(scale) * difference(zi, zj)
    if not FIXED:
        dx = as_real(xi - xj)
        dy = as_real(yi - yj)
        dz = as_real(zi - zj)
    return dx, dy, dz, fma(dx, dx, fma(dy, dy, dz * dz))
