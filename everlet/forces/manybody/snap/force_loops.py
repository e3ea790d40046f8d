"""The loop of SNAP that makes forces: rows v of each neighbour again (loops.py), against four sums of its atom."""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of, give_slope
from everlet.forces.manybody.snap.loops import before_row, end_row, longest, next_number
from everlet.forces.manybody.snap.physics import counted, length_and_way, pulled, turned
from everlet.forces.manybody.tile_loops import entry_of, place
from everlet.forces.pair.rows import row_starts
from everlet.forces.pair.tally import no_force, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, scatter, where


@portable
def row_against(source: i64, target: i64, m: i64, cr, ci, dr, di, work: real[:], sums: real[:], h: i64, f, tx, ty, tz):
    """The next row, as in snap_loops.next_row; its product with the sums is added to f and t."""
    pr = cr * real(0.0)
    pi = pr
    for ma in range(m + 1):
        k = 2 * ma * T
        xr, xi, pr, pi = next_number(source + k, target + k, cr, ci, dr, di, pr, pi, work)
        s = h + 8 * ma * T
        f = fma(xr, load(sums, s), fma(xi, load(sums, s + T), f))
        tx = fma(xr, load(sums, s + 2 * T), fma(xi, load(sums, s + 3 * T), tx))
        ty = fma(xr, load(sums, s + 4 * T), fma(xi, load(sums, s + 5 * T), ty))
        tz = fma(xr, load(sums, s + 6 * T), fma(xi, load(sums, s + 7 * T), tz))
    end_row(target + 2 * (m + 1) * T, cr, work)
    return f, tx, ty, tz


@portable
def forces(w, begin: i64, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
           pitch: i64, ends: i32[:], table: real[:], kinds: i64, work: real[:], sums: real[:], f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: minus the slopes of the energy of the atoms of lanes.

    SHARES: instead of forces their virial, for each of the two atoms (manybody/shares.py).
    """
    own = w * W
    mine = begin + own
    xi, yi, zi = gather3(x, lane_ids() + i32(mine), True)
    row = load(kind, mine) * i32(kinds)
    zero = as_real(lanes(0.0))
    factor = factor_of(table, kinds + 1)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    a0 = place(own, 4 * (J + 2))
    b0 = a0 + 2 * (J + 2) * T
    done = load(ends, mine) * i32(0)
    start = row_starts(mine, first, si)
    for c in range(CHANNELS):
        base = place(own, 8 * HALF * CHANNELS) + c * 8 * HALF * T
        last = load(ends, c * pitch + mine)
        for q in range(longest(mine, n, c, pitch, ends)):
            there, j, dx, dy, dz, r2 = entry_of(q, live(mine, n), start, done, last, sk, neigh, filler, x, xi, yi, zi)
            r, nx, ny, nz = length_and_way(dx, dy, dz, r2)
            if MANY:
                p = record(table, (row + gather(kind, j, True)) * i32(NP), True)
            cosine, sine = turned(r, p)
            ar = where(there, cosine, real(0.0))
            ai = where(there, -(nz * sine), real(0.0))
            br = where(there, ny * sine, real(0.0))
            bi = where(there, -(nx * sine), real(0.0))
            store(work, a0, zero + real(1.0))
            store(work, a0 + T, zero)
            store(work, a0 + 2 * T, zero)
            store(work, a0 + 3 * T, zero)
            e = load(sums, base)
            tx = load(sums, base + 2 * T)
            ty = load(sums, base + 4 * T)
            tz = load(sums, base + 6 * T)
            here = a0
            other = b0
            h = base + 8 * T
            for mb in range(J // 2 + 1):
                for m in range(2 * mb + 1, J + 1):
                    e, tx, ty, tz = row_against(here, here, m, ar, -ai, -br, bi, work, sums, h, e, tx, ty, tz)
                    h += 8 * (m + 1) * T
                    if m == 2 * mb + 1 and m < J:
                        after = base + 8 * before_row(mb + 1) * T
                        e, tx, ty, tz = row_against(here, other, m + 1, br, bi, ar, ai, work, sums, after, e, tx, ty, tz)
                swap = here
                here = other
                other = swap
                h += 8 * (2 * mb + 3) * T
            value, slope = counted(r, p)
            gx, gy, gz = pulled(r, nx, ny, nz, cosine, sine, p, value, slope, e, tx, ty, tz)
            fx, fy, fz, tallied = give_slope(f, lane_ids() + i32(mine), j, dx, dy, dz, gx, gy, gz, there,
                                             factor, fx, fy, fz, tallied)
        done = last
    if not SHARES:
        subtract3(f, lane_ids() + i32(mine), -fx, -fy, -fz, live(mine, n))
    if EV:
        return sum_tally(1.0, tallied)
