"""Loops of three-body styles: a lane is an atom i throughout, and its neighbours are slots 0, 1, 2 … of tables.

Numbers of slot q of the atoms of lanes are side by side: table[q * pitch + base …]; GROUP atoms have a block of the table.
Statics: `arm`, `angle` and `bond` are the style's functions (base.py); EV, MANY, NP, DENSE as in pair/loops.py; LINEAR,
SYMMETRIC, FADING, ANGLES as the style says.
The parameters of types (i, j, k) are at table[((kind_i * kinds + kind_j) * kinds + kind_k) * NP].
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import rounded
from everlet.forces.pair.rows import away
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_with_energy
from everlet.portable import both, f64, i32, i64, portable, real, rsqrt, scatter, sqrt, where
from everlet.state.control import CROWDED, PLACE, TROUBLE


@portable
def most_slots(own: i64, n: i64, count: i32[:]):
    """The most neighbours that an atom of these lanes has."""
    found = i64(0)
    for k in range(W):
        if own + k < n:
            found = max(found, i64(count[own + k]))
    return found


@portable
def tabulate(w, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
             filler: i64, table: real[:], data: real[:], kinds: i64, depth: i64, pitch: i64, apart: i64, place: i64,
             control: i64[:], atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
             value: real[:], slope: real[:]):
    """Of every neighbour: its index, direction and distance, and what `arm` makes of that. Free slots are far away."""
    own = w * W
    base = own // GROUP * GROUP * apart + own % GROUP
    i = lane_ids() + i32(own)
    xi, yi, zi = gather3(x, i, True)
    m = most_slots(own, n, count)
    if m > depth:
        control[CROWDED] = 1
        control[PLACE] = place + 1
        control[TROUBLE] = 1
        m = depth
    row = load(kind, own) * i32(kinds)
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        there = both(live(own, n), i32(q) < load(count, own))
        if DENSE:
            j = where(there, gather(neigh, load(first, own) * i32(8) + i32(q), there), i32(filler))
        if not DENSE:
            j = where(there, load(neigh, own * si + q * sk), i32(filler))
        dx, dy, dz, r2 = away(j, x, xi, yi, zi)
        inverse = rsqrt(r2)
        r = sqrt(r2)  # r2 * inverse would be rounded three times
        if MANY:
            kj = gather(kind, j, True)
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        u, du = arm(r, p, data)
        s = q * pitch + base
        store(atom, s, j)
        store(ex, s, dx * inverse)
        store(ey, s, dy * inverse)
        store(ez, s, dz * inverse)
        store(distance, s, r)
        store(nearness, s, inverse)
        store(value, s, where(there, u, real(0.0)))
        store(slope, s, where(there, du, real(0.0)))


@portable
def tables_of(w: i64, n: i64, apart: i64, depth: i64, kind: i32[:], kinds: i64, count: i32[:]):
    """Of lanes w: the first atom, where its numbers begin, how many slots are to be looked at, where parameters begin."""
    own = w * W
    return own, own // GROUP * GROUP * apart + own % GROUP, min(most_slots(own, n, count), depth), load(kind, own) * i32(kinds)


@portable
def slot(s: i64, distance: real[:], value: real[:], slope: real[:], ex: real[:], ey: real[:], ez: real[:]):
    return load(distance, s), load(value, s), load(slope, s), load(ex, s), load(ey, s), load(ez, s)


@portable
def other_slot(t: i64, x, y, z, distance: real[:], value: real[:], slope: real[:], ex: real[:], ey: real[:], ez: real[:]):
    """The same of slot t, with the cosine of the angle with a direction."""
    r, u, du, xk, yk, zk = slot(t, distance, value, slope, ex, ey, ez)
    return r, u, du, xk, yk, zk, fma(x, xk, fma(y, yk, z * zk))


@portable
def angle_at(t: i64, r, u, du, x, y, z, pair, kind: i32[:], table: real[:], data: real[:], kinds: i64, atom: i32[:],
             ex: real[:], ey: real[:], ez: real[:], distance: real[:], value: real[:], slope: real[:], p):
    """The angle between a neighbour and the one in slot t: direction and distance of this, the cosine, and what `angle` gives.
    `pair`: where parameters of the first two types begin."""
    xk = load(ex, t)
    yk = load(ey, t)
    zk = load(ez, t)
    rk = load(distance, t)
    c = fma(x, xk, fma(y, yk, z * zk))
    if MANY:
        p = record(table, (pair * i32(kinds) + gather(kind, load(atom, t), True)) * i32(NP), True)
    g, a_q, a_k, a_c = angle(r, u, du, rk, load(value, t), load(slope, t), c, p, data)
    return xk, yk, zk, rk, c, g, a_q, a_k, a_c


@portable
def crowding(q: i64, m: i64, own: i64, base: i64, pitch: i64, there, r, u, du, x, y, z, pair, kind: i32[:], count: i32[:],
             table: real[:], data: real[:], kinds: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:],
             distance: real[:], value: real[:], slope: real[:], p):
    """zeta of neighbour q: the sum of `angle` over all others."""
    zeta = as_real(lanes(0.0))
    for k in range(m):
        if k != q:
            _, _, _, _, _, g, _, _, _ = angle_at(k * pitch + base, r, u, du, x, y, z, pair, kind, table, data, kinds, atom, ex,
                                                 ey, ez, distance, value, slope, p)
            zeta += where(both(there, i32(k) < load(count, own)), g, real(0.0))
    return zeta


@portable
def bond_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
              depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
              value: real[:], slope: real[:], along: real[:], weight: real[:]):
    """zeta of every neighbour j, the sum of `angle` over all others k; then what `bond` makes of it. Returns the energy."""
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    energy = lanes(0.0)
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + base
        there = both(live(own, n), i32(q) < load(count, own))
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        kj = row * i32(0)
        if MANY:
            kj = gather(kind, load(atom, s), True)
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        zeta = crowding(q, m, own, base, pitch, there, r, u, du, x, y, z, row + kj, kind, count, table, data, kinds,
                        atom, ex, ey, ez, distance, value, slope, p)
        e, d_r, d_zeta = bond(r, u, du, zeta, p, data)
        store(along, s, where(there, d_r, real(0.0)))
        store(weight, s, where(there, d_zeta, real(0.0)))
        if EV:
            energy += where(there, e, real(0.0))
    if EV:
        return f64(lane_sum(energy))


@portable
def add_slope(s: i64, along, x, y, z, turn, tx, ty, tz, gx: real[:], gy: real[:], gz: real[:]):
    """To the slope with the place of the neighbour in slot s: two numbers times directions."""
    store(gx, s, fma(along, x, fma(turn, tx, load(gx, s))))
    store(gy, s, fma(along, y, fma(turn, ty, load(gy, s))))
    store(gz, s, fma(along, z, fma(turn, tz, load(gz, s))))


@portable
def start_slope(s: i64, along, ex: real[:], ey: real[:], ez: real[:], gx: real[:], gy: real[:], gz: real[:]):
    """The slope with the place of the neighbour in slot s: so far that with its distance alone."""
    store(gx, s, along * load(ex, s))
    store(gy, s, along * load(ey, s))
    store(gz, s, along * load(ez, s))


@portable
def add_angle(s: i64, t: i64, along_q, along_k, turn, c, x, y, z, xk, yk, zk, nearness: real[:], gx: real[:], gy: real[:],
              gz: real[:]):
    """To slots s and t the slopes of an angle with both distances, and with its cosine c."""
    turn_q = turn * load(nearness, s)
    turn_k = turn * load(nearness, t)
    add_slope(s, along_q - turn_q * c, x, y, z, turn_q, xk, yk, zk, gx, gy, gz)
    add_slope(t, along_k - turn_k * c, xk, yk, zk, turn_k, x, y, z, gx, gy, gz)


@portable
def hand_out(i, own: i64, base: i64, m: i64, n: i64, count: i32[:], pitch: i64, atom: i32[:], ex: real[:], ey: real[:],
             ez: real[:], distance: real[:], gx: real[:], gy: real[:], gz: real[:], f: scatter[f64[:, 3]], tallied):
    """Forces on neighbours and on the atoms i of lanes, from the slopes in slots; the virial is added to `tallied`."""
    fx, fy, fz = no_force(lanes(0.0))
    for q in range(m):
        s = q * pitch + base
        there = both(live(own, n), i32(q) < load(count, own))
        x = load(gx, s)
        y = load(gy, s)
        z = load(gz, s)
        if EXACT:
            x = rounded(x)
            y = rounded(y)
            z = rounded(z)
        subtract3(f, load(atom, s), x, y, z, there)
        fx += x
        fy += y
        fz += z
        if EV:
            r = -load(distance, s)
            zero = as_real(lanes(0.0))
            tallied = add_tally(tallied, zero, r * load(ex, s), r * load(ey, s), r * load(ez, s), x, y, z)
    subtract3(f, i, -fx, -fy, -fz, live(own, n))
    return tallied


@portable
def threebody_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
                   depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
                   value: real[:], slope: real[:], along: real[:], weight: real[:], gx: real[:], gy: real[:], gz: real[:],
                   f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: minus the slopes g of the energy of bonds and angles at i.

    `angle` of neighbours (q, k) has slopes a_q and a_k along the two directions, and a_c with the cosine c between them:
    dc/dr_q = (e_k - c e_q) / r_q. Slopes with the places of neighbours are added up in their slots, then given out.
    """
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    energy = lanes(0.0)
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + base
        if LINEAR:
            there = both(live(own, n), i32(q) < load(count, own))
            if MANY:
                kj = gather(kind, load(atom, s), True)
                p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
            e, radial, _ = bond(load(distance, s), load(value, s), load(slope, s), as_real(lanes(0.0)), p, data)
            radial = where(there, radial, real(0.0))
            if EV:
                energy += where(there, e, real(0.0))
        if not LINEAR:
            radial = load(along, s)
        store(gx, s, radial * load(ex, s))
        store(gy, s, radial * load(ey, s))
        store(gz, s, radial * load(ez, s))
    centres = m
    if not ANGLES:
        centres = i64(0)
    for q in range(centres):
        s = q * pitch + base
        there = both(live(own, n), i32(q) < load(count, own))
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        inverse = load(nearness, s)
        kj = row * i32(0)
        if MANY:
            kj = gather(kind, load(atom, s), True)
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        if LINEAR:
            share = real(1.0)  # each angle once, or from both sides with one half
            if not SYMMETRIC:
                share = real(0.5)
        if not LINEAR:
            share = load(weight, s)
        radial = as_real(lanes(0.0))
        twist = as_real(lanes(0.0))
        tx = as_real(lanes(0.0))
        ty = as_real(lanes(0.0))
        tz = as_real(lanes(0.0))
        begin = i64(0)
        if SYMMETRIC:
            begin = q + 1
        for k in range(begin, m):
            if k != q:
                t = k * pitch + base
                xk, yk, zk, rk, c, g, a_q, a_k, a_c = angle_at(t, r, u, du, x, y, z, row + kj, kind, table, data, kinds, atom,
                                                               ex, ey, ez, distance, value, slope, p)
                if not FADING:
                    near = both(there, i32(k) < load(count, own))
                    g = where(near, g, real(0.0))
                    a_q = where(near, a_q, real(0.0))
                    a_k = where(near, a_k, real(0.0))
                    a_c = where(near, a_c, real(0.0))
                if EV and LINEAR:
                    energy += share * g
                turn = share * a_c
                radial += share * a_q
                tx += turn * xk
                ty += turn * yk
                tz += turn * zk
                twist += turn * c
                turn = turn * load(nearness, t)
                add_slope(t, share * a_k - turn * c, xk, yk, zk, turn, x, y, z, gx, gy, gz)
        add_slope(s, radial - twist * inverse, x, y, z, inverse, tx, ty, tz, gx, gy, gz)
    tallied = hand_out(i, own, base, m, n, count, pitch, atom, ex, ey, ez, distance, gx, gy, gz, f, no_tally(lanes(0.0)))
    if EV:
        return sum_with_energy(1.0, energy, tallied)
