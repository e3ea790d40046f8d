"""Loops of edip: like those of loops.py, with energies that depend on the coordination Z of the atom in the middle.

Statics: `crowd`, `pair` and `bend` are functions of edip.py; SCALED: slopes times the factor of hybrid/scaled; others as in
loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of
from everlet.forces.manybody.threebody.loops import add_angle, add_slope, hand_out, other_slot, slot, start_slope, tables_of
from everlet.forces.manybody.threebody.share_loops import give_halves, give_thirds
from everlet.forces.pair.tally import no_tally, sum_with_energy
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def two_of(row, s: i64, kind: i32[:], kinds: i64, atom: i32[:]):
    """Where parameters of the atom in the middle and the neighbour in slot s begin: of all third ones, of (i, j, j)."""
    kj = row * i32(0)
    if MANY:
        kj = gather(kind, load(atom, s), True)
    return (row + kj) * i32(kinds), ((row + kj) * i32(kinds) + kj) * i32(NP)


@portable
def neighbour(q: i64, own: i64, base: i64, n: i64, row, kind: i32[:], kinds: i64, count: i32[:], pitch: i64, atom: i32[:]):
    """The slot of neighbours q of lanes, whether there is one, and where their parameters begin (two_of)."""
    s = q * pitch + base
    two, entry = two_of(row, s, kind, kinds, atom)
    return s, both(live(own, n), i32(q) < load(count, own)), two, entry


@portable
def coordination(own: i64, base: i64, m: i64, n: i64, row, kind: i32[:], kinds: i64, count: i32[:], pitch: i64, table: real[:],
                 atom: i32[:], distance: real[:], p):
    """Z of the atoms of lanes."""
    z = as_real(lanes(0.0))
    for q in range(m):
        s, there, _, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        if MANY:
            p = record(table, entry, True)
        f, _ = crowd(load(distance, s), p)
        z += where(there, f, real(0.0))
    return z


@portable
def edip_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], kinds: i64, pitch: i64, apart: i64, depth: i64,
              atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:], value: real[:],
              slope: real[:], gx: real[:], gy: real[:], gz: real[:], f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: of pairs and angles at a fixed Z, then of Z."""
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    factor = factor_of(table, (kinds + 1) * kinds + 1)
    p = record(table, ((kinds + 1) * kinds + 1) * NP)
    crowded = coordination(own, base, m, n, row, kind, kinds, count, pitch, table, atom, distance, p)
    energy = lanes(0.0)
    by_z = as_real(lanes(0.0))
    for q in range(m):
        s, there, _, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        if MANY:
            p = record(table, entry, True)
        e, radial, steep = pair(load(distance, s), crowded, p)
        radial = factor * where(there, radial, real(0.0))
        by_z += where(there, steep, real(0.0))
        if EV:
            energy += where(there, e, real(0.0))
        start_slope(s, radial, ex, ey, ez, gx, gy, gz)
    for q in range(m):
        s = q * pitch + base
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        two, _ = two_of(row, s, kind, kinds, atom)
        for k in range(q + 1, m):
            t = k * pitch + base
            rk, v, dv, xk, yk, zk, c = other_slot(t, x, y, z, distance, value, slope, ex, ey, ez)
            if MANY:
                p = record(table, (two + gather(kind, load(atom, t), True)) * i32(NP), True)
            h, by_c, steep = bend(c, crowded, p)
            by_z += u * v * steep
            if EV:
                energy += u * v * h
            add_angle(s, t, factor * du * v * h, factor * u * dv * h, factor * u * v * by_c, c, x, y, z, xk, yk, zk, nearness,
                      gx, gy, gz)
    for q in range(m):
        s, there, _, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        if MANY:
            p = record(table, entry, True)
        _, df = crowd(load(distance, s), p)
        radial = where(there, factor * by_z * df, real(0.0))
        zero = radial - radial
        add_slope(s, radial, load(ex, s), load(ey, s), load(ez, s), zero, zero, zero, zero, gx, gy, gz)
    tallied = hand_out(i, own, base, m, n, count, pitch, atom, ex, ey, ez, distance, gx, gy, gz, f, no_tally(lanes(0.0)))
    if EV:
        return sum_with_energy(1.0, energy, tallied)


@portable
def edip_shares(w, n: i64, kind: i32[:], count: i32[:], table: real[:], kinds: i64, pitch: i64, apart: i64, depth: i64,
                atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:], value: real[:],
                slope: real[:], out: scatter[f64[:, 3]]):
    """Energies and virials of single atoms: of pairs, and of the virial of Z, both have a half, of angles all three a third."""
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    third = real(1.0 / 3.0)
    p = record(table, ((kinds + 1) * kinds + 1) * NP)
    crowded = coordination(own, base, m, n, row, kind, kinds, count, pitch, table, atom, distance, p)
    by_z = as_real(lanes(0.0))
    for q in range(m):
        s, there, two, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        if MANY:
            p = record(table, entry, True)
        e, radial, steep = pair(r, crowded, p)
        by_z += where(there, steep, real(0.0))
        give_halves(out, i, load(atom, s), e, r * radial, x, y, z, there)
        for k in range(q + 1, m):
            t = k * pitch + base
            near = both(there, i32(k) < load(count, own))
            rk, v, dv, xk, yk, zk, c = other_slot(t, x, y, z, distance, value, slope, ex, ey, ez)
            if MANY:
                p = record(table, (two + gather(kind, load(atom, t), True)) * i32(NP), True)
            h, by_c, steep = bend(c, crowded, p)
            by_z += u * v * steep
            h = third * h
            give_thirds(out, i, load(atom, s), load(atom, t), u * v * h, du * v * h * r, u * dv * h * rk,
                        third * u * v * by_c, c, x, y, z, xk, yk, zk, near)
    for q in range(m):
        s, there, _, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        if MANY:
            p = record(table, entry, True)
        _, df = crowd(r, p)
        give_halves(out, i, load(atom, s), r - r, r * by_z * df, x, y, z, there)
