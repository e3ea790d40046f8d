"""The loops of SNAP over neighbours with one neighbour on each lane: for GPUs, where the threads of an item are its lanes.

Sums of an atom are sums over lanes, forces are of one lane alone. Two rows are at work, in registers: v, which goes from
j = 2 mb to J for one mb, and w, with which the next mb begins (two factors more). Statics as in loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of, give_slope, keep_force, on_each_lane
from everlet.forces.manybody.snap.physics import counted, length_and_way, pulled, times, turned
from everlet.forces.manybody.tile_loops import on_lanes, place
from everlet.forces.pair.rows import position, row_start
from everlet.forces.pair.tally import no_force, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def next_row(vr: unrolled[J + 1], vi: unrolled[J + 1], cr, ci, dr, di):
    """(c + d t) times a row."""
    lr = as_real(lanes(0.0))
    li = lr
    for u in unroll(J + 1):
        kr[u], ki[u] = times(cr, ci, dr, di, vr[u], vi[u], lr, li)
        lr = vr[u]
        li = vi[u]
    return kr[: J + 1], ki[: J + 1]


@portable
def team_neighbours(own, begin: i64, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
                    filler: i64, pitch: i64, ends: i32[:], table: real[:], kinds: i64, total: real[:]):
    """The sum of v over the neighbours in each channel, each as much as it counts."""
    i = begin + own
    xi, yi, zi = position(i, x)
    row = i32(i64(kind[i]) * kinds)
    zero = as_real(lanes(0.0))
    start = i32(row_start(i, first, si))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    done = i64(0)
    for c in range(CHANNELS):
        last = i64(ends[c * pitch + i])
        for q in lane_steps(done, max(last, done + 1)):  # once at least: the sums are zero where nobody is
            fresh = q < done + lane_stride()
            there, j, dx, dy, dz, r2 = on_lanes(q, last, start, sk, neigh, filler, x, xi, yi, zi)
            inverse = rsqrt(r2)
            r = r2 * inverse
            if MANY:
                p = record(table, (row + gather(kind, j, True)) * i32(NP), True)
            cosine, sine = turned(r, p)
            side = where(there, sine * inverse, real(0.0))
            ar = where(there, cosine, real(0.0))
            ai = -(dz * side)
            br = dy * side
            bi = -(dx * side)
            value, _ = counted(r, p)
            for u in unroll(J + 1):
                wr[u] = zero
                wi[u] = zero
            for u in unroll(1):
                wr[u] = where(there, value, real(0.0))
            h = place(own, 2 * HALF * CHANNELS) + c * 2 * HALF * T
            for mb in range(J // 2 + 1):
                vr[: J + 1], vi[: J + 1] = wr[: J + 1], wi[: J + 1]
                for m in range(2 * mb, J + 1):
                    for u in unroll(J + 1):
                        if u <= m:
                            add_sums(total, h + 2 * u * T, T, vr[u], vi[u], fresh)
                    h += 2 * (m + 1) * T
                    vr[: J + 1], vi[: J + 1] = next_row(vr[: J + 1], vi[: J + 1], ar, -ai, -br, bi)
                wr[: J + 1], wi[: J + 1] = next_row(wr[: J + 1], wi[: J + 1], ar, -ai, -br, bi)
                wr[: J + 1], wi[: J + 1] = next_row(wr[: J + 1], wi[: J + 1], br, bi, ar, ai)
        done = last


@portable
def team_forces(own, begin: i64, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
                filler: i64, pitch: i64, ends: i32[:], table: real[:], kinds: i64, sums: real[:], f: scatter[f64[:, 3]]):
    """Forces on an atom and on its neighbours: minus the slopes of the energy of this atom. SHARES as in force_loops.py."""
    i = begin + own
    xi, yi, zi = position(i, x)
    row = i32(i64(kind[i]) * kinds)
    zero = as_real(lanes(0.0))
    start = i32(row_start(i, first, si))
    mine = on_each_lane(i)
    factor = factor_of(table, kinds + 1)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    done = i64(0)
    for c in range(CHANNELS):
        last = i64(ends[c * pitch + i])
        for q in lane_steps(done, last):
            there, j, dx, dy, dz, r2 = on_lanes(q, last, start, sk, neigh, filler, x, xi, yi, zi)
            r, nx, ny, nz = length_and_way(dx, dy, dz, r2)
            if MANY:
                p = record(table, (row + gather(kind, j, True)) * i32(NP), True)
            cosine, sine = turned(r, p)
            side = where(there, sine, real(0.0))
            ar = where(there, cosine, real(0.0))
            ai = -(nz * side)
            br = ny * side
            bi = -(nx * side)
            for u in unroll(J + 1):
                wr[u] = zero
                wi[u] = zero
            for u in unroll(1):
                wr[u] = zero + real(1.0)
            e = zero
            tx = zero
            ty = zero
            tz = zero
            h = place(own, 8 * HALF * CHANNELS) + c * 8 * HALF * T
            for mb in range(J // 2 + 1):
                vr[: J + 1], vi[: J + 1] = wr[: J + 1], wi[: J + 1]
                for m in range(2 * mb, J + 1):
                    for u in unroll(J + 1):
                        if u <= m:
                            s = h + 8 * u * T
                            e = fma(vr[u], sums[s], fma(vi[u], sums[s + T], e))
                            tx = fma(vr[u], sums[s + 2 * T], fma(vi[u], sums[s + 3 * T], tx))
                            ty = fma(vr[u], sums[s + 4 * T], fma(vi[u], sums[s + 5 * T], ty))
                            tz = fma(vr[u], sums[s + 6 * T], fma(vi[u], sums[s + 7 * T], tz))
                    h += 8 * (m + 1) * T
                    vr[: J + 1], vi[: J + 1] = next_row(vr[: J + 1], vi[: J + 1], ar, -ai, -br, bi)
                wr[: J + 1], wi[: J + 1] = next_row(wr[: J + 1], wi[: J + 1], ar, -ai, -br, bi)
                wr[: J + 1], wi[: J + 1] = next_row(wr[: J + 1], wi[: J + 1], br, bi, ar, ai)
            value, slope = counted(r, p)
            gx, gy, gz = pulled(r, nx, ny, nz, cosine, sine, p, value, slope, e, tx, ty, tz)
            fx, fy, fz, tallied = give_slope(f, mine, j, dx, dy, dz, gx, gy, gz, there, factor, fx, fy, fz, tallied)
        done = last
    keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_tally(1.0, tallied)
