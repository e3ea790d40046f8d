"""Multipliers of constraints (cluster_loops.py): all of a cluster in registers.

Multipliers change the ends of r_a by

    ds_a = sum_b M_ab l_b r_b,      M_ab: 1/m_0 of two bonds, -1/m_1 and 1/m_2 of a bond and the angle, sums on the diagonal.

With the way that atoms would go without constraints, s_a = r_a + du_a, the multipliers are those of |s_a + ds_a|^2 = d_a^2:
exactly for two atoms, otherwise by iteration of A l = d^2 - s^2 - |ds(l)|^2, A_ab = 2 M_ab s_a.r_b.
(Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23, 327 (1977); Andersen, J. Comput. Phys. 52, 24 (1983).)
"""

from __future__ import annotations

from everlet.fixes.constraints.cluster_loops import ANGLE, FOUR, PAIR, THREE, bonds_of, push_all, pushes
from everlet.portable import Kernel, f64, i32, i64, local, magnitude, portable, put_row, sqrt

HUGE = 1e150


@portable
def atoms_of(c, member: i32[:, 4], kind: i32[:], mass: f64[:]):
    """Rows of the atoms of a cluster, and their inverse masses."""
    i0 = i64(member[c, 0])
    i1 = i64(member[c, 1])
    i2 = i64(member[c, 2])
    i3 = i64(member[c, 3])
    return i0, i1, i2, i3, 1.0 / mass[kind[i0]], 1.0 / mass[kind[i1]], 1.0 / mass[kind[i2]], 1.0 / mass[kind[i3]]


@portable
def shared_masses(form: i32, w0: f64, w1: f64, w2: f64, w3: f64):
    """M_12, M_13, M_23 and M_33; w are inverse masses."""
    m13 = 0.0
    m23 = 0.0
    m33 = 0.0
    if form == FOUR:
        m13 = w0
        m23 = w0
        m33 = w0 + w3
    if form == ANGLE:
        m13 = -w1
        m23 = w2
        m33 = w1 + w2
    return w0, m13, m23, m33


@portable
def solved(a11: f64, a12: f64, a13: f64, a21: f64, a22: f64, a23: f64, a31: f64, a32: f64, a33: f64, b1: f64, b2: f64, b3: f64):
    """The solution of three linear equations."""
    c11 = a22 * a33 - a23 * a32
    c12 = a23 * a31 - a21 * a33
    c13 = a21 * a32 - a22 * a31
    inverse = 1.0 / (a11 * c11 + a12 * c12 + a13 * c13)
    x = (c11 * b1 + (a13 * a32 - a12 * a33) * b2 + (a12 * a23 - a13 * a22) * b3) * inverse
    y = (c12 * b1 + (a11 * a33 - a13 * a31) * b2 + (a13 * a21 - a11 * a23) * b3) * inverse
    z = (c13 * b1 + (a12 * a31 - a11 * a32) * b2 + (a11 * a22 - a12 * a21) * b3) * inverse
    return x, y, z


@local
@portable
def free_way(i, v: f64[:, 3], f: f64[:, 3], kind: i32[:], mass: f64[:], dt: f64, square: f64, free: f64[:, 3]):
    """dt v + square F/m: how far atom i would go without constraints; with 1 and dt/2 how fast."""
    h = square / mass[kind[i]]
    put_row(free, i, dt * v[i, 0] + h * f[i, 0], dt * v[i, 1] + h * f[i, 1], dt * v[i, 2] + h * f[i, 2])


@portable
def way(i, v: f64[:, 3], f: f64[:, 3], h: f64, dt: f64, free: f64[:, 3]):
    """The same of an atom of a cluster; with FIELD it is known, since ghosts have neither v nor f."""
    if FIELD:
        return free[i, 0], free[i, 1], free[i, 2]
    else:
        return dt * v[i, 0] + h * f[i, 0], dt * v[i, 1] + h * f[i, 1], dt * v[i, 2] + h * f[i, 2]


@portable
def constrain(c, n: i64, shape: i32[:], member: i32[:, 4], forms: i32[:], lengths: f64[:, 3], x: f64[:, 4], v: f64[:, 3],
              f: f64[:, 3], free: f64[:, 3], kind: i32[:], mass: f64[:], box: f64[:], dt: f64, square: f64, tolerance: f64,
              turns: i64, multiplier: f64[:, 3]):
    """Forces of constraints on the atoms of cluster c, so that the next step keeps its lengths. REPAIR: atoms that do not
    move are put where lengths are right."""
    form = forms[shape[c]]
    i0, i1, i2, i3, w0, w1, w2, w3 = atoms_of(c, member, kind, mass)
    d1 = lengths[shape[c], 0]
    d2 = lengths[shape[c], 1]
    d3 = lengths[shape[c], 2]
    ax, ay, az, bx, by, bz, cx, cy, cz = bonds_of(c, form, member, x, box)
    ux = ax
    uy = ay
    uz = az
    vx = bx
    vy = by
    vz = bz
    wx = cx
    wy = cy
    wz = cz
    if not REPAIR:
        px, py, pz = way(i0, v, f, square * w0, dt, free)
        qx, qy, qz = way(i1, v, f, square * w1, dt, free)
        ux += px - qx
        uy += py - qy
        uz += pz - qz
        if form != PAIR:
            qx, qy, qz = way(i2, v, f, square * w2, dt, free)
            vx += px - qx
            vy += py - qy
            vz += pz - qz
        if form == FOUR:
            qx, qy, qz = way(i3, v, f, square * w3, dt, free)
            wx += px - qx
            wy += py - qy
            wz += pz - qz
        if form == ANGLE:
            wx = vx - ux
            wy = vy - uy
            wz = vz - uz
    l1 = 0.0
    l2 = 0.0
    l3 = 0.0
    if form == PAIR:
        m = w0 + w1
        a = m * m * (ax * ax + ay * ay + az * az)
        b = 2.0 * m * (ux * ax + uy * ay + uz * az)
        root = b * b - 4.0 * a * (ux * ux + uy * uy + uz * uz - d1)
        root = sqrt(root) if root > 0.0 else 0.0
        l1 = (root - b) / (2.0 * a)
        other = -(b + root) / (2.0 * a)
        if magnitude(other) < magnitude(l1):
            l1 = other
    else:
        m11 = w0 + w1
        m22 = w0 + w2
        m12, m13, m23, m33 = shared_masses(form, w0, w1, w2, w3)
        a11 = 2.0 * m11 * (ux * ax + uy * ay + uz * az)
        a12 = 2.0 * m12 * (ux * bx + uy * by + uz * bz)
        a13 = 2.0 * m13 * (ux * cx + uy * cy + uz * cz)
        a21 = 2.0 * m12 * (vx * ax + vy * ay + vz * az)
        a22 = 2.0 * m22 * (vx * bx + vy * by + vz * bz)
        a23 = 2.0 * m23 * (vx * cx + vy * cy + vz * cz)
        a31 = 2.0 * m13 * (wx * ax + wy * ay + wz * az)
        a32 = 2.0 * m23 * (wx * bx + wy * by + wz * bz)
        a33 = 2.0 * m33 * (wx * cx + wy * cy + wz * cz)
        if form == THREE:
            a33 = 1.0
        e1 = d1 - (ux * ux + uy * uy + uz * uz)
        e2 = d2 - (vx * vx + vy * vy + vz * vz)
        e3 = d3 - (wx * wx + wy * wy + wz * wz)
        turn = i64(0)
        done = False
        while turn < turns and not done:
            sx = m11 * l1 * ax + m12 * l2 * bx + m13 * l3 * cx
            sy = m11 * l1 * ay + m12 * l2 * by + m13 * l3 * cy
            sz = m11 * l1 * az + m12 * l2 * bz + m13 * l3 * cz
            tx = m12 * l1 * ax + m22 * l2 * bx + m23 * l3 * cx
            ty = m12 * l1 * ay + m22 * l2 * by + m23 * l3 * cy
            tz = m12 * l1 * az + m22 * l2 * bz + m23 * l3 * cz
            gx = m13 * l1 * ax + m23 * l2 * bx + m33 * l3 * cx
            gy = m13 * l1 * ay + m23 * l2 * by + m33 * l3 * cy
            gz = m13 * l1 * az + m23 * l2 * bz + m33 * l3 * cz
            k1, k2, k3 = solved(a11, a12, a13, a21, a22, a23, a31, a32, a33, e1 - (sx * sx + sy * sy + sz * sz),
                                e2 - (tx * tx + ty * ty + tz * tz), e3 - (gx * gx + gy * gy + gz * gz))
            near = magnitude(k1 - l1) <= tolerance and magnitude(k2 - l2) <= tolerance and magnitude(k3 - l3) <= tolerance
            far = magnitude(k1) > HUGE or magnitude(k2) > HUGE or magnitude(k3) > HUGE
            done = near or far
            l1 = k1
            l2 = k2
            l3 = k3
            turn += 1
    p1x, p2x, p3x = pushes(form, l1, l2, l3, ax, bx, cx)
    p1y, p2y, p3y = pushes(form, l1, l2, l3, ay, by, cy)
    p1z, p2z, p3z = pushes(form, l1, l2, l3, az, bz, cz)
    if REPAIR:
        push_all(form, n, f, x, i0, i1, i2, i3, w0, w1, w2, w3, p1x, p1y, p1z, p2x, p2y, p2z, p3x, p3y, p3z)
    else:
        h = 1.0 / square
        push_all(form, n, f, x, i0, i1, i2, i3, h, h, h, h, p1x, p1y, p1z, p2x, p2y, p2z, p3x, p3y, p3z)
        put_row(multiplier, c, l1 * h, l2 * h, l3 * h)


@portable
def project(c, n: i64, shape: i32[:], member: i32[:, 4], forms: i32[:], x: f64[:, 4], v: f64[:, 3], f: f64[:, 3],
            free: f64[:, 3], kind: i32[:], mass: f64[:], box: f64[:], half: f64):
    """Velocities without parts along constraints, after the kick half F/m that is yet to come: g are their differences, and
    r_a.(g_a + sum M_ab l_b r_b) = 0."""
    form = forms[shape[c]]
    i0, i1, i2, i3, w0, w1, w2, w3 = atoms_of(c, member, kind, mass)
    ax, ay, az, bx, by, bz, cx, cy, cz = bonds_of(c, form, member, x, box)
    px, py, pz = way(i0, v, f, half * w0, 1.0, free)
    ux, uy, uz = way(i1, v, f, half * w1, 1.0, free)
    vx, vy, vz = way(i2, v, f, half * w2, 1.0, free)
    wx, wy, wz = way(i3, v, f, half * w3, 1.0, free)
    if form == ANGLE:
        wx = px - (ux - vx)
        wy = py - (uy - vy)
        wz = pz - (uz - vz)
    m12, m13, m23, m33 = shared_masses(form, w0, w1, w2, w3)
    ab = m12 * (ax * bx + ay * by + az * bz)
    ac = m13 * (ax * cx + ay * cy + az * cz)
    bc = m23 * (bx * cx + by * cy + bz * cz)
    aa = (w0 + w1) * (ax * ax + ay * ay + az * az)
    bb = (w0 + w2) * (bx * bx + by * by + bz * bz)
    cc = m33 * (cx * cx + cy * cy + cz * cz)
    if form == PAIR:
        bb = 1.0
    if form == PAIR or form == THREE:
        cc = 1.0
    l1, l2, l3 = solved(aa, ab, ac, ab, bb, bc, ac, bc, cc, -(ax * (px - ux) + ay * (py - uy) + az * (pz - uz)),
                        -(bx * (px - vx) + by * (py - vy) + bz * (pz - vz)),
                        -(cx * (px - wx) + cy * (py - wy) + cz * (pz - wz)))
    p1x, p2x, p3x = pushes(form, l1, l2, l3, ax, bx, cx)
    p1y, p2y, p3y = pushes(form, l1, l2, l3, ay, by, cy)
    p1z, p2z, p3z = pushes(form, l1, l2, l3, az, bz, cz)
    push_all(form, n, v, x, i0, i1, i2, i3, w0, w1, w2, w3, p1x, p1y, p1z, p2x, p2y, p2z, p3x, p3y, p3z)


FREE = Kernel(free_way)
MEND = Kernel(constrain, statics=(("REPAIR", 1), ("FIELD", 0)))


def solvers(several: bool) -> tuple[Kernel, Kernel]:
    """Kernels of positions and of velocities, on one rank or on several ones."""
    return (Kernel(constrain, statics=(("REPAIR", 0), ("FIELD", int(several)))),
            Kernel(project, statics=(("REPAIR", 0), ("FIELD", int(several)))))
