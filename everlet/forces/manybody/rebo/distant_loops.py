"""Energies of pairs that bonds do not join: Lennard-Jones, or Morse's, less what is left to bonds.

E_ij = C_ij V(r_ij) [1 - S(t_r) (1 - S(t_b))],  C_ij = 1 - the largest of w_ij, w_ik w_kj, w_ik w_kl w_lj over all k, l

t_r goes from lj_min to lj_max of the distance, t_b from b_min to b_max of the order b* that a bond of length rmin in this
direction would have. A pair is looked at from both sides, and each atom works out slopes with its own bonds.
"""

from __future__ import annotations

from everlet.forces.manybody.rebo.edge_loops import give_halves, give_one
from everlet.forces.manybody.rebo.order_loops import (
    SAME,
    angle_slopes,
    bond_along,
    elsewhere,
    far,
    half_order,
    others,
    twist_slopes,
    twists,
)
from everlet.forces.manybody.rebo.physics import ease, fade, solid
from everlet.forces.manybody.rebo.places import (
    B_MAX,
    B_MIN,
    DECAY,
    EPSILON,
    F_AT,
    FADE_MAX,
    FADE_MIN,
    LJ_MAX,
    LJ_MIN,
    MORSE,
    NEAR,
    NP,
    REACH,
    RHO,
    RMAX,
    RMIN,
    SIGMA,
    SOLID,
    T_AT,
)
from everlet.forces.pair.rows import row_of
from everlet.forces.pair.tally import add_tally, no_force, no_tally
from everlet.portable import exp, f64, i32, i64, portable, scatter, sqrt


@portable
def attraction(r: f64, pairs: f64[:], k: i64):
    """V and its slope. IS_MORSE: Morse's."""
    if IS_MORSE:
        e = exp(-pairs[k + DECAY] * (r - pairs[k + MORSE]))
        value = pairs[k + EPSILON] * e * (e - 2.0)
        slope = 2.0 * pairs[k + EPSILON] * pairs[k + DECAY] * e * (1.0 - e)
    if not IS_MORSE:
        one = pairs[k + SIGMA] / r
        six = one * one * one * one * one * one
        value = 4.0 * pairs[k + EPSILON] * six * (six - 1.0)
        slope = -24.0 * pairs[k + EPSILON] * six * (2.0 * six - 1.0) / r
    s, s_slope = ease(r, pairs[k + FADE_MIN], pairs[k + FADE_MAX])
    return value * s, slope * s + value * s_slope


@portable
def joined(i: i64, j: i64, home: i64, ux: f64, uy: f64, uz: f64, own: i64, start: i32[:], bj: i32[:], kind: i32[:], dx: f64[:],
           dy: f64[:], dz: f64[:], w: f64[:], pairs: f64[:], kinds: i64):
    """The largest weight of ways along one, two or three bonds from i to j (`own`: the bond of both), and its bonds of i and
    of j, -1 where it has none. Of ways of the same weight, and of the same bond of i, it is
    the shortest."""
    best = 0.0
    first = i64(-1)
    last = i64(-1)
    if own >= 0:
        best = w[own]
        first = own
    for a in range(i64(start[i]), i64(start[i + 1])):
        for bonds in range(2, 4):
            if a != own and w[a] > best:
                for m in range(i64(start[home]), i64(start[home + 1])):
                    whole = w[a] * w[m]
                    if whole > best and far(ux + dx[m], uy + dy[m], uz + dz[m], 0.0, 0.0, 0.0):
                        x = ux + dx[m] - dx[a]
                        y = uy + dy[m] - dy[a]
                        z = uz + dz[m] - dz[a]
                        r2 = x * x + y * y + z * z
                        k = (i64(kind[bj[a]]) * kinds + i64(kind[bj[m]])) * NP
                        there = r2 <= SAME
                        if bonds == 3:
                            there = r2 > SAME and r2 < pairs[k + RMAX] * pairs[k + RMAX]
                        if there and bonds == 3:
                            between, _ = fade(sqrt(r2), pairs[k + RMIN], pairs[k + RMAX])
                            whole = whole * between
                        if there and whole > best:
                            best = whole
                            first = i64(a)
                            last = i64(m)
    return best, first, last


@portable
def give_way(out: scatter[f64[:, 3]], i: i64, j: i64, a: i64, b: i64, dx: f64, dy: f64, dz: f64, k: f64, between: f64):
    """The virial of one of the bonds along which a and b join i and j: to all four, or three where a is b."""
    share = 0.25
    if between < SAME:
        share = 1.0 / 3.0
    give_one(out, i, dx, dy, dz, k * dx, k * dy, k * dz, share, 0.0)
    give_one(out, j, dx, dy, dz, k * dx, k * dy, k * dz, share, 0.0)
    give_one(out, a, dx, dy, dz, k * dx, k * dy, k * dz, share, 0.0)
    if between >= SAME:
        give_one(out, b, dx, dy, dz, k * dx, k * dy, k * dz, share, 0.0)


@portable
def distant(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, start: i32[:],
            home: i32[:], bj: i32[:], element: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], w: f64[:], dw: f64[:],
            wp: f64[:], dwp: f64[:], carbons: f64[:], hydrogens: f64[:], chain: f64[:], pairs: f64[:], kinds: i64, g: f64[:],
            table: f64[:], gx: f64[:], gy: f64[:], gz: f64[:], ew: f64[:], ac: f64[:], by_carbons: f64[:], by_hydrogens: f64[:],
            pull: f64[:], f: scatter[f64[:, 3]]):
    """The pairs of atom i, half of their energies, and the slopes as in order_loops.py. Returns the energy and the virial of
    what is along no bond."""
    fx, fy, fz = no_force(0.0)
    tallied = no_tally(0.0)
    hydrogen = i64(element[kind[i]])
    begin, m = row_of(i, count, first, si)
    for s in range(m):
        j = i64(neigh[begin + s * sk])
        ux = x[j, 0] - x[i, 0]
        uy = x[j, 1] - x[i, 1]
        uz = x[j, 2] - x[i, 2]
        r2 = ux * ux + uy * uy + uz * uz
        k = (i64(kind[i]) * kinds + i64(kind[j])) * NP
        if r2 < pairs[k + REACH] * pairs[k + REACH]:
            distance = sqrt(r2)
            v, v_slope = attraction(distance, pairs, k)
            own = i64(-1)
            seat = i64(-1)
            best = 0.0
            mine = i64(-1)
            theirs = i64(-1)
            if r2 < g[NEAR] * g[NEAR]:
                seat = i64(home[j])
                own = bond_along(i, ux, uy, uz, start, dx, dy, dz)
                best, mine, theirs = joined(i, j, seat, ux, uy, uz, own, start, bj, kind, dx, dy, dz, w, pairs, kinds)
            apart = 1.0 - best
            near, near_slope = ease(distance, pairs[k + LJ_MIN], pairs[k + LJ_MAX])
            left = 0.0
            if apart > 0.0 and near > 0.0:
                # the order of a bond in this direction
                mate = i64(element[kind[j]])
                back = bond_along(seat, -ux, -uy, -uz, start, dx, dy, dz)
                length = pairs[k + RMIN]
                rho = pairs[k + RHO]
                turned = (i64(kind[j]) * kinds + i64(kind[i])) * NP
                c, h = others(i, own, j, kind, element, w, carbons, hydrogens)
                jc, jh = others(seat, back, i, kind, element, w, carbons, hydrogens)
                value, by_sum, by_c, by_h, alone = half_order(i, own, ux, uy, uz, distance, length, rho, hydrogen, mate, c, h,
                                                              start, bj, kind, dx, dy, dz, r, w, pairs, kinds, g, table)
                other, _, _, _, _ = half_order(seat, back, -ux, -uy, -uz, distance, length, pairs[turned + RHO], mate,
                                               hydrogen, jc, jh, start, bj, kind, dx, dy, dz, r, w, pairs, kinds, g, table)
                conj_i = elsewhere(i, own, j, chain, kind, element, w, carbons, hydrogens, g)
                conj_j = elsewhere(seat, back, i, chain, kind, element, w, carbons, hydrogens, g)
                conj = 1.0 + conj_i * conj_i + conj_j * conj_j
                both, by_n, by_conj = solid(table, F_AT + (hydrogen + mate) * SOLID, c + h, jc + jh, conj)
                order = 0.5 * (value + other) + both
                total = 0.0
                stiff = 0.0
                stiff_n = 0.0
                stiff_conj = 0.0
                if hydrogen + mate == 0:
                    stiff, stiff_n, stiff_conj = solid(table, T_AT, c + h, jc + jh, conj)
                    if stiff != 0.0 or stiff_n != 0.0 or stiff_conj != 0.0:
                        total = twists(i, own, seat, back, ux, uy, uz, distance, start, dx, dy, dz, r, wp)
                order += stiff * total
                bound, bound_slope = ease(order, pairs[k + B_MIN], pairs[k + B_MAX])
                left = 1.0 - bound
                by_order = apart * v * near * bound_slope
                if by_order != 0.0:
                    factor = 0.5 * by_order * by_sum
                    by_c = factor * by_c
                    by_h = factor * by_h
                    hx, hy, hz, _ = angle_slopes(i, own, ux, uy, uz, distance, length, rho, hydrogen, alone, factor, start, bj,
                                                 kind, dx, dy, dz, r, w, dw, pairs, kinds, table, gx, gy, gz, ew, f, j, 0.0,
                                                 element, by_c, by_h)
                    if SHARES:
                        by_c = 0.0
                        by_h = 0.0
                    if total != 0.0:
                        _, _, tx, ty, tz = twist_slopes(i, own, seat, back, ux, uy, uz, distance, stiff * by_order, 0.0, start,
                                                        bj, kind, element, dx, dy, dz, r, w, wp, dwp, g, gx, gy, gz, ew, dw, f,
                                                        j, 0.0)
                        hx += tx
                        hy += ty
                        hz += tz
                    by_n = by_order * (by_n + stiff_n * total)
                    push = by_order * (by_conj + stiff_conj * total) * 2.0 * conj_i
                    by_c += by_n
                    by_h += by_n
                    by_carbons[i] += by_c
                    by_hydrogens[i] += by_h
                    pull[i] += push
                    if own >= 0:
                        ac[own] -= push
                        if mate == 0:
                            ew[own] -= by_c
                        else:
                            ew[own] -= by_h
                    if not SHARES:
                        fx += hx
                        fy += hy
                        fz += hz
                        f[j, 0] -= hx
                        f[j, 1] -= hy
                        f[j, 2] -= hz
                    if EV:
                        tallied = add_tally(tallied, 0.0, -ux, -uy, -uz, hx, hy, hz)
            # along the pair, and along bonds that join it
            free = 1.0 - near * left
            push = apart * (v_slope * free - v * near_slope * left) / distance
            half = 0.5 * push
            if not SHARES:
                fx += push * ux
                fy += push * uy
                fz += push * uz
            if SHARES:
                give_halves(f, i, j, ux, uy, uz, half * ux, half * uy, half * uz, 0.5 * apart * v * free)
            if EV:
                tallied = add_tally(tallied, 0.5 * apart * v * free, -half * ux, -half * uy, -half * uz, ux, uy, uz)
            if mine >= 0 and mine == own:
                ew[own] -= 0.5 * v * free
            if mine >= 0 and mine != own:
                pull_a = v * free * best / w[mine]
                if not SHARES:
                    ew[mine] -= pull_a
                bx = ux + dx[theirs] - dx[mine]
                by = uy + dy[theirs] - dy[mine]
                bz = uz + dz[theirs] - dz[mine]
                between = sqrt(bx * bx + by * by + bz * bz)
                if SHARES:
                    give_way(f, i, j, i64(bj[mine]), i64(bj[theirs]), dx[mine], dy[mine], dz[mine],
                             -pull_a * dw[mine] / r[mine], between * between)
                e = (i64(kind[bj[mine]]) * kinds + i64(kind[bj[theirs]])) * NP
                if between > pairs[e + RMIN]:
                    _, slope = fade(between, pairs[e + RMIN], pairs[e + RMAX])
                    pair = -0.5 * v * free * w[mine] * w[theirs] * slope / between
                    a = i64(bj[mine])
                    b = i64(bj[theirs])
                    if not SHARES:
                        f[a, 0] += pair * bx
                        f[a, 1] += pair * by
                        f[a, 2] += pair * bz
                        f[b, 0] -= pair * bx
                        f[b, 1] -= pair * by
                        f[b, 2] -= pair * bz
                    if SHARES:
                        give_way(f, i, j, a, b, bx, by, bz, pair, between * between)
                    if EV:
                        tallied = add_tally(tallied, 0.0, -pair * bx, -pair * by, -pair * bz, bx, by, bz)
    if not SHARES:
        f[i, 0] += fx
        f[i, 1] += fy
        f[i, 2] += fz
    if EV:
        return tallied
