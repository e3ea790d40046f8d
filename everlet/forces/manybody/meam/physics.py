"""What loops of MEAM share: partial densities of neighbours, their tensors packed, and products with directions.

A set of tensors is A1 (x y z), A2 (xx yy zz xy xz yz) and A3 (xxx xxy xxz xyy xyz xzz yyy yyz yzz zzz), 19 numbers; of what the
slopes are made of there are four more: the traces of A2 (a third) and of A3 (three fifths).
"""

from __future__ import annotations

from everlet.portable import exp, portable

SET = 23


@portable
def empty_set(zero):
    return (zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero, zero)


@portable
def partial(r, p):
    """f0 … f3 of a neighbour."""
    return p.c0 * exp(-p.d0 * r), p.c1 * exp(-p.d1 * r), p.c2 * exp(-p.d2 * r), p.c3 * exp(-p.d3 * r)


@portable
def partial_minus(r, p):
    """The minus densities f1 f2 f3."""
    return p.c4 * exp(-p.d4 * r), p.c5 * exp(-p.d5 * r), p.c6 * exp(-p.d6 * r)


@portable
def with_neighbour(tensors, f1, f2, f3, ux, uy, uz):
    """A set with one more neighbour."""
    x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz = tensors
    ax, ay, az = f2 * ux, f2 * uy, f2 * uz
    cx, cy, cz = f3 * ux, f3 * uy, f3 * uz
    uxx, uxy, uyy, uzz = ux * ux, ux * uy, uy * uy, uz * uz
    return (x + f1 * ux, y + f1 * uy, z + f1 * uz, xx + ax * ux, yy + ay * uy, zz + az * uz, xy + ax * uy, xz + ax * uz,
            yz + ay * uz, xxx + cx * uxx, xxy + cy * uxx, xxz + cz * uxx, xyy + cx * uyy, xyz + cz * uxy, xzz + cx * uzz,
            yyy + cy * uyy, yyz + cz * uyy, yzz + cy * uzz, zzz + cz * uzz)


@portable
def squares(tensors):
    """R1 R2 R3."""
    x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz = tensors
    trace = xx + yy + zz
    tx, ty, tz = xxx + xyy + xzz, xxy + yyy + yzz, xxz + yyz + zzz
    third = (xxx * xxx + yyy * yyy + zzz * zzz + 6.0 * xyz * xyz
             + 3.0 * (xxy * xxy + xxz * xxz + xyy * xyy + xzz * xzz + yyz * yyz + yzz * yzz))
    return (x * x + y * y + z * z, xx * xx + yy * yy + zz * zz + 2.0 * (xy * xy + xz * xz + yz * yz) - trace * trace / 3.0,
            third - 0.6 * (tx * tx + ty * ty + tz * tz))


@portable
def against(tensors, f1, f2, f3, ux, uy, uz):
    """Products P of a set of slopes with a direction, for each f, and the slope with the direction, f inside."""
    (x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz, trace, tx, ty, tz) = tensors
    vx, vy, vz = xx * ux + xy * uy + xz * uz, xy * ux + yy * uy + yz * uz, xz * ux + yz * uy + zz * uz
    uxx, uyy, uzz, uxy, uxz, uyz = ux * ux, uy * uy, uz * uz, 2.0 * ux * uy, 2.0 * ux * uz, 2.0 * uy * uz
    wx = xxx * uxx + xyy * uyy + xzz * uzz + xxy * uxy + xxz * uxz + xyz * uyz
    wy = xxy * uxx + yyy * uyy + yzz * uzz + xyy * uxy + xyz * uxz + yyz * uyz
    wz = xxz * uxx + yyz * uyy + zzz * uzz + xyz * uxy + xzz * uxz + yzz * uyz
    g1, g2, g3 = f1, 2.0 * f2, 3.0 * f3
    return (x * ux + y * uy + z * uz, vx * ux + vy * uy + vz * uz - trace,
            (wx - tx) * ux + (wy - ty) * uy + (wz - tz) * uz, g1 * x + g2 * vx + g3 * wx - f3 * tx,
            g1 * y + g2 * vy + g3 * wy - f3 * ty, g1 * z + g2 * vz + g3 * wz - f3 * tz)
