"""Loops of SNAP to the components B of an atom, and back from slopes with them. Tiles: components/loops.py."""

from __future__ import annotations

from everlet.forces.manybody.snap.atom_loops import product_of
from everlet.forces.manybody.tile_loops import place
from everlet.portable import i32, i64, portable, real


@portable
def describe(w, begin: i64, kind: i32[:], sections: i32[:], ranges: i32[:], out: i32[:], pairs: i32[:], coefficients: real[:],
             mirrored: real[:], full: i32[:], label: i32[:], norm: real[:], zeros: real[:], u: real[:], components: real[:]):
    """B = Re sum of conj(u) z, over products z that have a label; less those of an atom without neighbours (`zeros`)."""
    own = w * W
    ub = place(own, 2 * FULL * CHANNELS)
    bb = place(own, COMPONENTS)
    zero = as_real(lanes(0.0))
    row = load(kind, begin + own) * i32(COMPONENTS)
    for k in range(COMPONENTS):
        store(components, bb + k * T, -gather(zeros, row + i32(k), True))
    for g in range(PLACES):
        twice = mirrored[g]
        for n in unroll(MOST):
            for s in range(i64(ranges[g * MOST + n]), i64(ranges[g * MOST + n + 1])):
                first = i64(sections[4 * s])
                items = i64(sections[4 * s + 1])
                product = i64(sections[4 * s + 3])
                if label[product + n] >= 0:
                    for mu in range(CHANNELS):
                        for nu in range(CHANNELS):
                            one = ub + 2 * mu * FULL * T
                            two = ub + 2 * nu * FULL * T
                            at_c = i64(sections[4 * s + 2])
                            for k in unroll(n + 1):
                                zr[k] = zero
                                zi[k] = zero
                            for q in range(first, first + items):
                                re, im = product_of(q, one, two, pairs, u)
                                for k in unroll(n + 1):
                                    zr[k] = fma(re, coefficients[at_c + k], zr[k])
                                    zi[k] = fma(im, coefficients[at_c + k], zi[k])
                                at_c += n + 1
                            for k in unroll(n + 1):
                                which = i64(label[product + k])
                                if which >= 0:
                                    for c in range(CHANNELS):
                                        to = bb + (((mu * CHANNELS + nu) * CHANNELS + c) * LABELS + which) * T
                                        h = ub + 2 * (c * FULL + i64(full[i64(out[s * MOST + k])])) * T
                                        value = fma(load(u, h), zr[k], load(u, h + T) * zi[k])
                                        store(components, to, fma(value, twice * norm[product + k], load(components, to)))


@portable
def spread(w, entries: i32[:], ratio: real[:], slopes: real[:], weights: real[:]):
    """The coefficient of every product, from the slopes of the energy with the components that it is part of."""
    own = w * W
    sb = place(own, COMPONENTS + 1)
    wb = place(own, ENTRIES)
    for k in range(ENTRIES):
        weight = load(slopes, sb + i64(entries[3 * k]) * T) + load(slopes, sb + i64(entries[3 * k + 1]) * T)
        weight += load(slopes, sb + i64(entries[3 * k + 2]) * T)
        store(weights, wb + k * T, weight * ratio[k])
