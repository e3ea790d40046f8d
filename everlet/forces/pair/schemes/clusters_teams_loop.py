"""The force loop over the rows of clusters on GPUs. `pair` is the style's function, `p` its parameters for a pair of types.

Statics as in loops.py and clusters_teams_build.py. Threads of a team (lanes elsewhere) share out the atoms of a row. Each
holds one of them and the whole i-cluster in registers, and sums of its own; in the end the sums of a team are added.
"""

from __future__ import annotations

from everlet.forces.pair.rows import force_of
from everlet.forces.pair.tally import add_tally, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real


@portable
def cluster_rows(t, columns: i64, filler: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], first: i32[:],
                 member: i32[:], room: i64, rows: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64,
                 f: f64[:, 3]):
    """Forces on the CI atoms of i-cluster t from the atoms of its row, each of which is read once for all of them.

    Every pair is met from both sides: force on the i-cluster alone, energy and virial count half. An atom does not meet
    itself, and a filler, which is far from all atoms, does not meet fillers, which all have the same index.
    """
    m = i64(0)
    if t * CI < i64(first[columns]) * ALIGN:
        m = i64(count[t]) * JC
    if FIXED:
        length = real(scale)
    for u in unroll(CI):
        i[u] = filler
    if m > 0:
        for u in unroll(CI):
            i[u] = i64(member[t * CI + u])
    for u in unroll(CI):
        if FIXED:
            xi[u] = fixed[i[u], 0]
            yi[u] = fixed[i[u], 1]
            zi[u] = fixed[i[u], 2]
        if not FIXED:
            xi[u] = x[i[u], 0]
            yi[u] = x[i[u], 1]
            zi[u] = x[i[u], 2]
        row[u] = i32(kind[i[u]]) * i32(kinds)
        fx[u] = as_real(lanes(0.0))
        fy[u] = as_real(lanes(0.0))
        fz[u] = as_real(lanes(0.0))
    if EV:
        tallied = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        if JC == 1:
            j = load(rows, t * room + q)
        if JC > 1:
            j = load(member, i64(rows[t * room + q // JC]) * JC + q % JC)
        if FIXED:
            xj, yj, zj = gather3(fixed, j, True)
        if not FIXED:
            xj, yj, zj = gather3(x, j, True)
        if MANY:
            kj = gather(kind, j, True)
        for u in unroll(CI):
            if FIXED:
                dx = length * difference(xi[u], xj)
                dy = length * difference(yi[u], yj)
                dz = length * difference(zi[u], zj)
            if not FIXED:
                dx = as_real(xi[u] - xj)
                dy = as_real(yi[u] - yj)
                dz = as_real(zi[u] - zj)
            r2 = fma(dx, dx, fma(dy, dy, dz * dz))
            if MANY:
                p = record(table, (kj + row[u]) * i32(NP), True)
            near = both(r2 < p.cut2, j != i32(i[u]))
            if not BRANCH or any_lane(near):
                gx, gy, gz, e = force_of(r2, near, dx, dy, dz, p, data)
                fx[u], fy[u], fz[u] = fx[u] + gx, fy[u] + gy, fz[u] + gz
                if EV:
                    tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
    if m > 0:
        for u in unroll(CI):
            tx = f64(lane_sum(fx[u]))
            ty = f64(lane_sum(fy[u]))
            tz = f64(lane_sum(fz[u]))
            if leader() and i[u] < filler:
                if not ADD:
                    f[i[u], 0] = tx
                    f[i[u], 1] = ty
                    f[i[u], 2] = tz
                if ADD:
                    f[i[u], 0] += tx
                    f[i[u], 1] += ty
                    f[i[u], 2] += tz
    if EV:
        return sum_tally(0.5, tallied)
