"""The law of models.py of grains that also stick together by JKR, roll and twist with friction.

    jkr      a the largest root of D = a^2/R - sticks sqrt(a); F_e = k a^3/R - tears a^(3/2), from D = 0 on until
             D < -grip R^(1/3), sticks = 2 sqrt(pi gamma/E), tears = 4 sqrt(pi gamma E), grip = (3 pi^2 gamma^2/(16 E^2))^(1/3)
    rescale  h *= a/a_before where a contact has become smaller
    roll     v_l = R (omega_i - omega_j) x n, q and F_r as h and F_t: k_r, g_r v_l, mu_r N; torque R n x F_r;
             q stays where no time passes
    twist    w = (omega_i - omega_j) n, s += dt w, torque M n, M = -k_w s - g_w w, cut to mu_w N; then s = -(M + g_w w)/k_w;
             marshall: k_w = k_t a^2/2, g_w = x_t c a^2/2, mu_w = 2 a mu/3

o is omega_i - omega_j. `old`: a before, 0 of grains that did not touch.
"""

from __future__ import annotations

from everlet.forces.granular.models import LEAST, damped, pushed, slid, stiffness
from everlet.forces.granular.physics import sliding, turned
from everlet.portable import both, exp, log, magnitude, most, portable, rsqrt, sqrt, where


@portable
def nearer(s, c, q):
    """A step of Newton's towards s^4 - c s = q, from above."""
    return s - (s * (s * s * s - c) - q) / most(4.0 * s * s * s - c, LEAST)


@portable
def sticking(overlap, curve, p):
    """a of jkr: s^2, s^4 - c s = D R with c = R sticks, beginning above the largest root."""
    c, q = curve * p.sticks, overlap * curve
    s = exp(log(most(c, LEAST)) / 3.0) + sqrt(sqrt(most(q, 0.0)))
    s = sqrt(sqrt(most(q, 0.0) + c * s))
    s = nearer(nearer(nearer(s, c, q), c, q), c, q)
    s = nearer(nearer(nearer(s, c, q), c, q), c, q)
    return s * s


@portable
def twisted(s, w, stiff, drag, friction, time):
    """M and s."""
    s = s + time * w
    torque = -stiff * s - drag * w
    slips = magnitude(torque) > friction
    cut = where(w > 0.0, -friction, where(w < 0.0, friction, 0.0))
    torque = where(slips, cut, torque)
    return torque, where(both(slips, stiff > 0.0), -(torque + drag * w) / where(stiff > 0.0, stiff, 1.0), s)


@portable
def contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, overlap, curve, share, m, hx, hy, hz, time, p, ox, oy, oz, qx, qy, qz,
            s, old):
    """Force (3), torque (3), h (3), q (3), s, a. share: of the overlap in the arm."""
    inverse = rsqrt(r2)
    nx, ny, nz = dx * inverse, dy * inverse, dz * inverse
    vn, ux, uy, uz = sliding(nx, ny, nz, vx, vy, vz, wx, wy, wz)
    sticky = p.sticks > 0.0
    within = where(both(sticky, old > 0.0), -p.grip * exp(log(curve) / 3.0), 0.0)
    touches = overlap > within
    plain = sqrt(most(overlap * curve, 0.0))
    a = where(sticky, sticking(most(overlap, within), curve, p), plain)
    elastic = p.k * where(p.hertz > 0.5, a, 1.0) * overlap - p.pull * curve
    elastic = where(sticky, a * (p.k * a * a / curve - p.tears * sqrt(a)), elastic)
    drag = damped(a, m, p)
    force, normal = pushed(elastic, drag * vn, curve, p)
    scale, rate = stiffness(a, p)
    less = where(both(p.rescale > 0.5, a < old), a / most(old, LEAST), 1.0)
    hx, hy, hz = less * hx, less * hy, less * hz
    fx, fy, fz, hx, hy, hz = slid(hx, hy, hz, ux, uy, uz, nx, ny, nz, scale, rate, p.xt * drag, p.mu * normal, time)
    ax, ay, az = turned(ri - share * overlap, nx, ny, nz, fx, fy, fz)
    lx, ly, lz = curve * (oy * nz - oz * ny), curve * (oz * nx - ox * nz), curve * (ox * ny - oy * nx)
    gx, gy, gz, ex, ey, ez = slid(qx, qy, qz, lx, ly, lz, nx, ny, nz, -p.kr, 1.0, p.gr, p.mur * normal, time)
    qx, qy, qz = where(time > 0.0, ex, qx), where(time > 0.0, ey, qy), where(time > 0.0, ez, qz)
    bx, by, bz = turned(-curve, nx, ny, nz, gx, gy, gz)
    marshall = p.marshall > 0.5
    half = 0.5 * a * a
    twist, s = twisted(s, ox * nx + oy * ny + oz * nz, where(marshall, half * p.kt, p.kw),
                       where(marshall, half * p.xt * drag, p.gw), where(marshall, a * p.muw, p.muw) * normal, time)
    ax, ay, az = ax + bx + twist * nx, ay + by + twist * ny, az + bz + twist * nz
    fx, fy, fz = fx + force * nx, fy + force * ny, fz + force * nz
    return (where(touches, fx, 0.0), where(touches, fy, 0.0), where(touches, fz, 0.0), where(touches, ax, 0.0),
            where(touches, ay, 0.0), where(touches, az, 0.0), where(touches, hx, 0.0), where(touches, hy, 0.0),
            where(touches, hz, 0.0), where(touches, qx, 0.0), where(touches, qy, 0.0), where(touches, qz, 0.0),
            where(touches, s, 0.0), where(touches, a, 0.0))


@portable
def granular(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p, ox, oy, oz, qx, qy, qz, s, old):
    return contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, ri + rj - sqrt(r2), ri * rj / (ri + rj), 0.5, m, hx, hy, hz,
                   time, p, ox, oy, oz, qx, qy, qz, s, old)


@portable
def granular_wall(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, rj, m, hx, hy, hz, time, p, ox, oy, oz, qx, qy, qz, s, old):
    """rj as in models.py."""
    curve = where(rj == 0.0, ri, ri * rj / where(rj == 0.0, 1.0, ri + rj))
    return contact(dx, dy, dz, r2, vx, vy, vz, wx, wy, wz, ri, ri - sqrt(r2), curve, 0.0, m, hx, hy, hz, time,
                   p, ox, oy, oz, qx, qy, qz, s, old)
