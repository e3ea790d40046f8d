"""Forces of MEAM along pairs: what an atom's energy, and half of the pair function, change with each of its neighbours.

With the numbers z, e, s, A of an atom (density_loops.py) and P_l of its sets, the slope with w of a neighbour is
E_w = phi / 2 + f0 (z + sum e_l t_l - s_l t_l^2) + sum f_l P_l. Statics: those of density_loops.py and giving_loops.py.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import factor_of, give_part, give_slope, keep_force, on_each_lane
from everlet.forces.manybody.meam.density_loops import SETS
from everlet.forces.manybody.meam.physics import SET, against, partial, partial_minus
from everlet.forces.manybody.meam.screening_loops import taper
from everlet.forces.pair.rows import distance_at, row_at
from everlet.forces.pair.tally import no_force, no_tally, sum_with_energy
from everlet.portable import f64, floor, i32, i64, least, lookup4, portable, real, scatter, where


@portable
def pair_function(r, p, inverse, last, data):
    """phi and its slope."""
    x = r * inverse
    k = least(floor(x), last)
    t = least(x - k, 1.0)
    a, b, c, d = lookup4(data, p.start + 4.0 * k)
    first = a * t + b
    second = first * t + c
    return second * t + d, ((a * t + first) * t + second) * inverse


@portable
def set_at(to: i64, step: i64, numbers: f64[:]):
    return (real(numbers[to]), real(numbers[to + step]), real(numbers[to + 2 * step]), real(numbers[to + 3 * step]),
            real(numbers[to + 4 * step]), real(numbers[to + 5 * step]), real(numbers[to + 6 * step]),
            real(numbers[to + 7 * step]), real(numbers[to + 8 * step]), real(numbers[to + 9 * step]),
            real(numbers[to + 10 * step]), real(numbers[to + 11 * step]), real(numbers[to + 12 * step]),
            real(numbers[to + 13 * step]), real(numbers[to + 14 * step]), real(numbers[to + 15 * step]),
            real(numbers[to + 16 * step]), real(numbers[to + 17 * step]), real(numbers[to + 18 * step]),
            real(numbers[to + 19 * step]), real(numbers[to + 20 * step]), real(numbers[to + 21 * step]),
            real(numbers[to + 22 * step]))


@portable
def share_evenly(out: scatter[f64[:, 3]], i, j, e, dx, dy, dz, gx, gy, gz, mask):
    """An energy to atoms i; of a virial, which need not be symmetric for one pair, its symmetric part, half to i and to j."""
    virial = (dx * gx, dy * gy, dz * gz, 0.5 * (dx * gy + dy * gx), 0.5 * (dx * gz + dz * gx), 0.5 * (dy * gz + dz * gy))
    give_part(out, i, -e, real(0.5), virial, mask)
    give_part(out, j, e - e, real(0.5), virial, mask)


@portable
def force_loop(i, x: f64[:, 4], kind: i32[:], short: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
               left: real[:], table: real[:], kinds: i64, cut: real, inner: real, data: real[:], per_step: real, last: real,
               from_atom: i64, step: i64, numbers: f64[:], pull: real[:], f: scatter[f64[:, 3]]):
    """Forces of the pairs of atom i; `pull` of each is what the energy changes with ln S, 0 where S is 1.
    Returns half of the energies of pairs and the virial; SHARES: atom i has the one, both atoms half of the other."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    fx, fy, fz = no_force(lanes(0.0))
    tallied = no_tally(lanes(0.0))
    energy = lanes(0.0)
    to = i * from_atom
    zeroth = real(numbers[to])
    plus = set_at(to + SETS * step, step, numbers)
    if MINUS:
        minus = set_at(to + (SETS + SET) * step, step, numbers)
    factor = factor_of(table, kinds + 1)
    p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        near, j, dx, dy, dz, r, inverse = distance_at(q, m, short, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        ux = dx * inverse
        uy = dy * inverse
        uz = dz * inverse
        s = where(near, load(left, start + q * sk), real(0.0))
        fc, fade = taper((cut - r) * inner)
        w = s * fc
        f0, f1, f2, f3 = partial(r, p)
        phi, phi_slope = pair_function(r, p, per_step, last, data)
        p1, p2, p3, tx, ty, tz = against(plus, f1, f2, f3, ux, uy, uz)
        z = zeroth + real(0.0) * r
        if AVERAGE > 0:
            z += real(numbers[to + step]) * p.t1 + real(numbers[to + 2 * step]) * p.t2 + real(numbers[to + 3 * step]) * p.t3
        if AVERAGE == 2:
            z -= (real(numbers[to + 4 * step]) * p.t1 * p.t1 + real(numbers[to + 5 * step]) * p.t2 * p.t2
                  + real(numbers[to + 6 * step]) * p.t3 * p.t3)
        by_w = real(0.5) * phi + f0 * z + f1 * p1 + f2 * p2 + f3 * p3
        by_r = real(0.5) * phi_slope - p.d0 * f0 * z - p.d1 * f1 * p1 - p.d2 * f2 * p2 - p.d3 * f3 * p3
        if MINUS:
            f4, f5, f6 = partial_minus(r, p)
            p4, p5, p6, vx, vy, vz = against(minus, f4, f5, f6, ux, uy, uz)
            by_w += f4 * p4 + f5 * p5 + f6 * p6
            by_r -= p.d4 * f4 * p4 + p.d5 * f5 * p5 + p.d6 * f6 * p6
            tx, ty, tz = tx + vx, ty + vy, tz + vz
        side = w * inverse
        along = w * by_r - by_w * s * fade * inner - side * (tx * ux + ty * uy + tz * uz)
        store(pull, start + q * sk, where(s < real(1.0), by_w * w, real(0.0)))
        gx = along * ux + side * tx
        gy = along * uy + side * ty
        gz = along * uz + side * tz
        half = real(0.5) * w * phi
        here = on_each_lane(i)
        if SHARES:
            share_evenly(f, here, j, half, dx, dy, dz, gx, gy, gz, near)
        if not SHARES:
            energy += where(near, half, real(0.0))
            fx, fy, fz, tallied = give_slope(f, here, j, dx, dy, dz, gx, gy, gz, near, factor, fx, fy, fz, tallied)
    keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_with_energy(1.0, energy, tallied)
