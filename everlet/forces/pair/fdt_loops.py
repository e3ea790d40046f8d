"""Dissipative particles whose friction follows from their noise, with or without inner energies (styles/dpd_fdt.py)."""

from __future__ import annotations

from everlet.forces.pair.dpd_loops import pair_noise, weighed
from everlet.forces.pair.own_loops import end_row, pack_near
from everlet.forces.pair.rows import toward, whole_row_at
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import both, f64, i32, i64, portable, real, sqrt, where
from everlet.state.control import STEP


@portable
def fdt_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
             kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], reach2: f64, v: f64[:, 3],
             id: i64[:], control: i64[:], ahead: i64, seed: i64, rate: f64, boltz: f64, still: f64, theta: f64[:], mass: f64[:],
             mass_kind: i32[:], ftm2v: f64, cond: f64[:], mech: f64[:]):
    """Forces on atom i; HEAT: and the rates of its energies `cond` and `mech`, with friction by temperatures `theta` of both,
    otherwise by one, whose inverse is `still`. SPLIT: without friction and noise, which are elsewhere."""
    if PACKED:
        packed = scratch(i32, SEGMENT + 64)
    i, m, base, row, xi, yi, zi = whole_row_at(i, x, order, count, first, si, kind, kinds)
    step = control[STEP] + ahead
    vx, vy, vz = v[i, 0], v[i, 1], v[i, 2]
    me = id[i]
    if HEAT:
        cold = 1.0 / theta[i]
        light = 1.0 / mass[mass_kind[i]]
    fx, fy, fz = no_force(lanes(0.0))
    flow = lanes(0.0)
    work = lanes(0.0)
    t = no_tally(lanes(0.0))
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    for part in range(0, m, SEGMENT):
        some = m
        if PACKED:
            some = pack_near(part, m, base, i, neigh, x, reach2, packed)
        for q in lane_range(some):
            if PACKED:
                j = load(packed, q)
            if not PACKED:
                j = load(neigh, base + q * sk)
            dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
            if MANY:
                p = of_kinds(table, kind, j, row, NP)
            near = both(r2 < p.cut2, r2 > 1.0e-20)
            if not BRANCH or any_lane(near):
                nx, ny, nz, w = weighed(dx, dy, dz, r2, near, p.inverse)
                g = where(near, p.a * w, 0.0)
                if not SPLIT:
                    wx, wy, wz = gather3(v, j, near)
                    un = nx * (vx - wx) + ny * (vy - wy) + nz * (vz - wz)
                    they = gather(id, j, True)
                    a, b, c, d = pair_noise(seed, me, they, step)
                    inverse = still
                    if HEAT:
                        theirs = 1.0 / where(near, gather(theta, j, near), 1.0)
                        inverse = 0.5 * (cold + theirs)
                    gamma = 0.5 * p.sigma * p.sigma * inverse / boltz
                    kick = p.sigma * w * a * rate
                    g += where(near, kick - gamma * w * w * un, 0.0)
                if HEAT and not PERATOM:
                    inertia = light + 1.0 / gather(mass, gather(mass_kind, j, near), True)
                    warmed = gamma * un * un - 0.5 * p.sigma * p.sigma * inertia * ftm2v
                    work += where(near, 0.5 * (w * w * warmed - kick * un), 0.0)
                    noise = sqrt(2.0 * boltz * p.kappa) * w * b * rate
                    noise = where(they < me, -noise, noise)
                    flow += where(near, p.kappa * w * w * (cold - theirs) + noise, 0.0)
                gx = g * nx
                gy = g * ny
                gz = g * nz
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                if EV or PERATOM:
                    t = add_tally(t, where(near, 0.5 * p.a * p.cut * w * w, 0.0), dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, t, factor, energy, virial)
    if HEAT and not PERATOM:
        heat = f64(lane_sum(flow))
        done = f64(lane_sum(work))
        if leader():
            cond[i] = heat
            mech[i] = done
    if EV:
        return sum_tally(0.5, t)
