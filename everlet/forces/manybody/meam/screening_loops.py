"""Screening: how much of a pair i j is left between other atoms k, and forces that follow from it.

S = prod_k T((C - Cmin) / (Cmax - Cmin)), T(x) = (1 - (1 - x)^4)^2, with squared distances a of i j, b of i k, c of j k:
C = N / M, N = 2 a (b + c) - a^2 - (b - c)^2, M = a^2 - (b - c)^2; atoms k with M <= 0 do not screen.

Statics: MANY, NP, DENSE as in pair/loops.py; SCALED, EXACT, STEPS, EV, SHARES as in giving_loops.py. The limits of elements
of types (i, j, k) are at triples[((kind_i * kinds + kind_j) * kinds + kind_k) * NP].
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import as_given, factor_of, give_part, keep_force
from everlet.forces.pair.rows import add_force, away, row_at
from everlet.forces.pair.tally import and_way, less_tally, no_force, no_tally, sum_virial, virial_of
from everlet.portable import both, f64, i32, i64, least, most, portable, real, scatter, where

THIRD = 1.0 / 3.0


@portable
def taper(x):
    """From 0 at 0 to 1 at 1, and its slope."""
    y = 1.0 - most(least(x, 1.0), 0.0)
    y3 = y * y * y
    rest = 1.0 - y3 * y
    return rest * rest, 8.0 * rest * y3


@portable
def between(a, b, c):
    """N and M."""
    off = b - c
    square = a * a + off * off
    return 2.0 * a * (b + c) - square, a * a - off * off


@portable
def screened(s, n, m, there, low, high):
    """s with one more atom between; `there`: on these lanes."""
    there = both(there, m > 0.0)
    some = both(there, both(n > low * m, n < high * m))
    value, _ = taper((n / where(some, m, 1.0) - low) / (high - low))
    return where(both(there, n <= low * m), 0.0, where(some, s * value, s))


@portable
def screen(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
           triples: real[:], kinds: i64, highest: real, cut2: real, short: i32[:], short_count: i32[:], left: real[:]):
    """Of the row of atom i those within the cutoff of pairs of which something is left, and how much."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    found = i64(0)
    if not MANY:
        p = record(triples, ((kinds + 1) * kinds + 1) * NP)
    for q in lane_range(m):
        j = where(live(q, m), load(neigh, start + q * sk), i32(filler))
        dx, dy, dz, a = away(j, x, xi, yi, zi)
        near = both(live(q, m), a < cut2)
        s = where(near, as_real(lanes(1.0)), real(0.0))
        if MANY:
            pair = (gather(kind, j, True) + i32(row)) * i32(kinds)
        for k in range(m):
            other = neigh[start + k * sk]
            ex = x[i64(other), 0] - xi
            ey = x[i64(other), 1] - yi
            ez = x[i64(other), 2] - zi
            b = real(ex * ex + ey * ey + ez * ez)
            cx = dx - real(ex)
            cy = dy - real(ey)
            cz = dz - real(ez)
            c = fma(cx, cx, fma(cy, cy, cz * cz))
            top, bottom = between(a, b, c)
            there = both(both(s > real(0.0), j != other), both(bottom > real(0.0), top < highest * bottom))
            if any_lane(there):
                if MANY:
                    p = record(triples, (pair + kind[i64(other)]) * i32(NP), True)
                s = screened(s, top, bottom, there, p.low, p.high)
        keep = s > real(0.0)
        append(left, start, found, sk, s, keep)
        found += append(short, start, found, sk, j, keep)
    if leader():
        short_count[i] = i32(found)


@portable
def screening_forces(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
                     triples: real[:], kinds: i64, highest: real, short: i32[:], short_count: i32[:],
                     pull: real[:], f: scatter[f64[:, 3]]):
    """Forces of what stands between atom i and its neighbours j: `pull` is the slope of the energy with ln S.

    Slopes with a, b, c are e (b + c - a - C a), e (a - (1 - C) (b - c)), e (a + (1 - C) (b - c)) times 2, with
    e = pull d ln T / dC / M. Returns the virial."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    factor = factor_of(triples, (kinds + 1) * kinds + 1)
    p = record(triples, ((kinds + 1) * kinds + 1) * NP)
    for q in range(i64(short_count[i])):
        strength = pull[start + q * sk]
        if strength != real(0.0):
            partner = short[start + q * sk]
            px = real(x[i64(partner), 0] - xi)
            py = real(x[i64(partner), 1] - yi)
            pz = real(x[i64(partner), 2] - zi)
            a = px * px + py * py + pz * pz
            pair = (row + i64(kind[i64(partner)])) * kinds
            tx, ty, tz = no_force(lanes(0.0))
            for q2 in lane_range(m):
                k = where(live(q2, m), load(neigh, start + q2 * sk), i32(filler))
                dx, dy, dz, b = away(k, x, xi, yi, zi)
                cx = dx - px
                cy = dy - py
                cz = dz - pz
                c = fma(cx, cx, fma(cy, cy, cz * cz))
                top, bottom = between(a, b, c)
                there = both(both(both(live(q2, m), k != partner), bottom > real(0.0)), top < highest * bottom)
                if any_lane(there):
                    if MANY:
                        p = record(triples, (gather(kind, k, True) + i32(pair)) * i32(NP), True)
                    there = both(there, both(top > p.low * bottom, top < p.high * bottom))
                    inverse = real(1.0) / where(there, bottom, real(1.0))
                    value = top * inverse
                    width = real(1.0) / (p.high - p.low)
                    t, slope = taper((value - p.low) * width)
                    e = where(there, real(4.0) * strength * width * inverse * slope / where(there, t, real(1.0)), real(0.0))
                    e = where(there, e, real(0.0))
                    by_a = e * (b + c - a - value * a)
                    rest = (real(1.0) - value) * (b - c)
                    by_b = e * (a - rest)
                    by_c = e * (a + rest)
                    gx = as_given(by_b * dx + by_c * cx, there, factor)
                    gy = as_given(by_b * dy + by_c * cy, there, factor)
                    gz = as_given(by_b * dz + by_c * cz, there, factor)
                    hx = as_given(by_a * px - by_c * cx, there, factor)
                    hy = as_given(by_a * py - by_c * cy, there, factor)
                    hz = as_given(by_a * pz - by_c * cz, there, factor)
                    if not SHARES:
                        subtract3(f, k, gx, gy, gz, there)
                        tx += hx
                        ty += hy
                        tz += hz
                        fx += gx
                        fy += gy
                        fz += gz
                    if EV:
                        slopes = and_way(virial_of(dx, dy, dz, gx, gy, gz), dx - cx, dy - cy, dz - cz, hx, hy, hz)
                        tallied = less_tally(tallied, dx - dx, slopes, there)
                    if SHARES:
                        own = lane_ids() * i32(0)
                        alone = virial_of(dx - cx, dy - cy, dz - cz, by_a * px, by_a * py, by_a * pz)
                        shared = and_way(virial_of(dx, dy, dz, by_b * dx, by_b * dy, by_b * dz), cx, cy, cz, by_c * cx,
                                         by_c * cy, by_c * cz)
                        give_part(f, own + i32(i), dx - dx, real(0.5), alone, there)
                        give_part(f, own + partner, dx - dx, real(0.5), alone, there)
                        give_part(f, own + i32(i), dx - dx, real(THIRD), shared, there)
                        give_part(f, own + partner, dx - dx, real(THIRD), shared, there)
                        give_part(f, k, dx - dx, real(THIRD), shared, there)
            if not SHARES:
                add_force(f, i64(partner), -tx, -ty, -tz)
                fx += tx
                fy += ty
                fz += tz
    keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_virial(1.0, tallied)
