"""Pairs of spins: fields on them and forces between their atoms (styles/spin.py).

An interaction is a function of the way e from i to j (length 1), its length r, both spins (length 1) and parameters p. It gives
-dE/ds_i, the force on i, and the energy E of the pair.
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, end_torque, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, no_force, sum_tally
from everlet.portable import exp, f64, i32, i64, portable, real, sqrt


@portable
def exchange(r: f64, ex: f64, ey: f64, ez: f64, ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64, p):
    """E = -J (s_i.s_j - o), J = 4 a x (1 - b x) exp(-x), x = (r/c)^2; o: 1 or 0."""
    x = r * r * p.c
    k = 4.0 * p.a * exp(-x)
    strength = k * x * (1.0 - p.b * x)
    slope = k * (1.0 - 2.0 * p.b * x - x * (1.0 - p.b * x)) * 2.0 * r * p.c
    dot = ax * bx + ay * by + az * bz - p.d
    push = -slope * dot
    return strength * bx, strength * by, strength * bz, push * ex, push * ey, push * ez, -strength * dot


@portable
def dmi(r: f64, ex: f64, ey: f64, ez: f64, ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64, p):
    """E = (e x D).(s_j x s_i), D = (a, b, c)."""
    dx = ey * p.c - ez * p.b
    dy = ez * p.a - ex * p.c
    dz = ex * p.b - ey * p.a
    wx = by * dz - bz * dy
    wy = bz * dx - bx * dz
    wz = bx * dy - by * dx
    cx = (ay * bz - az * by) / r
    cy = (az * bx - ax * bz) / r
    cz = (ax * by - ay * bx) / r
    fx = p.c * cy - p.b * cz
    fy = p.a * cz - p.c * cx
    fz = p.b * cx - p.a * cy
    fe = fx * ex + fy * ey + fz * ez
    return wx, wy, wz, fx - fe * ex, fy - fe * ey, fz - fe * ez, -(ax * wx + ay * wy + az * wz)


@portable
def spin_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
              kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], spin: f64[:, 4],
              fm: f64[:, 3], moves: f64, rate: f64):
    """Force on atom i, and the field on its spin times `rate`. moves: 0 where forces of spins do not act."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    ax, ay, az = spin[i, 0], spin[i, 1], spin[i, 2]
    wx, wy, wz = no_force(0.0)
    fx, fy, fz, tallied = empty_row()
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
        p = record(table, (row + i64(kind[j])) * NP)
        if r2 < p.cut2:
            r = sqrt(r2)
            hx, hy, hz, gx, gy, gz, u = INTERACTION(r, -dx / r, -dy / r, -dz / r, ax, ay, az, spin[j, 0], spin[j, 1],
                                                    spin[j, 2], p)
            wx += hx
            wy += hy
            wz += hz
            gx *= moves
            gy *= moves
            gz *= moves
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, u, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, rate * wx, rate * wy, rate * wz, fm)
    if EV:
        return sum_tally(0.5, tallied)
