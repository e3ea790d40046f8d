"""Noise of spheres in a fluid: each by itself, and pairs that squeeze the fluid between them (styles/brownian.py)."""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, end_torque, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, no_force, sum_tally
from everlet.portable import f64, i32, i64, log, most, portable, real, sqrt
from everlet.portable.random import uniforms
from everlet.state.control import STEP

IDS = 4294967296  # two ids make one number


@portable
def resistances(a: f64, b: f64, gap: f64):
    """Of a sphere of radius a beside one of radius b: squeezing and shearing over 6 pi mu, pumping over 6 pi mu; h is the gap
    over a, and what the logarithms of wide gaps would make negative is 0."""
    h = gap / a
    wide = log(1.0 / h)
    t = b / a
    s = 1.0 + t
    squeeze = a * t * t / (s * s * h)
    shear = 0.0
    pump = 0.0
    if LOG:
        s3 = s * s * s
        squeeze += a * (1.0 + 7.0 * t + t * t) / (5.0 * s3) * wide
        shear = a * 4.0 * t * (2.0 + t + 2.0 * t * t) / (15.0 * s3) * wide
        pump = 0.025 * a * a * a * wide
        if POLY:
            t2 = t * t
            squeeze += a * (1.0 + 18.0 * t - 29.0 * t2 + 18.0 * t * t2 + t2 * t2) / (21.0 * s * s3) * h * wide
            shear += a * 4.0 * (16.0 - 45.0 * t + 58.0 * t2 - 45.0 * t * t2 + 16.0 * t2 * t2) / (375.0 * s * s3) * h * wide
            pump = a * a * a * wide * 4.0 / 3.0 * (t * (4.0 + t) / (10.0 * s * s)
                                                   + (32.0 - 33.0 * t + 83.0 * t2 + 43.0 * t * t2) / (250.0 * s3) * h)
    return most(squeeze, 0.0), most(shear, 0.0), most(pump, 0.0)


@portable
def across(k: f64, ax: f64, ay: f64, az: f64, nx: f64, ny: f64, nz: f64):
    """k times what of three numbers in (0, 1), less 1/2, is across n."""
    ax -= 0.5
    ay -= 0.5
    az -= 0.5
    along = ax * nx + ay * ny + az * nz
    return k * (ax - along * nx), k * (ay - along * ny), k * (az - along * nz)


@portable
def brownian_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                  kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], radius: f64[:],
                  id: i64[:], torque: f64[:, 3], control: i64[:], ahead: i64, seed: i64, heat: f64, solid: f64, box: f64[:]):
    """Force and torque on atom i. POLY: both atoms of a pair have numbers of their own, else opposite ones."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    step = control[STEP] + ahead
    a = radius[i]
    me = id[i]
    fx, fy, fz, tallied = empty_row()
    tx, ty, tz = no_force(0.0)
    if HI:
        for k in lane_range(m):
            j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
            p = record(table, (row + i64(kind[j])) * NP)
            b = radius[j]
            r = sqrt(r2)
            gap = most(r, p.inner) - a - b
            if r2 < p.cut2 and gap > 0.0:
                nx, ny, nz = dx / r, dy / r, dz / r
                squeeze, shear, pump = resistances(a, b, gap)
                they = id[j]
                key = me * IDS + they
                sign = 1.0
                if not POLY and they < me:
                    key = they * IDS + me
                    sign = -1.0
                u, ax, ay, az = uniforms(seed, key, step, 0)
                g = heat * sqrt(squeeze) * (u - 0.5)  # n is the opposite from the other side
                gx = g * nx
                gy = g * ny
                gz = g * nz
                if LOG:
                    cx, cy, cz = across(sign * heat * sqrt(shear), ax, ay, az, nx, ny, nz)
                    gx += cx
                    gy += cy
                    gz += cz
                    tx -= a * (ny * cz - nz * cy)
                    ty -= a * (nz * cx - nx * cz)
                    tz -= a * (nx * cy - ny * cx)
                    ax, ay, az, u = uniforms(seed, key, step, 1)
                    cx, cy, cz = across(sign * heat * sqrt(pump), ax, ay, az, nx, ny, nz)
                    tx += cx
                    ty += cy
                    tz += cz
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                if EV or PERATOM:
                    tallied = add_tally(tallied, 0.0, dx, dy, dz, gx, gy, gz)
    if FLD and leader():
        part = solid / (box[3] * box[4] * box[5])
        push = 1.0 + 2.16 * part
        if LOG:
            push = 1.0 + 2.725 * part - 6.583 * part * part
        g = heat * sqrt(a * most(push, 0.0))
        ax, ay, az, u = uniforms(seed, me * IDS, step, 2)
        fx += g * (ax - 0.5)
        fy += g * (ay - 0.5)
        fz += g * (az - 0.5)
        if LOG:
            g = heat * sqrt(4.0 / 3.0 * a * a * a * most(1.0 + 0.749 * part - 2.469 * part * part, 0.0))
            ax, ay, az, u = uniforms(seed, me * IDS, step, 3)
            tx += g * (ax - 0.5)
            ty += g * (ay - 0.5)
            tz += g * (az - 0.5)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, tx, ty, tz, torque)
    if EV:
        return sum_tally(0.5, tallied)
