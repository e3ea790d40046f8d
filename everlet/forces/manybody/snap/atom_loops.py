"""Loops of SNAP over the numbers of an atom: from sums over neighbours to the slopes of its energy. A lane is an atom.

    unfold    all elements of u from the half that neighbours were summed into
    weigh     the coefficient of every product z, of linear potentials, from a table by type
    multiply  y = sum over products of coefficient times z: the slope of the energy with u
    fold      the four sums that forces need: y itself, and y after a small rotation about each axis

Tables are those of snap_index.Index; tiles as in components/loops.py. Items are atoms (blocks of lanes), PARTS times: each does
every PARTS-th number.
"""

from __future__ import annotations

from everlet.forces.manybody.tile_loops import place
from everlet.portable import f64, i32, i64, portable, real, where


@portable
def product_of(q: i64, one: i64, two: i64, pairs: i32[:], u: real[:]):
    """The product of pair q of numbers, one of each of two lists of u."""
    ka = one + 2 * i64(pairs[2 * q]) * T
    kb = two + 2 * i64(pairs[2 * q + 1]) * T
    ar = load(u, ka)
    ai = load(u, ka + T)
    br = load(u, kb)
    bi = load(u, kb + T)
    return fma(ar, br, -(ai * bi)), fma(ar, bi, ai * br)


@portable
def unfold(item, blocks: i64, begin: i64, kind: i32[:], channel: i32[:], source: i32[:], scale: real[:], one: real[:],
           total: real[:], u: real[:]):
    own = item % blocks * W
    if not ALL:
        mine = gather(channel, load(kind, begin + own), True)
    zero = as_real(lanes(0.0))
    for c in range(CHANNELS):
        start = place(own, 2 * HALF * CHANNELS) + 2 * c * HALF * T
        to = place(own, 2 * FULL * CHANNELS) + 2 * c * FULL * T
        self = zero + real(1.0)
        if not ALL:
            self = where(mine == i32(c), self, zero)
        for k in range(item // blocks, FULL, PARTS):
            h = start + 2 * i64(source[k]) * T
            store(u, to + 2 * k * T, fma(self, one[k], load(total, h) * scale[2 * k]))
            store(u, to + (2 * k + 1) * T, load(total, h + T) * scale[2 * k + 1])


@portable
def weigh(item, blocks: i64, begin: i64, kind: i32[:], table: real[:], weights: real[:]):
    own = item % blocks * W
    row = load(kind, begin + own) * i32(ENTRIES)
    to = place(own, ENTRIES)
    for k in range(item // blocks, ENTRIES, PARTS):
        store(weights, to + k * T, gather(table, row + i32(k), True))


@portable
def multiply(item, sections: i32[:], ranges: i32[:], out: i32[:], pairs: i32[:], coefficients: real[:], u: real[:],
             weights: real[:], y: real[:]):
    """One place of a block of lanes; places of the same block follow each other, so that u stays near."""
    multiply_place(item // PLACES * W, item % PLACES, sections, ranges, out, pairs, coefficients, u, weights, y)


@portable
def multiply_tile(item, n: i64, sections: i32[:], ranges: i32[:], out: i32[:], pairs: i32[:], coefficients: real[:],
                  u: real[:], weights: real[:], y: real[:]):
    """A team does the places of a tile, or every SPLIT-th of them: u of the tile stays in the cache near to it.

    ABREAST atoms of the tile are done by so many members side by side. Places come with the dearest first: members that
    began with a dear one go on with a cheap one.
    """
    tile = item // SPLIT
    for k in team_range(ROUNDS * ABREAST * (T // W)):
        q = k // (T // W)
        if q >= ABREAST:
            q = q // ABREAST * ABREAST + ABREAST - 1 - q % ABREAST
        g = item % SPLIT + q * SPLIT
        own = tile * T + k % (T // W) * W
        if g < PLACES and own < n:
            multiply_place(own, g, sections, ranges, out, pairs, coefficients, u, weights, y)


@portable
def multiply_place(own: i64, g: i64, sections: i32[:], ranges: i32[:], out: i32[:], pairs: i32[:], coefficients: real[:],
                   u: real[:], weights: real[:], y: real[:]):
    """One place of all matrices."""
    ub = place(own, 2 * FULL * CHANNELS)
    wb = place(own, ENTRIES)
    yb = place(own, 2 * HALF * CHANNELS)
    zero = as_real(lanes(0.0))
    for n in unroll(MOST):
        for s in range(i64(ranges[g * MOST + n]), i64(ranges[g * MOST + n + 1])):
            for k in unroll(n + 1):
                for c in range(CHANNELS):
                    h = yb + 2 * (c * HALF + i64(out[s * MOST + k])) * T
                    store(y, h, zero)
                    store(y, h + T, zero)
    for n in unroll(MOST):
        for s in range(i64(ranges[g * MOST + n]), i64(ranges[g * MOST + n + 1])):
            first = i64(sections[4 * s])
            items = i64(sections[4 * s + 1])
            product = i64(sections[4 * s + 3])
            for mu in range(CHANNELS):
                for nu in range(CHANNELS):
                    one = ub + 2 * mu * FULL * T
                    two = ub + 2 * nu * FULL * T
                    at_c = i64(sections[4 * s + 2])
                    for k in unroll(n + 1):
                        zr[k] = zero
                        zi[k] = zero
                    if AHEAD > 1:  # loads wait for memory together
                        for q in range(first, first + items - AHEAD + 1, AHEAD):
                            for a in unroll(AHEAD):
                                one_r[a] = load(u, one + 2 * i64(pairs[2 * (q + a)]) * T)
                                one_i[a] = load(u, one + (2 * i64(pairs[2 * (q + a)]) + 1) * T)
                                two_r[a] = load(u, two + 2 * i64(pairs[2 * (q + a) + 1]) * T)
                                two_i[a] = load(u, two + (2 * i64(pairs[2 * (q + a) + 1]) + 1) * T)
                            for a in unroll(AHEAD):
                                re = fma(one_r[a], two_r[a], -(one_i[a] * two_i[a]))
                                im = fma(one_r[a], two_i[a], one_i[a] * two_r[a])
                                for k in unroll(n + 1):
                                    zr[k] = fma(re, coefficients[at_c + a * (n + 1) + k], zr[k])
                                    zi[k] = fma(im, coefficients[at_c + a * (n + 1) + k], zi[k])
                            at_c += AHEAD * (n + 1)
                    for q in range(first + items // AHEAD * AHEAD if AHEAD > 1 else first, first + items):
                        re, im = product_of(q, one, two, pairs, u)
                        for k in unroll(n + 1):
                            zr[k] = fma(re, coefficients[at_c + k], zr[k])
                            zi[k] = fma(im, coefficients[at_c + k], zi[k])
                        at_c += n + 1
                    for c in range(CHANNELS):
                        entry = wb + (((mu * CHANNELS + nu) * CHANNELS + c) * PRODUCTS + product) * T
                        for k in unroll(n + 1):
                            weight = load(weights, entry + k * T)
                            h = yb + 2 * (c * HALF + i64(out[s * MOST + k])) * T
                            store(y, h, fma(weight, zr[k], load(y, h)))
                            store(y, h + T, fma(weight, zi[k], load(y, h + T)))


@portable
def folded(y: real[:], start: i64, h: i64, source: i32[:], scale: real[:]):
    """Half element h of y, with what its mirror image adds."""
    k = start + 2 * i64(source[h]) * T
    return load(y, k) * scale[2 * h], load(y, k + T) * scale[2 * h + 1]


@portable
def fold(item, blocks: i64, begin: i64, n: i64, kind: i32[:], channel: i32[:], energies: f64[:], source: i32[:], scale: real[:],
         step: real[:], one: real[:], total: real[:], y: real[:], sums: real[:]):
    """Energies of linear potentials follow from y: they are of third degree in u."""
    own = item % blocks * W
    yb = place(own, 2 * HALF * CHANNELS)
    sb = place(own, 8 * HALF * CHANNELS)
    zero = as_real(lanes(0.0))
    if EV:
        energy = lanes(0.0)
        mine = gather(channel, load(kind, begin + own), True)
    for c in range(CHANNELS):
        for h in range(item // blocks, HALF, PARTS):
            yr, yi = folded(y, yb + 2 * c * HALF * T, h, source, scale)
            if EV:
                v = yb + 2 * (c * HALF + h) * T
                energy += fma(load(total, v), yr, load(total, v + T) * yi)
                self = yr * one[h]
                if not ALL:
                    self = where(mine == i32(c), self, zero)
                energy += self
            up = step[3 * h]
            down = step[3 * h + 1]
            twist = step[3 * h + 2]
            pr, pi = folded(y, yb + 2 * c * HALF * T, min(h + 1, HALF - 1), source, scale)
            qr, qi = folded(y, yb + 2 * c * HALF * T, max(h - 1, 0), source, scale)
            s = sb + 8 * (c * HALF + h) * T
            store(sums, s, yr)
            store(sums, s + T, yi)
            store(sums, s + 2 * T, pi * up + qi * down)
            store(sums, s + 3 * T, -(pr * up + qr * down))
            store(sums, s + 4 * T, pr * up - qr * down)
            store(sums, s + 5 * T, pi * up - qi * down)
            store(sums, s + 6 * T, yi * twist)
            store(sums, s + 7 * T, -(yr * twist))
    if EV:
        constant = gather(energies, load(kind, begin + own), True)
        if item >= blocks:
            constant = lanes(0.0)
        return f64(lane_sum(where(live(begin + own, n), constant + energy * (1.0 / 3.0), 0.0)))
