"""Valence angles with penalties and three-body conjugation (coalition): found first, packed, then computed.

Entry a of the table is the bonds first[a] and second[a] of one centre, and par[a], which parameters it has; a triple of types
may have several.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give_part
from everlet.forces.manybody.reaxff.bond_loops import crowded, ends_of, item_at, way_of
from everlet.forces.manybody.reaxff.places import (
    COA2,
    COA3,
    COA4,
    NE,
    PEN2,
    PRODUCT,
    THRESHOLD,
    VAL6,
    VALENCE_ANGLE,
)
from everlet.forces.pair.tally import and_way, less_tally, no_tally, sum_tally, virial_of
from everlet.portable import acos, exp, f64, i32, i64, least, log, most, portable, scatter, sqrt, where

PI, DEGREE = 3.14159265, 3.14159265 / 180.0  # as exact as in the programs that force fields were made with
THIRD = 1.0 / 3.0
STRAIGHT = 1e-5  # sines are not smaller


@portable
def sets_of(row: i64, q: i64, k: i64, kind: i32[:], bj: i32[:], B: f64[:], g: f64[:], sets: i32[:]):
    """How many angles bonds q and k of an atom make: one for each set of parameters."""
    found = i64(0)
    if B[k] > g[THRESHOLD] and B[q] * B[k] > g[PRODUCT]:
        found = i64(sets[2 * (row + i64(kind[bj[k]])) + 1])
    return found


@portable
def count_angles(i, start: i32[:], kind: i32[:], bj: i32[:], B: f64[:], g: f64[:], sets: i32[:], kinds: i64, angles: i32[:]):
    """Angles at atom i. sets: of each triple of types the first set of parameters and their number."""
    found = i64(0)
    for q in range(i64(start[i]), i64(start[i + 1])):
        if B[q] > g[THRESHOLD]:
            row = (i64(kind[bj[q]]) * kinds + i64(kind[i])) * kinds
            for k in range(q + 1, i64(start[i + 1])):
                found += sets_of(row, q, k, kind, bj, B, g, sets)
    angles[i] = i32(found)


@portable
def fill_angles(i, n: i64, start: i32[:], kind: i32[:], bj: i32[:], B: f64[:], g: f64[:], sets: i32[:], kinds: i64,
                begin: i32[:], room: i64, place: i64, control: i64[:], first: i32[:], second: i32[:], par: i32[:]):
    if not crowded(i64(begin[n]), room, place, control):
        to = i64(begin[i])
        for q in range(i64(start[i]), i64(start[i + 1])):
            if B[q] > g[THRESHOLD]:
                row = (i64(kind[bj[q]]) * kinds + i64(kind[i])) * kinds
                for k in range(q + 1, i64(start[i + 1])):
                    for m in range(sets_of(row, q, k, kind, bj, B, g, sets)):
                        first[to] = i32(q)
                        second[to] = i32(k)
                        par[to] = sets[2 * (row + i64(kind[bj[k]]))] + i32(m)
                        to += 1


@portable
def strength(b, val3, val4):
    """f7 of one bond, and its slope."""
    power = exp(val4 * log(b))
    left = exp(-val3 * power)
    return 1.0 - left, val3 * val4 * power / b * left


@portable
def bent(along, pull, ax, ay, az, bx, by, bz):
    """The slope with way a of an energy of the cosine between a and b, and of the length of a."""
    return along * bx - pull * ax, along * by - pull * ay, along * bz - pull * az


@portable
def give_bend(f: scatter[f64[:, 3]], i, ja, jb, cosine, by_cosine, ia, ib, pull_b, ax, ay, az, bx, by, bz, here):
    """Less for both ends and the centre i: the slopes of an energy with ways a and b; their virial is returned. pull_b: minus
    the slope with the length of b, by that; the length of a counts in the cosine alone."""
    along = ia * ib * by_cosine
    pull_a = cosine * ia * ia * by_cosine
    gax, gay, gaz = bent(along, pull_a, ax, ay, az, bx, by, bz)
    gbx, gby, gbz = bent(along, pull_b, bx, by, bz, ax, ay, az)
    if not SHARES:
        subtract3(f, ja, gax, gay, gaz, here)
        subtract3(f, jb, gbx, gby, gbz, here)
        subtract3(f, i, -gax - gbx, -gay - gby, -gaz - gbz, here)
    return and_way(virial_of(ax, ay, az, gax, gay, gaz), bx, by, bz, gbx, gby, gbz)


@portable
def angle_loop(t, n: i64, begin: i32[:], first: i32[:], second: i32[:], par: i32[:], table: f64[:], g: f64[:], el: f64[:],
               kind: i32[:], bi: i32[:], bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], B: f64[:], T: f64[:],
               centre: f64[:, 4], more: f64[:, 4], beta: scatter[f64[:]], C: scatter[f64[:]], csbo: scatter[f64[:]],
               f: scatter[f64[:, 3]]):
    """CHUNK angles. Returns energies of angles, penalties and coalition, and the virial.

    SHARES: f is no force but what atoms have of energies and virials (manybody/shares.py): the energy belongs to the centre.
    """
    last = min((t + 1) * CHUNK, i64(begin[n]))
    if EV:
        tallied = no_tally(lanes(0.0))
        e_penalty, e_coalition = lanes(0.0), lanes(0.0)
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        a, b = item_at(first, q, here), item_at(second, q, here)
        p = record(table, item_at(par, q, here) * i32(NP), True)
        i, ja = ends_of(a, bi, bj)
        jb = gather(bj, b, True)
        ax, ay, az, ia = way_of(a, dx, dy, dz, r)
        bx, by, bz, ib = way_of(b, dx, dy, dz, r)
        ends = fma(ax, bx, fma(ay, by, az * bz))
        cosine = most(least(ends * ia * ib, 1.0), -1.0)
        theta = acos(cosine)
        sine = most(sqrt((1.0 - cosine) * (1.0 + cosine)), STRAIGHT)
        ba = gather(B, a, True) - g[THRESHOLD]
        bb = gather(B, b, True) - g[THRESHOLD]
        ta = gather(T, ja, True)
        tb = gather(T, jb, True)
        sum = gather(T, i, True)
        share, share_slope, e6, coa = gather4(centre, i, True)
        f9, f9_slope, _, _ = gather4(more, i, True)
        # the angle
        fa, fa_slope = strength(ba, p.val3, p.val4)
        fb, fb_slope = strength(bb, p.val3, p.val4)
        delta = sum - gather(el, gather(kind, i, True) * i32(NE) + i32(VALENCE_ANGLE), True)
        e7 = exp(-p.val7 * delta)
        whole = 1.0 / (1.0 + e6 + e7)
        top = (2.0 + e6) * whole
        f8 = p.val5 - (p.val5 - 1.0) * top
        f8_slope = -(p.val5 - 1.0) * (g[VAL6] * e6 * whole - top * whole * (g[VAL6] * e6 - p.val7 * e7))
        theta0 = (180.0 - p.theta * share) * DEGREE
        away = theta0 - theta
        well = p.val1 * exp(-p.val2 * away * away)
        bend = where(p.val1 >= 0.0, p.val1, 0.0) - well
        turn = fa * fb * f8 * 2.0 * p.val2 * away * well  # minus the slope with theta, the slope with theta0
        by_cosine = turn / sine
        # the penalty
        pa = ba - 2.0
        pb = bb - 2.0
        penalty = p.pen1 * f9 * exp(-g[PEN2] * (pa * pa + pb * pb))
        penalty_sum = p.pen1 * f9_slope * exp(-g[PEN2] * (pa * pa + pb * pb))
        # the coalition
        ca = ta - ba
        cb = tb - bb
        ha = ba - 1.5
        hb = bb - 1.5
        coalition = p.coa1 * coa * exp(-g[COA3] * (ca * ca + cb * cb) - g[COA4] * (ha * ha + hb * hb))
        by_ta = -2.0 * g[COA3] * ca * coalition
        by_tb = -2.0 * g[COA3] * cb * coalition
        subtract(beta, a, -(fa_slope * fb * f8 * bend - 2.0 * g[PEN2] * pa * penalty - by_ta - 2.0 * g[COA4] * ha * coalition),
                 here)
        subtract(beta, b, -(fb_slope * fa * f8 * bend - 2.0 * g[PEN2] * pb * penalty - by_tb - 2.0 * g[COA4] * hb * coalition),
                 here)
        subtract(C, ja, -by_ta, here)
        subtract(C, jb, -by_tb, here)
        subtract(C, i, -(fa * fb * f8_slope * bend + penalty_sum - g[COA2] * (1.0 - coa) * coalition), here)
        subtract(csbo, i, turn * p.theta * DEGREE * share_slope, here)
        # slopes with the ways to both ends
        pull_b = cosine * ib * ib * by_cosine
        slopes = give_bend(f, i, ja, jb, cosine, by_cosine, ia, ib, pull_b, ax, ay, az, bx, by, bz, here)
        if SHARES:
            none = lanes(0.0)
            give_part(f, i, -(fa * fb * f8 * bend + penalty + coalition), THIRD, slopes, here)
            give_part(f, ja, none, THIRD, slopes, here)
            give_part(f, jb, none, THIRD, slopes, here)
        if EV:
            tallied = less_tally(tallied, fa * fb * f8 * bend, slopes, here)
            e_penalty += where(here, penalty, 0.0)
            e_coalition += where(here, coalition, 0.0)
    if EV:
        energy, xx, yy, zz, xy, xz, yz = sum_tally(1.0, tallied)
        return energy, f64(lane_sum(e_penalty)), f64(lane_sum(e_coalition)), xx, yy, zz, xy, xz, yz
