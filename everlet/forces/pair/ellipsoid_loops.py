"""Pairs of ellipsoids: Gay and Berne's potential, and oriented particles (both in styles/gayberne.py).

Symmetric matrices are six numbers, xx yy zz xy xz yz.
"""

from __future__ import annotations

from everlet.forces.pair.own_loops import empty_row, end_row, end_torque, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, no_force, sum_tally
from everlet.portable import cos, exp, f64, i32, i64, log, portable, real, sin, sqrt
from everlet.state.rotations import axes_of

NUMBERS = 7  # of each type: squared half axes, wells, and (a b + c^2) sqrt(a b)


@portable
def in_space(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64, cx: f64, cy: f64, cz: f64, u: f64, v: f64, w: f64):
    """sum of u a a, v b b and w c c, for three axes."""
    return (u * ax * ax + v * bx * bx + w * cx * cx, u * ay * ay + v * by * by + w * cy * cy,
            u * az * az + v * bz * bz + w * cz * cz, u * ax * ay + v * bx * by + w * cx * cy,
            u * ax * az + v * bx * bz + w * cx * cz, u * ay * az + v * by * bz + w * cy * cz)


@portable
def frame(i: i64, quat: f64[:, 4]):
    """The three axes of an atom, one after the other; points have those of space."""
    ax = 1.0
    ay = 0.0
    az = 0.0
    bx = 0.0
    by = 1.0
    bz = 0.0
    cx = 0.0
    cy = 0.0
    cz = 1.0
    if quat[i, 0] != 0.0 or quat[i, 1] != 0.0 or quat[i, 2] != 0.0 or quat[i, 3] != 0.0:
        ax, ay, az, bx, by, bz, cx, cy, cz = axes_of(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3])
    return ax, ay, az, bx, by, bz, cx, cy, cz


@portable
def matrices(i: i64, t: i64, quat: f64[:, 4], kinds: f64[:]):
    """Squared half axes and wells of an atom of type t, in space."""
    s0 = kinds[NUMBERS * t]
    s1 = kinds[NUMBERS * t + 1]
    s2 = kinds[NUMBERS * t + 2]
    w0 = kinds[NUMBERS * t + 3]
    w1 = kinds[NUMBERS * t + 4]
    w2 = kinds[NUMBERS * t + 5]
    ax, ay, az, bx, by, bz, cx, cy, cz = frame(i, quat)
    gxx, gyy, gzz, gxy, gxz, gyz = in_space(ax, ay, az, bx, by, bz, cx, cy, cz, s0, s1, s2)
    hxx, hyy, hzz, hxy, hxz, hyz = in_space(ax, ay, az, bx, by, bz, cx, cy, cz, w0, w1, w2)
    return gxx, gyy, gzz, gxy, gxz, gyz, hxx, hyy, hzz, hxy, hxz, hyz


@portable
def inverted(xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64):
    """The inverse, and the determinant."""
    a = yy * zz - yz * yz
    b = xz * yz - xy * zz
    c = xy * yz - xz * yy
    det = xx * a + xy * b + xz * c
    k = 1.0 / det
    return k * a, k * (xx * zz - xz * xz), k * (xx * yy - xy * xy), k * b, k * c, k * (xy * xz - xx * yz), det


@portable
def times(xx: f64, yy: f64, zz: f64, xy: f64, xz: f64, yz: f64, x: f64, y: f64, z: f64):
    return xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z


@portable
def cross(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64):
    return ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx


@portable
def spheres(epsilon, sigma, r2):
    """The energy of two spheres, 4 eps [(sigma/r)^12 - (sigma/r)^6], and their force over the distance."""
    s6 = sigma * sigma / r2
    s6 = s6 * s6 * s6
    return 4.0 * epsilon * s6 * (s6 - 1.0), 24.0 * epsilon * s6 * (2.0 * s6 - 1.0) / r2


@portable
def gayberne_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                  kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], quat: f64[:, 4],
                  torque: f64[:, 3], each: f64[:], gamma: f64, upsilon: f64, mu: f64):
    """Force and torque on atom i.

    G, B: sums of both; k = G^-1 r, o = B^-1 r; phi = r.k/(2 r^2), h = r - phi^-1/2 + gamma sigma, chi = (2 r.o/r^2)^mu,
    eta = (2 l_i l_j/det G)^(upsilon/2); U = 4 eps [(sigma/h)^12 - (sigma/h)^6] eta chi.
    """
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    ti = i64(kind[i])
    pxx, pyy, pzz, pxy, pxz, pyz, qxx, qyy, qzz, qxy, qxz, qyz = matrices(i, ti, quat, each)
    fx, fy, fz, tallied = empty_row()
    tx, ty, tz = no_force(0.0)
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
        tj = i64(kind[j])
        p = record(table, (row + tj) * NP)
        if r2 < p.cut2:
            r = sqrt(r2)
            gx, gy, gz = no_force(0.0)
            u = 0.0
            if p.round > 0.0:
                u, push = spheres(p.epsilon, p.sigma, r2)
                gx, gy, gz = push * dx, push * dy, push * dz
            else:
                axx, ayy, azz, axy, axz, ayz, bxx, byy, bzz, bxy, bxz, byz = matrices(j, tj, quat, each)
                vxx, vyy, vzz, vxy, vxz, vyz, det = inverted(pxx + axx, pyy + ayy, pzz + azz, pxy + axy, pxz + axz, pyz + ayz)
                kx, ky, kz = times(vxx, vyy, vzz, vxy, vxz, vyz, dx, dy, dz)
                wxx, wyy, wzz, wxy, wxz, wyz, wells = inverted(qxx + bxx, qyy + byy, qzz + bzz, qxy + bxy, qxz + bxz, qyz + byz)
                ox, oy, oz = times(wxx, wyy, wzz, wxy, wxz, wyz, dx, dy, dz)
                rk = kx * dx + ky * dy + kz * dz
                ro = ox * dx + oy * dy + oz * dz
                phi = 0.5 * rk / r2
                root = 1.0 / sqrt(phi)
                h = r - root + gamma * p.sigma
                s = p.sigma / h
                s6 = s * s * s
                s6 = s6 * s6
                plain = 4.0 * p.epsilon * s6 * (s6 - 1.0)
                slope = -24.0 * p.epsilon * s6 * (2.0 * s6 - 1.0) / h
                part = 2.0 * ro / r2
                chi = exp(mu * log(part))
                dchi = mu * chi / part
                eta = exp(0.5 * upsilon * log(2.0 * each[NUMBERS * ti + 6] * each[NUMBERS * tj + 6] / det))
                u = plain * eta * chi
                half = 0.5 * root / phi / r2  # dh = half (k - r rk/r^2) dr
                a = eta * chi * slope
                b = 4.0 * eta * plain * dchi / r2
                along = a * (1.0 / r - half * rk / r2) - b * ro / r2
                gx = -(along * dx + a * half * kx + b * ox)
                gy = -(along * dy + a * half * ky + b * oy)
                gz = -(along * dz + a * half * kz + b * oz)
                lx, ly, lz = times(pxx, pyy, pzz, pxy, pxz, pyz, kx, ky, kz)
                cx, cy, cz = cross(lx, ly, lz, kx, ky, kz)
                lx, ly, lz = times(qxx, qyy, qzz, qxy, qxz, qyz, ox, oy, oz)
                nx, ny, nz = cross(lx, ly, lz, ox, oy, oz)
                d = upsilon * u
                tx += a * half * cx + b * nx + d * (pxy * vxz + pyy * vyz + pyz * vzz - pxz * vxy - pyz * vyy - pzz * vyz)
                ty += a * half * cy + b * ny + d * (pxz * vxx + pyz * vxy + pzz * vxz - pxx * vxz - pxy * vyz - pxz * vzz)
                tz += a * half * cz + b * nz + d * (pxx * vxy + pxy * vyy + pxz * vyz - pxy * vxx - pyy * vxy - pyz * vxz)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, u - p.offset, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, tx, ty, tz, torque)
    if EV:
        return sum_tally(0.5, tallied)


@portable
def ylz_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
             kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], quat: f64[:, 4],
             torque: f64[:, 3]):
    """Force and torque on atom i; n is the direction from i to j."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    ax, ay, az, _, _, _, _, _, _ = axes_of(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3])
    fx, fy, fz, tallied = empty_row()
    tx, ty, tz = no_force(0.0)
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
        p = record(table, (row + i64(kind[j])) * NP)
        if r2 < p.cut2:
            r = sqrt(r2)
            nx, ny, nz = -dx / r, -dy / r, -dz / r
            bx, by, bz, _, _, _, _, _, _ = axes_of(quat[j, 0], quat[j, 1], quat[j, 2], quat[j, 3])
            left = p.beta - (ax * nx + ay * ny + az * nz)
            right = p.beta + (bx * nx + by * ny + bz * nz)
            phi = 1.0 + p.mu * (ax * bx + ay * by + az * bz + left * right - 2.0 * p.beta * p.beta - 1.0)
            u = 0.0
            slope = 0.0
            weight = -p.epsilon  # of phi in the energy
            if r < p.lowest:
                t2 = p.lowest * p.lowest / r2
                u = p.epsilon * (t2 * t2 - 2.0 * t2 + 1.0 - phi)
                slope = -4.0 * p.epsilon * t2 * (t2 - 1.0) / r
            else:
                q = 1.5707963267948966 / (p.reach - p.lowest)
                angle = q * (r - p.lowest)
                c = cos(angle)
                weight = -p.epsilon * exp(2.0 * p.zeta * log(c))
                u = weight * phi
                slope = -2.0 * p.zeta * q * sin(angle) / c * u
            g = weight * p.mu / r
            ux = bx * left - ax * right
            uy = by * left - ay * right
            uz = bz * left - az * right
            un = ux * nx + uy * ny + uz * nz
            gx = (slope - g * un) * nx + g * ux
            gy = (slope - g * un) * ny + g * uy
            gz = (slope - g * un) * nz + g * uz
            ux = bx - nx * right
            uy = by - ny * right
            uz = bz - nz * right
            tx -= weight * p.mu * (ay * uz - az * uy)
            ty -= weight * p.mu * (az * ux - ax * uz)
            tz -= weight * p.mu * (ax * uy - ay * ux)
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, u - p.offset, r * nx, r * ny, r * nz, -gx, -gy, -gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, tx, ty, tz, torque)
    if EV:
        return sum_tally(0.5, tallied)
