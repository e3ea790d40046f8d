"""Pairs of atoms with charges and dipoles (styles/dipole.py).

    r = x_i - x_j,  A = p_i.p_j - 3 (p_i.r)(p_j.r)/r^2
    E = C [q_i q_j / r S_qq + A / r^3 S_pp - q_j p_i.r / r^3 S_qp + q_i p_j.r / r^3 S_qp]

S are 1, or, with SMOOTH, functions of x = r/r_q that end at 1 with slope 0:
S_qq = (1 - x)^2, S_qp = 1 - 3 x^2 + 2 x^3, S_pp = 1 - 4 x^3 + 3 x^4
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, end_torque, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, no_force, sum_with_coulomb
from everlet.portable import f64, i32, i64, portable, real, sqrt


@portable
def dipole_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], q: f64[:],
                mu: f64[:, 3], torque: f64[:, 3], constant: f64):
    """Force and torque on atom i."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    qi = q[i]
    ax, ay, az = mu[i, 0], mu[i, 1], mu[i, 2]
    fx, fy, fz, tallied = empty_row()
    tx, ty, tz = no_force(0.0)
    ec = 0.0
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
        p = record(table, (row + i64(kind[j])) * NP)
        if r2 < p.cut2:
            ir2 = 1.0 / r2
            e = 0.0
            gx, gy, gz = no_force(0.0)
            if r2 < p.coul2:
                qj = q[j]
                bx, by, bz = mu[j, 0], mu[j, 1], mu[j, 2]
                r = sqrt(r2)
                ir = 1.0 / r
                ir3 = constant * ir * ir2
                ar = ax * dx + ay * dy + az * dz
                br = bx * dx + by * dy + bz * dz
                s_qq = 1.0
                s_qp = 1.0
                s_pp = 1.0
                d_qq = 0.0
                d_qp = 0.0
                d_pp = 0.0
                if SMOOTH:
                    inner = 1.0 / sqrt(p.coul2)
                    s = r * inner
                    s_qq = (1.0 - s) * (1.0 - s)
                    s_qp = 1.0 - 3.0 * s * s + 2.0 * s * s * s
                    s_pp = 1.0 - 4.0 * s * s * s + 3.0 * s * s * s * s
                    d_qq = -2.0 * (1.0 - s) * s  # S' r
                    d_qp = -6.0 * s * s * (1.0 - s)
                    d_pp = -12.0 * s * s * s * (1.0 - s)
                e_qq = constant * qi * qj * ir
                e_qp = ir3 * (qi * br - qj * ar)
                e_pp = ir3 * (ax * bx + ay * by + az * bz - 3.0 * ar * br * ir2)
                pull = ir2 * (e_qq * (s_qq - d_qq) + e_qp * (3.0 * s_qp - d_qp) + e_pp * (3.0 * s_pp - d_pp)
                              - 6.0 * ir3 * ar * br * ir2 * s_pp)
                on_a = ir3 * (3.0 * br * ir2 * s_pp + qj * s_qp)
                on_b = ir3 * (3.0 * ar * ir2 * s_pp - qi * s_qp)
                gx += pull * dx + on_a * ax + on_b * bx
                gy += pull * dy + on_a * ay + on_b * by
                gz += pull * dz + on_a * az + on_b * bz
                back = ir3 * s_pp  # the field at i is on_a r - back p_j
                ux = on_a * dx - back * bx
                uy = on_a * dy - back * by
                uz = on_a * dz - back * bz
                tx += ay * uz - az * uy
                ty += az * ux - ax * uz
                tz += ax * uy - ay * ux
                if EV or PERATOM:
                    ec += e_qq * s_qq + e_qp * s_qp + e_pp * s_pp
            if r2 < p.vdwl2:
                ir6 = ir2 * ir2 * ir2
                push = ir6 * (p.a * ir6 - p.b) * ir2 - p.slope
                gx += push * dx
                gy += push * dy
                gz += push * dz
                if EV or PERATOM:
                    e = ir6 * (p.c * ir6 - p.d) + 0.5 * p.slope * r2 - p.level - p.offset
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
    if PERATOM:
        tallied = add_tally(tallied, ec, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, tx, ty, tz, torque)
    if EV:
        return sum_with_coulomb(0.5, tallied, ec)
