"""Loops of three-body styles: a lane is an atom i throughout, and its neighbours are slots 0, 1, 2 … of tables.

Numbers of slot q of the atoms of lanes are side by side: table[q * pitch + w * W …]. Statics: `arm`, `angle` and `bond` are
the style's functions (threebody.py); EV, MANY, NP, DENSE as in pair/loops.py; LINEAR, SYMMETRIC as the style says.
The parameters of types (i, j, k) are at table[((kind_i * kinds + kind_j) * kinds + kind_k) * NP].
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.pair.tally import add_tally, no_tally, sum_tally
from everlet.portable import both, f64, i32, i64, portable, real, rsqrt, scatter, where
from everlet.state.control import CROWDED, TROUBLE


@portable
def tabulate(w, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
             filler: i64, table: real[:], kinds: i64, depth: i64, pitch: i64, control: i64[:], taken: i32[:], atom: i32[:],
             ex: real[:], ey: real[:], ez: real[:], distance: real[:], value: real[:], slope: real[:]):
    """Of every neighbour: its index, direction and distance, and what `arm` makes of that. Free slots are far away."""
    own = w * W
    i = lane_ids() + i32(own)
    xi, yi, zi = gather3(x, i, True)
    most_of = i64(0)
    for k in range(W):
        if own + k < n:
            most_of = max(most_of, i64(count[own + k]))
    if most_of > depth:
        control[CROWDED] = 1
        control[TROUBLE] = 1
        most_of = depth
    taken[w] = i32(most_of)
    row = load(kind, own) * i32(kinds)
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(most_of):
        there = both(live(own, n), i32(q) < load(count, own))
        if DENSE:
            j = where(there, gather(neigh, load(first, own) * i32(8) + i32(q), there), i32(filler))
        if not DENSE:
            j = where(there, load(neigh, own * si + q * sk), i32(filler))
        xj, yj, zj = gather3(x, j, True)
        dx = as_real(xj - xi)
        dy = as_real(yj - yi)
        dz = as_real(zj - zi)
        r2 = fma(dx, dx, fma(dy, dy, dz * dz))
        inverse = rsqrt(r2)
        r = r2 * inverse
        if MANY:
            kj = gather(kind, j, True)
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        u, du = arm(r, p)
        s = q * pitch + own
        store(atom, s, j)
        store(ex, s, dx * inverse)
        store(ey, s, dy * inverse)
        store(ez, s, dz * inverse)
        store(distance, s, r)
        store(value, s, where(there, u, real(0.0)))
        store(slope, s, where(there, du, real(0.0)))


@portable
def bond_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], kinds: i64, pitch: i64, taken: i32[:], atom: i32[:],
              ex: real[:], ey: real[:], ez: real[:], distance: real[:], value: real[:], slope: real[:], along: real[:],
              weight: real[:]):
    """zeta of every neighbour j, the sum of `angle` over all others k; then what `bond` makes of it. Returns the energy."""
    own = w * W
    m = i64(taken[w])
    row = load(kind, own) * i32(kinds)
    if EV:
        energy = lanes(0.0)
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + own
        there = both(live(own, n), i32(q) < load(count, own))
        r = load(distance, s)
        u = load(value, s)
        du = load(slope, s)
        x = load(ex, s)
        y = load(ey, s)
        z = load(ez, s)
        if MANY:
            kj = gather(kind, load(atom, s), True)
        zeta = as_real(lanes(0.0))
        for k in range(m):
            if k != q:
                t = k * pitch + own
                c = fma(x, load(ex, t), fma(y, load(ey, t), z * load(ez, t)))
                if MANY:
                    p = record(table, ((row + kj) * i32(kinds) + gather(kind, load(atom, t), True)) * i32(NP), True)
                g, _, _, _ = angle(r, u, du, load(distance, t), load(value, t), load(slope, t), c, p)
                zeta += where(both(there, i32(k) < load(count, own)), g, real(0.0))
        if MANY:
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        e, d_r, d_zeta = bond(r, u, du, zeta, p)
        store(along, s, where(there, d_r, real(0.0)))
        store(weight, s, where(there, d_zeta, real(0.0)))
        if EV:
            energy += where(there, e, real(0.0))
    if EV:
        return f64(lane_sum(energy))


@portable
def threebody_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], kinds: i64, pitch: i64, taken: i32[:],
                   atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], value: real[:], slope: real[:],
                   along: real[:], weight: real[:], f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: minus the slopes of the energy of bonds and angles at i.

    `angle` of neighbours (q, k) has slopes a_q and a_k along the two directions, and a_c with the cosine c between them:
    dc/dr_q = (e_k - c e_q) / r_q.
    """
    own = w * W
    i = lane_ids() + i32(own)
    m = i64(taken[w])
    row = load(kind, own) * i32(kinds)
    fx = lanes(0.0)
    fy = lanes(0.0)
    fz = lanes(0.0)
    if EV:
        tallied = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + own
        there = both(live(own, n), i32(q) < load(count, own))
        r = load(distance, s)
        u = load(value, s)
        du = load(slope, s)
        x = load(ex, s)
        y = load(ey, s)
        z = load(ez, s)
        j = load(atom, s)
        e = as_real(lanes(0.0))
        if MANY:
            kj = gather(kind, j, True)
        if LINEAR:
            if MANY:
                p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
            e, radial, share = bond(r, u, du, as_real(lanes(0.0)), p)
            e = where(there, e, real(0.0))
            radial = where(there, radial, real(0.0))
        if not LINEAR:
            radial = load(along, s)
            share = load(weight, s)
        gx = as_real(lanes(0.0))
        gy = as_real(lanes(0.0))
        gz = as_real(lanes(0.0))
        for k in range(m):
            if k != q:
                t = k * pitch + own
                xk = load(ex, t)
                yk = load(ey, t)
                zk = load(ez, t)
                c = fma(x, xk, fma(y, yk, z * zk))
                near = both(there, i32(k) < load(count, own))
                if MANY:
                    kk = gather(kind, load(atom, t), True)
                    p = record(table, ((row + kj) * i32(kinds) + kk) * i32(NP), True)
                g, a_q, _, a_c = angle(r, u, du, load(distance, t), load(value, t), load(slope, t), c, p)
                if SYMMETRIC:
                    turn = where(near, (share + share) * a_c, real(0.0))
                    radial += where(near, (share + share) * a_q, real(0.0))
                    if EV:
                        e += where(near, share * g, real(0.0))
                if not SYMMETRIC:
                    if MANY:
                        p = record(table, ((row + kk) * i32(kinds) + kj) * i32(NP), True)
                    other = load(weight, t)
                    _, _, b_q, b_c = angle(load(distance, t), load(value, t), load(slope, t), r, u, du, c, p)
                    turn = where(near, share * a_c + other * b_c, real(0.0))
                    radial += where(near, share * a_q + other * b_q, real(0.0))
                gx += turn * (xk - c * x)
                gy += turn * (yk - c * y)
                gz += turn * (zk - c * z)
        inverse = real(1.0) / r
        gx = fma(radial, x, gx * inverse)
        gy = fma(radial, y, gy * inverse)
        gz = fma(radial, z, gz * inverse)
        subtract3(f, j, gx, gy, gz, there)
        fx += gx
        fy += gy
        fz += gz
        if EV:
            tallied = add_tally(tallied, e, -r * x, -r * y, -r * z, gx, gy, gz)
    subtract3(f, i, -fx, -fy, -fz, live(own, n))
    if EV:
        return sum_tally(1.0, tallied)
