"""Pairs whose energy is a function of the way between two atoms and of a number of each (styles/sphere.py, interlayer.py).

    LAW(dx, dy, dz, r2, p, a_i, a_j) -> fx, fy, fz, E          zero where its own cutoff ends

Statics besides those of own_loops.py: LAW; OWN (atoms have numbers); OTHERS (atoms of one molecule have no
such force); COUL (E is one of charges).
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import end_row, half_pairs
from everlet.forces.pair.rows import whole_row
from everlet.portable import f64, i32, i64, portable, real


@portable
def between_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                 kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], own: f64[:],
                 molecule: i64[:]):
    """Force on atom i; `own` has the numbers of atoms."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    fx = 0.0
    fy = 0.0
    fz = 0.0
    e = 0.0
    xx = 0.0
    yy = 0.0
    zz = 0.0
    xy = 0.0
    xz = 0.0
    yz = 0.0
    for k in lane_range(m):
        j = i64(neigh[base + k * sk])
        dx = x[i, 0] - x[j, 0]
        dy = x[i, 1] - x[j, 1]
        dz = x[i, 2] - x[j, 2]
        r2 = dx * dx + dy * dy + dz * dz
        p = record(table, (row + i64(kind[j])) * NP)
        there = r2 < p.cut2
        if OTHERS:
            if molecule[i] == molecule[j]:
                there = False
        if there:
            a_i = 0.0
            a_j = 0.0
            if OWN:
                a_i = own[i]
                a_j = own[j]
            gx, gy, gz, energy_ij = LAW(dx, dy, dz, r2, p, a_i, a_j)
            fx += gx
            fy += gy
            fz += gz
            if EV or PERATOM:
                e += energy_ij
                xx += dx * gx
                yy += dy * gy
                zz += dz * gz
                xy += dx * gy
                xz += dx * gz
                yz += dy * gz
    end_row(i, fx, fy, fz, f)
    if PERATOM:
        half_pairs(i, e, xx, yy, zz, xy, xz, yz, factor, energy, virial)
    if EV:
        e, xx, yy, zz, xy, xz, yz = half_pairs(i, e, xx, yy, zz, xy, xz, yz, factor, energy, virial)
        if COUL:
            return 0.0, xx, yy, zz, xy, xz, yz, e
        if not COUL:
            return e, xx, yy, zz, xy, xz, yz
