"""Loops of the angular-dependent potential: sums over the neighbours of an atom, then what its energy changes with each.

Numbers of an atom: dF/drho, mu (x y z), and lambda less a third of its trace (xx yy zz xy xz yz). Statics: MANY, NP, DENSE as
in pair/loops.py; SCALED, EXACT, STEPS, EV, SHARES as in giving_loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.eam.eam import embed, interval, quadratic, value
from everlet.forces.manybody.giving_loops import factor_of, give, give_slope, keep_force, keep_share, on_each_lane
from everlet.forces.pair.rows import entry_at, row_at
from everlet.forces.pair.tally import and_way, no_force, no_tally, sum_with_energy, virial_of
from everlet.portable import f64, i32, i64, lookup4, lookup8, portable, real, scatter, where


@portable
def curves_at(near, r2, p, data):
    """1/r, the place in its interval, where the sixteen numbers of that are, and those of the density and of u."""
    inverse, k, t = interval(where(near, r2, 1.0), p)
    spot = p.start + 16.0 * k
    fa, fb, fc, fd, ua, ub, uc, ud = lookup8(data, spot)
    return inverse, t, spot, fa, fb, fc, fd, ua, ub, uc, ud


@portable
def adp_sums(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
             table: real[:], data: real[:], kinds: i64, from_atom: i64, step: i64, numbers: f64[:], own: f64[:]):
    """The numbers of atom i; its energy but for pairs is returned, or put into `own` (SHARES)."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    zero = as_real(lanes(0.0))
    rho, ux, uy, uz = zero, zero, zero, zero
    moments = virial_of(zero, zero, zero, zero, zero, zero)
    p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        near, j, dx, dy, dz, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        _, t, spot, fa, fb, fc, fd, ua, ub, uc, ud = curves_at(near, r2, p, data)
        wa, wb, wc, wd = lookup4(data, spot + 8.0)
        u = where(near, value(t, ua, ub, uc, ud), real(0.0))
        w = where(near, value(t, wa, wb, wc, wd), real(0.0))
        rho += where(near, value(t, fa, fb, fc, fd), real(0.0))
        ux += u * dx
        uy += u * dy
        uz += u * dz
        moments = and_way(moments, w * dx, w * dy, w * dz, dx, dy, dz)
    xx, yy, zz, xy, xz, yz = moments
    rho, ux, uy, uz = f64(lane_sum(rho)), f64(lane_sum(ux)), f64(lane_sum(uy)), f64(lane_sum(uz))
    xx, yy, zz = f64(lane_sum(xx)), f64(lane_sum(yy)), f64(lane_sum(zz))
    xy, xz, yz = f64(lane_sum(xy)), f64(lane_sum(xz)), f64(lane_sum(yz))
    energy = f64(0.0)
    if leader():
        p = record(table, (row + i64(kind[i])) * NP)
        embedding, slope = embed(real(rho), p, data)
        third = (xx + yy + zz) / 3.0
        energy = (f64(embedding) + 0.5 * (ux * ux + uy * uy + uz * uz) + 0.5 * (xx * xx + yy * yy + zz * zz)
                  + xy * xy + xz * xz + yz * yz - 1.5 * third * third)
        to = i * from_atom
        numbers[to] = f64(slope)
        numbers[to + step] = ux
        numbers[to + 2 * step] = uy
        numbers[to + 3 * step] = uz
        numbers[to + 4 * step] = xx - third
        numbers[to + 5 * step] = yy - third
        numbers[to + 6 * step] = zz - third
        numbers[to + 7 * step] = xy
        numbers[to + 8 * step] = xz
        numbers[to + 9 * step] = yz
        keep_share(own, i, energy)
    if EV:
        return energy


@portable
def adp_forces(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
               table: real[:], data: real[:], kinds: i64, from_atom: i64, step: i64, numbers: f64[:], f: scatter[f64[:, 3]]):
    """Forces of atom i and its neighbours: minus the slopes of its energy with half of its pairs. Returns the energy of these
    and the virial; SHARES: both for the atoms."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    to = i * from_atom
    slope = real(numbers[to])
    ux, uy, uz = real(numbers[to + step]), real(numbers[to + 2 * step]), real(numbers[to + 3 * step])
    xx, yy, zz = real(numbers[to + 4 * step]), real(numbers[to + 5 * step]), real(numbers[to + 6 * step])
    xy, xz, yz = real(numbers[to + 7 * step]), real(numbers[to + 8 * step]), real(numbers[to + 9 * step])
    factor = factor_of(table, kinds + 1)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    p = record(table, (kinds + 1) * NP)
    energy = lanes(0.0)
    for q in lane_range(m):
        near, j, dx, dy, dz, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        inverse, t, spot, fa, fb, fc, _, ua, ub, uc, ud = curves_at(near, r2, p, data)
        wa, wb, wc, wd, za, zb, zc, zd = lookup8(data, spot + 8.0)
        phi = value(t, za, zb, zc, zd) * inverse
        phi_slope = (quadratic(t, 3.0 * za, 2.0 * zb, zc) * p.inverse - phi) * inverse
        f_slope = quadratic(t, 3.0 * fa, 2.0 * fb, fc) * p.inverse
        u_slope = quadratic(t, 3.0 * ua, 2.0 * ub, uc) * p.inverse
        w_slope = quadratic(t, 3.0 * wa, 2.0 * wb, wc) * p.inverse
        u = value(t, ua, ub, uc, ud)
        w2 = 2.0 * value(t, wa, wb, wc, wd)
        vx = xx * dx + xy * dy + xz * dz
        vy = xy * dx + yy * dy + yz * dz
        vz = xz * dx + yz * dy + zz * dz
        along = inverse * (slope * f_slope + 0.5 * phi_slope + u_slope * (ux * dx + uy * dy + uz * dz)
                           + w_slope * (vx * dx + vy * dy + vz * dz))
        here = on_each_lane(i)
        half = where(near, 0.5 * phi, real(0.0))
        energy += half
        if SHARES:
            none = dx - dx
            give(f, here, -half, none, none, none, none, none, none, near)
        fx, fy, fz, tallied = give_slope(f, here, j, dx, dy, dz, along * dx + u * ux + w2 * vx, along * dy + u * uy + w2 * vy,
                                         along * dz + u * uz + w2 * vz, near, factor, fx, fy, fz, tallied)
    keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_with_energy(1.0, energy, tallied)
