"""Loops over links. `link` is the function of a style (base.py): energy, and slopes along the ways from atom 2 to the others.

Statics: SIZE (atoms of a link), NP (parameters of a type), EV (tally energy and virial), CHUNK (links of an item), ALARM (the
style says which bonds are too long), START (energies also depend on the ways of `start`, where atoms were once).
A table of links has the type of link q at links[q] and the row of its atom k = 1 … SIZE at links[k * room + q]; each link is
there once if one of its atoms is owned. Owned atoms alone get forces, and their shares of energy and virial: a link that is cut
by the border of two ranks is computed by both.
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import both, f64, floor, i32, i64, local, portable, real, scatter, where
from everlet.state.box import BOX
from everlet.state.control import TROUBLE, UNLINKED


@portable
def nearest_in(dx, dy, dz, b: i64, box: f64[:]):
    """A difference of positions, less the whole box vectors in it. `box` is Box.params(), of many systems one row after the
    other, and b is where that of this one begins."""
    k = floor(dz * box[b + 11] + 0.5) * box[b + 17]
    dz -= k * box[b + 5]
    dy -= k * box[b + 6]
    dx -= k * box[b + 7]
    k = floor(dy * box[b + 10] + dz * box[b + 12] + 0.5) * box[b + 16]
    dy -= k * box[b + 4]
    dx -= k * box[b + 8]
    k = floor(dx * box[b + 9] + dy * box[b + 14] + dz * box[b + 13] + 0.5) * box[b + 15]
    dx -= k * box[b + 3]
    return dx, dy, dz


@portable
def nearest(dx, dy, dz, box: f64[:]):
    return nearest_in(dx, dy, dz, i64(0), box)


# ---- the table of links
@portable
def begins_here(first: i64, ids: i64[:], me: i64, n: i64, rows: i32[:]):
    """Atom `me`, which has a link with ids from `first` on, is the first of its atoms that this rank owns."""
    before = i64(0)
    found = False
    for k in range(SIZE):
        if ids[first + k] == me:
            found = True
        if not found:
            row = i64(rows[ids[first + k]])
            if row >= 0 and row < n:
                before += 1
    return before == 0


@local
@portable
def count_links(i, n: i64, width: i64, type: i32[:], ids: i64[:], id: i64[:], mine: i32[:], rows: i32[:], counts: i64[:]):
    """How many links of types that are `mine` have their place in the table because of atom i."""
    found = i64(0)
    k = i * width
    while k < (i + 1) * width and ids[k * SIZE] != 0:
        if type[k] > 0 and mine[type[k]] != 0 and begins_here(k * SIZE, ids, id[i], n, rows):
            found += 1
        k += 1
    counts[i] = found


@portable
def fill_links(i, n: i64, width: i64, type: i32[:], ids: i64[:], id: i64[:], mine: i32[:], rows: i32[:], starts: i64[:],
               room: i64, links: i32[:], control: i64[:]):
    """Put these links into the table, from starts[i] on; with ATOMIC wherever there is room, starts[0] counts."""
    if not ATOMIC:
        place = starts[i]
    k = i * width
    while k < (i + 1) * width and ids[k * SIZE] != 0:
        if type[k] > 0 and mine[type[k]] != 0 and begins_here(k * SIZE, ids, id[i], n, rows):
            if ATOMIC:
                place = i64(atomic_add(starts, 0, i64(1)))
            links[place] = type[k]
            for m in range(SIZE):
                row = rows[ids[k * SIZE + m]]
                if row < 0:
                    control[UNLINKED] = 1
                    control[TROUBLE] = 1
                    row = i32(0)
                links[(m + 1) * room + place] = row
            if not ATOMIC:
                place += 1
        k += 1


@local
@portable
def clear_count(i, count: i64[:]):
    count[i] = 0


# ---- forces, every link once
@portable
def slopes_of(d1x, d1y, d1z, d3x, d3y, d3z, d4x, d4y, d4z, p, data: real[:]):
    """The energy of a link, slopes along the ways from atom 2 to atoms 1, 3 and 4, and their sum; what it has not is 0."""
    none = d1x - d1x
    if SIZE == 2:
        if START:
            e, g1x, g1y, g1z, _, _, _ = link(d1x, d1y, d1z, d3x, d3y, d3z, p, data)
        if not START:
            e, g1x, g1y, g1z = link(d1x, d1y, d1z, p, data)
        return e, g1x, g1y, g1z, none, none, none, none, none, none, g1x, g1y, g1z
    if SIZE == 3:
        e, g1x, g1y, g1z, g3x, g3y, g3z = link(d1x, d1y, d1z, d3x, d3y, d3z, p, data)
        return e, g1x, g1y, g1z, g3x, g3y, g3z, none, none, none, g1x + g3x, g1y + g3y, g1z + g3z
    if SIZE == 4:
        e, g1x, g1y, g1z, g3x, g3y, g3z, g4x, g4y, g4z = link(d1x, d1y, d1z, d3x, d3y, d3z, d4x, d4y, d4z, p, data)
        return (e, g1x, g1y, g1z, g3x, g3y, g3z, g4x, g4y, g4z, g1x + g3x + g4x, g1y + g3y + g4y, g1z + g3z + g4z)


@portable
def link_loop(i, count: i64[:], room: i64, x: f64[:, 4], start: f64[:, 4], box: f64[:], owned: i64, links: i32[:],
              table: real[:], data: real[:], alarms: i64[:], f: scatter[f64[:, 3]]):
    """CHUNK links; with EV their energy and virial."""
    if EV:
        tallied = no_tally(lanes(0.0))
    last = min((i + 1) * CHUNK, count[0])
    for q in lane_steps(i * CHUNK, last):
        here = live(q, last)
        p = record(table, load(links, q) * i32(NP), True)
        j1 = load(links, room + q)
        j2 = load(links, 2 * room + q)
        x2, y2, z2 = gather3(x, j2, True)
        x1, y1, z1 = gather3(x, j1, True)
        d1x, d1y, d1z = nearest(x1 - x2, y1 - y2, z1 - z2, box)
        d3x, d3y, d3z = no_force(lanes(0.0))
        d4x, d4y, d4z = no_force(lanes(0.0))
        if START:
            x2, y2, z2 = gather3(start, j2, True)
            x1, y1, z1 = gather3(start, j1, True)
            d3x, d3y, d3z = nearest(x1 - x2, y1 - y2, z1 - z2, box)
        if SIZE > 2:
            j3 = load(links, 3 * room + q)
            x3, y3, z3 = gather3(x, j3, True)
            d3x, d3y, d3z = nearest(x3 - x2, y3 - y2, z3 - z2, box)
        if SIZE > 3:
            j4 = load(links, 4 * room + q)
            x4, y4, z4 = gather3(x, j4, True)
            d4x, d4y, d4z = nearest(x4 - x2, y4 - y2, z4 - z2, box)
        e, g1x, g1y, g1z, g3x, g3y, g3z, g4x, g4y, g4z, gx, gy, gz = slopes_of(
            d1x, d1y, d1z, d3x, d3y, d3z, d4x, d4y, d4z, p, data)
        if ALARM:
            level = where(here, alarm(d1x * d1x + d1y * d1y + d1z * d1z, p), real(0.0))
            if any_lane(level > real(0.5)):
                alarms[0] = 1
            if any_lane(level > real(1.5)):
                alarms[1] = 1
        subtract3(f, j1, g1x, g1y, g1z, both(here, j1 < i32(owned)))
        subtract3(f, j2, -gx, -gy, -gz, both(here, j2 < i32(owned)))
        if SIZE > 2:
            subtract3(f, j3, g3x, g3y, g3z, both(here, j3 < i32(owned)))
        if SIZE > 3:
            subtract3(f, j4, g4x, g4y, g4z, both(here, j4 < i32(owned)))
        if EV:
            mine = where(j1 < i32(owned), lanes(1.0), lanes(0.0)) + where(j2 < i32(owned), lanes(1.0), lanes(0.0))
            if SIZE > 2:
                mine += where(j3 < i32(owned), lanes(1.0), lanes(0.0))
            if SIZE > 3:
                mine += where(j4 < i32(owned), lanes(1.0), lanes(0.0))
            share = mine * (1.0 / SIZE)
            away = -share
            none = lanes(0.0)
            tallied = add_tally(tallied, where(here, share * e, none), d1x, d1y, d1z, where(here, away * g1x, none),
                                where(here, away * g1y, none), where(here, away * g1z, none))
            if SIZE > 2:
                tallied = add_tally(tallied, none, d3x, d3y, d3z, where(here, away * g3x, none),
                                    where(here, away * g3y, none), where(here, away * g3z, none))
            if SIZE > 3:
                tallied = add_tally(tallied, none, d4x, d4y, d4z, where(here, away * g4x, none),
                                    where(here, away * g4y, none), where(here, away * g4z, none))
    if EV:
        return sum_tally(1.0, tallied)


# ---- the same by atom: each computes all its links and adds to its own values alone
@portable
def way_in(j: i64, j2: i64, x: f64[:, 4], b: i64, box: f64[:]):
    return nearest_in(x[j, 0] - x[j2, 0], x[j, 1] - x[j2, 1], x[j, 2] - x[j2, 2], b, box)


@portable
def way(j: i64, j2: i64, x: f64[:, 4], box: f64[:]):
    return nearest(x[j, 0] - x[j2, 0], x[j, 1] - x[j2, 1], x[j, 2] - x[j2, 2], box)


@portable
def own_box(i: i64, member: i32[:]):
    """Where the box of atom i begins among those of many systems (MANY)."""
    b = i64(0)
    if MANY:
        b = BOX * i64(member[i])
    return b


@portable
def keep_own(i: i64, share: f64, f: f64[:], energy: f64[:], virial: f64[:], fx, fy, fz, tallied, coulomb):
    """Add to what atom i has (FORCE, PERATOM); its share of the tally is returned."""
    e, xx, yy, zz, xy, xz, yz = tallied
    if FORCE:
        f[3 * i] += fx
        f[3 * i + 1] += fy
        f[3 * i + 2] += fz
    if PERATOM:
        energy[i] += share * (e + coulomb)
        virial[6 * i] += share * xx
        virial[6 * i + 1] += share * yy
        virial[6 * i + 2] += share * zz
        virial[6 * i + 3] += share * xy
        virial[6 * i + 4] += share * xz
        virial[6 * i + 5] += share * yz
    return share * e, share * xx, share * yy, share * zz, share * xy, share * xz, share * yz


@portable
def own_loop(i, width: i64, type: i32[:], ids: i64[:], mine: i32[:], rows: i32[:], x: f64[:, 4], start: f64[:, 4], box: f64[:],
             member: i32[:], table: real[:], data: real[:], alarms: i64[:], f: f64[:], energy: f64[:], virial: f64[:]):
    """All links of atom i. FORCE: its force; PERATOM: its shares of energy and virial; EV: sums of these over atoms. MANY:
    boxes of many systems, and `member` says which."""
    b = own_box(i, member)
    fx, fy, fz, tallied = empty_row()
    k = i * width
    while k < (i + 1) * width and ids[k * SIZE] != 0:
        if type[k] > 0 and mine[type[k]] != 0:
            p = record(table, i64(type[k]) * NP)
            first = k * SIZE
            j1 = i64(rows[ids[first]])
            j2 = i64(rows[ids[first + 1]])
            d1x, d1y, d1z = way_in(j1, j2, x, b, box)
            d3x, d3y, d3z = no_force(0.0)
            d4x, d4y, d4z = no_force(0.0)
            if START:
                d3x, d3y, d3z = way_in(j1, j2, start, b, box)
            if SIZE > 2:
                j3 = i64(rows[ids[first + 2]])
                d3x, d3y, d3z = way_in(j3, j2, x, b, box)
            if SIZE > 3:
                j4 = i64(rows[ids[first + 3]])
                d4x, d4y, d4z = way_in(j4, j2, x, b, box)
            e, g1x, g1y, g1z, g3x, g3y, g3z, g4x, g4y, g4z, gx, gy, gz = slopes_of(
                d1x, d1y, d1z, d3x, d3y, d3z, d4x, d4y, d4z, p, data)
            if ALARM:
                level = alarm(d1x * d1x + d1y * d1y + d1z * d1z, p)
                if level > 0.5:
                    alarms[0] = 1
                if level > 1.5:
                    alarms[1] = 1
            if FORCE:
                if j1 == i:
                    fx, fy, fz = fx - g1x, fy - g1y, fz - g1z
                if j2 == i:
                    fx, fy, fz = fx + gx, fy + gy, fz + gz
                if SIZE > 2:
                    if j3 == i:
                        fx, fy, fz = fx - g3x, fy - g3y, fz - g3z
                if SIZE > 3:
                    if j4 == i:
                        fx, fy, fz = fx - g4x, fy - g4y, fz - g4z
            tallied = add_tally(tallied, e, d1x, d1y, d1z, -g1x, -g1y, -g1z)
            if SIZE > 2:
                tallied = add_tally(tallied, 0.0, d3x, d3y, d3z, -g3x, -g3y, -g3z)
            if SIZE > 3:
                tallied = add_tally(tallied, 0.0, d4x, d4y, d4z, -g4x, -g4y, -g4z)
        k += 1
    e, xx, yy, zz, xy, xz, yz = keep_own(i, 1.0 / SIZE, f, energy, virial, fx, fy, fz, tallied, 0.0)
    if EV:
        return e, xx, yy, zz, xy, xz, yz


@portable
def evaluate(i, ways: f64[:], table: real[:], data: real[:], parameters: i64, out: f64[:]):
    """Energy and slopes of one type for ways from atom 2 to the others: for checks."""
    p = record(table, parameters)
    k = i * 3 * (SIZE - 1)
    to = i * (3 * SIZE - 2)
    if SIZE == 2:
        out[to], out[to + 1], out[to + 2], out[to + 3] = link(ways[k], ways[k + 1], ways[k + 2], p, data)
    if SIZE == 3:
        (out[to], out[to + 1], out[to + 2], out[to + 3], out[to + 4], out[to + 5], out[to + 6]) = link(
            ways[k], ways[k + 1], ways[k + 2], ways[k + 3], ways[k + 4], ways[k + 5], p, data)
    if SIZE == 4:
        (out[to], out[to + 1], out[to + 2], out[to + 3], out[to + 4], out[to + 5], out[to + 6], out[to + 7], out[to + 8],
         out[to + 9]) = link(ways[k], ways[k + 1], ways[k + 2], ways[k + 3], ways[k + 4], ways[k + 5], ways[k + 6],
                             ways[k + 7], ways[k + 8], p, data)
