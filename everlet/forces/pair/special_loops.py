"""The loop over special pairs: atoms that few bonds link, whose pair forces are scaled.

Statics as in loops.py; CLOSE is the part of the squared cutoff that r^2 is never below: a core and its shell may be at one
place, where 1/r - 1/r is no number. With charges (COUL) `pair` is the weighted function of charged.py. Every atom has its
special partners in its own row and adds to its own force alone: partner[i * width …] are 4 * row + level of each of them whose
force is scaled, then -1.
"""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest, nearest_in, own_box
from everlet.forces.pair.rows import along
from everlet.forces.pair.tally import (
    add_tally,
    add_virial,
    no_force,
    no_tally,
    scale_virial,
    sum_tally,
    sum_virial,
    sum_with_coulomb,
)
from everlet.neighbor.exclusions import excluded
from everlet.portable import add_row, both, f64, i32, i64, local, portable, real, where
from everlet.state.control import TROUBLE, UNLINKED


@local
@portable
def find_special(i, width: i64, special: i64[:], scaled: i64[:], rows: i32[:], type: i32[:], mask: i32[:], molecule: i64[:],
                 rules: i64[:], count: i64, partner: i32[:], control: i64[:]):
    """Rows and levels of the special partners of atom i whose forces are scaled, less those that neigh_modify excludes."""
    to = i * width
    for k in range(i * width, (i + 1) * width):
        if special[k] > 0 and scaled[special[k] % 4] != 0:
            there = rows[special[k] // 4]
            if there < 0:
                control[UNLINKED] = 1
                control[TROUBLE] = 1
            out = i64(0)
            if there >= 0 and count > 0:
                out = excluded(i, i64(there), type, mask, molecule, rules, count)
            if there >= 0 and out == 0:
                partner[to] = 4 * there + i32(special[k] % 4)
                to += 1
    for k in range(to, (i + 1) * width):
        partner[k] = i32(-1)


@portable
def special_loop(i, x: f64[:, 4], box: f64[:], member: i32[:], type: i32[:], q: f64[:], width: i64, partner: i32[:],
                 weights: f64[:], table: real[:], data: real[:], kinds: i64, factor: f64, f: f64[:, 3], energies: f64[:],
                 virials: f64[:, 6]):
    """Scaled forces of the special partners of atom i; with EV half of their energy and virial, and of charges the Coulomb
    energy as the eighth. PERATOM: no forces, and energy and virial are those of the atom. weights: of levels 0 … 3, then of
    charges; `factor` is that of hybrid/scaled, which energies of EV are without. MANY: boxes of many systems, and `member` says
    which.
    """
    b = own_box(i, member)
    fx, fy, fz = no_force(0.0)
    tallied = no_tally(0.0)
    coulomb = 0.0
    k = i * width
    while k < (i + 1) * width and partner[k] >= 0:
        j = i64(partner[k]) // 4
        dx, dy, dz = nearest_in(x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2], b, box)
        r2 = dx * dx + dy * dy + dz * dz
        p = record(table, (i64(type[i]) * kinds + i64(type[j])) * NP)
        r2 = max(r2, CLOSE * p.cut2)
        if r2 < p.cut2:
            level = i64(partner[k]) % 4
            if COUL:
                strength, e, pull, ec = pair(r2, p, data, q[i], q[j], weights[level], weights[4 + level])
                strength += pull
                e -= p.offset
                coulomb += 0.5 * ec
            if not COUL:
                strength, e = pair(r2, p, data)
                strength *= weights[level]
                e = weights[level] * (e - p.offset)
            gx = dx * strength
            gy = dy * strength
            gz = dz * strength
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, 0.5 * e, 0.5 * dx, 0.5 * dy, 0.5 * dz, gx, gy, gz)
        k += 1
    energy, xx, yy, zz, xy, xz, yz = scale_virial(factor, tallied)
    if not PERATOM:
        add_row(f, i, factor * fx, factor * fy, factor * fz)
    if PERATOM:
        energies[i] += factor * (energy + coulomb)
        add_virial(virials, i, xx, yy, zz, xy, xz, yz)
    if EV and not COUL:
        return energy, xx, yy, zz, xy, xz, yz
    if EV and COUL:
        return energy, xx, yy, zz, xy, xz, yz, coulomb


@portable
def special_block(b, n: i64, x: f64[:, 4], box: f64[:], member: i32[:], type: i32[:], q: f64[:], width: i64, partner: i32[:],
                  weights: f64[:], table: real[:], data: real[:], kinds: i64, factor: f64, f: f64[:, 3], energies: f64[:],
                  virials: f64[:, 6]):
    """The work of special_loop for ATOMS atoms, on lanes: rows are too short for these. Pairs of a few atoms are listed
    first, then come their forces, then the sums of each atom. ALIKE: all that counts is the same for all types."""
    own = scratch(i32, SEGMENT + 64)
    others = scratch(i32, SEGMENT + 64)
    levels = scratch(i32, SEGMENT + 64)
    sx = scratch(f64, SEGMENT + 64)
    sy = scratch(f64, SEGMENT + 64)
    sz = scratch(f64, SEGMENT + 64)
    if EV:
        tallied = no_tally(lanes(0.0))
        coulomb = lanes(0.0)
    if ALIKE:
        p = record(table, (kinds + 1) * NP)
    i = b * ATOMS
    last = min((b + 1) * ATOMS, n)
    while i < last:
        some = i64(0)
        while i < last and some + width <= SEGMENT:
            k = i * width
            while k < (i + 1) * width and partner[k] >= 0:
                own[some] = i32(i)
                others[some] = partner[k] // i32(4)
                levels[some] = partner[k] % i32(4)
                some += 1
                k += 1
            i += 1
        if some > 0:
            store(own, some, lane_ids() * i32(0) + own[0])
            store(others, some, lane_ids() * i32(0) + others[0])
            store(levels, some, lane_ids() * i32(0) + levels[0])
        for k in lane_range(some):
            i1 = load(own, k)
            j = load(others, k)
            x1, y1, z1 = gather3(x, i1, True)
            x2, y2, z2 = gather3(x, j, True)
            dx, dy, dz = nearest(x1 - x2, y1 - y2, z1 - z2, box)
            r2 = dx * dx + dy * dy + dz * dz
            if not ALIKE:
                p = record(table, (gather(type, i1, True) * i32(kinds) + gather(type, j, True)) * i32(NP), True)
            near = both(r2 < p.cut2, live(k, some))
            r2 = where(r2 < CLOSE * p.cut2, CLOSE * p.cut2, r2)
            level = load(levels, k)
            w = gather(weights, level, True)
            if COUL:
                strength, e, pull, ec = pair(as_real(r2), p, data, as_real(gather(q, i1, True)), as_real(gather(q, j, True)),
                                             as_real(w), as_real(gather(weights, level + i32(4), True)))
                strength += pull
                e -= p.offset
            if not COUL:
                strength, e = pair(as_real(r2), p, data)
                strength *= as_real(w)
                e = as_real(w) * (e - p.offset)
            gx, gy, gz = along(real(factor) * strength, near, dx, dy, dz)
            store(sx, k, gx)
            store(sy, k, gy)
            store(sz, k, gz)
            if EV:
                tallied = add_tally(tallied, where(near, e, real(0.0)), dx, dy, dz, gx, gy, gz)
                if COUL:
                    coulomb += where(near, ec, real(0.0))
        for k in range(some):
            a = i64(own[k])
            add_row(f, a, sx[k], sy[k], sz[k])
    if EV and not ENERGY:
        return sum_virial(0.5, tallied)
    if EV and ENERGY and not COUL:
        return sum_tally(0.5, tallied)
    if EV and ENERGY and COUL:
        return sum_with_coulomb(0.5, tallied, coulomb)
