"""Dissipative particles whose friction follows from their noise, with or without inner energies (styles/dpd_fdt.py)."""

from __future__ import annotations

from everlet.forces.pair.dpd_loops import pair_noise, weighed
from everlet.forces.pair.own_loops import empty_row, end_row, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, sqrt
from everlet.state.control import STEP


@portable
def fdt_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
             kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], v: f64[:, 3], id: i64[:],
             control: i64[:], ahead: i64, seed: i64, rate: f64, boltz: f64, still: f64, theta: f64[:], mass: f64[:],
             mass_kind: i32[:], ftm2v: f64, cond: f64[:], mech: f64[:]):
    """Forces on atom i; HEAT: and the rates of its energies `cond` and `mech`, with friction by temperatures `theta` of both,
    otherwise by one, whose inverse is `still`."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    step = control[STEP] + ahead
    fx, fy, fz, tallied = empty_row()
    flow = 0.0
    work = 0.0
    for q in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + q * sk, i, neigh, x)
        p = record(table, (row + i64(kind[j])) * NP)
        if r2 < p.cut2 and r2 > 1.0e-20:
            nx, ny, nz, w = weighed(dx, dy, dz, r2, p.inverse)
            un = nx * (v[i, 0] - v[j, 0]) + ny * (v[i, 1] - v[j, 1]) + nz * (v[i, 2] - v[j, 2])
            a, b, c, d = pair_noise(seed, id[i], id[j], step)
            inverse = still
            if HEAT:
                inverse = 0.5 * (1.0 / theta[i] + 1.0 / theta[j])
            gamma = 0.5 * p.sigma * p.sigma * inverse / boltz
            kick = p.sigma * w * a * rate
            g = p.a * w - gamma * w * w * un + kick
            if HEAT and not PERATOM:
                inertia = 1.0 / mass[mass_kind[i]] + 1.0 / mass[mass_kind[j]]
                work += 0.5 * (w * w * (gamma * un * un - 0.5 * p.sigma * p.sigma * inertia * ftm2v) - kick * un)
                noise = sqrt(2.0 * boltz * p.kappa) * w * b * rate
                if id[i] > id[j]:
                    noise = -noise
                flow += p.kappa * w * w * (1.0 / theta[i] - 1.0 / theta[j]) + noise
            gx = g * nx
            gy = g * ny
            gz = g * nz
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, 0.5 * p.a * p.cut * w * w, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    if HEAT and not PERATOM:
        flow = f64(lane_sum(flow))
        work = f64(lane_sum(work))
        if leader():
            cond[i] = flow
            mech[i] = work
    if EV:
        return sum_tally(0.5, tallied)
