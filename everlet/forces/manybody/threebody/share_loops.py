"""The loop of three-body styles for energies and virials of single atoms. Tables and statics are those of loops.py."""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give
from everlet.forces.manybody.threebody.loops import angle_at, crowding, slot, tables_of
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def give_halves(out: scatter[f64[:, 3]], i, j, e, pull, x, y, z, there):
    """To both atoms of a bond half of an energy, and of the virial of a distance times the slope with it."""
    half = real(-0.5) * where(there, e, real(0.0))
    pull = real(0.5) * where(there, pull, real(0.0))
    a = pull * x
    b = pull * y
    give(out, i, half, a * x, b * y, pull * z * z, a * y, a * z, b * z, there)
    give(out, j, half, a * x, b * y, pull * z * z, a * y, a * z, b * z, there)


@portable
def give_thirds(out: scatter[f64[:, 3]], i, j, k, e, pull_j, pull_k, turn, c, x, y, z, xk, yk, zk, near):
    """To the three atoms of an angle an energy, and the virial of distances times slopes with them and of a slope with c."""
    g = where(near, -e, real(0.0))
    turn = where(near, turn, real(0.0))
    along_q = where(near, pull_j, real(0.0)) - turn * c
    along_k = where(near, pull_k, real(0.0)) - turn * c
    xx = along_q * x * x + along_k * xk * xk + turn * (x * xk + xk * x)
    yy = along_q * y * y + along_k * yk * yk + turn * (y * yk + yk * y)
    zz = along_q * z * z + along_k * zk * zk + turn * (z * zk + zk * z)
    xy = along_q * x * y + along_k * xk * yk + turn * (x * yk + xk * y)
    xz = along_q * x * z + along_k * xk * zk + turn * (x * zk + xk * z)
    yz = along_q * y * z + along_k * yk * zk + turn * (y * zk + yk * z)
    give(out, i, g, xx, yy, zz, xy, xz, yz, near)
    give(out, j, g, xx, yy, zz, xy, xz, yz, near)
    give(out, k, g, xx, yy, zz, xy, xz, yz, near)


@portable
def share_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
               depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
               value: real[:], slope: real[:], out: scatter[f64[:, 3]]):
    """What bonds and angles at the atoms of lanes give to these and to their neighbours (manybody/shares.py).

    Of P at fixed zeta both atoms have a half. Of what P makes of an angle, dP/dzeta G, all three have a third: of the virial
    always, of the energy in linear styles, where it is a sum over angles.
    """
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    third = real(1.0 / 3.0)
    zero = as_real(lanes(0.0))
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + base
        there = both(live(own, n), i32(q) < load(count, own))
        j = load(atom, s)
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        kj = row * i32(0)
        if MANY:
            kj = gather(kind, j, True)
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        zeta = as_real(lanes(0.0))
        if not LINEAR:
            zeta = crowding(q, m, own, base, pitch, there, r, u, du, x, y, z, row + kj, kind, count, table, data, kinds,
                            atom, ex, ey, ez, distance, value, slope, p)
        e, radial, weight = bond(r, u, du, zeta, p, data)
        give_halves(out, i, j, e, r * radial, x, y, z, there)
        begin = i64(0)
        if SYMMETRIC:
            begin = q + 1
        if not ANGLES:
            begin = m
        for k in range(begin, m):
            if k != q:
                t = k * pitch + base
                near = both(there, i32(k) < load(count, own))
                xk, yk, zk, rk, c, g, a_q, a_k, a_c = angle_at(t, r, u, du, x, y, z, row + kj, kind, table, data, kinds, atom,
                                                               ex, ey, ez, distance, value, slope, p)
                share = third
                if LINEAR and not SYMMETRIC:
                    share = real(0.5) * third
                if not LINEAR:
                    share = third * weight
                    g = zero
                give_thirds(out, i, j, load(atom, t), share * g, share * a_q * r, share * a_k * rk, share * a_c, c, x, y, z, xk,
                            yk, zk, near)
