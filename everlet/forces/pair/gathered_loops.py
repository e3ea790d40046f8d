"""The loop of half lists with short rows, for CPUs with narrow registers: pairs of many atoms are computed together.

Rows of a few entries leave lanes empty, and most entries may be in the skin. So pairs within the cutoff are packed, atom after
atom, and computed SEGMENT at a time. An item is a slab (schemes/slabs.py). Statics are those of loops.py.
"""

from __future__ import annotations

from everlet.forces.pair.rows import position, row_of
from everlet.portable import f64, i32, i64, portable, real, scatter

PART = 64  # entries of a row between looks whether there is room
NOWHERE = 1.0e12  # as far away as what fills up rows


@portable
def compute_pairs(some: i64, table: real[:], data: real[:], kinds: i64, filler: i64, one: i32[:], two: i32[:], sx: real[:],
                  sy: real[:], sz: real[:], f: scatter[f64[:, 3]]):
    """Forces of so many pairs; the last lanes are filled up with one of nobody."""
    p = record(table, (kinds + 1) * NP)
    store(one, some, lane_ids() * i32(0) + i32(filler))
    store(two, some, lane_ids() * i32(0) + i32(filler))
    store(sx, some, lanes(NOWHERE))
    store(sy, some, lanes(0.0))
    store(sz, some, lanes(0.0))
    for q in lane_range(some):
        dx = load(sx, q)
        dy = load(sy, q)
        dz = load(sz, q)
        strength, e = pair(fma(dx, dx, fma(dy, dy, dz * dz)), p, data)
        gx = dx * strength
        gy = dy * strength
        gz = dz * strength
        subtract3(f, load(two, q), gx, gy, gz, True)
        subtract3(f, load(one, q), -gx, -gy, -gz, True)


@portable
def gathered_loop(s, edges: i64[:], x: f64[:, 4], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
                  table: real[:], data: real[:], kinds: i64, order: i32[:], filler: i64, colours: i64, f: scatter[f64[:, 3]]):
    """Forces between the atoms of slab s and those in their rows; newton is on, and there is one type of atoms."""
    one = scratch(i32, SEGMENT + 64)
    two = scratch(i32, SEGMENT + 64)
    sx = scratch(real, SEGMENT + 64)
    sy = scratch(real, SEGMENT + 64)
    sz = scratch(real, SEGMENT + 64)
    nobody = filler + APART * (s // colours)  # threads that add to one row would slow each other
    p = record(table, (kinds + 1) * NP)
    some = i64(0)
    for k in range(edges[s], edges[s + 1]):
        i = i64(order[k])
        xi, yi, zi = position(i, x)
        start, m = row_of(i, count, first, si)
        for begin in range(0, m, PART):
            if some > SEGMENT - PART:
                compute_pairs(some, table, data, kinds, nobody, one, two, sx, sy, sz, f)
                some = i64(0)
            for q in range(begin, min(m, begin + PART)):  # each is written where the last one that was near ended
                j = i64(neigh[start + q * sk])
                dx = xi - x[j, 0]
                dy = yi - x[j, 1]
                dz = zi - x[j, 2]
                one[some] = i32(i)
                two[some] = i32(j)
                sx[some] = real(dx)
                sy[some] = real(dy)
                sz[some] = real(dz)
                some += i64(dx * dx + dy * dy + dz * dz < p.cut2)
    compute_pairs(some, table, data, kinds, nobody, one, two, sx, sy, sz, f)
