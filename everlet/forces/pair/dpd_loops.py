"""Pairs of dissipative particles: what pulls and pushes, what brakes, and noise (styles/dpd.py). On cores a step of a row is
as many pairs as registers have lanes: noise is most of the work."""

from __future__ import annotations

from everlet.forces.pair.own_loops import end_row, pack_near
from everlet.forces.pair.rows import toward, whole_row_at
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import both, exp, f64, i32, i64, log, portable, real, sqrt, where
from everlet.portable.random import normals
from everlet.state.clock import ramped
from everlet.state.control import STEP


@portable
def pair_noise(seed: i64, one: i64, other, step: i64):
    """Four normal numbers of an atom, others on lanes, and a step, the same from both sides."""
    first = other < one
    return normals(seed, where(first, other, one) * 4294967296 + where(first, one, other), step, 0)


@portable
def weighed(dx, dy, dz, r2, near, inverse):
    """The directions of ways, and their weights 1 - r/r_c; of those that are not near some numbers."""
    r = sqrt(where(near, r2, 1.0))
    back = 1.0 / r
    return dx * back, dy * back, dz * back, 1.0 - r * inverse


@portable
def dpd_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
             kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], reach2: f64, v: f64[:, 3],
             id: i64[:], control: i64[:], ahead: i64, seed: i64, rate: f64, start: f64, stop: f64, begin: i64, end: i64):
    """Forces on atom i. EXT: also across the line between two atoms, with powers of the weight that may be chosen."""
    if PACKED:
        packed = scratch(i32, SEGMENT + 64)
    i, m, base, row, xi, yi, zi = whole_row_at(i, x, order, count, first, si, kind, kinds)
    step = control[STEP] + ahead
    heat = rate * sqrt(ramped(step, start, stop, begin, end))
    vx, vy, vz = v[i, 0], v[i, 1], v[i, 2]
    me = id[i]
    fx, fy, fz = no_force(lanes(0.0))
    t = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for part in range(0, m, SEGMENT):
        some = m
        if PACKED:
            some = pack_near(part, m, base, i, neigh, x, reach2, packed)
        for q in lane_range(some):
            if PACKED:
                j = load(packed, q)
            if not PACKED:
                j = load(neigh, base + q * sk)
            dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
            if MANY:
                p = of_kinds(table, kind, j, row, NP)
            near = both(r2 < p.cut2, r2 > 1.0e-20)
            if not BRANCH or any_lane(near):
                nx, ny, nz, w = weighed(dx, dy, dz, r2, near, p.inverse)
                wx, wy, wz = gather3(v, j, near)
                ux = vx - wx
                uy = vy - wy
                uz = vz - wz
                un = nx * ux + ny * uy + nz * uz
                they = gather(id, j, True)
                a, b, c, d = pair_noise(seed, me, they, step)
                wn = w
                if EXT:
                    wn = exp(p.power * log(w))
                g = p.a * w - p.gamma * wn * wn * un + p.sigma * heat * wn * a
                gx = g * nx
                gy = g * ny
                gz = g * nz
                if EXT:
                    wt = exp(p.power_t * log(w))
                    s = p.sigma_t * heat * wt
                    s = where(they < me, -s, s)
                    k = p.gamma_t * wt * wt
                    bn = nx * b + ny * c + nz * d
                    gx += s * (b - bn * nx) - k * (ux - un * nx)
                    gy += s * (c - bn * ny) - k * (uy - un * ny)
                    gz += s * (d - bn * nz) - k * (uz - un * nz)
                gx = where(near, gx, 0.0)
                gy = where(near, gy, 0.0)
                gz = where(near, gz, 0.0)
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                if EV or PERATOM:
                    t = add_tally(t, where(near, 0.5 * p.a * p.cut * w * w, 0.0), dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, t, factor, energy, virial)
    if EV:
        return sum_tally(0.5, t)
