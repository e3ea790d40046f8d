"""Loops over the rows of a neighbour list that many-body styles run before their forces."""

from __future__ import annotations

from everlet.forces.pair.rows import apart, place_of, places_of, row_at, whole_row
from everlet.portable import f64, i32, i64, portable, real, scatter, where


@portable
def end_row(short: i32[:], start: i64, found: i64, sk: i64, short_count: i32[:], i: i64, filler: i64):
    """The rest of the row up to a whole number of PAD is 'no atom'. Atoms near each other have the same one, those far away
    mostly another: threads that add nothing to one place would slow each other.
    """
    short_count[i] = i32(found)
    none = i32(filler + 8 * (i // 1024 % 4))
    if NARROW:  # a loop of unknown length is predicted badly
        if found > 0:
            last = (found - 1) // PAD * PAD
            for q in range(last, last + PAD, W):
                store(short, start + q, where(lane_ids() + i32(q) < i32(found), load(short, start + q), none))
    if not NARROW:
        for q in range(found, (found + PAD - 1) // PAD * PAD):
            short[start + q * sk] = none


@portable
def shorten(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
            kinds: i64, filler: i64, short: i32[:], short_count: i32[:]):
    """Of the row of atom i those neighbours that are within the cutoff now, in the same place of `short`.

    NARROW: one after the other and without branches; the next one overwrites one that is not near.
    """
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    found = i64(0)
    if NARROW:
        for q in range(m):
            j = i64(neigh[start + q])
            dx = real(xi - x[j, 0])
            dy = real(yi - x[j, 1])
            dz = real(zi - x[j, 2])
            if MANY:
                p = record(table, (i64(kind[j]) + row) * NP)
            short[start + found] = i32(j)
            found += i64(dx * dx + dy * dy + dz * dz < p.cut2)
    if not NARROW:
        for q in lane_range(m, AHEAD):
            for u in unroll(AHEAD):
                j[u] = load(neigh, start + (q + u * lane_stride()) * sk)
                xj[u], yj[u], zj[u] = gather3(x, j[u], True)
            for u in unroll(AHEAD):
                dx = as_real(xi - xj[u])
                dy = as_real(yi - yj[u])
                dz = as_real(zi - zj[u])
                if MANY:
                    p = record(table, (gather(kind, j[u], True) + i32(row)) * i32(NP), True)
                near = fma(dx, dx, fma(dy, dy, dz * dz)) < p.cut2
                found += append(short, start, found, sk, j[u], near)
    if leader():
        end_row(short, start, found, sk, short_count, i, filler)


@portable
def density_loop(i, n: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], neigh: i32[:], count: i32[:],
                 first: i32[:], si: i64, sk: i64, table: real[:], data: real[:], kinds: i64, rho: scatter[f64[:]],
                 order: i32[:], filler: i64, short: i32[:], short_count: i32[:]):
    """The density at atom i made by the atoms in its row, and with a half list that at those made by atom i.

    Statics are those of pair/loops.py: neighbor_loop; SHORTEN: it also does the work of `shorten`.
    """
    i, m, start, row = whole_row(i, order, count, first, si, kind, kinds)
    xi, yi, zi = place_of(i, x, fixed)
    here = lanes(0.0)
    if SHORTEN:
        m = (m + PAD - 1) // PAD * PAD  # lanes make the same steps; what fills the row is far away
        found = i64(0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for q in lane_range(m, AHEAD):
        for u in unroll(AHEAD):
            j[u] = load(neigh, start + (q + u * lane_stride()) * sk)
            xj[u], yj[u], zj[u] = places_of(j[u], x, fixed)
        for u in unroll(AHEAD):
            _, _, _, r2 = apart(xi, yi, zi, xj[u], yj[u], zj[u], scale)
            if MANY:
                p = record(table, (gather(kind, j[u], True) + i32(row)) * i32(NP), True)
            near = r2 < p.cut2
            if SHORTEN:
                found += append(short, start, found, sk, j[u], near)
            if not SHORTEN or any_lane(near):
                at_i, at_j = density(r2, p, data)
                here += where(near, at_i, real(0.0))
                if NEWTON and not FULL:
                    subtract(rho, j[u], where(near, -at_j, real(0.0)), True)
                if not NEWTON and not FULL:
                    subtract(rho, j[u], where(near, -at_j, real(0.0)), j[u] < i32(n))
    if SHORTEN:
        if leader():
            end_row(short, start, found, sk, short_count, i, filler)
    total = f64(lane_sum(here))
    if leader():
        if FULL:
            rho[i] = total
        if not FULL:
            rho[i] += total


@portable
def embed_loop(i, kind: i32[:], rho: f64[:], table: real[:], data: real[:], kinds: i64, slope: f64[:]):
    """The energy of an atom in the density at its place, and its slope."""
    p = record(table, (i64(kind[i]) * kinds + i64(kind[i])) * NP)
    energy, d = embed(real(rho[i]), p, data)
    slope[i] = f64(d)
    if EV:
        return f64(energy)


@portable
def embed_peratom(i, kind: i32[:], rho: f64[:], table: real[:], data: real[:], kinds: i64, factor: f64, slope: f64[:],
                  energy: f64[:]):
    """The same, with the energy added to that of the atom, times a factor."""
    p = record(table, (i64(kind[i]) * kinds + i64(kind[i])) * NP)
    e, d = embed(real(rho[i]), p, data)
    slope[i] = f64(d)
    energy[i] += factor * f64(e)
