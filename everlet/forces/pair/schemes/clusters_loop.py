"""The force loop over pairs of clusters. `pair` is the style's function, `p` its parameters for one pair of types.

Statics as in loops.py, those of clusters_build.py, and WIDTH, which is W as a number. Lanes are the W atoms of a
j-cluster, read side by side; each of the CI atoms of an i-cluster meets all of them. Sums over lanes are kept in
scratch memory, so that one text serves every CI; narrow registers could not hold 3 CI of them anyway.
"""

from __future__ import annotations

from everlet.forces.pair.rows import force_of
from everlet.forces.pair.schemes.clusters_build import coordinate
from everlet.portable import f64, i32, i64, portable, real, where

BEYOND = 1.0e30  # a squared distance beyond any cutoff


@portable
def tally(sums: real[:], k: i64, value):
    """Add lanes to sum k."""
    store(sums, k * W, load(sums, k * W) + value)


@portable
def tile(c: i64, own: i64, t: i64, home: i64, owned: i64, here: real[:], force: real[:], sums: real[:], cx: real[:],
         origin: f64[:], ckind: i32[:], table: real[:], data: real[:], kinds: i64, cf: real[:], p):
    """The i-cluster at slot t meets the lanes of cluster c: atom a of it those behind lane own + a."""
    xj = load(cx, 3 * W * c)
    yj = load(cx, 3 * W * c + W)
    zj = load(cx, 3 * W * c + 2 * W)
    if MANY:
        kj = load(ckind, W * c)
    if RELATIVE:  # origins are far from zero, their difference is not: subtract in double, round then
        ox = real(origin[3 * home] - origin[3 * c])
        oy = real(origin[3 * home + 1] - origin[3 * c + 1])
        oz = real(origin[3 * home + 2] - origin[3 * c + 2])
    gx = lanes(0.0)
    gy = lanes(0.0)
    gz = lanes(0.0)
    share = real(1.0)
    if not NEWTON:
        if c >= owned:
            share = real(0.5)
    for a in range(CI):
        xi = here[3 * a]
        yi = here[3 * a + 1]
        zi = here[3 * a + 2]
        if RELATIVE:
            xi += ox
            yi += oy
            zi += oz
        dx = xi - xj
        dy = yi - yj
        dz = zi - zj
        r2 = where(lane_ids() > i32(own + a), fma(dx, dx, fma(dy, dy, dz * dz)), real(BEYOND))
        if MANY:
            p = record(table, (kj + ckind[t + a] * i32(kinds)) * i32(NP), True)
        near = r2 < p.cut2
        if not BRANCH or any_lane(near):
            fx, fy, fz, e = force_of(r2, near, dx, dy, dz, p, data)
            gx, gy, gz = gx + fx, gy + fy, gz + fz
            tally(force, 3 * a, fx)
            tally(force, 3 * a + 1, fy)
            tally(force, 3 * a + 2, fz)
            if EV:
                fx *= share
                fy *= share
                fz *= share
                tally(sums, 0, e * share)
                tally(sums, 1, dx * fx)
                tally(sums, 2, dy * fy)
                tally(sums, 3, dz * fz)
                tally(sums, 4, dx * fy)
                tally(sums, 5, dx * fz)
                tally(sums, 6, dy * fz)
    if c < owned or NEWTON:
        store(cf, 3 * W * c, load(cf, 3 * W * c) - gx)
        store(cf, 3 * W * c + W, load(cf, 3 * W * c + W) - gy)
        store(cf, 3 * W * c + 2 * W, load(cf, 3 * W * c + 2 * W) - gz)


@portable
def cluster_loop(k, colour: i64, colours: i64, slab: i64[:], owned: i64, rows: i32[:], count: i32[:], pitch: i64,
                 cx: real[:], origin: f64[:], ckind: i32[:], table: real[:], data: real[:], kinds: i64, cf: real[:],
                 total: f64[:]):
    """Forces of the i-clusters of one slab; slabs of one colour write to different clusters.

    Every pair is met once and both atoms get the force. First come the clusters that an i-cluster lies in, where an
    atom meets the slots behind its own, then the row. Without NEWTON a pair with a ghost is met twice: the ghost gets
    nothing, energy and virial count half.
    """
    here = scratch(real, 3 * CI)
    force = scratch(real, 3 * CI * WIDTH)
    sums = scratch(real, 7 * WIDTH)
    s = colour + k * colours
    p = record(table, (kinds + 1) * NP)
    if EV:
        for q in range(7):
            total[7 * s + q] = 0.0
    for i in range(slab[s], slab[s + 1]):
        t = i * CI
        home = t // W
        for a in range(CI):
            for d in range(3):
                here[3 * a + d] = coordinate(t + a, d, home, cx, origin)
                store(force, (3 * a + d) * W, lanes(0.0))
        if EV:
            for q in range(7):
                store(sums, q * W, lanes(0.0))
        for c in range(home, (t + CI - 1) // W + 1):
            tile(c, t - c * W, t, home, owned, here, force, sums, cx, origin, ckind, table, data, kinds, cf, p)
        for q in range(i * pitch, i * pitch + count[i]):
            tile(i64(rows[q]), i64(-CI), t, home, owned, here, force, sums, cx, origin, ckind, table, data, kinds, cf,
                 p)
        for a in range(CI):
            for d in range(3):
                place = (3 * ((t + a) // W) + d) * W + (t + a) % W
                cf[place] += lane_sum(load(force, (3 * a + d) * W))
        if EV:
            for q in range(7):
                total[7 * s + q] += f64(lane_sum(load(sums, q * W)))
