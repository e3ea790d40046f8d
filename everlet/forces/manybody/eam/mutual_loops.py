"""Loops of potentials of pairs that depend on one or two numbers of each atom (mutual.py), over full short rows.

Statics: `amount` and `mutual` are the style's functions, TWO: there are two numbers; MANY, NP, DENSE as in pair/loops.py;
SCALED, EXACT, STEPS, EV, SHARES as in giving_loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of, give_slope, keep_force, keep_share, on_each_lane
from everlet.forces.pair.rows import entry_at, row_at
from everlet.forces.pair.tally import no_force, no_tally, sum_virial
from everlet.portable import f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def amount_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
                table: real[:], data: real[:], kinds: i64, a: f64[:], b: f64[:]):
    """The numbers of atom i."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    one = as_real(lanes(0.0))
    other = as_real(lanes(0.0))
    p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        near, j, _, _, _, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        first_part, _, second_part, _ = amount(where(near, r2, real(1.0)), p, data)
        one += where(near, first_part, real(0.0))
        other += where(near, second_part, real(0.0))
    whole = f64(lane_sum(one))
    if leader():
        a[i] = whole
    if TWO:
        rest = f64(lane_sum(other))
        if leader():
            b[i] = rest


@portable
def numbers_at(j, near, a: f64[:], b: f64[:]):
    """Numbers of the neighbours of lanes, 0 where there is none."""
    one = where(near, as_real(gather(a, j, True)), real(0.0))
    other = one - one
    if TWO:
        other = where(near, as_real(gather(b, j, True)), real(0.0))
    return one, other


@portable
def numbers_of(i: i64, a: f64[:], b: f64[:]):
    """Those of atom i."""
    other = real(0.0)
    if TWO:
        other = real(b[i])
    return real(a[i]), other


@portable
def pull_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
              table: real[:], data: real[:], kinds: i64, a: f64[:], b: f64[:], pull_a: f64[:], pull_b: f64[:],
              own: f64[:]):
    """Slopes of the whole energy with the numbers of atom i. Half of the energy of its pairs is returned, or put into `own`
    (SHARES)."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    one = as_real(lanes(0.0))
    other = as_real(lanes(0.0))
    energy = lanes(0.0)
    ai, bi = numbers_of(i, a, b)
    p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        near, j, _, _, _, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        aj, bj = numbers_at(j, near, a, b)
        e, _, by_a, by_b = mutual(where(near, r2, real(1.0)), ai, bi, aj, bj, p, data)
        one += where(near, by_a, real(0.0))
        other += where(near, by_b, real(0.0))
        energy += where(near, 0.5 * e, real(0.0))
    whole = f64(lane_sum(one))
    rest = f64(lane_sum(other))
    half = f64(lane_sum(energy))
    if leader():
        pull_a[i] = whole
        if TWO:
            pull_b[i] = rest
        keep_share(own, i, half)
    if EV:
        return half


@portable
def mutual_forces(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
                  table: real[:], data: real[:], kinds: i64, a: f64[:], b: f64[:], pull_a: f64[:], pull_b: f64[:],
                  f: scatter[f64[:, 3]]):
    """Forces of atom i and its neighbours: of half of the energy of their pairs, and of what they add to the numbers of i."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    ai, bi = numbers_of(i, a, b)
    by_a, by_b = numbers_of(i, pull_a, pull_b)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    p = record(table, (kinds + 1) * NP)
    factor = factor_of(table, kinds + 1)
    for q in lane_range(m):
        near, j, dx, dy, dz, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        aj, bj = numbers_at(j, near, a, b)
        r2 = where(near, r2, real(1.0))
        _, along, _, _ = mutual(r2, ai, bi, aj, bj, p, data)
        _, rise_a, _, rise_b = amount(r2, p, data)
        along = (0.5 * along + by_a * rise_a + by_b * rise_b) * rsqrt(r2)
        own = on_each_lane(i)
        fx, fy, fz, tallied = give_slope(f, own, j, dx, dy, dz, along * dx, along * dy, along * dz, near, factor, fx, fy, fz,
                                         tallied)
    keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_virial(1.0, tallied)
