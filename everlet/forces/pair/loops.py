"""The loops every pair style runs in. `pair` is the style's function, `p` its parameters for one pair of types.

Statics: EV (tally the virial, and with ENERGY also energies), MANY (more than one atom type), NP (parameters per pair of
types), BRANCH (skip pairs beyond the cutoff instead of masking them: for scalars), SHARE (what one row's share of a pair
counts: 0.5 for FULL, else 1), AHEAD (steps of a row whose positions are read before any is used: loads wait for memory
together), FIXED (positions are whole multiples of `scale`, see fixed_point.py), SPLIT (mixed precision: float32 sums of a few
steps are added in double, every FLUSH steps), PREFETCH (steps of a row whose positions are asked for before they are needed;
the list is read that far beyond the end of a row; see neighbor/ahead.py).
The parameters of types (i, j) are at table[(kind_i * kinds + kind_j) * NP]; the last two are cut2 and offset.
"""

from __future__ import annotations

from everlet.forces.pair.rows import along, apart, end_force, place_of, places_of, whole_row
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally, sum_virial, sum_with_coulomb
from everlet.portable import accum, f64, i32, i64, portable, real, scatter, where


@portable
def neighbor_loop(i, n: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], neigh: i32[:], count: i32[:],
                  first: i32[:], si: i64, sk: i64, table: real[:], data: real[:], kinds: i64, f: scatter[f64[:, 3]],
                  order: i32[:], own: f64[:]):
    """The force on atom i from the atoms in its row of the list, and with a half list the opposite force on those.

    FULL     every pair is in two rows: force on i alone, energy and virial count half.
    NEWTON   (half list) every pair is in one row: ghosts receive forces too, which are sent back to their owners.
    neither  (half list) a pair with a ghost is in two rows: the ghost gets nothing, energy and virial count half.
    SLOTS    atom i of `order`, not atom i: dense rows are read in the order in which they lie.
    DENSE    row i begins at neigh[8 * first[i]], otherwise at neigh[i * si].
    OWN      the force depends also on a number of each of the two atoms, own (of embedded atoms, or their charges).
    COUL     of charges: `pair` gives force and energy in two parts, and the Coulomb energy is summed by itself (charged.py).
    """
    i, m, start, row = whole_row(i, order, count, first, si, kind, kinds)
    xi, yi, zi = place_of(i, x, fixed)
    if OWN:
        own_i = as_real(own[i])
    fx, fy, fz = no_force(as_real(lanes(0.0)))
    if SPLIT:
        wx = as_accum(lanes(0.0))
        wy = as_accum(lanes(0.0))
        wz = as_accum(lanes(0.0))
    if EV:
        tallied = no_tally(lanes(0.0))
    if EV and COUL:
        coulomb = lanes(0.0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    if MANY:
        p = common(table, (kinds + 1) * NP)
    for q in lane_range(m, AHEAD):
        for u in unroll(AHEAD):
            j[u] = load(neigh, start + (q + u * lane_stride()) * sk)
            xj[u], yj[u], zj[u] = places_of(j[u], x, fixed)
            if PREFETCH:
                later = load(neigh, start + (q + (u + PREFETCH) * lane_stride()) * sk)
                if FIXED:
                    prefetch3(fixed, later)
                if not FIXED:
                    prefetch3(x, later)
                if not FULL:
                    prefetch3(f, j[u])
        for u in unroll(AHEAD):
            dx, dy, dz, r2 = apart(xi, yi, zi, xj[u], yj[u], zj[u], scale)
            if MANY:
                p = of_kinds(table, kind, j[u], row, NP)
            near = r2 < p.cut2
            if not BRANCH or any_lane(near):
                if COUL:
                    strength, e, charged, ec = pair(r2, p, data, own_i, as_real(gather(own, j[u], True)))
                    strength += charged
                if OWN and not COUL:
                    strength, e = pair(r2, p, data, own_i, as_real(gather(own, j[u], True)))
                if not OWN:
                    strength, e = pair(r2, p, data)
                gx, gy, gz = along(strength, near, dx, dy, dz)
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                if NEWTON and not FULL:
                    subtract3(f, j[u], gx, gy, gz, True)
                if not NEWTON and not FULL:
                    subtract3(f, j[u], gx, gy, gz, j[u] < i32(n))
                if EV:
                    e = where(near, e - p.offset, real(0.0))
                    if not NEWTON and not FULL:
                        share = where(j[u] < i32(n), lanes(1.0), lanes(0.5))
                        if COUL:
                            ec *= as_real(share)
                        e *= as_real(share)
                        gx *= as_real(share)
                        gy *= as_real(share)
                        gz *= as_real(share)
                    tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
                    if COUL:
                        coulomb += where(near, ec, real(0.0))
        if SPLIT:
            if q // (lane_stride() * AHEAD) % FLUSH == FLUSH - 1:
                wx += as_accum(fx)
                wy += as_accum(fy)
                wz += as_accum(fz)
                fx, fy, fz = no_force(as_real(lanes(0.0)))
    if SPLIT:
        tx = f64(lane_sum(wx + as_accum(fx)))
        ty = f64(lane_sum(wy + as_accum(fy)))
        tz = f64(lane_sum(wz + as_accum(fz)))
    if not SPLIT:
        tx = f64(lane_sum(fx))
        ty = f64(lane_sum(fy))
        tz = f64(lane_sum(fz))
    end_force(f, i, tx, ty, tz)
    if EV and not ENERGY:
        return sum_virial(SHARE, tallied)
    if EV and ENERGY and COUL:
        return sum_with_coulomb(SHARE, tallied, coulomb)
    if EV and ENERGY and not COUL:
        return sum_tally(SHARE, tallied)


@portable
def refill(s, colours: i64, edges: i64[:], order: i32[:], count: i32[:], first: i32[:], filler: i64, neigh: i32[:]):
    """Fill up the dense rows of slab s with an index that no other slab of its colour has."""
    for k in range(edges[s], edges[s + 1]):
        i = i64(order[k])
        start = i64(first[i]) * 8
        for q in range(i64(count[i]), (i64(count[i]) + PAD - 1) // PAD * PAD):
            neigh[start + q] = i32(filler + APART * (s // colours))


@portable
def evaluate(i, r2: real[:], table: real[:], data: real[:], kind_i: i64, kind_j: i64, kinds: i64, force: accum[:],
             energy: accum[:]):
    """F/r and E at W squared distances, on the lanes that forces are computed with."""
    p = record(table, (kind_i * kinds + kind_j) * NP)
    r2_lanes = load(r2, i * W)
    strength, e = pair(r2_lanes, p, data)
    store(force, i * W, as_accum(strength + lanes(0.0)))
    store(energy, i * W, as_accum(e + lanes(0.0)))
