"""Pairs whose energy is a function of the way between two atoms and of a number of each (styles/lj_sphere.py, interlayer.py).

    LAW(dx, dy, dz, r2, p, a_i, a_j) -> fx, fy, fz, E          zero where its own cutoff ends

Statics besides those of own_loops.py: LAW; OWN (atoms have numbers); OTHERS (atoms of one molecule have no
such force); COUL (E is one of charges).
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, sum_tally, sum_with_coulomb
from everlet.portable import f64, i32, i64, portable, real


@portable
def between_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                 kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], own: f64[:],
                 molecule: i64[:]):
    """Force on atom i; `own` has the numbers of atoms."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    fx, fy, fz, tallied = empty_row()
    ec = 0.0
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
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
            gx, gy, gz, e = LAW(dx, dy, dz, r2, p, a_i, a_j)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                if COUL and not PERATOM:
                    ec += e
                    e = 0.0
                tallied = add_tally(tallied, e, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    if EV:
        if COUL:
            return sum_with_coulomb(0.5, tallied, ec)
        if not COUL:
            return sum_tally(0.5, tallied)
