"""Loops over pairs of the first and the last atom of links. `pair14` is the pair style's function (forces/pair/one_four.py).

Statics as in loops.py, and COUL: there are charges. weights[type] is that of a type of links; parameters of atom types i, j
begin at table[(i * kinds + j) * NP].
"""

from __future__ import annotations

from everlet.forces.bonded.loops import keep_own, nearest, own_box, way_in
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally, sum_with_coulomb
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def one_four_loop(i, count: i64[:], room: i64, x: f64[:, 4], box: f64[:], owned: i64, links: i32[:], weights: f64[:],
                  type: i32[:], q: f64[:], table: real[:], data: real[:], kinds: i64, f: scatter[f64[:, 3]]):
    """The pairs of CHUNK links."""
    if EV:
        tallied = no_tally(lanes(0.0))
        coulomb = lanes(0.0)
    last = min((i + 1) * CHUNK, count[0])
    for k in lane_steps(i * CHUNK, last):
        here = live(k, last)
        w = gather(weights, load(links, k), True)
        j1 = load(links, room + k)
        j4 = load(links, SIZE * room + k)
        p = record(table, (gather(type, j1, True) * i32(kinds) + gather(type, j4, True)) * i32(NP), True)
        x1, y1, z1 = gather3(x, j1, True)
        x4, y4, z4 = gather3(x, j4, True)
        dx, dy, dz = nearest(x1 - x4, y1 - y4, z1 - z4, box)
        q1 = lanes(0.0)
        q4 = lanes(0.0)
        if COUL:
            q1 = gather(q, j1, True)
            q4 = gather(q, j4, True)
        strength, e, pull, ec = pair14(dx * dx + dy * dy + dz * dz, p, data, q1, q4)
        total = where(here, w * (strength + pull), lanes(0.0))
        gx = total * dx
        gy = total * dy
        gz = total * dz
        subtract3(f, j1, -gx, -gy, -gz, both(here, j1 < i32(owned)))
        subtract3(f, j4, gx, gy, gz, both(here, j4 < i32(owned)))
        if EV:
            share = where(j1 < i32(owned), lanes(0.5), lanes(0.0)) + where(j4 < i32(owned), lanes(0.5), lanes(0.0))
            tallied = add_tally(tallied, where(here, share * w * e, lanes(0.0)), dx, dy, dz, share * gx, share * gy, share * gz)
            coulomb += where(here, share * w * ec, lanes(0.0))
    if EV:
        if COUL:
            return sum_with_coulomb(1.0, tallied, coulomb)
        if not COUL:
            return sum_tally(1.0, tallied)


@portable
def own_pairs(i, width: i64, kind: i32[:], ids: i64[:], mine: i32[:], rows: i32[:], x: f64[:, 4], box: f64[:], member: i32[:],
              weights: f64[:], type: i32[:], q: f64[:], table: real[:], data: real[:], kinds: i64, f: f64[:], energy: f64[:],
              virial: f64[:]):
    """The pairs of atom i alone. FORCE: its force; PERATOM: its halves of energy and virial; EV: sums of these over atoms.
    MANY: boxes of many systems, and `member` says which."""
    b = own_box(i, member)
    fx, fy, fz = no_force(0.0)
    tallied = no_tally(0.0)
    coulomb = 0.0
    k = i * width
    while k < (i + 1) * width and ids[k * SIZE] != 0:
        if kind[k] > 0 and mine[kind[k]] != 0:
            j = i64(rows[ids[k * SIZE]])
            if j == i:
                j = i64(rows[ids[k * SIZE + SIZE - 1]])
            if rows[ids[k * SIZE]] == i or rows[ids[k * SIZE + SIZE - 1]] == i:
                w = weights[kind[k]]
                dx, dy, dz = way_in(i, j, x, b, box)
                p = record(table, (i64(type[i]) * kinds + i64(type[j])) * NP)
                qi = 0.0
                qj = 0.0
                if COUL:
                    qi = q[i]
                    qj = q[j]
                strength, e, pull, ec = pair14(dx * dx + dy * dy + dz * dz, p, data, qi, qj)
                gx = w * (strength + pull) * dx
                gy = w * (strength + pull) * dy
                gz = w * (strength + pull) * dz
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                tallied = add_tally(tallied, w * e, dx, dy, dz, gx, gy, gz)
                coulomb += w * ec
        k += 1
    e, xx, yy, zz, xy, xz, yz = keep_own(i, 0.5, f, energy, virial, fx, fy, fz, tallied, coulomb)
    if EV:
        if COUL:
            return e, xx, yy, zz, xy, xz, yz, 0.5 * coulomb
        if not COUL:
            return e, xx, yy, zz, xy, xz, yz
