"""Loops between rows of the list and edges of models.

Words of `state`: 0 edges there are, 1 the id of an atom whose numbers are not finite (0: all are), 2 how often edges were made.
TEAMS: several threads of a GPU look at the entries of a row together.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import rounded, share_pair
from everlet.forces.pair.rows import between, row_of
from everlet.forces.pair.tally import add_tally, no_tally, sum_tally
from everlet.portable import add_row, both, f64, i32, i64, portable, put_row, scatter, where
from everlet.state.control import CROWDED, PLACE, TROUBLE


@portable
def number_rows(i, rows: f64[:]):
    """Every atom and its own number, which ghosts are then told."""
    rows[i] = f64(i)


@portable
def name_species(i, total: i64, kind: i32[:], of_type: i32[:], species: i32[:]):
    """The species of atoms and ghosts, from their types; rows that are none of both have the first."""
    found = i32(0)
    if i < total:
        found = of_type[kind[i]]
    species[i] = found


@portable
def way_to(i: i64, j: i64, x: f64[:, 4], kind: i32[:], cut2: f64[:], kinds: i64):
    """The way from i to j, and whether j is within the cutoff."""
    dx, dy, dz, r2 = between(j, i, x)
    return dx, dy, dz, r2 < cut2[i64(kind[i]) * kinds + i64(kind[j])]


@portable
def count_edges(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, cut2: f64[:],
                kinds: i64, found: i32[:]):
    """How many neighbours of atom i are within the cutoff."""
    begin, m = row_of(i, count, first, si)
    near = i64(0)
    if TEAMS:
        for q in lane_range(m):
            j = i64(where(live(q, m), load(neigh, begin + q * sk), i32(0)))
            _, _, _, there = way_to(i, j, x, kind, cut2, kinds)
            near += count_lanes(both(live(q, m), there))
    if not TEAMS:
        for q in range(m):
            _, _, _, there = way_to(i, i64(neigh[begin + q * sk]), x, kind, cut2, kinds)
            near += i64(there)
    if leader():
        found[i] = i32(near)


@portable
def list_edges(i, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
               cut2: f64[:], kinds: i64, start: i32[:], rows: f64[:], room: i64, place: i64, control: i64[:], state: i64[:],
               tail: i32[:], head: i32[:], way: f64[:]):
    """The edges of atom i: from it, to the row that is meant, and the way. If there is no room for all of them nothing is
    written, and while launches are replayed (place > 0) what follows is called off."""
    total = i64(start[n])
    if i == 0 and leader():
        state[0] = total
        state[2] += 1
    if total > room and place > 0:
        control[CROWDED] = 1
        control[PLACE] = place
        control[TROUBLE] = 1
    begin, m = row_of(i, count, first, si)
    e = i64(start[i])
    if TEAMS and total <= room:
        done = i64(0)
        for q in lane_range(m):
            j = i64(where(live(q, m), load(neigh, begin + q * sk), i32(0)))
            dx, dy, dz, near = way_to(i, j, x, kind, cut2, kinds)
            there = both(live(q, m), near)
            append(tail, e, done, i64(1), i32(i), there)
            append(way, 3 * e, done, i64(3), dx, there)
            append(way, 3 * e + 1, done, i64(3), dy, there)
            append(way, 3 * e + 2, done, i64(3), dz, there)
            done += append(head, e, done, i64(1), i32(rows[j]), there)
    if not TEAMS and total <= room:
        for q in range(m):
            j = i64(neigh[begin + q * sk])
            dx, dy, dz, there = way_to(i, j, x, kind, cut2, kinds)
            if there:
                tail[e] = i32(i)
                head[e] = i32(rows[j])
                way[3 * e] = dx
                way[3 * e + 1] = dy
                way[3 * e + 2] = dz
                e += 1


@portable
def pad_edges(e, n: i64, start: i32[:], none: i64, far: f64, tail: i32[:], head: i32[:], way: f64[:, 3]):
    """Places that no edge has lead from an atom that is none to itself, farther than any cutoff."""
    if e >= i64(start[n]):
        tail[e] = i32(none)
        head[e] = i32(none)
        put_row(way, e, far, 0.0, 0.0)


@portable
def end_starts(k, n: i64, last: i64, room: i64, start: i32[:]):
    """Rows behind those of the atoms have no edges; the last of them has all that are none."""
    row = n + 1 + k
    start[row] = i32(room) if row == last else start[n]


@portable
def add_forces(i, n: i64, given: f64[:, 3], factor: f64, id: i64[:], state: i64[:], f: f64[:, 3]):
    """Forces that a model gave to the first n atoms; the rest has none, unless others have given them some. Numbers that are
    not finite are noted."""
    if not ADD:
        put_row(f, i, 0.0, 0.0, 0.0)
    if i < n:
        add_row(f, i, factor * given[i, 0], factor * given[i, 1], factor * given[i, 2])
        sum = given[i, 0] + given[i, 1] + given[i, 2]
        if sum != sum or abs(sum) > 1.0e300:
            state[1] = id[i]


@portable
def note_numbers(i, energy: f64[:], kind: i32[:], counts: f64[:], id: i64[:], virial: f64[:], state: i64[:]):
    """The energies of atoms and the virial of them all; numbers that are not finite are noted."""
    own = energy[i] * counts[kind[i]]
    if own != own or abs(own) > 1.0e300:
        state[1] = id[i]
    if i > 0:
        return own, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0
    return own, virial[0], virial[1], virial[2], virial[3], virial[4], virial[5]


@portable
def give_forces(i, n: i64, start: i32[:], head: i32[:], way: f64[:, 3], slope: f64[:, 3], energy: f64[:], kind: i32[:],
                counts: f64[:], id: i64[:], factor: f64, place: i64, control: i64[:], state: i64[:], f: scatter[f64[:, 3]]):
    """Forces of the edges of atom i: the slope of the energy with the way to j on i, and minus that on j.

    `counts` is 0 for types that are none of the model's. Returns energy, of the first n atoms alone, and virial.
    """
    zero = lanes(0.0)
    fx = zero
    fy = zero
    fz = zero
    if EV:
        tallied = no_tally(zero)
    begin = i64(start[i])
    m = i64(start[i + 1]) - begin
    for q in lane_range(m):
        there = live(q, m)
        e = where(there, lane_ids() + i32(begin + q), i32(begin))
        gx, gy, gz = gather3(slope, e, there)
        gx = where(there, gx * factor, 0.0)
        gy = where(there, gy * factor, 0.0)
        gz = where(there, gz * factor, 0.0)
        if EXACT:
            gx = rounded(gx)
            gy = rounded(gy)
            gz = rounded(gz)
        subtract3(f, gather(head, e, there), gx, gy, gz, there)
        fx += gx
        fy += gy
        fz += gz
        if EV:
            dx, dy, dz = gather3(way, e, there)
            tallied = add_tally(tallied, zero, -dx, -dy, -dz, gx, gy, gz)
    sx = f64(lane_sum(fx))
    sy = f64(lane_sum(fy))
    sz = f64(lane_sum(fz))
    if leader():
        add3(f, i, sx, sy, sz)
        sum = sx + sy + sz
        if sum != sum or abs(sum) > 1.0e300:
            state[1] = id[i]
            if place > 0:
                control[PLACE] = place
                control[TROUBLE] = 1
    if EV:
        own = 0.0
        if i < n:
            own = energy[i] * counts[kind[i]]
        if own != own or abs(own) > 1.0e300:
            state[1] = id[i]
        none, xx, yy, zz, xy, xz, yz = sum_tally(1.0, tallied)
        return own, xx, yy, zz, xy, xz, yz


@portable
def share_edges(i, n: i64, start: i32[:], head: i32[:], way: f64[:, 3], slope: f64[:, 3], energy: f64[:], kind: i32[:],
                counts: f64[:], out: scatter[f64[:, 3]]):
    """The energy to atom i; of the virial of an edge half to each of its ends (manybody/shares.py)."""
    begin = i64(start[i])
    m = i64(start[i + 1]) - begin
    mine = lane_ids() * i32(0) + i32(i)
    for q in lane_range(m):
        there = live(q, m)
        e = where(there, lane_ids() + i32(begin + q), i32(begin))
        dx, dy, dz = gather3(way, e, there)
        gx, gy, gz = gather3(slope, e, there)
        share_pair(out, mine, gather(head, e, there), dx, dy, dz, gx, gy, gz, there)
    if leader() and i < n:
        add3(out, i64(3) * i + i64(2), energy[i] * counts[kind[i]], 0.0, 0.0)
