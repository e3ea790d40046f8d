"""The loop of pair styles with charges for CPUs, whose formulas take long and whose rows are long.

A row is done in stages, SEGMENT entries of it at a time; what one stage hands to the next is in scratch memory, which stays in
the first cache. Neighbours within the longest cutoff are packed: 40 % of a row may be beyond it, in the skin. Then come the
strengths of these pairs alone, and then the sums, so that neither stage has to keep all numbers of the other in registers.
Statics are those of loops.py, ALIKE: pairs of all types end at the longest cutoff, and ONE_BY_ONE: neighbours are packed one
by one, which is faster unless registers are wide, not by lanes.
"""

from __future__ import annotations

from everlet.forces.pair.rows import end_force, sum_stage, toward, whole_row_at
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_virial, sum_with_coulomb
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def packed_loop(i, n: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], neigh: i32[:], count: i32[:],
                first: i32[:], si: i64, sk: i64, table: real[:], data: real[:], kinds: i64, f: scatter[f64[:, 3]],
                order: i32[:], own: f64[:], reach2: f64, filler: i64):
    """The work of neighbor_loop. The fourth number of positions is the charge, own is not read. reach2: the square of the
    longest cutoff; filler: stands for no atom."""
    near_ones = scratch(i32, SEGMENT + 64)
    sx = scratch(real, SEGMENT + 64)
    sy = scratch(real, SEGMENT + 64)
    sz = scratch(real, SEGMENT + 64)
    strengths = scratch(real, SEGMENT + 64)
    i, m, start, row, xi, yi, zi = whole_row_at(i, x, order, count, first, si, kind, kinds)
    own_i = as_real(x[i, 3])
    nobody = i32(filler + 8 * (i // 1024 % 4))  # threads that add nothing to one atom would slow each other
    fx, fy, fz = no_force(as_real(lanes(0.0)))
    if EV:
        tallied = no_tally(lanes(0.0))
        coulomb = lanes(0.0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    if MANY:
        p = common(table, (kinds + 1) * NP)
    for begin in range(0, m, SEGMENT):
        some = i64(0)
        if ONE_BY_ONE:
            for q in range(begin, min(m, begin + SEGMENT), TOGETHER):  # each is written where the last one that was near ended
                for u in unroll(TOGETHER):
                    k[u] = i64(neigh[start + q + u])
                    dx = real(xi - x[k[u], 0])
                    dy = real(yi - x[k[u], 1])
                    dz = real(zi - x[k[u], 2])
                    near_ones[some] = i32(k[u])
                    some += i64(dx * dx + dy * dy + dz * dz < reach2)
        if not ONE_BY_ONE:
            for q in lane_steps(begin, min(m, begin + SEGMENT)):
                j = load(neigh, start + q)
                _, _, _, r2 = toward(j, x, xi, yi, zi)
                near = both(live(q, m), r2 < real(reach2))
                some += append(near_ones, i64(0), some, i64(1), j, near)
        store(near_ones, some, lane_ids() * i32(0) + nobody)
        for q in lane_range(some):
            j = load(near_ones, q)
            xj, yj, zj, qj = gather4(x, j, True)
            if PREFETCH and not FULL:
                prefetch3(f, j)
            dx = as_real(xi - xj)
            dy = as_real(yi - yj)
            dz = as_real(zi - zj)
            r2 = fma(dx, dx, fma(dy, dy, dz * dz))
            store(sx, q, dx)
            store(sy, q, dy)
            store(sz, q, dz)
            if MANY:
                p = of_kinds(table, kind, j, row, NP)
            strength, e, charged, ec = pair(r2, p, data, own_i, as_real(qj))
            strength += charged
            if not ALIKE:
                near = r2 < p.cut2
                strength = where(near, strength, real(0.0))
            store(strengths, q, strength)
            if EV:
                if ALIKE:
                    near = live(q, some)
                    strength = where(near, strength, real(0.0))
                e = where(near, e - p.offset, real(0.0))
                ec = where(near, ec, real(0.0))
                if not NEWTON and not FULL:
                    share = where(j < i32(n), lanes(1.0), lanes(0.5))
                    strength *= share
                    ec *= share
                    e *= share
                tallied = add_tally(tallied, e, dx, dy, dz, dx * strength, dy * strength, dz * strength)
                coulomb += ec
        if ALIKE:
            store(strengths, some, lanes(0.0))
        fx, fy, fz = sum_stage(some, near_ones, i64(0), n, sx, sy, sz, strengths, f, fx, fy, fz)
    end_force(f, i, f64(lane_sum(fx)), f64(lane_sum(fy)), f64(lane_sum(fz)))
    if EV and not ENERGY:
        return sum_virial(SHARE, tallied)
    if EV and ENERGY:
        return sum_with_coulomb(SHARE, tallied, coulomb)
