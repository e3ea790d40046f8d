"""Loops over bonds: who is near, uncorrected bond orders, corrected ones.

Bonds are in one packed table, row after row: those of atom i are start[i] … start[i + 1] - 1, each atom has all of its own, and
so a bond is there from both sides. Flat loops go over CHUNK bonds for each item, several on lanes. Numbers of bond q:

    bi bj            its two atoms; bj may be a ghost
    dx dy dz r       the way from bi to bj
    s sp spp         uncorrected orders: of all parts less the cutoff, of pi, of double pi; ds dp dpp are their slopes with r
    B Bp Bpp         corrected orders, of all parts, of pi, of double pi
    A f1 X Yi Yj Zi Zj   what corrections change with s and with the sums of both atoms (slope_loops.py)

TEAMS: several threads of a GPU look at the entries of a row together.
g has the general numbers of the force field, el those of atom types (NE of each); their places are in places.py.
"""

from __future__ import annotations

from everlet.forces.manybody.reaxff.places import BOC1, BOC2, CUT, NE, VALENCE, VALENCE_BOC
from everlet.forces.pair.rows import between, row_of
from everlet.portable import both, exp, f64, i32, i64, log, portable, sqrt, where
from everlet.state.control import CROWDED, PLACE, TROUBLE

TINY = 1e-10  # orders below are 0


@portable
def crowded(total: i64, room: i64, place: i64, control: i64[:]):
    """There are more entries than there is room for: what follows is called off."""
    if total > room:
        control[CROWDED] = 1
        control[PLACE] = place
        control[TROUBLE] = 1
    return total > room


# ---- lists, when neighbours are new
@portable
def takes(i: i64, j: i64, id: i64[:], x: f64[:, 4]):
    """Of the two rows that a pair is in, that of atom i has it in lists of pairs that are visited once."""
    if id[i] != id[j]:
        return (id[i] < id[j]) == ((id[i] + id[j]) % 2 == 0)
    dz = x[j, 2] - x[i, 2]
    dy = x[j, 1] - x[i, 1]
    dx = x[j, 0] - x[i, 0]
    return dz > 0.0 or (dz == 0.0 and (dy > 0.0 or (dy == 0.0 and dx > 0.0)))


@portable
def way_of(q, dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:]):
    """The ways of bonds q of the lanes, and one over their lengths."""
    return gather(dx, q, True), gather(dy, q, True), gather(dz, q, True), 1.0 / gather(r, q, True)


@portable
def item_at(table: i32[:], q: i64, here):
    """Numbers of a packed table from q on, one on each lane; the first one where there is nothing."""
    return where(here, load(table, q), i32(0))


@portable
def ends_of(bond, bi: i32[:], bj: i32[:]):
    """The atoms that bonds of the lanes join."""
    return gather(bi, bond, True), gather(bj, bond, True)


@portable
def is_near(i: i64, j: i64, x: f64[:, 4], kind: i32[:], reach: f64[:], kinds: i64, skin: f64):
    """Whether bonds of two atoms reach so far, and `skin` farther."""
    _, _, _, r2 = between(i, j, x)
    most = reach[i64(kind[i]) * kinds + i64(kind[j])]
    return most > 0.0 and r2 < (most + skin) * (most + skin)


@portable
def count_rows(i, x: f64[:, 4], kind: i32[:], id: i64[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
               reach: f64[:], kinds: i64, skin: f64, near: i32[:], halves: i32[:]):
    """How many atoms may become partners of atom i before lists are made anew, and of how many pairs with atoms of each type it
    has the visit."""
    start, m = row_of(i, count, first, si)
    found = i64(0)
    if TEAMS:
        for q in lane_range(m):
            j = i64(where(live(q, m), load(neigh, start + q * sk), i32(0)))
            found += count_lanes(both(live(q, m), is_near(i, j, x, kind, reach, kinds, skin)))
        if leader():
            near[i] = i32(found)
            halves[i * kinds] = i32(0)
        for other in range(1, kinds):
            mine = i64(0)
            for q in lane_range(m):
                j = i64(where(live(q, m), load(neigh, start + q * sk), i32(0)))
                mine += count_lanes(both(live(q, m), both(kind[j] == i32(other), takes(i, j, id, x))))
            if leader():
                halves[i * kinds + other] = i32(mine)
    if not TEAMS:
        for k in range(kinds):
            halves[i * kinds + k] = i32(0)
        for q in range(m):
            j = i64(neigh[start + q * sk])
            found += i64(is_near(i, j, x, kind, reach, kinds, skin))
            if takes(i, j, id, x):
                halves[i * kinds + i64(kind[j])] += i32(1)
        near[i] = i32(found)


@portable
def fill_rows(i, n: i64, x: f64[:, 4], kind: i32[:], id: i64[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
              reach: f64[:], kinds: i64, skin: f64, rows: i64, near: i32[:], halves: i32[:], near_room: i64, half_room: i64,
              place: i64, control: i64[:], partner: i32[:], done: i32[:], visit: i32[:]):
    """These atoms and pairs, from near[i] and, by type of the other, halves[i * kinds + type] on."""
    full = crowded(i64(near[rows]), near_room, place, control)
    if crowded(i64(halves[n * kinds]), half_room, place, control):
        full = True
    start, m = row_of(i, count, first, si)
    if TEAMS and not full:
        found = i64(0)
        for q in lane_range(m):
            j = where(live(q, m), load(neigh, start + q * sk), i32(0))
            there = both(live(q, m), is_near(i, i64(j), x, kind, reach, kinds, skin))
            found += append(partner, i64(near[i]), found, i64(1), j, there)
        for other in range(1, kinds):
            mine = i64(0)
            for q in lane_range(m):
                j = where(live(q, m), load(neigh, start + q * sk), i32(0))
                there = both(live(q, m), both(kind[j] == i32(other), takes(i, i64(j), id, x)))
                mine += append(visit, i64(halves[i * kinds + other]), mine, i64(1), j, there)
    if not TEAMS and not full:
        found = i64(near[i])
        for k in range(kinds):
            done[i * kinds + k] = i32(0)
        for q in range(m):
            j = i64(neigh[start + q * sk])
            if is_near(i, j, x, kind, reach, kinds, skin):
                partner[found] = i32(j)
                found += 1
            if takes(i, j, id, x):
                k = i * kinds + i64(kind[j])
                visit[halves[k] + done[k]] = i32(j)
                done[k] += i32(1)


# ---- bonds
@portable
def count_bonds(i, x: f64[:, 4], kind: i32[:], near: i32[:], partner: i32[:], reach: f64[:], kinds: i64, bonds: i32[:]):
    """How many partners are as near as bonds reach."""
    found = i64(0)
    begin = i64(near[i])
    m = i64(near[i + 1]) - begin
    if TEAMS:
        for q in lane_range(m):
            j = i64(where(live(q, m), load(partner, begin + q), i32(0)))
            found += count_lanes(both(live(q, m), is_near(i, j, x, kind, reach, kinds, 0.0)))
        if leader():
            bonds[i] = i32(found)
    if not TEAMS:
        for q in range(m):
            found += i64(is_near(i, i64(partner[begin + q]), x, kind, reach, kinds, 0.0))
        bonds[i] = i32(found)


@portable
def fill_bonds(i, rows: i64, x: f64[:, 4], kind: i32[:], near: i32[:], partner: i32[:], reach: f64[:], kinds: i64,
               start: i32[:], room: i64, place: i64, control: i64[:], bi: i32[:], bj: i32[:]):
    full = crowded(i64(start[rows]), room, place, control)
    begin = i64(near[i])
    m = i64(near[i + 1]) - begin
    to = i64(start[i])
    if TEAMS and not full:
        found = i64(0)
        for q in lane_range(m):
            j = where(live(q, m), load(partner, begin + q), i32(0))
            there = both(live(q, m), is_near(i, i64(j), x, kind, reach, kinds, 0.0))
            append(bi, to, found, i64(1), i32(i), there)
            found += append(bj, to, found, i64(1), j, there)
    if not TEAMS and not full:
        for q in range(m):
            j = i64(partner[begin + q])
            if is_near(i, j, x, kind, reach, kinds, 0.0):
                bi[to] = i32(i)
                bj[to] = i32(j)
                to += 1


@portable
def one_part(lr, c1, c2, shift, there, inverse):
    """An order there * exp(c1 (r / r0)^c2) and its slope; lr is log(r), shift -log(r0)."""
    power = exp(c2 * (lr + shift))
    order = there * exp(c1 * power)
    return order, order * c1 * c2 * power * inverse


@portable
def bond_orders(t, rows: i64, start: i32[:], x: f64[:, 4], kind: i32[:], bi: i32[:], bj: i32[:], table: f64[:], kinds: i64,
                g: f64[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], s: f64[:], sp: f64[:], spp: f64[:], ds: f64[:],
                dp: f64[:], dpp: f64[:]):
    """Geometry and uncorrected orders of bonds."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        i = load(bi, q)
        j = load(bj, q)
        xi, yi, zi = gather3(x, i, here)
        xj, yj, zj = gather3(x, j, here)
        ax = xj - xi
        ay = yj - yi
        az = zj - zi
        r2 = fma(ax, ax, fma(ay, ay, az * az))
        distance = sqrt(r2)
        inverse = 1.0 / distance
        k = gather(kind, i, here) * i32(kinds) + gather(kind, j, here)
        p = record(table, where(here, k, i32(0)) * i32(NP), True)
        lr = 0.5 * log(r2)
        so, sd = one_part(lr, p.bo1, p.bo2, p.shift_s, p.has_s, inverse)
        po, pd = one_part(lr, p.bo3, p.bo4, p.shift_p, p.has_p, inverse)
        qo, qd = one_part(lr, p.bo5, p.bo6, p.shift_pp, p.has_pp, inverse)
        so = so * (1.0 + g[CUT])
        sd = sd * (1.0 + g[CUT])
        whole = so + po + qo - g[CUT]
        bound = whole >= 0.0
        store(dx, q, ax)
        store(dy, q, ay)
        store(dz, q, az)
        store(r, q, distance)
        store(s, q, where(bound, whole, 0.0))
        store(sp, q, where(bound, po, 0.0))
        store(spp, q, where(bound, qo, 0.0))
        store(ds, q, where(bound, sd + pd + qd, 0.0))
        store(dp, q, where(bound, pd, 0.0))
        store(dpp, q, where(bound, qd, 0.0))


@portable
def sum_rows(i, start: i32[:], values: f64[:], total: f64[:]):
    """The sum over the bonds of an atom."""
    found = 0.0
    for q in range(i64(start[i]), i64(start[i + 1])):
        found += values[q]
    total[i] = found


@portable
def correct(t, rows: i64, start: i32[:], kind: i32[:], bi: i32[:], bj: i32[:], table: f64[:], kinds: i64, g: f64[:], el: f64[:],
            primed: f64[:], s: f64[:], sp: f64[:], spp: f64[:], B: f64[:], Bp: f64[:], Bpp: f64[:], A: f64[:], f1: f64[:],
            X: f64[:], Yi: f64[:], Yj: f64[:], Zi: f64[:], Zj: f64[:]):
    """Corrections for too many bonds (f1) and for partners of partners (f4, f5). primed: sums of s of atoms."""
    last = min((t + 1) * CHUNK, i64(start[rows]))
    for q in lane_steps(t * CHUNK, last):
        here = live(q, last)
        i = load(bi, q)
        j = load(bj, q)
        ki = where(here, gather(kind, i, here), i32(0))
        kj = where(here, gather(kind, j, here), i32(0))
        p = record(table, (ki * i32(kinds) + kj) * i32(NP), True)
        vi = gather(el, ki * i32(NE) + i32(VALENCE), True)
        vj = gather(el, kj * i32(NE) + i32(VALENCE), True)
        ti = gather(primed, i, here)
        tj = gather(primed, j, here)
        own = load(s, q)
        # too many bonds
        e1i = exp(-g[BOC1] * (ti - vi))
        e1j = exp(-g[BOC1] * (tj - vj))
        e2i = exp(-g[BOC2] * (ti - vi))
        e2j = exp(-g[BOC2] * (tj - vj))
        f2 = e1i + e1j
        f3 = -log(0.5 * (e2i + e2j)) / g[BOC2]
        ui = vi + f2 + f3
        uj = vj + f2 + f3
        iui = 1.0 / ui
        iuj = 1.0 / uj
        one = 0.5 * ((vi + f2) * iui + (vj + f2) * iuj)
        squares = f3 * (iui * iui + iuj * iuj)
        shares = ((vi + f2) * iui * iui + (vj + f2) * iuj * iuj) / (e2i + e2j)
        over = p.ovc >= 0.001
        one = where(over, one, 1.0)
        zi = where(over, -0.5 * (g[BOC1] * e1i * squares + e2i * shares), 0.0)
        zj = where(over, -0.5 * (g[BOC1] * e1j * squares + e2j * shares), 0.0)
        # partners of partners
        apart = p.v13 >= 0.001
        f4 = 1.0 / (1.0 + exp(p.boc5 - p.boc3 * (p.boc4 * own * own - ti + gather(el, ki * i32(NE) + i32(VALENCE_BOC), True))))
        f5 = 1.0 / (1.0 + exp(p.boc5 - p.boc3 * (p.boc4 * own * own - tj + gather(el, kj * i32(NE) + i32(VALENCE_BOC), True))))
        f4 = where(apart, f4, 1.0)
        f5 = where(apart, f5, 1.0)
        a = one * f4 * f5
        store(A, q, a)
        store(f1, q, one)
        store(X, q, 2.0 * p.boc3 * p.boc4 * own * (2.0 - f4 - f5))
        store(Yi, q, zi / one - p.boc3 * (1.0 - f4))
        store(Yj, q, zj / one - p.boc3 * (1.0 - f5))
        store(Zi, q, zi)
        store(Zj, q, zj)
        whole = own * a
        pi = load(sp, q) * one * a
        pipi = load(spp, q) * one * a
        store(B, q, where(whole < TINY, 0.0, whole))
        store(Bp, q, where(pi < TINY, 0.0, pi))
        store(Bpp, q, where(pipi < TINY, 0.0, pipi))
