"""The two halves of a step of fix gjf, and velocities that change places.

factors: sqrt(c1), sqrt(c3), sqrt(c3) dt, c2/sqrt(c1), sqrt(c3/c1)
"""

from __future__ import annotations

from everlet.portable import Kernel, f64, i32, i64, local, portable, put_row, sqrt
from everlet.portable.random import normals
from everlet.state.clock import ramped
from everlet.state.control import STEP


@local
@portable
def first_half(i, x: f64[:, 4], v: f64[:, 3], full: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, id: i64[:],
               seed: i64, stream: i64, listed: f64[:, 3], control: i64[:], start: f64, stop: f64, begin: i64, end: i64,
               kick: f64[:], noise: f64[:], factors: f64[:], kept: f64[:, 3]):
    """v = sqrt(c1) full + sqrt(c3) (dt F + b)/2m, x += sqrt(c3) dt v; the clock is still at the step before."""
    if mask[i] & bit:
        k = kick[kind[i]]
        s = noise[kind[i]] * sqrt(ramped(control[STEP] + 1, start, stop, begin, end))
        if DRAWN:
            bx = s * listed[i, 0]
            by = s * listed[i, 1]
            bz = s * listed[i, 2]
        else:
            a, b, c, d = normals(seed, id[i], control[STEP] + 1, stream)
            bx = s * a
            by = s * b
            bz = s * c
        put_row(kept, i, bx, by, bz)
        ux = factors[0] * full[i, 0] + factors[1] * (k * f[i, 0] + bx)
        uy = factors[0] * full[i, 1] + factors[1] * (k * f[i, 1] + by)
        uz = factors[0] * full[i, 2] + factors[1] * (k * f[i, 2] + bz)
        put_row(v, i, ux, uy, uz)
        x[i, 0] += factors[2] * ux
        x[i, 1] += factors[2] * uy
        x[i, 2] += factors[2] * uz


@local
@portable
def second_half(i, v: f64[:, 3], half: f64[:, 3], f: f64[:, 3], kind: i32[:], mask: i32[:], bit: i32, kick: f64[:],
                factors: f64[:], kept: f64[:, 3]):
    """v = c2/sqrt(c1) v + sqrt(c3/c1) (dt F + b)/2m; with HALF v of before is kept."""
    if mask[i] & bit:
        k = kick[kind[i]]
        ux = v[i, 0]
        uy = v[i, 1]
        uz = v[i, 2]
        v[i, 0] = factors[3] * ux + factors[4] * (k * f[i, 0] + kept[i, 0])
        v[i, 1] = factors[3] * uy + factors[4] * (k * f[i, 1] + kept[i, 1])
        v[i, 2] = factors[3] * uz + factors[4] * (k * f[i, 2] + kept[i, 2])
        if HALF:
            put_row(half, i, ux, uy, uz)


@local
@portable
def exchanged(i, v: f64[:, 3], other: f64[:, 3], mask: i32[:], bit: i32):
    """Two velocities change places."""
    if mask[i] & bit:
        vx = v[i, 0]
        vy = v[i, 1]
        vz = v[i, 2]
        put_row(v, i, other[i, 0], other[i, 1], other[i, 2])
        put_row(other, i, vx, vy, vz)


FIRST = {drawn: Kernel(first_half, statics=(("DRAWN", int(drawn)),)) for drawn in (False, True)}
LAST = {half: Kernel(second_half, statics=(("HALF", int(half)),)) for half in (False, True)}
EXCHANGE = Kernel(exchanged)
