"""Pairs of dissipative particles: what pulls and pushes, what brakes, and noise (styles/dpd.py)."""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, sum_tally
from everlet.portable import exp, f64, i32, i64, log, portable, real, sqrt
from everlet.portable.random import normals
from everlet.state.clock import ramped
from everlet.state.control import STEP


@portable
def pair_noise(seed: i64, one: i64, other: i64, step: i64):
    """Four normal numbers of two atoms and a step, the same from both sides."""
    return normals(seed, min(one, other) * 4294967296 + max(one, other), step, 0)


@portable
def weighed(dx: f64, dy: f64, dz: f64, r2: f64, inverse: f64):
    """The direction of a way, and the weight 1 - r/r_c."""
    r = sqrt(r2)
    return dx / r, dy / r, dz / r, 1.0 - r * inverse


@portable
def dpd_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
             kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], v: f64[:, 3], id: i64[:],
             control: i64[:], ahead: i64, seed: i64, rate: f64, start: f64, stop: f64, begin: i64, end: i64):
    """Forces on atom i. EXT: also across the line between two atoms, with powers of the weight that may be chosen."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    step = control[STEP] + ahead
    heat = rate * sqrt(ramped(step, start, stop, begin, end))
    fx, fy, fz, tallied = empty_row()
    for q in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + q * sk, i, neigh, x)
        p = record(table, (row + i64(kind[j])) * NP)
        if r2 < p.cut2 and r2 > 1.0e-20:
            nx, ny, nz, w = weighed(dx, dy, dz, r2, p.inverse)
            ux = v[i, 0] - v[j, 0]
            uy = v[i, 1] - v[j, 1]
            uz = v[i, 2] - v[j, 2]
            un = nx * ux + ny * uy + nz * uz
            a, b, c, d = pair_noise(seed, id[i], id[j], step)
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
                if id[i] > id[j]:
                    s = -s
                k = p.gamma_t * wt * wt
                bn = nx * b + ny * c + nz * d
                gx += s * (b - bn * nx) - k * (ux - un * nx)
                gy += s * (c - bn * ny) - k * (uy - un * ny)
                gz += s * (d - bn * nz) - k * (uz - un * nz)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, 0.5 * p.a * p.cut * w * w, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    if EV:
        return sum_tally(0.5, tallied)
