"""Van der Waals and Coulomb energies of all pairs within the taper, each pair once."""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import give, keep_force, on_each_lane
from everlet.forces.manybody.reaxff.places import HIGH, LOW, SOFT, VDW1
from everlet.forces.manybody.reaxff.softness import EV_TO_KCAL, softness
from everlet.forces.pair.rows import position
from everlet.forces.pair.tally import add_tally, no_force, no_tally, sum_tally
from everlet.portable import both, exp, f64, i32, i64, log, octave_row, portable, scatter, sqrt, where

COULOMB = 332.06371  # kcal/mol of two charges 1 at 1 Angstrom


@portable
def taper(r, low, high):
    """From 1 at `low` to 0 at `high`, with three smooth slopes at both ends; and its slope."""
    width = 1.0 / (high - low)
    x = (r - low) * width
    x3 = x * x * x
    rest = 1.0 - x
    return 1.0 + x3 * x * (-35.0 + x * (84.0 + x * (-70.0 + 20.0 * x))), -140.0 * width * x3 * rest * rest * rest


@portable
def by_formula(r2, charges, power, low, high, p):
    """dE/dr, energies of van der Waals and of Coulomb; charges: the product of both, in units of energy and length."""
    r = sqrt(r2)
    tap, tap_slope = taper(r, low, high)
    inverse = 1.0 / r
    if SHIELDED:
        grown = exp(0.5 * power * log(r2))
        shielded = grown + p.shield
        f13 = exp(log(shielded) / power)
        f13_slope = f13 / shielded * grown * inverse
    if not SHIELDED:
        f13 = r
        f13_slope = r * inverse
    half = exp(0.5 * p.alpha * (1.0 - f13 * p.inverse_size))
    e = p.D * half * (half - 2.0)
    slope = -p.D * p.alpha * p.inverse_size * half * (half - 1.0) * f13_slope
    if WALL:
        wall = p.e_core * exp(p.a_core * (1.0 - r * p.inverse_core))
        e += wall
        slope -= wall * p.a_core * p.inverse_core
    if LG:
        six = r2 * r2 * r2
        lg = 1.0 / (six + p.r6_lg)
        e -= p.c_lg * lg
        slope += 6.0 * p.c_lg * lg * lg * six * inverse
    cube = r2 * r + p.gamma3
    coulomb = charges * exp(log(cube) * (-1.0 / 3.0))
    return (tap * (slope - coulomb * r2 / cube) + tap_slope * (e + coulomb)) * inverse, tap * e, tap * coulomb


@portable
def nonbonded_loop(i, x: f64[:, 4], kind: i32[:], charge: f64[:], starts: i32[:], visit: i32[:], table: f64[:], kinds: i64,
                   g: f64[:], octaves: f64[:], potential: f64[:], f: scatter[f64[:, 3]]):
    """The pairs that atom i has the visit of, by type of the other. Returns energies of van der Waals and of Coulomb, and the
    virial. SHARES: as in angle_loops.py, one half for each atom. LOOKUP: slopes are looked up in tables (octaves.py).
    POTENTIALS: bonds have the energy -X (u_i - u_j)^2 / 2 of potentials of atoms, which counts as Coulomb's (fix acks2/reaxff).
    """
    xi, yi, zi = position(i, x)
    strength = COULOMB * charge[i]
    fx, fy, fz = no_force(lanes(0.0))
    if EV:
        e_coulomb = lanes(0.0)
        tallied = no_tally(lanes(0.0))
    for other in range(1, kinds):
        begin = i64(starts[i * kinds + other])
        m = i64(starts[i * kinds + other + 1]) - begin
        p = record(table, (i64(kind[i]) * kinds + other) * NP)
        for q in lane_range(m):
            here = live(q, m)
            j = where(here, load(visit, begin + q), i32(0))
            xj, yj, zj = gather3(x, j, True)
            dx = xi - xj
            dy = yi - yj
            dz = zi - zj
            r2 = fma(dx, dx, fma(dy, dy, dz * dz))
            near = both(here, r2 <= p.cut2)
            charges = strength * gather(charge, j, True)
            if any_lane(near):
                r2 = where(near, r2, 1.0)
                if LOOKUP:
                    t, a0, a1, a2, a3, a4, a5 = octave_row(octaves, p.slopes, r2)
                    _, b0, b1, b2, b3, b4, b5 = octave_row(octaves, p.coulombs, r2)
                    k = ((((a5 * t + a4) * t + a3) * t + a2) * t + a1) * t + a0
                    k += charges * (((((b5 * t + b4) * t + b3) * t + b2) * t + b1) * t + b0)
                if not LOOKUP:
                    k, e, ec = by_formula(r2, charges, g[VDW1], g[LOW], g[HIGH], p)
                if POTENTIALS:
                    r = sqrt(r2)
                    passes, passes_slope = softness(r * p.inverse_soft)
                    step = potential[i] - gather(potential, j, True)
                    pull = -0.5 * EV_TO_KCAL * g[SOFT] * step * step
                    k += pull * passes_slope * p.inverse_soft / r
                    if not LOOKUP:
                        ec += pull * passes
                k = where(near, -k, 0.0)
                gx = k * dx
                gy = k * dy
                gz = k * dz
                fx, fy, fz = fx + gx, fy + gy, fz + gz
                if not SHARES:
                    subtract3(f, j, gx, gy, gz, near)
                if SHARES:
                    own = on_each_lane(i)
                    half = -0.5 * (e + ec)
                    vx = -0.5 * k * dx
                    vy = -0.5 * k * dy
                    give(f, own, half, vx * dx, vy * dy, -0.5 * k * dz * dz, vx * dy, vx * dz, vy * dz, near)
                    give(f, j, half, vx * dx, vy * dy, -0.5 * k * dz * dz, vx * dy, vx * dz, vy * dz, near)
                if EV:
                    tallied = add_tally(tallied, where(near, e, 0.0), gx, gy, gz, dx, dy, dz)
                    e_coulomb += where(near, ec, 0.0)
    keep_force(f, i, fx, fy, fz)
    if EV:
        energy, xx, yy, zz, xy, xz, yz = sum_tally(1.0, tallied)
        return energy, f64(lane_sum(e_coulomb)), xx, yy, zz, xy, xz, yz
