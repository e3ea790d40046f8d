"""What a neighbour at distance r does in SNAP: how far it turns, how much it counts, and where forces point."""
# ruff: noqa: F821  (SWITCH and INNER are constants of a variant)

from __future__ import annotations

from everlet.portable import cos, magnitude, portable, rsqrt, sin, where


@portable
def times(cr, ci, dr, di, vr, vi, lr, li):
    """Coefficient of t^k in (c + d t) times a row: from its coefficients v of t^k and l of t^(k - 1)."""
    return cr * vr - ci * vi + dr * lr - di * li, cr * vi + ci * vr + dr * li + di * lr


@portable
def turned(r, p):
    """cos and sin of half the angle of the rotation that stands for distance r; both change sign inside of rmin0."""
    angle = p.rate * (r - p.inside)
    sign = where(r < p.inside, -1.0, 1.0)
    return sign * cos(angle), sign * sin(angle)


@portable
def length_and_way(dx, dy, dz, r2):
    """The length of a vector with this square, and its direction."""
    inverse = rsqrt(r2)
    return r2 * inverse, dx * inverse, dy * inverse, dz * inverse


@portable
def counted(r, p):
    """How much a neighbour counts, and the slope of that: its weight, smoothly to 0 at the cutoff (and near to the atom)."""
    value, slope = 1.0 + 0.0 * r, 0.0 * r
    if SWITCH:
        angle = p.turn * (r - p.inside)
        beyond = r > p.inside
        value = where(beyond, 0.5 + 0.5 * cos(angle), 1.0)
        slope = where(beyond, -0.5 * p.turn * sin(angle), 0.0)
    if INNER:
        off = (r - p.middle) * p.steep
        step = where(magnitude(off) < 1.0, 0.5 + 0.5 * sin(1.5707963267948966 * off), where(off < 0.0, 0.0, 1.0))
        rise = where(magnitude(off) < 1.0, 0.7853981633974483 * p.steep * cos(1.5707963267948966 * off), 0.0)
        slope = slope * step + value * rise
        value = value * step
    return p.weight * value, p.weight * slope


@portable
def pulled(r, nx, ny, nz, c, s, p, value, slope, f, tx, ty, tz):
    """The slope of value(r) f along the three directions.

    f is a function of the rotation g = (c, s n), and a small further one by omega adds omega · t to it. A step along n turns
    by -rate n, a step d across it by -(s c d + s^2 n x d) / r.
    """
    along = nx * tx + ny * ty + nz * tz
    side = s * c / r
    twist = s * s / r
    radial = slope * f + value * (side - p.rate) * along
    return (radial * nx - value * (side * tx + twist * (ty * nz - tz * ny)),
            radial * ny - value * (side * ty + twist * (tz * nx - tx * nz)),
            radial * nz - value * (side * tz + twist * (tx * ny - ty * nx)))
