"""Hydrogen bonds: found first, packed, then computed.

Entry a of the table is bond[a] from a hydrogen to its donor, the acceptor to[a], and par[a], its parameters.
TEAMS: as in bond_loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give_part
from everlet.forces.manybody.reaxff.angle_loops import give_bend
from everlet.forces.manybody.reaxff.bond_loops import crowded, ends_of, item_at, way_of
from everlet.forces.manybody.reaxff.places import HB, HB_ORDER, HBOND, NE
from everlet.forces.pair.rows import between, row_of, row_start
from everlet.forces.pair.tally import less_tally, no_tally, sum_tally
from everlet.portable import both, exp, f64, i32, i64, portable, scatter, sqrt, where

THIRD = 1.0 / 3.0
HYDROGEN, PARTNER = 1.0, 2.0  # what the force field says of elements


@portable
def within(i: i64, j: i64, x: f64[:, 4], reach: f64):
    _, _, _, r2 = between(i, j, x)
    return r2 <= reach * reach


@portable
def donors(i: i64, start: i32[:], kind: i32[:], bj: i32[:], B: f64[:], g: f64[:], el: f64[:]):
    """Bonds of a hydrogen to donors; 0 for other atoms."""
    found = i64(0)
    if el[i64(kind[i]) * NE + HB] == HYDROGEN:
        for q in range(i64(start[i]), i64(start[i + 1])):
            found += i64(el[i64(kind[bj[q]]) * NE + HB] == PARTNER and B[q] >= g[HB_ORDER])
    return found


@portable
def may_bind(i: i64, j: i64, q: i64, kind: i32[:], id: i64[:], bj: i32[:], B: f64[:], g: f64[:], el: f64[:], sets: i32[:],
             kinds: i64):
    """The parameters of hydrogen i with its bond q to a donor, if it is one, and acceptor j; -1 for none."""
    d = i64(bj[q])
    which = i32(-1)
    if el[i64(kind[d]) * NE + HB] == PARTNER and B[q] >= g[HB_ORDER] and id[d] != id[j]:
        which = sets[(i64(kind[d]) * kinds + i64(kind[i])) * kinds + i64(kind[j])]
    return which


@portable
def count_hbonds(i, x: f64[:, 4], kind: i32[:], id: i64[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
                 start: i32[:], bj: i32[:], B: f64[:], g: f64[:], el: f64[:], sets: i32[:], kinds: i64, hbonds: i32[:]):
    found = i64(0)
    m = i64(0)
    if donors(i, start, kind, bj, B, g, el) > 0:
        m = i64(count[i])
    begin = row_start(i, first, si)
    if TEAMS:
        for k in lane_range(m):
            j = i64(where(live(k, m), load(neigh, begin + k * sk), i32(0)))
            there = both(live(k, m), both(el[i64(kind[j]) * NE + HB] == PARTNER, within(i, j, x, g[HBOND])))
            for q in range(i64(start[i]), i64(start[i + 1])):
                found += count_lanes(both(there, may_bind(i, j, q, kind, id, bj, B, g, el, sets, kinds) >= 0))
        if leader():
            hbonds[i] = i32(found)
    if not TEAMS:
        for k in range(m):
            j = i64(neigh[begin + k * sk])
            if el[i64(kind[j]) * NE + HB] == PARTNER and within(i, j, x, g[HBOND]):
                for q in range(i64(start[i]), i64(start[i + 1])):
                    found += i64(may_bind(i, j, q, kind, id, bj, B, g, el, sets, kinds) >= 0)
        hbonds[i] = i32(found)


@portable
def fill_hbonds(i, n: i64, x: f64[:, 4], kind: i32[:], id: i64[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64,
                sk: i64, start: i32[:], bj: i32[:], B: f64[:], g: f64[:], el: f64[:], sets: i32[:], kinds: i64,
                starts: i32[:], room: i64, place: i64, control: i64[:], bond: i32[:], acceptor: i32[:], par: i32[:]):
    full = crowded(i64(starts[n]), room, place, control)
    if not full and starts[i] < starts[i + 1]:
        to = i64(starts[i])
        begin, m = row_of(i, count, first, si)
        if TEAMS:
            found = i64(0)
            for k in lane_range(m):
                j = where(live(k, m), load(neigh, begin + k * sk), i32(0))
                there = both(live(k, m), both(el[i64(kind[j]) * NE + HB] == PARTNER, within(i, i64(j), x, g[HBOND])))
                for q in range(i64(start[i]), i64(start[i + 1])):
                    which = may_bind(i, i64(j), q, kind, id, bj, B, g, el, sets, kinds)
                    binds = both(there, which >= 0)
                    append(bond, to, found, i64(1), i32(q), binds)
                    append(acceptor, to, found, i64(1), j, binds)
                    found += append(par, to, found, i64(1), which, binds)
        if not TEAMS:
            for k in range(m):
                j = i64(neigh[begin + k * sk])
                if el[i64(kind[j]) * NE + HB] == PARTNER and within(i, j, x, g[HBOND]):
                    for q in range(i64(start[i]), i64(start[i + 1])):
                        which = may_bind(i, j, q, kind, id, bj, B, g, el, sets, kinds)
                        if which >= 0:
                            bond[to] = i32(q)
                            acceptor[to] = i32(j)
                            par[to] = which
                            to += 1


@portable
def hbond_loop(t, n: i64, starts: i32[:], bond: i32[:], acceptor: i32[:], par: i32[:], table: f64[:], x: f64[:, 4], bi: i32[:],
               bj: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], B: f64[:], beta: scatter[f64[:]],
               f: scatter[f64[:, 3]]):
    """CHUNK hydrogen bonds. Returns their energy and the virial. SHARES: each atom has a third."""
    last = min((t + 1) * CHUNK, i64(starts[n]))
    if EV:
        tallied = no_tally(lanes(0.0))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        a, to = item_at(bond, q, here), item_at(acceptor, q, here)
        p = record(table, item_at(par, q, here) * i32(NP), True)
        i, donor = ends_of(a, bi, bj)
        ax, ay, az, ia = way_of(a, dx, dy, dz, r)
        xi, yi, zi = gather3(x, i, True)
        xj, yj, zj = gather3(x, to, True)
        bx = xj - xi
        by = yj - yi
        bz = zj - zi
        distance = sqrt(fma(bx, bx, fma(by, by, bz * bz)))
        ib = 1.0 / distance
        cosine = fma(ax, bx, fma(ay, by, az * bz)) * ia * ib
        sine4 = 0.25 * (1.0 - cosine) * (1.0 - cosine)
        loose = exp(-p.hb2 * gather(B, a, True))
        far = p.hb1 * exp(-p.hb3 * (p.r0 * ib + distance / p.r0 - 2.0))
        e = far * (1.0 - loose) * sine4
        subtract(beta, a, -far * p.hb2 * loose * sine4, here)
        by_cosine = -0.5 * far * (1.0 - loose) * (1.0 - cosine)
        by_distance = -e * p.hb3 * (1.0 / p.r0 - p.r0 * ib * ib)
        pull_b = cosine * ib * ib * by_cosine - by_distance * ib
        slopes = give_bend(f, i, donor, to, cosine, by_cosine, ia, ib, pull_b, ax, ay, az, bx, by, bz, here)
        if SHARES:
            own = -e * THIRD
            give_part(f, i, own, THIRD, slopes, here)
            give_part(f, donor, own, THIRD, slopes, here)
            give_part(f, to, own, THIRD, slopes, here)
        if EV:
            tallied = less_tally(tallied, e, slopes, here)
    if EV:
        return sum_tally(1.0, tallied)
