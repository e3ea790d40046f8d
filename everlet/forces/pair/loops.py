"""The loops every pair style runs in. `pair` is the style's function, `p` its parameters for one pair of types.

Statics: EV (tally energy and virial), MANY (more than one atom type), DATA (the style reads a table), NP (parameters
per pair of types), BRANCH (skip pairs beyond the cutoff instead of masking them: for scalars), SHARE (what one row's
share of a pair counts: 0.5 for FULL, else 1).
The parameters of types (i, j) are at table[(kind_i * kinds + kind_j) * NP]; the last two are cut2 and offset.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import accum, f64, i32, i64, portable, real, scatter, where


@portable
def neighbor_loop(i, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
                  table: real[:], data: real[:], kinds: i64, f: scatter[f64[:, 3]]):
    """The force on atom i from the atoms in its row of the list, and with a half list the opposite force on those.

    FULL     every pair is in two rows: force on i alone, energy and virial count half.
    NEWTON   (half list) every pair is in one row: ghosts receive forces too, which are sent back to their owners.
    neither  (half list) a pair with a ghost is in two rows: the ghost gets nothing, energy and virial count half.
    """
    xi = x[i, 0]
    yi = x[i, 1]
    zi = x[i, 2]
    m = i64(count[i])
    start = i * si
    if PACKED:
        start = i64(first[i]) * 8
    row = i64(kind[i]) * kinds
    fx = lanes(0.0)
    fy = lanes(0.0)
    fz = lanes(0.0)
    if EV:
        energy = lanes(0.0)
        vxx = lanes(0.0)
        vyy = lanes(0.0)
        vzz = lanes(0.0)
        vxy = lanes(0.0)
        vxz = lanes(0.0)
        vyz = lanes(0.0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        j = load(neigh, start + q * sk)
        xj, yj, zj = gather3(x, j, True)
        dx = as_real(xi - xj)
        dy = as_real(yi - yj)
        dz = as_real(zi - zj)
        r2 = fma(dx, dx, fma(dy, dy, dz * dz))
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        near = r2 < p.cut2
        if not BRANCH or any_lane(near):
            if DATA:
                strength, e = pair(r2, p, data)
            if not DATA:
                strength, e = pair(r2, p)
            strength = where(near, strength, real(0.0))
            gx = dx * strength
            gy = dy * strength
            gz = dz * strength
            fx += gx
            fy += gy
            fz += gz
            if NEWTON and not FULL:
                subtract3(f, j, gx, gy, gz, True)
            if not NEWTON and not FULL:
                subtract3(f, j, gx, gy, gz, j < i32(n))
            if EV:
                e = where(near, e - p.offset, real(0.0))
                if not NEWTON and not FULL:
                    share = where(j < i32(n), lanes(1.0), lanes(0.5))
                    e *= as_real(share)
                    gx *= as_real(share)
                    gy *= as_real(share)
                    gz *= as_real(share)
                energy += e
                vxx += dx * gx
                vyy += dy * gy
                vzz += dz * gz
                vxy += dx * gy
                vxz += dx * gz
                vyz += dy * gz
    tx = f64(lane_sum(fx))
    ty = f64(lane_sum(fy))
    tz = f64(lane_sum(fz))
    if leader():
        if FULL:
            f[i, 0] = tx
            f[i, 1] = ty
            f[i, 2] = tz
        if not FULL:
            add3(f, i, tx, ty, tz)
    if EV:
        return (SHARE * f64(lane_sum(energy)), SHARE * f64(lane_sum(vxx)), SHARE * f64(lane_sum(vyy)),
                SHARE * f64(lane_sum(vzz)), SHARE * f64(lane_sum(vxy)), SHARE * f64(lane_sum(vxz)),
                SHARE * f64(lane_sum(vyz)))


@portable
def evaluate(i, r2: real[:], table: real[:], data: real[:], kind_i: i64, kind_j: i64, kinds: i64, force: accum[:],
             energy: accum[:]):
    """F/r and E at W squared distances, on the lanes that forces are computed with."""
    p = record(table, (kind_i * kinds + kind_j) * NP)
    r2_lanes = load(r2, i * W)
    if DATA:
        strength, e = pair(r2_lanes, p, data)
    if not DATA:
        strength, e = pair(r2_lanes, p)
    store(force, i * W, as_accum(strength + lanes(0.0)))
    store(energy, i * W, as_accum(e + lanes(0.0)))
