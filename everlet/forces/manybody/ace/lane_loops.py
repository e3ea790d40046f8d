"""Loops of an expansion over neighbours, an atom on each lane: sums A over neighbours, and forces. For CPUs.

    A_(c n l m) = sum over neighbours of channel c of R_nl(r) Y_lm, m >= 0      direct sums, of functions of r alone, follow

Numbers of an atom are those of Expansion: A as two numbers each, in the order c, l, n, m; then direct sums of each species.
Rows are by species of the neighbours (`by_channel`), so that all lanes read the table of one pair of species at a time.

Statics: T tile, L largest l, SPECIES, NUMBERS of A, CHANNEL of these in one channel, RADIAL functions R, FUNCTIONS all of a
table, DIRECT those that are summed directly, SIZE numbers of an atom; PIECES; LISTED, DENSE.
"""

from __future__ import annotations

from everlet.forces.manybody.ace.physics import spots_of, value, value_and_slope
from everlet.forces.manybody.giving_loops import factor_of, give_slope
from everlet.forces.manybody.tile_loops import entry_of, in_slots, longest_row, place, species_of
from everlet.forces.pair.tally import no_force, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def starts_of(i, first: i32[:], si: i64):
    """Where the rows of atoms i of the lanes begin."""
    start = i * i32(si)
    if DENSE:
        start = gather(first, i, True) * i32(8)
    return start


@portable
def to_neighbour(q: i64, there, start, done, last, sk: i64, neigh: i32[:], filler: i64, x: f64[:, 4], xi, yi, zi, pair: i64,
                 pieces: real[:]):
    """Entry q of the rows of the lanes: is there one, its atom, the way there, one over the distance, and what spots_of gives;
    directions are 0 where there is none."""
    near, j, dx, dy, dz, r2 = entry_of(q, there, start, done, last, sk, neigh, filler, x, xi, yi, zi)
    inverse = where(near, rsqrt(r2), real(0.0))
    ux, uy, uz, spot, u, rate = spots_of(near, dx, dy, dz, r2 * inverse, inverse, pair, pieces)
    return near, j, dx, dy, dz, inverse, ux, uy, uz, spot, u, rate


@portable
def add_by_m(c: i64, base: i64, wb: i64, ux, uy, uz, channels: i32[:], shells: i32[:], legendre: real[:], work: real[:],
             total: real[:]):
    """More for the sums of neighbours of species c, whose functions of r are in `work`: m by m, so that what is carried from l
    to l stays in registers."""
    zero = as_real(lanes(0.0))
    qr = zero + real(1.0)  # (ux + i uy)^m
    qi = zero
    start = base + 2 * i64(channels[c]) * CHANNEL * T
    low = i64(0)  # numbers of l < m
    for m in range(L + 1):
        now = zero
        before = zero + real(1.0)
        first = low
        for ell in range(m, L + 1):
            g = ell * (ell + 1) + 2 * m
            new = legendre[g] * uz * now + legendre[g + 1] * before
            before = now
            now = new
            yr = now * qr
            yi = now * qi
            h = start + 2 * (first + m) * T
            for e in range(i64(shells[ell]), i64(shells[ell + 1])):
                v = load(work, wb + e * T)
                store(total, h, fma(v, yr, load(total, h)))
                store(total, h + T, fma(v, yi, load(total, h + T)))
                h += 2 * (ell + 1) * T
            first += (i64(shells[ell + 1]) - i64(shells[ell])) * (ell + 1)
        low += (i64(shells[m + 1]) - i64(shells[m])) * (m + 1)
        new = qr * ux - qi * uy
        qi = qr * uy + qi * ux
        qr = new
    h = base + (2 * NUMBERS + c * DIRECT) * T
    for e in range(RADIAL, FUNCTIONS):
        store(total, h, load(total, h) + load(work, wb + e * T))
        h += T


@portable
def slope_by_m(c: i64, base: i64, wb: i64, rate, ux, uy, uz, inverse, own_slope, channels: i32[:], shells: i32[:],
               legendre: real[:], work: real[:], weights: real[:]):
    """How the energy changes with the place of the neighbour, as edge_loops.edge_slope, from functions and slopes in `work`."""
    zero = as_real(lanes(0.0))
    qr = zero + real(1.0)
    qi = zero
    pr = zero  # (ux + i uy)^(m - 1)
    pi = zero
    along = zero
    tx = zero
    ty = zero
    tz = zero
    start = base + 2 * i64(channels[c]) * CHANNEL * T
    low = i64(0)
    for m in range(L + 1):
        now = zero
        before = zero + real(1.0)
        slope = zero
        earlier = zero
        ar = zero
        ai = zero
        br = zero
        bi = zero
        cr = zero
        ci = zero
        first = low
        for ell in range(m, L + 1):
            g = ell * (ell + 1) + 2 * m
            new = legendre[g] * uz * now + legendre[g + 1] * before
            change = legendre[g] * (now + uz * slope) + legendre[g + 1] * earlier
            before = now
            now = new
            earlier = slope
            slope = change
            vr = zero
            vi = zero
            wr = zero
            wi = zero
            h = start + 2 * (first + m) * T
            for e in range(i64(shells[ell]), i64(shells[ell + 1])):
                v = load(work, wb + 2 * e * T)
                s = load(work, wb + (2 * e + 1) * T)
                re = load(weights, h)
                im = load(weights, h + T)
                vr = fma(v, re, vr)
                wr = fma(s, re, wr)
                vi = fma(v, im, vi)
                wi = fma(s, im, wi)
                h += 2 * (ell + 1) * T
            first += (i64(shells[ell + 1]) - i64(shells[ell])) * (ell + 1)
            ar = fma(now, vr, ar)
            ai = fma(now, vi, ai)
            br = fma(slope, vr, br)
            bi = fma(slope, vi, bi)
            cr = fma(now, wr, cr)
            ci = fma(now, wi, ci)
        low += (i64(shells[m + 1]) - i64(shells[m])) * (m + 1)
        tz = fma(qr, br, fma(qi, bi, tz))
        along = fma(qr, cr, fma(qi, ci, along))
        k = real(m)
        tx = fma(k * zero + k, pr * ar + pi * ai, tx)
        ty = fma(k * zero + k, pr * ai - pi * ar, ty)
        pr = qr
        pi = qi
        qr = pr * ux - pi * uy
        qi = pr * uy + pi * ux
    h = base + (2 * NUMBERS + c * DIRECT) * T
    for e in range(RADIAL, FUNCTIONS):
        along = fma(load(work, wb + (2 * e + 1) * T), load(weights, h), along)
        h += T
    along = fma(along, rate, own_slope)
    along = along - (ux * tx + uy * ty + uz * tz) * inverse
    return fma(along, ux, tx * inverse), fma(along, uy, ty * inverse), fma(along, uz, tz * inverse)


@portable
def sums(w, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
         filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:], shells: i32[:],
         legendre: real[:], work: real[:], total: real[:]):
    own = w * W
    slot = begin + own
    species = species_of(slot, tiles)
    if species >= 0:
        i, there = in_slots(slot, n, order)
        xi, yi, zi = gather3(x, i, True)
        zero = as_real(lanes(0.0))
        base = place(own, SIZE)
        wb = place(own, 2 * FUNCTIONS)
        for k in range(SIZE):
            store(total, base + k * T, zero)
        start = starts_of(i, first, si)
        done = i * i32(0)
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = gather(ends, i + i32(c * pitch), True)
            for q in range(longest_row(slot, n, order, c, pitch, ends)):
                _, _, _, _, _, _, ux, uy, uz, spot, u, _ = to_neighbour(
                    q, there, start, done, last, sk, neigh, filler, x, xi, yi, zi, pair, pieces)
                for e in range(FUNCTIONS):
                    store(work, wb + e * T, value(rows, spot + real(8 * e), u))
                add_by_m(c, base, wb, ux, uy, uz, channels, shells, legendre, work, total)
            done = last


@portable
def forces(w, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
           filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:], shells: i32[:],
           legendre: real[:], work: real[:], weights: real[:], nearest: real[:], table: real[:],
           kinds: i64, f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: minus the slopes of the energy of the atoms of lanes. `weights` is
    how it changes with each number of the sums.

    SHARES: instead of forces their virial, for each of the two atoms (manybody/shares.py). SWITCHED: the nearest neighbour
    has a slope of its own (embed_loops.py). SCALED: by a factor.
    """
    own = w * W
    slot = begin + own
    species = species_of(slot, tiles)
    tallied = no_tally(lanes(0.0))
    factor = factor_of(table, kinds + 1)
    if species >= 0:
        i, there = in_slots(slot, n, order)
        xi, yi, zi = gather3(x, i, True)
        zero = as_real(lanes(0.0))
        fx, fy, fz = no_force(lanes(0.0))
        base = place(own, SIZE)
        wb = place(own, 2 * FUNCTIONS)
        done = i * i32(0)
        start = starts_of(i, first, si)
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = gather(ends, i + i32(c * pitch), True)
            for q in range(longest_row(slot, n, order, c, pitch, ends)):
                near, j, dx, dy, dz, inverse, ux, uy, uz, spot, u, rate = to_neighbour(
                    q, there, start, done, last, sk, neigh, filler, x, xi, yi, zi, pair, pieces)
                own_slope = zero
                if SWITCHED:
                    k = place(own, 3)
                    same = load(nearest, k + 2 * T) == as_real(done + i32(q))
                    own_slope = where(same, load(nearest, k + T), zero)
                for e in range(FUNCTIONS):
                    v, s = value_and_slope(rows, spot + real(8 * e), u)
                    store(work, wb + 2 * e * T, v)
                    store(work, wb + (2 * e + 1) * T, s)
                gx, gy, gz = slope_by_m(c, base, wb, rate, ux, uy, uz, inverse, own_slope, channels, shells, legendre, work,
                                        weights)
                fx, fy, fz, tallied = give_slope(f, i, j, dx, dy, dz, gx, gy, gz, near,
                                                 factor, fx, fy, fz, tallied)
            done = last
        if not SHARES:
            subtract3(f, i, -fx, -fy, -fz, there)
    if EV:
        return sum_tally(1.0, tallied)
