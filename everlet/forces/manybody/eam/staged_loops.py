"""Loops of embedded-atom styles for CPUs with narrow registers.

A row is done in stages, SEGMENT entries of it at a time; what one stage hands to the next is in scratch memory, which stays in
the first cache. Densities: neighbours are packed with their squared distances, then only those within the cutoff are looked
up. Forces: the strength of all pairs, then the sums, so that neither has to keep all numbers of the other in registers.
Statics are those of pair/loops.py; `approach`, `density` and `pair` are the style's functions (embedded.py).
"""

from __future__ import annotations

from everlet.forces.manybody.short_loops import end_row
from everlet.forces.pair.rows import end_force, sum_stage, toward, whole_row_at
from everlet.forces.pair.tally import no_force
from everlet.portable import f64, i32, i64, portable, real, scatter, where

BEYOND = 1e24  # the square of a distance that no cutoff reaches


@portable
def staged_density(i, n: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], neigh: i32[:], count: i32[:],
                   first: i32[:], si: i64, sk: i64, table: real[:], data: real[:], kinds: i64, rho: scatter[f64[:]],
                   order: i32[:], filler: i64, short: i32[:], short_count: i32[:]):
    """The work of `shorten` and density_loop (short_loops.py)."""
    near_ones = scratch(i32, SEGMENT + 64)
    squares = scratch(real, SEGMENT + 64)
    i, m, start, row, xi, yi, zi = whole_row_at(i, x, order, count, first, si, kind, kinds)
    here = as_real(lanes(0.0))
    found = i64(0)
    if not MANY:
        p = record(table, (kinds + 1) * NP)
        cut2 = p.cut2
    for begin in range(0, m, SEGMENT):
        some = i64(0)
        for q in range(begin, min(m, begin + SEGMENT)):
            k = i64(neigh[start + q])
            dx = real(xi - x[k, 0])
            dy = real(yi - x[k, 1])
            dz = real(zi - x[k, 2])
            r2 = dx * dx + dy * dy + dz * dz
            if MANY:
                cut2 = table[(row + i64(kind[k])) * NP + NP - 2]
            short[start + found + some] = i32(k)
            near_ones[some] = i32(k)
            squares[some] = r2
            some += i64(r2 < cut2)
        store(squares, some, as_real(lanes(BEYOND)))
        store(near_ones, some, lane_ids() * i32(0) + i32(filler + 8 * (i // 1024 % 4)))
        found += some
        for q in lane_range(some):
            j = load(near_ones, q)
            r2 = load(squares, q)
            if MANY:
                p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
            u, v, w = approach(r2, p)
            at_i, at_j = density(u, v, w, p, data)
            near = r2 < p.cut2
            here += where(near, at_i, real(0.0))
            if NEWTON and not FULL:
                subtract(rho, j, where(near, -at_j, real(0.0)), True)
            if not NEWTON and not FULL:
                subtract(rho, j, where(near, -at_j, real(0.0)), j < i32(n))
    end_row(short, start, found, sk, short_count, i, filler)
    total = f64(lane_sum(here))
    if FULL:
        rho[i] = total
    if not FULL:
        rho[i] += total


@portable
def staged_force(i, n: i64, x: f64[:, 4], fixed: i32[:, 4], scale: f64, kind: i32[:], neigh: i32[:], count: i32[:],
                 first: i32[:], si: i64, sk: i64, table: real[:], data: real[:], kinds: i64, f: scatter[f64[:, 3]],
                 order: i32[:], slope: f64[:]):
    """The work of neighbor_loop (pair/loops.py) without tallies, on short rows."""
    sx = scratch(real, SEGMENT + 64)
    sy = scratch(real, SEGMENT + 64)
    sz = scratch(real, SEGMENT + 64)
    strengths = scratch(real, SEGMENT + 64)
    i, m, start, row, xi, yi, zi = whole_row_at(i, x, order, count, first, si, kind, kinds)
    slope_i = as_real(slope[i])
    fx, fy, fz = no_force(as_real(lanes(0.0)))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for begin in range(0, m, SEGMENT):
        some = min(m - begin, SEGMENT)
        base = start + begin
        for q in lane_range(some):
            j = load(neigh, base + q)
            dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
            if PREFETCH:
                prefetch3(x, load(neigh, base + q + PREFETCH * W))
                if not FULL:
                    prefetch3(f, j)
            store(sx, q, dx)
            store(sy, q, dy)
            store(sz, q, dz)
            if MANY:
                p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
            u, v, w = approach(r2, p)
            strength, _ = pair(u, v, w, p, data, slope_i, as_real(gather(slope, j, True)))
            store(strengths, q, where(r2 < p.cut2, strength, real(0.0)))
        fx, fy, fz = sum_stage(some, neigh, base, n, sx, sy, sz, strengths, f, fx, fy, fz)
    end_force(f, i, f64(lane_sum(fx)), f64(lane_sum(fy)), f64(lane_sum(fz)))
