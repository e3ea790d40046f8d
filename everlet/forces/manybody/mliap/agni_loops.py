"""Loops of agni: fingerprints of atoms along x, y and z, then the forces that these make.

`data` has three numbers of each fingerprint (a factor, a steepness, a distance), then the columns of known environments: one
for each fingerprint, and their weights. Statics: SCALED: forces times the factor of hybrid/scaled; MANY, NP, DENSE as in
pair/loops.py.
"""

from __future__ import annotations

from everlet.forces.pair.rows import entry_at, row_at
from everlet.portable import cos, exp, f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def fingerprints(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
                 table: real[:], data: real[:], kinds: i64, size: i64, made: f64[:]):
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    p = record(table, (kinds + 1) * NP)
    for k in range(size):
        factor = data[3 * k]
        steep = data[3 * k + 1]
        centre = data[3 * k + 2]
        fx = as_real(lanes(0.0))
        fy = as_real(lanes(0.0))
        fz = as_real(lanes(0.0))
        for q in lane_range(m):
            near, j, dx, dy, dz, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
            if MANY:
                p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
            r2 = where(near, r2, real(1.0))
            inverse = rsqrt(r2)
            r = r2 * inverse
            off = r - centre
            part = -0.5 * (cos(p.turn * r) + 1.0) * factor * exp(-steep * off * off) * inverse
            part = where(near, part, real(0.0))
            fx += part * dx
            fy += part * dy
            fz += part * dz
        tx = f64(lane_sum(fx))
        ty = f64(lane_sum(fy))
        tz = f64(lane_sum(fz))
        if leader():
            begin = 3 * (i * size + k)
            made[begin] = tx
            made[begin + 1] = ty
            made[begin + 2] = tz


@portable
def fingerprint_forces(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
                       filler: i64, table: real[:], data: real[:], kinds: i64, size: i64, made: f64[:], rows: i64,
                       narrowness: f64, shift: f64, f: scatter[f64[:, 3]]):
    """Each known environment adds the more the nearer its fingerprints are."""
    p = record(table, (i64(kind[i]) * kinds + i64(kind[i])) * NP)
    factor = f64(p.there)
    if SCALED:
        factor = factor * f64(p.factor)
    fx = as_real(lanes(0.0))
    fy = as_real(lanes(0.0))
    fz = as_real(lanes(0.0))
    for q in lane_range(rows):
        ax = as_real(lanes(0.0))
        ay = as_real(lanes(0.0))
        az = as_real(lanes(0.0))
        for k in range(size):
            known = load(data, 3 * size + k * rows + q)
            begin = 3 * (i * size + k)
            bx = known - real(made[begin])
            by = known - real(made[begin + 1])
            bz = known - real(made[begin + 2])
            ax += bx * bx
            ay += by * by
            az += bz * bz
        there = live(q, rows)
        weight = where(there, load(data, 3 * size + size * rows + q), real(0.0))
        steep = -real(narrowness)
        fx += weight * exp(steep * where(there, ax, real(0.0)))
        fy += weight * exp(steep * where(there, ay, real(0.0)))
        fz += weight * exp(steep * where(there, az, real(0.0)))
    tx = factor * (f64(lane_sum(fx)) + shift)
    ty = factor * (f64(lane_sum(fy)) + shift)
    tz = factor * (f64(lane_sum(fz)) + shift)
    if leader():
        add3(f, i, tx, ty, tz)
