"""Loops of an expansion over the numbers of an atom: outputs q from products of sums A, and what q change with A. A lane is an
atom; tables are those of products.py, of the species of the tile.

Each of PARTS items of an atom (a block of lanes) does every PARTS-th section. Statics as in lane_loops.py, and DENSITIES:
outputs that all terms add to; 0: each term adds to one of OUTPUTS, of which each is a section. WIDTH: coefficients of an entry.
"""

from __future__ import annotations

from everlet.forces.manybody.tile_loops import place, species_of
from everlet.portable import i32, i64, portable, real


@portable
def common_factors(g: i64, groups: i32[:], factors: i32[:], base: i64, total: real[:]):
    """The product of the factors of a group."""
    zero = as_real(lanes(0.0))
    re = zero + real(1.0)
    im = zero
    begin = i64(groups[4 * g + 1])
    for k in range(begin, begin + i64(groups[4 * g + 2])):
        spot = base + 2 * i64(factors[k] >> i32(1)) * T
        ar = load(total, spot)
        ai = load(total, spot + T)
        if factors[k] & i32(1) == i32(1):
            ai = -ai
        new = fma(re, ar, -(im * ai))
        im = fma(re, ai, im * ar)
        re = new
    return re, im


@portable
def tile_of(item: i64, blocks: i64, begin: i64, tiles: i32[:]):
    """The first atom of an item in its chunk, which part of the work is its own, the species, and where the sums begin."""
    own = item % blocks * W
    return own, item // blocks, species_of(begin + own, tiles), place(own, SIZE)


@portable
def evaluate(item, blocks: i64, begin: i64, tiles: i32[:], ranges: i32[:], groups: i32[:], factors: i32[:], entries: i32[:],
             coefficients: real[:], direct: i32[:], total: real[:], outputs: real[:]):
    """Outputs: parts of them for each item (DENSITIES), or each as a whole, with direct sums."""
    own, part, species, base = tile_of(item, blocks, begin, tiles)
    if species >= 0:
        to = place(own, OUTPUTS)
        zero = as_real(lanes(0.0))
        for d in unroll(DENSITIES):
            density[d] = zero
        for k in range(part, SECTIONS, PARTS):
            if DENSITIES == 0:
                q = zero
            for g in range(i64(ranges[species * SECTIONS + k]), i64(ranges[species * SECTIONS + k + 1])):
                for d in unroll(WIDTH):
                    sr[d] = zero
                    si[d] = zero
                for e in range(i64(groups[4 * g]), i64(groups[4 * g + 4])):
                    spot = base + 2 * i64(entries[e]) * T
                    ar = load(total, spot)
                    ai = load(total, spot + T)
                    for d in unroll(WIDTH):
                        value = coefficients[e * WIDTH + d]
                        sr[d] = fma(ar, value, sr[d])
                        si[d] = fma(ai, value, si[d])
                re, im = common_factors(g, groups, factors, base, total)
                if groups[4 * g + 3] == i32(1):
                    im = -im
                for d in unroll(DENSITIES):
                    density[d] = fma(re, sr[d], fma(-im, si[d], density[d]))
                if DENSITIES == 0:
                    q = fma(re, sr[0], fma(-im, si[0], q))
            if DENSITIES == 0:
                store(outputs, to + k * T, q)
        if DENSITIES == 0:
            for k in range(SPECIES * DIRECT):
                out = i64(direct[species * SPECIES * DIRECT + k])
                if out >= 0 and out % PARTS == part:  # this item has stored it
                    store(outputs, to + out * T, load(outputs, to + out * T) + load(total, base + (2 * NUMBERS + k) * T))
        for d in unroll(DENSITIES):
            store(outputs, to + (part * DENSITIES + d) * T, density[d])


@portable
def weigh(item, blocks: i64, begin: i64, tiles: i32[:], ranges: i32[:], groups: i32[:], factors: i32[:], entries: i32[:],
          which: i32[:], coefficients: real[:], direct: i32[:], total: real[:], slopes: real[:], weights: real[:]):
    """What the energy changes with each number of the sums, from its slopes with the outputs."""
    own, part, species, base = tile_of(item, blocks, begin, tiles)
    if species >= 0:
        to = place(own, SLOPES)
        zero = as_real(lanes(0.0))
        for d in unroll(DENSITIES):
            slope[d] = load(slopes, to + d * T)
        for k in range(part, NUMBERS, PARTS):
            wr = zero
            wi = zero
            for g in range(i64(ranges[species * NUMBERS + k]), i64(ranges[species * NUMBERS + k + 1])):
                sr = zero
                si = zero
                for e in range(i64(groups[4 * g]), i64(groups[4 * g + 4])):
                    spot = base + 2 * i64(entries[e]) * T
                    if DENSITIES == 0:
                        share = load(slopes, to + i64(which[e]) * T) * coefficients[e]
                    if DENSITIES > 0:
                        share = slope[0] * coefficients[e * DENSITIES]
                    for d in unroll(WIDTH - 1):
                        share = fma(slope[d + 1], coefficients[e * DENSITIES + d + 1], share)
                    sr = fma(share, load(total, spot), sr)
                    si = fma(share, load(total, spot + T), si)
                if groups[4 * g + 3] == i32(1):
                    si = -si
                re, im = common_factors(g, groups, factors, base, total)
                wr = wr + fma(re, sr, -(im * si))
                wi = wi - fma(re, si, im * sr)
            spot = base + 2 * k * T
            store(weights, spot, wr)
            store(weights, spot + T, wi)
        if part == 0:
            for k in range(SPECIES * DIRECT):
                out = i64(direct[species * SPECIES * DIRECT + k])
                value = zero
                if out >= 0:
                    value = load(slopes, to + out * T)
                store(weights, base + (2 * NUMBERS + k) * T, value)
