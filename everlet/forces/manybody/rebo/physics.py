"""Functions of hydrocarbons: switches, splines between whole numbers of neighbours, polynomials of cosines, radial terms.

    S'(t) = (1 + cos(pi t)) / 2 and S(t) = 1 - t^2 (3 - 2 t) between t = 0, where both are 1, and t = 1, where they are 0
"""

from __future__ import annotations

from everlet.forces.manybody.rebo.places import (
    ALPHA,
    B1,
    B2,
    B3,
    BETA1,
    BETA2,
    BETA3,
    FLAT,
    GC_AT,
    GH_AT,
    HIGH,
    LOW,
    ORDER,
    P_AT,
    PIECES_C,
    PIECES_H,
    A,
    Q,
)
from everlet.portable import cos, exp, f64, i64, portable, sin

PI = 3.141592653589793


@portable
def fade(x: f64, low: f64, high: f64):
    """S' and its slope."""
    value = 1.0
    slope = 0.0
    t = (x - low) / (high - low)
    if t >= 1.0:
        value = 0.0
    if t > 0.0 and t < 1.0:
        value = 0.5 * (1.0 + cos(PI * t))
        slope = -0.5 * PI * sin(PI * t) / (high - low)
    return value, slope


@portable
def ease(x: f64, low: f64, high: f64):
    """S and its slope; a step where `low` is `high`."""
    value = 1.0
    slope = 0.0
    if x >= high:
        value = 0.0
    if x > low and x < high:
        t = (x - low) / (high - low)
        value = 1.0 - t * t * (3.0 - 2.0 * t)
        slope = -6.0 * t * (1.0 - t) / (high - low)
    return value, slope


@portable
def cell(x: f64, most: i64):
    """The cell of a spline, the place in it, and 1, or 0 where the spline is flat beyond its ends."""
    free = 1.0
    y = x
    if y < 0.0:
        y = 0.0
        free = 0.0
    if y > f64(most):
        y = f64(most)
        free = 0.0
    c = min(i64(y), most - 1)
    return c, y - f64(c), free


@portable
def end(t: f64, side: i64):
    """What value and slope at one end of a cell count at t, with the slopes of both."""
    value = 1.0 - t * t * (3.0 - 2.0 * t)
    by_value = -6.0 * t * (1.0 - t)
    slope = t * (1.0 - t) * (1.0 - t)
    by_slope = (1.0 - t) * (1.0 - 3.0 * t)
    if side == 1:
        value = 1.0 - value
        by_value = -by_value
        slope = -t * t * (1.0 - t)
        by_slope = t * (3.0 * t - 2.0)
    return value, by_value, slope, by_slope


@portable
def flat(table: f64[:], base: i64, x: f64, y: f64):
    """A spline of two variables and its slopes: cubic, with values and both slopes at whole numbers, mixed slopes 0 there."""
    cx, tx, free_x = cell(x, LOW)
    cy, ty, free_y = cell(y, LOW)
    value = 0.0
    by_x = 0.0
    by_y = 0.0
    for a in range(2):
        x0, x1, x2, x3 = end(tx, a)
        for b in range(2):
            y0, y1, y2, y3 = end(ty, b)
            k = base + 3 * ((cx + a) * (LOW + 1) + cy + b)
            v = table[k]
            vx = table[k + 1]
            vy = table[k + 2]
            value += v * x0 * y0 + vx * x2 * y0 + vy * x0 * y2
            by_x += v * x1 * y0 + vx * x3 * y0 + vy * x1 * y2
            by_y += v * x0 * y1 + vx * x2 * y1 + vy * x0 * y3
    return value, by_x * free_x, by_y * free_y


@portable
def solid(table: f64[:], base: i64, x: f64, y: f64, z: f64):
    """The same of three variables, with the slopes by x and by z."""
    cx, tx, free_x = cell(x, LOW)
    cy, ty, _ = cell(y, LOW)
    cz, tz, free_z = cell(z, HIGH)
    value = 0.0
    by_x = 0.0
    by_z = 0.0
    for a in range(2):
        x0, x1, x2, x3 = end(tx, a)
        for b in range(2):
            y0, _, y2, _ = end(ty, b)
            for c in range(2):
                z0, z1, z2, z3 = end(tz, c)
                k = base + 4 * (((cx + a) * (LOW + 1) + cy + b) * (HIGH + 1) + cz + c)
                v = table[k]
                vx = table[k + 1]
                vy = table[k + 2]
                vz = table[k + 3]
                value += v * x0 * y0 * z0 + vx * x2 * y0 * z0 + vy * x0 * y2 * z0 + vz * x0 * y0 * z2
                by_x += v * x1 * y0 * z0 + vx * x3 * y0 * z0 + vy * x1 * y2 * z0 + vz * x1 * y0 * z2
                by_z += v * x0 * y0 * z1 + vx * x2 * y0 * z1 + vy * x0 * y2 * z1 + vz * x0 * y0 * z3
    return value, by_x * free_x, by_z * free_z


@portable
def correction(table: f64[:], hydrogen: i64, carbons: f64, hydrogens: f64):
    """P of a carbon whose bond is with a carbon or a hydrogen, and its slopes with the numbers of its other neighbours."""
    return flat(table, P_AT + hydrogen * FLAT, carbons, hydrogens)


@portable
def polynomial(table: f64[:], base: i64, x: f64):
    """Of fifth order, and its slope."""
    value = table[base + ORDER - 1]
    slope = 0.0
    for k in range(1, ORDER):
        slope = slope * x + value
        value = value * x + table[base + ORDER - 1 - k]
    return value, slope


@portable
def piece(table: f64[:], base: i64, pieces: i64, x: f64):
    """The part of a polynomial in pieces that x is in."""
    found = i64(0)
    for k in range(1, pieces):
        found += i64(x > table[base + k])
    return found


@portable
def bend(table: f64[:], hydrogen: i64, cosine: f64, alone: f64):
    """g of a cosine at a carbon or hydrogen, its slope, and the slope with `alone`: how much of carbon's is that of few
    neighbours."""
    x = min(max(cosine, -1.0), 1.0)
    by_alone = 0.0
    if hydrogen == 1:
        value, slope = polynomial(table, GH_AT + PIECES_H + 1 + ORDER * piece(table, GH_AT, PIECES_H, x), x)
    else:
        base = GC_AT + PIECES_C + 1 + ORDER * piece(table, GC_AT, PIECES_C, x)
        few, few_slope = polynomial(table, base, x)
        many, many_slope = polynomial(table, base + PIECES_C * ORDER, x)
        value = alone * few + (1.0 - alone) * many
        slope = alone * few_slope + (1.0 - alone) * many_slope
        by_alone = few - many
    return value, slope, by_alone


@portable
def radial(r: f64, w: f64, w_slope: f64, pairs: f64[:], k: i64):
    """V^R and V^A of a bond, with their slopes."""
    core = pairs[k + A] * exp(-pairs[k + ALPHA] * r)
    screened = 1.0 + pairs[k + Q] / r
    away = w * screened * core
    away_slope = core * (w_slope * screened - w * (pairs[k + Q] / (r * r) + pairs[k + ALPHA] * screened))
    first = pairs[k + B1] * exp(-pairs[k + BETA1] * r)
    second = pairs[k + B2] * exp(-pairs[k + BETA2] * r)
    third = pairs[k + B3] * exp(-pairs[k + BETA3] * r)
    well = first + second + third
    bound_slope = w * (pairs[k + BETA1] * first + pairs[k + BETA2] * second + pairs[k + BETA3] * third) - w_slope * well
    return away, away_slope, -w * well, bound_slope
