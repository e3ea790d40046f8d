"""The law of pair_style granular and fix wall/gran granular: force and torque on the first grain, and what contacts remember.

d = x_i - x_j, n = d/r, overlap D = R_i + R_j - r, R = R_i R_j / (R_i + R_j), contact radius a = sqrt(D R); v_n, v_t: physics.py

    F_e = k D, or k a D - pull R                F_n = F_e - c v_n, with `limit` never below 0
    c   = eta (1, m, m a), or eta sqrt(m k), eta sqrt(m k a)
    K   = k_t, or k_t a                         N = |F_n|, or |F_e + 2 pull R| of grains that attract
    h += dt v_t, after h was turned with n      F_t = -K h - x_t c v_t, cut to mu N; then h = -(F_t + x_t c v_t) / K

`forced`: h is the force -K h itself. The arm of F_t is R_i - D/2, for a wall R_i, with D = R_i - r, R = R_i if it is flat.
"""

from __future__ import annotations

from everlet.forces.granular.physics import sliding, turned
from everlet.portable import both, magnitude, most, portable, rsqrt, sqrt, where

TURNED = 1e-10  # of the friction: less of h along the normal is left there
LEAST = 1e-300


@portable
def damped(a, m, p):
    """c: force per normal velocity."""
    stiff = p.k * where(p.hertz > 0.5, a, 1.0)
    return p.eta * where(p.damping < 0.5, 1.0, where(p.damping < 1.5, m, where(p.damping < 2.5, m * a, sqrt(m * stiff))))


@portable
def rotated(hx, hy, hz, nx, ny, nz, scale, friction, time):
    """What a contact remembers, turned into the plane across the normal, as long as before."""
    along = hx * nx + hy * ny + hz * nz
    turns = both(time > 0.0, magnitude(along * scale) > TURNED * friction)
    px, py, pz = hx - along * nx, hy - along * ny, hz - along * nz
    ratio = sqrt((hx * hx + hy * hy + hz * hz) / most(px * px + py * py + pz * pz, LEAST))
    return where(turns, px * ratio, hx), where(turns, py * ratio, hy), where(turns, pz * ratio, hz)


@portable
def slid(hx, hy, hz, ux, uy, uz, nx, ny, nz, scale, rate, drag, friction, time):
    """Force (3) and h (3): the force is scale h - drag u, cut to the friction; h grows by dt rate u. scale 0: without h."""
    hx, hy, hz = rotated(hx, hy, hz, nx, ny, nz, scale, friction, time)
    step = time * rate
    hx, hy, hz = hx + step * ux, hy + step * uy, hz + step * uz
    fx, fy, fz = scale * hx - drag * ux, scale * hy - drag * uy, scale * hz - drag * uz
    size = sqrt(fx * fx + fy * fy + fz * fz)
    slips, remembers = size > friction, magnitude(scale) > 0.0
    cut = where(slips, friction / most(size, LEAST), 1.0)
    begun = hx * hx + hy * hy + hz * hz > 0.0
    cut = where(slips, where(remembers, where(begun, cut, 0.0), cut), cut)
    fx, fy, fz = cut * fx, cut * fy, cut * fz
    slips = both(slips, both(remembers, begun))
    back = 1.0 / where(remembers, scale, 1.0)
    return (fx, fy, fz, where(slips, back * (fx + drag * ux), hx), where(slips, back * (fy + drag * uy), hy),
            where(slips, back * (fz + drag * uz), hz))


@portable
def contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, overlap, curve, arm, m, hx, hy, hz, time, p):
    """Force (3), torque (3), h (3). curve: R; arm: of F_t."""
    inverse = rsqrt(r2)
    nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
    vn, ux, uy, uz = sliding(nx, ny, nz, vx, vy, vz, wx, wy, wz)
    a = sqrt(most(overlap * curve, 0.0))
    pull = p.pull * curve
    elastic = p.k * where(p.hertz > 0.5, a, 1.0) * overlap - pull
    drag = damped(a, m, p)
    force = elastic - drag * vn
    force = where(p.limit > 0.5, most(force, 0.0), force)
    friction = p.mu * magnitude(where(p.attracts > 0.5, elastic + 2.0 * pull, force))
    stiff = p.kt * where(p.scaled > 0.5, a, 1.0)
    scale, rate = where(p.forced > 0.5, 1.0, -stiff), where(p.forced > 0.5, -stiff, 1.0)
    fx, fy, fz, hx, hy, hz = slid(hx, hy, hz, ux, uy, uz, nx, ny, nz, scale, rate, p.xt * drag, friction, time)
    ax, ay, az = turned(arm, nx, ny, nz, fx, fy, fz)
    return force * nx + fx, force * ny + fy, force * nz + fz, ax, ay, az, hx, hy, hz


@portable
def granular(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    overlap = ri + rj - sqrt(r2)
    return contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, overlap, ri * rj / (ri + rj), ri - 0.5 * overlap, m, hx, hy, hz,
                   time, p)


@portable
def granular_wall(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    """d is the way from the wall; rj its radius of curvature, 0: it is flat."""
    curve = where(rj == 0.0, ri, ri * rj / where(rj == 0.0, 1.0, ri + rj))
    return contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, ri - sqrt(r2), curve, ri, m, hx, hy, hz, time, p)
