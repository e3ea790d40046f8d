"""Loops of meam/spline: like those of loops.py, with an energy of the density that pairs and angles make at an atom.

Statics: `radial`, `bend` and `raised` are functions of meam_spline.py; SCALED: slopes times the factor of hybrid/scaled; others
as in loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of, give
from everlet.forces.manybody.threebody.edip_loops import neighbour, two_of
from everlet.forces.manybody.threebody.loops import add_angle, hand_out, other_slot, slot, start_slope, tables_of
from everlet.forces.manybody.threebody.share_loops import give_halves, give_thirds
from everlet.forces.pair.tally import no_tally, sum_with_energy
from everlet.portable import both, f64, i32, i64, portable, real, scatter, where


@portable
def embedding_of(own: i64, base: i64, m: i64, n: i64, row, kind: i32[:], kinds: i64, count: i32[:], pitch: i64, table: real[:],
                 data: real[:], atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], value: real[:], p):
    """Energies of the atoms of lanes in their densities, and their slopes."""
    density = as_real(lanes(0.0))
    for q in range(m):
        s, there, two, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        if MANY:
            p = record(table, entry, True)
        _, _, rho, _ = radial(load(distance, s), p, data)
        density += where(there, rho, real(0.0))
        for k in range(q + 1, m):
            t = k * pitch + base
            if MANY:
                p = record(table, (two + gather(kind, load(atom, t), True)) * i32(NP), True)
            g, _ = bend(fma(load(ex, s), load(ex, t), fma(load(ey, s), load(ey, t), load(ez, s) * load(ez, t))), p, data)
            density += load(value, s) * load(value, t) * g
    if MANY:
        mine = load(kind, own)
        p = record(table, ((row + mine) * i32(kinds) + mine) * i32(NP), True)
    return raised(density, p, data)


@portable
def embedded_loop(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
                  depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
                  value: real[:], slope: real[:], gx: real[:], gy: real[:], gz: real[:], f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours."""
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    factor = factor_of(table, (kinds + 1) * kinds + 1)
    p = record(table, ((kinds + 1) * kinds + 1) * NP)
    whole, weight = embedding_of(own, base, m, n, row, kind, kinds, count, pitch, table, data, atom, ex, ey, ez, distance,
                                 value, p)
    energy = lanes(0.0)
    if EV:
        energy += where(live(own, n), whole, real(0.0))
    weight = factor * weight
    for q in range(m):
        s, there, _, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        if MANY:
            p = record(table, entry, True)
        e, along, _, rise = radial(load(distance, s), p, data)
        along = where(there, 0.5 * factor * along + weight * rise, real(0.0))
        if EV:
            energy += where(there, 0.5 * e, real(0.0))
        start_slope(s, along, ex, ey, ez, gx, gy, gz)
    for q in range(m):
        s = q * pitch + base
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        two, _ = two_of(row, s, kind, kinds, atom)
        for k in range(q + 1, m):
            t = k * pitch + base
            rk, v, dv, xk, yk, zk, c = other_slot(t, x, y, z, distance, value, slope, ex, ey, ez)
            if MANY:
                p = record(table, (two + gather(kind, load(atom, t), True)) * i32(NP), True)
            g, by_c = bend(c, p, data)
            add_angle(s, t, weight * du * v * g, weight * u * dv * g, weight * u * v * by_c, c, x, y, z, xk, yk, zk, nearness,
                      gx, gy, gz)
    tallied = hand_out(i, own, base, m, n, count, pitch, atom, ex, ey, ez, distance, gx, gy, gz, f, no_tally(lanes(0.0)))
    if EV:
        return sum_with_energy(1.0, energy, tallied)


@portable
def embedded_shares(w, n: i64, kind: i32[:], count: i32[:], table: real[:], data: real[:], kinds: i64, pitch: i64, apart: i64,
                    depth: i64, atom: i32[:], ex: real[:], ey: real[:], ez: real[:], distance: real[:], nearness: real[:],
                    value: real[:], slope: real[:], out: scatter[f64[:, 3]]):
    """Energies and virials of single atoms: the energy in its density is the atom's own; of pairs both have half, of the virial
    of angles all three a third."""
    own, base, m, row = tables_of(w, n, apart, depth, kind, kinds, count)
    i = lane_ids() + i32(own)
    third = real(1.0 / 3.0)
    p = record(table, ((kinds + 1) * kinds + 1) * NP)
    whole, weight = embedding_of(own, base, m, n, row, kind, kinds, count, pitch, table, data, atom, ex, ey, ez, distance,
                                 value, p)
    zero = whole - whole
    give(out, i, -whole, zero, zero, zero, zero, zero, zero, live(own, n))
    for q in range(m):
        s, there, two, entry = neighbour(q, own, base, n, row, kind, kinds, count, pitch, atom)
        r, u, du, x, y, z = slot(s, distance, value, slope, ex, ey, ez)
        if MANY:
            p = record(table, entry, True)
        e, along, _, rise = radial(r, p, data)
        give_halves(out, i, load(atom, s), 0.5 * e, r * (0.5 * along + weight * rise), x, y, z, there)
        for k in range(q + 1, m):
            t = k * pitch + base
            near = both(there, i32(k) < load(count, own))
            rk, v, dv, xk, yk, zk, c = other_slot(t, x, y, z, distance, value, slope, ex, ey, ez)
            if MANY:
                p = record(table, (two + gather(kind, load(atom, t), True)) * i32(NP), True)
            g, by_c = bend(c, p, data)
            part = third * weight
            give_thirds(out, i, load(atom, s), load(atom, t), zero, part * du * v * g * r, part * u * dv * g * rk,
                        part * u * v * by_c, c, x, y, z, xk, yk, zk, near)
