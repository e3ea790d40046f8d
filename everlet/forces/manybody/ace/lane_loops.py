"""Loops of an expansion over neighbours, an atom on each lane: sums A over neighbours, and forces. For CPUs.

    A_(c n l m) = sum over neighbours of channel c of R_nl(r) Y_lm, m >= 0      direct sums, of functions of r alone, follow

Numbers of an atom are those of Expansion: A as two numbers each, in the order c, l, n, m; then direct sums of each species.
Rows are by species of the neighbours (`by_channel`), so that all lanes read the table of one pair of species at a time.

Statics: T tile, L largest l, SPECIES, NUMBERS of A, CHANNEL of these in one channel, RADIAL functions R, FUNCTIONS all of a
table, DIRECT those that are summed directly, SIZE numbers of an atom; PIECES; ORDERED, DENSE.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.manybody.ace.edge_loops import add_edge, as_given, edge_slope
from everlet.forces.manybody.ace.physics import row_of
from everlet.forces.manybody.giving_loops import share_pair
from everlet.forces.manybody.tile_loops import in_slots, longest_row, place, species_of
from everlet.forces.pair.rows import away
from everlet.forces.pair.tally import add_tally, no_tally, sum_tally
from everlet.portable import both, f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def starts_of(i, first: i32[:], si: i64):
    """Where the rows of atoms i of the lanes begin."""
    start = i * i32(si)
    if DENSE:
        start = gather(first, i, True) * i32(8)
    return start


@portable
def to_neighbour(q: i64, i, there, start, done, last, sk: i64, neigh: i32[:], filler: i64, x: f64[:, 4], xi, yi, zi):
    """Entry q of the rows of the lanes: is there one, its atom, way and distance; directions are 0 where there is none."""
    near = both(there, done + i32(q) < last)
    j = where(near, gather(neigh, start + (done + i32(q)) * i32(sk), near), i32(filler))
    dx, dy, dz, r2 = away(j, x, xi, yi, zi)
    r2 = where(near, r2, real(1.0))
    inverse = where(near, rsqrt(r2), real(0.0))
    return near, j, dx, dy, dz, r2 * inverse, inverse


@portable
def sums(w, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
         filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:], shells: i32[:],
         legendre: real[:], total: real[:]):
    own = w * W
    slot = begin + own
    species = species_of(slot, tiles)
    if species >= 0:
        i, there = in_slots(slot, n, order)
        xi, yi, zi = gather3(x, i, True)
        zero = as_real(lanes(0.0))
        base = place(own, SIZE)
        for k in range(SIZE):
            store(total, base + k * T, zero)
        start = starts_of(i, first, si)
        done = i * i32(0)
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = gather(ends, i + i32(c * pitch), True)
            for q in range(longest_row(slot, n, order, c, pitch, ends)):
                near, j, dx, dy, dz, r, inverse = to_neighbour(q, i, there, start, done, last, sk, neigh, filler, x, xi, yi, zi)
                ux = dx * inverse
                uy = dy * inverse
                uz = dz * inverse
                row, u, _ = row_of(r, pair, pieces)
                spot = where(near, row, real(0.0)) * real(8 * FUNCTIONS)
                add_edge(c, base, spot, u, ux, uy, uz, False, True, channels, rows, shells, legendre, total)
            done = last


@portable
def forces(w, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64, sk: i64,
           filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:], shells: i32[:],
           legendre: real[:], weights: real[:], nearest: real[:], table: real[:], kinds: i64,
           f: scatter[f64[:, 3]]):
    """Forces on the atoms of lanes and on their neighbours: minus the slopes of the energy of the atoms of lanes. `weights` is
    how it changes with each number of the sums.

    SHARES: instead of forces their virial, for each of the two atoms (manybody/shares.py). SWITCHED: the nearest neighbour
    has a slope of its own (embed_loops.py). SCALED: by a factor.
    """
    own = w * W
    slot = begin + own
    species = species_of(slot, tiles)
    if EV:
        tallied = no_tally(lanes(0.0))
    factor = real(1.0)
    if SCALED:
        p = record(table, (kinds + 1) * NP)
        factor = p.factor
    if species >= 0:
        i, there = in_slots(slot, n, order)
        xi, yi, zi = gather3(x, i, True)
        zero = as_real(lanes(0.0))
        fx = lanes(0.0)
        fy = lanes(0.0)
        fz = lanes(0.0)
        base = place(own, SIZE)
        start = starts_of(i, first, si)
        done = i * i32(0)
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = gather(ends, i + i32(c * pitch), True)
            for q in range(longest_row(slot, n, order, c, pitch, ends)):
                near, j, dx, dy, dz, r, inverse = to_neighbour(q, i, there, start, done, last, sk, neigh, filler, x, xi, yi, zi)
                ux = dx * inverse
                uy = dy * inverse
                uz = dz * inverse
                row, u, rate = row_of(r, pair, pieces)
                spot = where(near, row, real(0.0)) * real(8 * FUNCTIONS)
                own_slope = zero
                if SWITCHED:
                    k = place(own, 3)
                    same = load(nearest, k + 2 * T) == as_real(done + i32(q))
                    own_slope = where(same, load(nearest, k + T), zero)
                gx, gy, gz = edge_slope(c, base, spot, u, rate, ux, uy, uz, inverse, own_slope, channels, rows, shells,
                                        legendre, weights)
                gx = as_given(gx, near, factor)
                gy = as_given(gy, near, factor)
                gz = as_given(gz, near, factor)
                if not SHARES:
                    subtract3(f, j, gx, gy, gz, near)
                    fx += gx
                    fy += gy
                    fz += gz
                if SHARES:
                    share_pair(f, i, j, dx, dy, dz, gx, gy, gz, near)
                if EV:
                    tallied = add_tally(tallied, zero, -dx, -dy, -dz, gx, gy, gz)
            done = last
        if not SHARES:
            subtract3(f, i, -fx, -fy, -fz, there)
    if EV:
        return sum_tally(1.0, tallied)
