"""Loops over grains: who is near, what contacts remember, forces.

Row i of `near` has those that may touch grain i before the next build, from near[i * pitch] on. What contact q of grain i
remembers stands from shear[(i * depth + q) * HISTORY] on, its partner's id at partner[i * depth + q]: both belong to grain i
and go where it goes; entries of `near` with the bit TOUCHED are those that remember something. A pair is visited from both
sides, which compute the same numbers, but for a sign.

    touch      the law of a contact (physics.py)
    HISTORY    numbers that a contact remembers
    WHOLE      the law is one of whole.py, of 8 numbers
    FROZEN     there are grains that do not move
    EV         with a tally
"""

from __future__ import annotations

from everlet.forces.pair.rows import position, row_of, toward
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import add_row, both, f64, i32, i64, portable, put_row, real, where
from everlet.state.control import CROWDED, TROUBLE

NEAR = 2**31 - 1  # of an entry of a row of grains: which grain it is
TOUCHED = -(2**31)  # and the bit of those that remember something


@portable
def find_near(i, x: f64[:, 4], radius: f64[:], skin: f64, neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
              depth: i64, pitch: i64, control: i64[:], near: i32[:], near_count: i32[:]):
    """Of a row of the list those whose surfaces are nearer than the skin."""
    xi, yi, zi = position(i, x)
    start, m = row_of(i, count, first, si)
    found = i64(0)
    base = i * pitch
    for q in lane_range(m):
        j = load(neigh, start + q * sk)
        dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
        reach = gather(radius, j, True) + (radius[i] + skin)
        close = both(live(q, m), r2 < reach * reach)
        if found <= depth:
            found += append(near, base, found, i64(1), j, close)
        else:
            found += count_lanes(close)
    if leader():
        near_count[i] = i32(found)
        if found > depth:
            control[CROWDED] = 1
            control[TROUBLE] = 1


@portable
def match(i, id: i64[:], near: i32[:], near_count: i32[:], depth: i64, pitch: i64, partner: i64[:], shear: f64[:],
          known: i64[:], slid: f64[:]):
    """What contacts of grain i remember, in the order of its new row, found by the ids of partners. known, slid: room for those
    that remember something, which are few."""
    base = i * depth
    few = base
    for k in range(base, base + depth):
        something = False
        for c in range(HISTORY):
            something = something or shear[k * HISTORY + c] != 0.0
        if something:
            known[few] = partner[k]
            for c in range(HISTORY):
                slid[few * HISTORY + c] = shear[k * HISTORY + c]
                shear[k * HISTORY + c] = 0.0
            few += 1
    m = i64(near_count[i])
    for q in range(depth):
        who = i64(0)
        if q < m:
            who = id[near[i * pitch + q]]
            for k in range(base, few):
                if known[k] == who:
                    for c in range(HISTORY):
                        shear[(base + q) * HISTORY + c] = slid[k * HISTORY + c]
                    near[i * pitch + q] |= i32(TOUCHED)
        partner[base + q] = who


@portable
def forget(contact: i64, shear: f64[:]):
    """Grains do not touch any more."""
    for c in range(HISTORY):
        shear[contact * HISTORY + c] = 0.0


@portable
def contact_loop(i, n: i64, x: f64[:, 4], v: f64[:, 3], omega: f64[:, 3], radius: f64[:], mass: f64[:], kind: i32[:],
                 mask: i32[:], frozen: i32, time: f64, keep: i64, near: i32[:], near_count: i32[:], depth: i64, pitch: i64,
                 shear: f64[:], largest: f64, near_by: f64, table: real[:], kinds: i64, f: f64[:, 3], torque: f64[:, 3]):
    """Force and torque on grain i. near_by: so far apart some still touch. keep: what contacts remember is changed. One contact
    at a time: most that are near do not touch, and lanes would wait for those that do."""
    xi, yi, zi = position(i, x)
    mi = mass[i]
    ri = radius[i]
    fx, fy, fz = no_force(lanes(0.0))
    tx, ty, tz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    row = i64(kind[i]) * kinds
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for q in lane_range(i64(near_count[i])):
        word = load(near, i * pitch + q)
        j = word & i32(NEAR)
        dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
        rj = gather(radius, j, True)
        reach = ri + rj
        if WHOLE:
            reach += near_by
        close = r2 < reach * reach
        if any_lane(close):
            vx, vy, vz = gather3(v, j, True)
            wx, wy, wz = gather3(omega, j, True)
            mj = gather(mass, j, True)
            m = mi * mj / (mi + mj)
            if FROZEN:
                if mask[i] & frozen:
                    m = mj
                m = where((gather(mask, j, True) & frozen) != i32(0), lanes(mi), m)
            if MANY:
                p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
            hx, hy, hz = no_force(lanes(0.0))
            old = (i * depth + q) * HISTORY
            if HISTORY > 0:
                hx = load(shear, old)
                hy = load(shear, old + 1)
                hz = load(shear, old + 2)
            if WHOLE:
                gx, gy, gz, sx, sy, sz, hx, hy, hz, kx, ky, kz, turn, size = touch(
                    dx, dy, dz, r2, v[i, 0] - vx, v[i, 1] - vy, v[i, 2] - vz, ri * omega[i, 0] + rj * wx,
                    ri * omega[i, 1] + rj * wy, ri * omega[i, 2] + rj * wz, ri, rj, m, hx, hy, hz, time, p, omega[i, 0] - wx,
                    omega[i, 1] - wy, omega[i, 2] - wz, load(shear, old + 3), load(shear, old + 4), load(shear, old + 5),
                    load(shear, old + 6), load(shear, old + 7))
            if not WHOLE:
                gx, gy, gz, sx, sy, sz, hx, hy, hz = touch(
                    dx, dy, dz, r2, v[i, 0] - vx, v[i, 1] - vy, v[i, 2] - vz, ri * omega[i, 0] + rj * wx,
                    ri * omega[i, 1] + rj * wy, ri * omega[i, 2] + rj * wz, ri, rj, m, hx, hy, hz, time, p)
            gx = where(close, gx, 0.0)
            gy = where(close, gy, 0.0)
            gz = where(close, gz, 0.0)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            tx, ty, tz = tx + where(close, sx, 0.0), ty + where(close, sy, 0.0), tz + where(close, sz, 0.0)
            if EV:
                tallied = add_tally(tallied, lanes(0.0), dx, dy, dz, gx, gy, gz)
            if HISTORY > 0 and keep:
                store(shear, old, hx)
                store(shear, old + 1, hy)
                store(shear, old + 2, hz)
                if WHOLE:
                    store(shear, old + 3, kx)
                    store(shear, old + 4, ky)
                    store(shear, old + 5, kz)
                    store(shear, old + 6, turn)
                    store(shear, old + 7, size)
                if any_lane(word == j):
                    store(near, i * pitch + q, word | i32(TOUCHED))
        else:
            if HISTORY > 0 and keep and any_lane(word != j):
                forget(i * depth + q, shear)
                store(near, i * pitch + q, j)
    px = lane_sum(fx)
    py = lane_sum(fy)
    pz = lane_sum(fz)
    qx = lane_sum(tx)
    qy = lane_sum(ty)
    qz = lane_sum(tz)
    if leader():
        if ADD:
            add_row(f, i, px, py, pz)
        if not ADD:
            put_row(f, i, px, py, pz)
        add_row(torque, i, qx, qy, qz)
    if EV:
        return sum_tally(0.5, tallied)
