"""Laws of a contact of two grains, for one value and for lanes: force and torque on the first, and what contacts remember.

d = x_i - x_j, n = d/r, overlap = R_i + R_j - r > 0, v = v_i - v_j, w = R_i omega_i + R_j omega_j, m = m_i m_j / (m_i + m_j):

    v_n = v n      v_t = v - v_n n - w x n      F_n = P (k_n overlap - m g_n v_n)
    h += dt v_t;  h -= (h n) n                  F_t = -P (k_t h + m g_t v_t), cut to mu |F_n|; then h = -(F_t/P + m g_t v_t)/k_t

P is 1, or of Hertz sqrt(overlap R_i R_j / (R_i + R_j)). `time` is dt in a step, and 0 where no time passes.
"""

from __future__ import annotations

from everlet.portable import both, magnitude, most, portable, rsqrt, sqrt, where


@portable
def sliding(nx, ny, nz, vx, vy, vz, wx, wy, wz):
    """The relative velocity along the normal, and that of the surfaces across it."""
    vn = vx * nx + vy * ny + vz * nz
    return (vn, vx - vn * nx - (wy * nz - wz * ny), vy - vn * ny - (wz * nx - wx * nz), vz - vn * nz - (wx * ny - wy * nx))


@portable
def pushing(overlap, vn, m, strength, p):
    """The normal force; with `limit` it never pulls."""
    force = strength * (p.kn * overlap - m * p.gn * vn)
    return where(p.limit > 0.5, most(force, 0.0), force)


@portable
def turned(arm, nx, ny, nz, fx, fy, fz):
    """The torque of a force at the surface."""
    return -arm * (ny * fz - nz * fy), -arm * (nz * fx - nx * fz), -arm * (nx * fy - ny * fx)


@portable
def with_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, overlap, m, hx, hy, hz, time, strength, p):
    """Force (3), torque (3), h (3)."""
    inverse = rsqrt(r2)
    nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
    vn, tx, ty, tz = sliding(nx, ny, nz, vx, vy, vz, wx, wy, wz)
    force = pushing(overlap, vn, m, strength, p)
    hx, hy, hz = hx + time * tx, hy + time * ty, hz + time * tz
    length = sqrt(hx * hx + hy * hy + hz * hz)
    along = where(time > 0.0, hx * nx + hy * ny + hz * nz, 0.0)
    hx, hy, hz = hx - along * nx, hy - along * ny, hz - along * nz
    tx, ty, tz = m * p.gt * tx, m * p.gt * ty, m * p.gt * tz
    fx, fy, fz = -strength * (p.kt * hx + tx), -strength * (p.kt * hy + ty), -strength * (p.kt * hz + tz)
    size = sqrt(fx * fx + fy * fy + fz * fz)
    limit = p.mu * magnitude(force)
    slips = size > limit
    cut = where(slips, where(length > 0.0, limit / most(size, 1e-300), 0.0), 1.0)
    fx, fy, fz = cut * fx, cut * fy, cut * fz
    slips = both(slips, both(length > 0.0, p.kt > 0.0))
    back = -1.0 / where(p.kt > 0.0, p.kt, 1.0)
    hx = where(slips, back * (fx / strength + tx), hx)
    hy = where(slips, back * (fy / strength + ty), hy)
    hz = where(slips, back * (fz / strength + tz), hz)
    ax, ay, az = turned(ri, nx, ny, nz, fx, fy, fz)
    return force * nx + fx, force * ny + fy, force * nz + fz, ax, ay, az, hx, hy, hz


@portable
def hooke_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    overlap = ri + rj - sqrt(r2)
    return with_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, overlap, m, hx, hy, hz, time, 1.0, p)


@portable
def hertz_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    overlap = ri + rj - sqrt(r2)
    strength = sqrt(overlap * ri * rj / (ri + rj))
    return with_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, overlap, m, hx, hy, hz, time, strength, p)


@portable
def hooke_history_wall(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    """d is the way from the wall; rj its radius of curvature, 0: it is flat."""
    overlap = ri - sqrt(r2)
    return with_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, overlap, m, hx, hy, hz, time, 1.0, p)


@portable
def hertz_history_wall(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    overlap = ri - sqrt(r2)
    strength = sqrt(overlap * where(rj == 0.0, ri, ri * rj / where(rj == 0.0, 1.0, ri + rj)))
    return with_history(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, overlap, m, hx, hy, hz, time, strength, p)


@portable
def hooke_wall(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    return hooke(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, 0.0, m, hx, hy, hz, time, p)


@portable
def hooke(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p):
    """Without memory: F_t = -min(mu |F_n|, m g_t |v_t|) along v_t."""
    inverse = rsqrt(r2)
    nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
    vn, tx, ty, tz = sliding(nx, ny, nz, vx, vy, vz, wx, wy, wz)
    force = pushing(ri + rj - r2 * inverse, vn, m, 1.0, p)
    speed = sqrt(tx * tx + ty * ty + tz * tz)
    limit = p.mu * magnitude(force)
    drag = where(m * p.gt * speed > limit, limit / most(speed, 1e-300), m * p.gt)
    fx, fy, fz = -drag * tx, -drag * ty, -drag * tz
    ax, ay, az = turned(ri, nx, ny, nz, fx, fy, fz)
    return force * nx + fx, force * ny + fy, force * nz + fz, ax, ay, az, hx, hy, hz
