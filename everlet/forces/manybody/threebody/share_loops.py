"""The loop of three-body styles for energies and virials of single atoms. Tables and statics are those of loops.py."""
# mypy: disable-error-code="index, name-defined, operator, valid-type"

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give
from everlet.forces.manybody.threebody.loops import most_slots
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def share_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
               depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
               value: real[:], slope: real[:], out: scatter[f64[:, 3]]):
    """What bonds and angles at the atoms of lanes give to these and to their neighbours (manybody/shares.py).

    Of P at fixed zeta both atoms have a half. Of what P makes of an angle, dP/dzeta G, all three have a third: of the virial
    always, of the energy in linear styles, where it is a sum over angles.
    """
    own = w * W
    base = own // GROUP * GROUP * apart + own % GROUP
    i = lane_ids() + i32(own)
    m = min(most_slots(own, n, count), depth)
    row = load(kind, own) * i32(kinds)
    third = real(1.0 / 3.0)
    zero = as_real(lanes(0.0))
    if not MANY:
        p = record(table, ((kinds + 1) * kinds + 1) * NP)
    for q in range(m):
        s = q * pitch + base
        there = both(live(own, n), i32(q) < load(count, own))
        j = load(atom, s)
        r = load(distance, s)
        u = load(value, s)
        du = load(slope, s)
        x = load(ex, s)
        y = load(ey, s)
        z = load(ez, s)
        if MANY:
            kj = gather(kind, j, True)
        zeta = as_real(lanes(0.0))
        if not LINEAR:
            for k in range(m):
                if k != q:
                    t = k * pitch + base
                    c = fma(x, load(ex, t), fma(y, load(ey, t), z * load(ez, t)))
                    if MANY:
                        p = record(table, ((row + kj) * i32(kinds) + gather(kind, load(atom, t), True)) * i32(NP), True)
                    g, _, _, _ = angle(r, u, du, load(distance, t), load(value, t), load(slope, t), c, p, data)
                    zeta += where(both(there, i32(k) < load(count, own)), g, real(0.0))
        if MANY:
            p = record(table, ((row + kj) * i32(kinds) + kj) * i32(NP), True)
        e, radial, weight = bond(r, u, du, zeta, p)
        half = real(-0.5) * where(there, e, real(0.0))
        pull = real(0.5) * r * where(there, radial, real(0.0))
        a = pull * x
        b = pull * y
        give(out, i, half, a * x, b * y, pull * z * z, a * y, a * z, b * z, there)
        give(out, j, half, a * x, b * y, pull * z * z, a * y, a * z, b * z, there)
        begin = i64(0)
        if SYMMETRIC:
            begin = q + 1
        if not ANGLES:
            begin = m
        for k in range(begin, m):
            if k != q:
                t = k * pitch + base
                near = both(there, i32(k) < load(count, own))
                xk = load(ex, t)
                yk = load(ey, t)
                zk = load(ez, t)
                rk = load(distance, t)
                c = fma(x, xk, fma(y, yk, z * zk))
                if MANY:
                    p = record(table, ((row + kj) * i32(kinds) + gather(kind, load(atom, t), True)) * i32(NP), True)
                g, a_q, a_k, a_c = angle(r, u, du, rk, load(value, t), load(slope, t), c, p, data)
                share = third
                if LINEAR and not SYMMETRIC:
                    share = real(0.5) * third
                if not LINEAR:
                    share = third * weight
                    g = zero
                g = where(near, -(share * g), real(0.0))
                turn = where(near, share * a_c, real(0.0))
                along_q = where(near, share * a_q, real(0.0)) * r - turn * c  # distance times slope, along each direction
                along_k = where(near, share * a_k, real(0.0)) * rk - turn * c
                xx = along_q * x * x + along_k * xk * xk + turn * (x * xk + xk * x)
                yy = along_q * y * y + along_k * yk * yk + turn * (y * yk + yk * y)
                zz = along_q * z * z + along_k * zk * zk + turn * (z * zk + zk * z)
                xy = along_q * x * y + along_k * xk * yk + turn * (x * yk + xk * y)
                xz = along_q * x * z + along_k * xk * zk + turn * (x * zk + xk * z)
                yz = along_q * y * z + along_k * yk * zk + turn * (y * zk + yk * z)
                give(out, i, g, xx, yy, zz, xy, xz, yz, near)
                give(out, j, g, xx, yy, zz, xy, xz, yz, near)
                give(out, load(atom, t), g, xx, yy, zz, xy, xz, yz, near)
