"""Loops of fix shardlow."""

from __future__ import annotations

from everlet.forces.pair.dpd_loops import pair_noise
from everlet.forces.pair.rows import between, row_start
from everlet.portable import Kernel, add_row, f64, i32, i64, local, portable, put_row, real, sqrt
from everlet.state.control import STEP


@portable
def push_pairs(t, begin: i64, edge: i32[:], member: i32[:], home: i32[:], x: f64[:, 4], v: f64[:, 3], id: i64[:], kind: i32[:],
               neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:], kinds: i64, control: i64[:],
               seed: i64, dt: f64, root: f64, boltz: f64, still: f64, theta: f64[:], mass: f64[:], mass_kind: i32[:],
               ftm2v: f64, n: i64, kicks: f64[:, 3], heat: f64[:, 2]):
    """Pairs of the atoms of cell begin + t with others of larger ids, one after the other. AWAY: what atoms of other ranks get
    is summed in `kicks` too, for their owners; rows of these begin at n. HEAT: energies that went over, u_cond and u_mech."""
    step = control[STEP]
    for k in range(i64(edge[begin + t]), i64(edge[begin + t + 1])):
        i = i64(member[k])
        me = id[i]
        base = row_start(i, first, si)
        row = i64(kind[i]) * kinds
        light = ftm2v / mass[mass_kind[i]]
        for q in range(i64(count[i])):
            j = i64(neigh[base + q * sk])
            they = id[j]
            if they > me:
                dx, dy, dz, r2 = between(i, j, x)
                p = record(table, (row + i64(kind[j])) * NP)
                if r2 < p.cut2 and r2 > 1.0e-20:
                    h = i64(home[j])
                    r = sqrt(r2)
                    nx, ny, nz = dx / r, dy / r, dz / r
                    w = 1.0 - r * p.inverse
                    a, b, c, d = pair_noise(seed, me, they, step)
                    inverse = still
                    if HEAT:
                        inverse = 0.5 * (1.0 / theta[i] + 1.0 / theta[j])
                    theirs = ftm2v / mass[mass_kind[j]]
                    both_light = light + theirs
                    g = 0.25 * p.sigma * p.sigma * w * w * dt * inverse / boltz
                    s = 0.5 * p.sigma * w * root * a
                    un = nx * (v[i, 0] - v[h, 0]) + ny * (v[i, 1] - v[h, 1]) + nz * (v[i, 2] - v[h, 2])
                    push = s - g * un
                    push += (s - g * (un + both_light * push)) / (1.0 + g * both_light)
                    px, py, pz = push * nx, push * ny, push * nz
                    add_row(v, i, light * px, light * py, light * pz)
                    add_row(v, h, -theirs * px, -theirs * py, -theirs * pz)
                    if AWAY and h >= n:
                        add_row(kicks, h, -theirs * px, -theirs * py, -theirs * pz)
                    if HEAT:
                        lost = -0.5 * push * (un + 0.5 * both_light * push)
                        flow = p.kappa * w * w * (1.0 / theta[i] - 1.0 / theta[j]) * dt
                        flow += sqrt(2.0 * boltz * p.kappa) * w * root * b
                        heat[i, 0] += flow
                        heat[i, 1] += lost
                        heat[h, 0] -= flow
                        heat[h, 1] += lost


@local
@portable
def add_kicks(i, n: i64, v: f64[:, 3], kicks: f64[:, 3]):
    """Atoms get what other ranks have given them; what was summed is there for the next colour again."""
    if i < n:
        add_row(v, i, kicks[i, 0], kicks[i, 1], kicks[i, 2])
    put_row(kicks, i, 0.0, 0.0, 0.0)


@local
@portable
def add_heat(i, n: i64, cond: f64[:], mech: f64[:], heat: f64[:, 2]):
    if i < n:
        cond[i] += heat[i, 0]
        mech[i] += heat[i, 1]
    heat[i, 0] = 0.0
    heat[i, 1] = 0.0


ADD_KICKS, ADD_HEAT = Kernel(add_kicks), Kernel(add_heat)
