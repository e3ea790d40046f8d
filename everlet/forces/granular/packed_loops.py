"""The loop over contacts for cores: of some grains together, those that touch first, then the law on lanes.

Most grains that are near do not touch, and the law takes ten times as long as a distance. So rows of BLOCK grains are looked
through by distances alone, and what is found is put side by side; the law goes over that by lanes, whichever grains they
belong to; forces are added up one contact after the other, in the order of rows. With TWICE one contact of two grains of the
same block is computed once, for both. Statics are those of loops.py.
"""

from __future__ import annotations

from everlet.forces.granular.loops import NEAR, TOUCHED
from everlet.forces.pair.rows import position, toward
from everlet.forces.pair.tally import add_tally, no_tally, sum_tally
from everlet.portable import add_row, both, either, f64, i32, i64, negate, portable, real, where


@portable
def place_in(j: i64, i: i64, near: i32[:], near_count: i32[:], depth: i64, pitch: i64):
    """Where grain j has what it remembers of grain i."""
    k = i64(0)
    while k < i64(near_count[j]) and i64(near[j * pitch + k] & i32(NEAR)) != i:
        k += 1
    return j * depth + k


@portable
def packed_contacts(b, n: i64, x: f64[:, 4], v: f64[:, 3], omega: f64[:, 3], radius: f64[:], mass: f64[:], kind: i32[:],
                mask: i32[:], frozen: i32, time: f64, keep: i64, near: i32[:], near_count: i32[:], depth: i64, pitch: i64,
                shear: f64[:], largest: f64, near_by: f64, table: real[:], kinds: i64, f: f64[:, 3], torque: f64[:, 3]):
    """The work of contact_loop for grains b * BLOCK … . largest: radius of all grains."""
    own = scratch(i32, ROOM + 64)
    other = scratch(i32, ROOM + 64)
    place = scratch(i32, ROOM + 64)
    push = scratch(f64, 6 * (ROOM + 64))
    ratio = scratch(f64, ROOM + 64)
    kept = scratch(f64, HISTORY * (ROOM + 64) + 1)
    tallied = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    i = b * BLOCK
    begin = i
    end = min(n, i + BLOCK)
    if not ADD:
        for k in range(i, end):
            f[k, 0] = 0.0
            f[k, 1] = 0.0
            f[k, 2] = 0.0
    q = i64(0)
    while i < end:
        some = i64(0)
        while i < end and some < ROOM:
            m = i64(near_count[i])
            word = load(near, i * pitch + q)
            j = word & i32(NEAR)
            xi, yi, zi = position(i, x)
            _, _, _, r2 = toward(j, x, xi, yi, zi)
            reach = radius[i] + largest
            if WHOLE:
                reach += near_by
            there = live(q, m)
            close = both(there, r2 < reach * reach)
            if HISTORY > 0:
                before = both(there, word < i32(0))
                if keep and any_lane(either(both(close, negate(before)), both(before, negate(close)))):
                    store(near, i * pitch + q, where(close, word | i32(TOUCHED), j))
                close = either(close, before)
            if TWICE:
                close = both(close, either(j < i32(begin), j > i32(i)))
            store(own, some, lane_ids() * i32(0) + i32(i))
            append(place, i64(0), some, i64(1), lane_ids() + i32(i * depth + q), close)
            some += append(other, i64(0), some, i64(1), j, close)
            q += lane_stride()
            if q >= m:
                q = i64(0)
                i += 1
        store(own, some, lane_ids() * i32(0))
        store(other, some, lane_ids() * i32(0))
        store(place, some, lane_ids() * i32(0))
        for s in lane_range(some):
            one = load(own, s)
            j = load(other, s)
            xi, yi, zi = gather3(x, one, True)
            dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
            ri = gather(radius, one, True)
            rj = gather(radius, j, True)
            reach = ri + rj
            if WHOLE:
                reach += near_by
            close = both(live(s, some), r2 < reach * reach)
            vx, vy, vz = gather3(v, one, True)
            ux, uy, uz = gather3(v, j, True)
            ox, oy, oz = gather3(omega, one, True)
            wx, wy, wz = gather3(omega, j, True)
            mi = gather(mass, one, True)
            mj = gather(mass, j, True)
            m = mi * mj / (mi + mj)
            if FROZEN:
                m = where((gather(mask, one, True) & frozen) != i32(0), mj, m)
                m = where((gather(mask, j, True) & frozen) != i32(0), mi, m)
            if MANY:
                p = record(table, (gather(kind, one, True) * i32(kinds) + gather(kind, j, True)) * i32(NP), True)
            for c in unroll(HISTORY):
                h[c] = gather(shear, load(place, s) * i32(HISTORY) + i32(c), True)
            if HISTORY == 0:
                gx, gy, gz, sx, sy, sz, _, _, _ = touch(
                    dx, dy, dz, r2, vx - ux, vy - uy, vz - uz, ri * ox + rj * wx, ri * oy + rj * wy, ri * oz + rj * wz,
                    ri, rj, m, lanes(0.0), lanes(0.0), lanes(0.0), time, p)
            if HISTORY > 0 and not WHOLE:
                gx, gy, gz, sx, sy, sz, h[0], h[1], h[2] = touch(
                    dx, dy, dz, r2, vx - ux, vy - uy, vz - uz, ri * ox + rj * wx, ri * oy + rj * wy, ri * oz + rj * wz,
                    ri, rj, m, h[0], h[1], h[2], time, p)
            if WHOLE:
                gx, gy, gz, sx, sy, sz, h[0], h[1], h[2], h[3], h[4], h[5], h[6], h[7] = touch(
                    dx, dy, dz, r2, vx - ux, vy - uy, vz - uz, ri * ox + rj * wx, ri * oy + rj * wy, ri * oz + rj * wz,
                    ri, rj, m, h[0], h[1], h[2], time, p, ox - wx, oy - wy, oz - wz, h[3], h[4], h[5], h[6], h[7])
            gx = where(close, gx, 0.0)
            gy = where(close, gy, 0.0)
            gz = where(close, gz, 0.0)
            if TWICE:
                store(ratio, s, rj / ri)
            store(push, s, gx)
            store(push, ROOM + 64 + s, gy)
            store(push, 2 * (ROOM + 64) + s, gz)
            store(push, 3 * (ROOM + 64) + s, where(close, sx, 0.0))
            store(push, 4 * (ROOM + 64) + s, where(close, sy, 0.0))
            store(push, 5 * (ROOM + 64) + s, where(close, sz, 0.0))
            for c in unroll(HISTORY):
                store(kept, c * (ROOM + 64) + s, where(close, h[c], 0.0))
            if EV:
                if TWICE:
                    again = where(both(j < i32(end), j > one), lanes(2.0), lanes(1.0))
                    gx, gy, gz = gx * again, gy * again, gz * again
                tallied = add_tally(tallied, lanes(0.0), dx, dy, dz, gx, gy, gz)
        for s in range(some):
            k = i64(own[s])
            gx = push[s]
            gy = push[ROOM + 64 + s]
            gz = push[2 * (ROOM + 64) + s]
            tx = push[3 * (ROOM + 64) + s]
            ty = push[4 * (ROOM + 64) + s]
            tz = push[5 * (ROOM + 64) + s]
            add_row(f, k, gx, gy, gz)
            add_row(torque, k, tx, ty, tz)
            if HISTORY > 0 and keep:
                for c in unroll(HISTORY):
                    shear[i64(place[s]) * HISTORY + c] = kept[c * (ROOM + 64) + s]
            if TWICE:
                j = i64(other[s])
                if j < end and j > k:
                    add_row(f, j, -gx, -gy, -gz)
                    add_row(torque, j, ratio[s] * tx, ratio[s] * ty, ratio[s] * tz)
                    if HISTORY > 0 and keep:
                        there = place_in(j, k, near, near_count, depth, pitch)
                        for c in unroll(HISTORY):
                            shear[there * HISTORY + c] = -kept[c * (ROOM + 64) + s]
    if EV:
        return sum_tally(0.5, tallied)
