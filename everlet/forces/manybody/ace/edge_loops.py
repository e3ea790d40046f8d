"""What loops of an expansion do with a neighbour on each lane: add it to sums A, and the slope of the energy with its place.

Lanes are neighbours of one atom (team_loops.py): sums are over lanes; a thread has registers for all m at once, so that each
function of r is looked up once. lane_loops.py has the same formulas for CPUs, m by m.
"""

from __future__ import annotations

from everlet.forces.manybody.ace.physics import value, value_and_slope
from everlet.portable import i32, i64, portable, real


@portable
def add_edge(c: i64, base: i64, spot, u, ux, uy, uz, fresh, begun, channels: i32[:], rows: real[:], shells: i32[:],
             legendre: real[:], total: real[:]):
    """More for the sums of neighbours of species c. `fresh`: these are the first of their channel, so that the sums are put
    there; not `begun`: the same for direct sums."""
    zero = as_real(lanes(0.0))
    pr[0] = zero + real(1.0)
    pi[0] = zero
    for m in unroll(L):
        pr[m + 1] = pr[m] * ux - pi[m] * uy
        pi[m + 1] = pr[m] * uy + pi[m] * ux
    for m in unroll(L + 1):
        now[m] = zero
        before[m] = zero + real(1.0)
    h = base + 2 * i64(channels[c]) * CHANNEL * T
    for ell in unroll(L + 1):
        for m in unroll(ell + 1):
            g = 2 * (ell * (ell + 1) // 2 + m)
            new = legendre[g] * uz * now[m] + legendre[g + 1] * before[m]
            before[m] = now[m]
            now[m] = new
            yr[m] = new * pr[m]
            yi[m] = new * pi[m]
        for f in range(i64(shells[ell]), i64(shells[ell + 1])):
            v = value(rows, spot + real(8 * f), u)
            for m in unroll(ell + 1):
                add_sums(total, h, T, v * yr[m], v * yi[m], fresh)
                h += 2 * T
    h = base + (2 * NUMBERS + c * DIRECT) * T
    for f in range(RADIAL, FUNCTIONS, 2):
        one = value(rows, spot + real(8 * f), u)
        two = value(rows, spot + real(8 * f + 8), u)
        add_sums(total, h, T, one, two, not begun)
        h += 2 * T


@portable
def edge_slope(c: i64, base: i64, spot, u, rate, ux, uy, uz, inverse, own_slope, channels: i32[:], rows: real[:],
               shells: i32[:], legendre: real[:], weights: real[:]):
    """How the energy changes with the place of the neighbour; `own_slope` of its own along the way comes to it."""
    zero = as_real(lanes(0.0))
    for m in unroll(L + 1):
        now[m] = zero
        before[m] = zero + real(1.0)
        slope[m] = zero  # of now and before with uz
        earlier[m] = zero
        ar[m] = zero  # sum over l of weights, times R and P; times R and P'; times R' and P
        ai[m] = zero
        br[m] = zero
        bi[m] = zero
        cr[m] = zero
        ci[m] = zero
    h = base + 2 * i64(channels[c]) * CHANNEL * T
    for ell in unroll(L + 1):
        for m in unroll(ell + 1):
            g = 2 * (ell * (ell + 1) // 2 + m)
            new = legendre[g] * uz * now[m] + legendre[g + 1] * before[m]
            change = legendre[g] * (now[m] + uz * slope[m]) + legendre[g + 1] * earlier[m]
            before[m] = now[m]
            now[m] = new
            earlier[m] = slope[m]
            slope[m] = change
            vr[m] = zero
            vi[m] = zero
            wr[m] = zero
            wi[m] = zero
        for e in range(i64(shells[ell]), i64(shells[ell + 1])):
            v, s = value_and_slope(rows, spot + real(8 * e), u)
            for m in unroll(ell + 1):
                re = load(weights, h)
                vr[m] = fma(v, re, vr[m])
                wr[m] = fma(s, re, wr[m])
                if m > 0:
                    im = load(weights, h + T)
                    vi[m] = fma(v, im, vi[m])
                    wi[m] = fma(s, im, wi[m])
                h += 2 * T
        for m in unroll(ell + 1):
            ar[m] = fma(now[m], vr[m], ar[m])
            ai[m] = fma(now[m], vi[m], ai[m])
            br[m] = fma(slope[m], vr[m], br[m])
            bi[m] = fma(slope[m], vi[m], bi[m])
            cr[m] = fma(now[m], wr[m], cr[m])
            ci[m] = fma(now[m], wi[m], ci[m])
    along = zero
    h = base + (2 * NUMBERS + c * DIRECT) * T
    for e in range(RADIAL, FUNCTIONS):
        _, s = value_and_slope(rows, spot + real(8 * e), u)
        along = fma(s, load(weights, h), along)
        h += T
    tx = zero
    ty = zero
    tz = zero
    qr = zero + real(1.0)  # (ux + i uy)^m
    qi = zero
    for m in unroll(L + 1):
        tz = fma(qr, br[m], fma(qi, bi[m], tz))
        along = fma(qr, cr[m], fma(qi, ci[m], along))
        if m < L:
            k = real(m + 1)
            tx = fma(k, qr * ar[m + 1] + qi * ai[m + 1], tx)
            ty = fma(k, qr * ai[m + 1] - qi * ar[m + 1], ty)
            s = qr * ux - qi * uy
            qi = qr * uy + qi * ux
            qr = s
    along = fma(along, rate, own_slope)
    along = along - (ux * tx + uy * ty + uz * tz) * inverse
    return fma(along, ux, tx * inverse), fma(along, uy, ty * inverse), fma(along, uz, tz * inverse)
