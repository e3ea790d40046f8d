"""Loops of SNAP over neighbours: sums of rotation matrices, and forces. A lane is an atom i throughout.

Numbers of the atoms of a chunk are in tiles (components/loops.py). Instead of the
matrix element u(j, mb, ma) loops carry the coefficient v of t^ma in (a* - b* t)^(j - mb) (b + a t)^mb; u is a constant times
it (index.py). Rows then follow from each other without further constants:

    v(j, mb) = (a* - b* t) v(j - 1, mb) = (b + a t) v(j - 1, mb - 1)

Statics: T tile, J twojmax, HALF numbers of half rows, CHANNELS; MANY, NP, DENSE as in pair/loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.snap.physics import counted, turned
from everlet.forces.manybody.tile_loops import entry_of, place
from everlet.forces.pair.rows import row_starts
from everlet.portable import f64, i32, i64, portable, real, rsqrt, where


@portable
def before_row(mb: i64):
    """How many half elements come before those of row mb."""
    return mb * (J + 1) * (J + 2) // 2 - mb * (mb - 1) * (2 * mb - 1) // 3 - mb * (mb - 1) // 2


@portable
def longest(mine: i64, n: i64, c: i64, pitch: i64, ends: i32[:]):
    """Most neighbours in channel c of the atoms mine, mine + 1, … of the lanes."""
    most = i64(0)
    for k in range(W):
        if mine + k < n:
            found = i64(ends[c * pitch + mine + k])
            if c > 0:
                found -= i64(ends[(c - 1) * pitch + mine + k])
            most = max(most, found)
    return most


@portable
def next_number(source: i64, target: i64, cr, ci, dr, di, pr, pi, work: real[:]):
    """A number of (c + d t) times a row, from the one of the row and the one before it, p; it, and the next p."""
    vr = load(work, source)
    vi = load(work, source + T)
    xr = fma(cr, vr, fma(dr, pr, -(ci * vi + di * pi)))
    xi = fma(cr, vi, fma(ci, vr, fma(dr, pi, di * pr)))
    store(work, target, xr)
    store(work, target + T, xi)
    return xr, xi, vr, vi


@portable
def end_row(target: i64, cr, work: real[:]):
    """Zero, which the next row reads."""
    store(work, target, cr * real(0.0))
    store(work, target + T, cr * real(0.0))


@portable
def next_row(source: i64, target: i64, m: i64, cr, ci, dr, di, work: real[:], total: real[:], h: i64):
    """Row of m + 1 numbers, (c + d t) times the row of m numbers before it; added to `total`."""
    pr = cr * real(0.0)
    pi = pr
    for ma in range(m + 1):
        k = 2 * ma * T
        xr, xi, pr, pi = next_number(source + k, target + k, cr, ci, dr, di, pr, pi, work)
        store(total, h + k, load(total, h + k) + xr)
        store(total, h + k + T, load(total, h + k + T) + xi)
    end_row(target + 2 * (m + 1) * T, cr, work)


@portable
def neighbours(w, begin: i64, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
               pitch: i64, ends: i32[:], table: real[:], kinds: i64, work: real[:], total: real[:]):
    """The sum of v over the neighbours in each channel, each as much as it counts."""
    own = w * W
    mine = begin + own
    xi, yi, zi = gather3(x, lane_ids() + i32(mine), True)
    row = load(kind, mine) * i32(kinds)
    zero = as_real(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    a0 = place(own, 4 * (J + 2))
    b0 = a0 + 2 * (J + 2) * T
    for k in range(2 * HALF * CHANNELS):
        store(total, place(own, 2 * HALF * CHANNELS) + k * T, zero)
    start = row_starts(mine, first, si)
    done = load(ends, mine) * i32(0)
    for c in range(CHANNELS):
        base = place(own, 2 * HALF * CHANNELS) + c * 2 * HALF * T
        last = load(ends, c * pitch + mine)
        for q in range(longest(mine, n, c, pitch, ends)):
            there, j, dx, dy, dz, r2 = entry_of(q, live(mine, n), start, done, last, sk, neigh, filler, x, xi, yi, zi)
            inverse = rsqrt(r2)
            r = r2 * inverse
            if MANY:
                p = record(table, (row + gather(kind, j, True)) * i32(NP), True)
            co, si_ = turned(r, p)
            value, _ = counted(r, p)
            value = where(there, value, real(0.0))
            side = si_ * inverse
            ar = where(there, co, real(0.0))
            ai = where(there, -(dz * side), real(0.0))
            br = where(there, dy * side, real(0.0))
            bi = where(there, -(dx * side), real(0.0))
            store(work, a0, value)
            store(work, a0 + T, zero)
            store(work, a0 + 2 * T, zero)
            store(work, a0 + 3 * T, zero)
            store(total, base, load(total, base) + value)
            here = a0
            other = b0
            h = base + 2 * T
            for mb in range(J // 2 + 1):
                for m in range(2 * mb + 1, J + 1):
                    next_row(here, here, m, ar, -ai, -br, bi, work, total, h)
                    h += 2 * (m + 1) * T
                    if m == 2 * mb + 1 and m < J:
                        after = base + 2 * before_row(mb + 1) * T
                        next_row(here, other, m + 1, br, bi, ar, ai, work, total, after)
                swap = here
                here = other
                other = swap
                h += 2 * (2 * mb + 3) * T
        done = last
