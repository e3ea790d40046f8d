"""Pairs of ellipsoids made of small particles (styles/resquared.py): the RE-squared potential and its slopes.

U = U_A + U_R, each c (sigma/h)^n [1 + o X sigma/h] P(h), P: product of a/(a + h/p) over half axes a; X is eta chi. A sphere is
the limit of an ellipsoid that shrinks: n is 3 more, X is chi, P that of the ellipsoid alone. Matrices are xx yy zz xy xz yz.
"""

from __future__ import annotations

from everlet.forces.pair.ellipsoid_loops import cross, frame, in_space, inverted, spheres, times
from everlet.forces.pair.own_loops import empty_row, end_row, end_torque, neighbor_at
from everlet.forces.pair.rows import whole_row
from everlet.forces.pair.tally import add_tally, no_force, sum_tally
from everlet.portable import f64, i32, i64, portable, real, sqrt
from everlet.state.rotations import axes_of

NUMBERS = 6  # of each type: half axes, 0 of spheres, and wells
O_A, P_A, O_R, P_R = 3.0, 0.5, 45.0 / 56.0, 60.0 ** (-1.0 / 3.0)  # weights of X; 1/p
C_A, C_R, LONE_A, LONE_R = -1.0 / 36.0, 1.0 / 2025.0, -0.05305164769729845, 0.0070735530263064595  # 1/(6 pi), 1/(45 pi)


@portable
def filling(t: i64, kinds: f64[:], q: f64):
    """Product of a/(a + q) over half axes of a type, and its slope by q over itself."""
    a = kinds[NUMBERS * t]
    b = kinds[NUMBERS * t + 1]
    c = kinds[NUMBERS * t + 2]
    return a * b * c / ((a + q) * (b + q) * (c + q)), -(1.0 / (a + q) + 1.0 / (b + q) + 1.0 / (c + q))


@portable
def share(c: f64, slope: f64, o: f64, much: f64, sigma: f64, h: f64):
    """c (1 + o X sigma/h), with its slopes by h and by X; `slope` is that of c over c, `much` is X."""
    s = o * sigma / h
    return c * (1.0 + much * s), c * (slope * (1.0 + much * s) - much * s / h), c * s


@portable
def shares(a_A: f64, slope_A: f64, a_R: f64, slope_R: f64, much: f64, sigma: f64, h: f64):
    """Attraction and repulsion together: energy, and its slopes by h and by X."""
    uA, dA, xA = share(a_A, slope_A, O_A, much, sigma, h)
    uR, dR, xR = share(a_R, slope_R, O_R, much, sigma, h)
    return uA + uR, dA + dR, xA + xR


@portable
def wells_of(i: i64, t: i64, quat: f64[:, 4], kinds: f64[:]):
    """Wells of an atom of type t in space; 1 of spheres, which have no frame."""
    xx, yy, zz = 1.0, 1.0, 1.0
    xy, xz, yz = 0.0, 0.0, 0.0
    if kinds[NUMBERS * t] > 0.0:
        ax, ay, az, bx, by, bz, cx, cy, cz = axes_of(quat[i, 0], quat[i, 1], quat[i, 2], quat[i, 3])
        xx, yy, zz, xy, xz, yz = in_space(ax, ay, az, bx, by, bz, cx, cy, cz, kinds[NUMBERS * t + 3], kinds[NUMBERS * t + 4],
                                          kinds[NUMBERS * t + 5])
    return xx, yy, zz, xy, xz, yz


@portable
def powers_of_axes(i: i64, t: i64, quat: f64[:, 4], kinds: f64[:], more: f64, power: i64):
    """Half axes and `more`, squared, or with power -1 one over that, in space."""
    a = kinds[NUMBERS * t] + more
    b = kinds[NUMBERS * t + 1] + more
    c = kinds[NUMBERS * t + 2] + more
    a, b, c = a * a, b * b, c * c
    if power < 0:
        a, b, c = 1.0 / a, 1.0 / b, 1.0 / c
    ax, ay, az, bx, by, bz, cx, cy, cz = frame(i, quat)
    return in_space(ax, ay, az, bx, by, bz, cx, cy, cz, a, b, c)


@portable
def pair_of_two(i: i64, j: i64, ti: i64, tj: i64, quat: f64[:, 4], kinds: f64[:], hamaker: f64, sigma: f64, dx: f64, dy: f64,
                dz: f64, r2: f64, ro: f64):
    """Two ellipsoids. Energy, its slope by chi, force and torque on i but for those by chi; ro: (x_i - x_j).B^-1.(x_i - x_j).

    G, H: sums of squared axes of both, and of these over s, s = (n.S^-2.n)^-1/2; h = r - phi^-1/2, phi = n.G^-1.n/2;
    eta = (D_i/s_i^2 + D_j/s_j^2) [(s_i + s_j)/det H]^1/2, D: a b c.
    """
    pxx, pyy, pzz, pxy, pxz, pyz = powers_of_axes(i, ti, quat, kinds, 0.0, 1)
    axx, ayy, azz, axy, axz, ayz = powers_of_axes(j, tj, quat, kinds, 0.0, 1)
    vxx, vyy, vzz, vxy, vxz, vyz, _ = inverted(pxx + axx, pyy + ayy, pzz + azz, pxy + axy, pxz + axz, pyz + ayz)
    kx, ky, kz = times(vxx, vyy, vzz, vxy, vxz, vyz, dx, dy, dz)
    rk = kx * dx + ky * dy + kz * dz
    qxx, qyy, qzz, qxy, qxz, qyz = powers_of_axes(i, ti, quat, kinds, 0.0, -1)
    lx, ly, lz = times(qxx, qyy, qzz, qxy, qxz, qyz, dx, dy, dz)
    qxx, qyy, qzz, qxy, qxz, qyz = powers_of_axes(j, tj, quat, kinds, 0.0, -1)
    mx, my, mz = times(qxx, qyy, qzz, qxy, qxz, qyz, dx, dy, dz)
    s1 = sqrt(r2 / (lx * dx + ly * dy + lz * dz))
    s2 = sqrt(r2 / (mx * dx + my * dy + mz * dz))
    u1 = 1.0 / s1
    u2 = 1.0 / s2
    wxx, wyy, wzz, wxy, wxz, wyz, det = inverted(u1 * pxx + u2 * axx, u1 * pyy + u2 * ayy, u1 * pzz + u2 * azz,
                                                 u1 * pxy + u2 * axy, u1 * pxz + u2 * axz, u1 * pyz + u2 * ayz)
    d1 = kinds[NUMBERS * ti] * kinds[NUMBERS * ti + 1] * kinds[NUMBERS * ti + 2] * u1 * u1
    d2 = kinds[NUMBERS * tj] * kinds[NUMBERS * tj + 1] * kinds[NUMBERS * tj + 2] * u2 * u2
    eta = (d1 + d2) * sqrt((s1 + s2) / det)
    chi = 2.0 * ro / r2
    r = sqrt(r2)
    phi = 0.5 * rk / r2
    root = 1.0 / sqrt(phi)
    h = r - root
    f1, g1 = filling(ti, kinds, h * P_A)
    f2, g2 = filling(tj, kinds, h * P_A)
    e1, b1 = filling(ti, kinds, h * P_R)
    e2, b2 = filling(tj, kinds, h * P_R)
    s = sigma / h
    s3 = s * s * s
    u, by_h, by_x = shares(C_A * hamaker * f1 * f2, P_A * (g1 + g2), C_R * hamaker * s3 * s3 * e1 * e2,
                           P_R * (b1 + b2) - 6.0 / h, eta * chi, sigma, h)
    half = 0.5 * root / phi / r2  # dh = half (k - r rk/r^2) dr
    along = by_h * (1.0 / r - half * rk / r2)
    by_eta = by_x * eta * chi  # slope by ln eta
    t1 = wxx * pxx + wyy * pyy + wzz * pzz + 2.0 * (wxy * pxy + wxz * pxz + wyz * pyz)
    t2 = wxx * axx + wyy * ayy + wzz * azz + 2.0 * (wxy * axy + wxz * axz + wyz * ayz)
    c1 = by_eta * (0.5 * (1.0 / (s1 + s2) + t1 * u1 * u1) - 2.0 * d1 * u1 / (d1 + d2)) * s1 / r2  # slopes by s, times s/r^2
    c2 = by_eta * (0.5 * (1.0 / (s1 + s2) + t2 * u2 * u2) - 2.0 * d2 * u2 / (d1 + d2)) * s2 / r2
    gx = c1 * (s1 * s1 * lx - dx) + c2 * (s2 * s2 * mx - dx) - along * dx - by_h * half * kx
    gy = c1 * (s1 * s1 * ly - dy) + c2 * (s2 * s2 * my - dy) - along * dy - by_h * half * ky
    gz = c1 * (s1 * s1 * lz - dz) + c2 * (s2 * s2 * mz - dz) - along * dz - by_h * half * kz
    nx, ny, nz = times(pxx, pyy, pzz, pxy, pxz, pyz, kx, ky, kz)
    nx, ny, nz = cross(nx, ny, nz, kx, ky, kz)
    ox, oy, oz = cross(lx, ly, lz, dx, dy, dz)
    a = by_h * half
    b = c1 * s1 * s1
    c = by_eta * u1
    tx = a * nx + b * ox + c * (pxy * wxz + pyy * wyz + pyz * wzz - pxz * wxy - pyz * wyy - pzz * wyz)
    ty = a * ny + b * oy + c * (pxz * wxx + pyz * wxy + pzz * wxz - pxx * wxz - pxy * wyz - pxz * wzz)
    tz = a * nz + b * oz + c * (pxx * wxy + pxy * wyy + pxz * wyz - pxy * wxx - pyy * wxy - pyz * wxz)
    return u, by_x * eta, gx, gy, gz, tx, ty, tz


@portable
def pair_with_sphere(i: i64, t: i64, mine: f64, quat: f64[:, 4], kinds: f64[:], hamaker: f64, sigma: f64, dx: f64, dy: f64,
                     dz: f64, r2: f64, ro: f64):
    """An ellipsoid, atom i of type t, and a sphere, in the same way; h = r - (n.(S + sigma/2)^-2.n)^-1/2. `mine`: 1 where the
    torque is wanted."""
    vxx, vyy, vzz, vxy, vxz, vyz = powers_of_axes(i, t, quat, kinds, 0.5 * sigma, -1)
    kx, ky, kz = times(vxx, vyy, vzz, vxy, vxz, vyz, dx, dy, dz)
    phi = (kx * dx + ky * dy + kz * dz) / r2
    r = sqrt(r2)
    root = 1.0 / sqrt(phi)
    h = r - root
    f1, g1 = filling(t, kinds, h * P_A)
    e1, b1 = filling(t, kinds, h * P_R)
    s = sigma / h
    s3 = s * s * s
    u, by_h, by_x = shares(LONE_A * hamaker * s3 * f1, P_A * g1 - 3.0 / h, LONE_R * hamaker * s3 * s3 * s3 * e1,
                           P_R * b1 - 9.0 / h, 2.0 * ro / r2, sigma, h)
    half = by_h * root / phi / r2
    along = by_h / r - half * phi
    ox, oy, oz = cross(kx, ky, kz, dx, dy, dz)
    return (u, by_x, -along * dx - half * kx, -along * dy - half * ky, -along * dz - half * kz, -mine * half * ox,
            -mine * half * oy, -mine * half * oz)


@portable
def resquared_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, table: real[:],
                   kinds: i64, order: i32[:], f: f64[:, 3], factor: f64, energy: f64[:], virial: f64[:, 6], quat: f64[:, 4],
                   torque: f64[:, 3], each: f64[:]):
    """Force and torque on atom i; chi = 2 n.B^-1.n, B: sum of wells of both."""
    i, m, base, row = whole_row(i, order, count, first, si, kind, kinds)
    ti = i64(kind[i])
    long_i = each[NUMBERS * ti] > 0.0
    qxx, qyy, qzz, qxy, qxz, qyz = wells_of(i, ti, quat, each)
    fx, fy, fz, tallied = empty_row()
    tx, ty, tz = no_force(0.0)
    for k in lane_range(m):
        j, dx, dy, dz, r2 = neighbor_at(base + k * sk, i, neigh, x)
        tj = i64(kind[j])
        p = record(table, (row + tj) * NP)
        if r2 < p.cut2:
            gx, gy, gz = no_force(0.0)
            u = 0.0
            if p.round > 0.0:
                u, push = spheres(p.epsilon, p.sigma, r2)
                gx, gy, gz = push * dx, push * dy, push * dz
            else:
                bxx, byy, bzz, bxy, bxz, byz = wells_of(j, tj, quat, each)
                wxx, wyy, wzz, wxy, wxz, wyz, _ = inverted(qxx + bxx, qyy + byy, qzz + bzz, qxy + bxy, qxz + bxz, qyz + byz)
                ox, oy, oz = times(wxx, wyy, wzz, wxy, wxz, wyz, dx, dy, dz)
                ro = ox * dx + oy * dy + oz * dz
                slope = 0.0
                ux, uy, uz = no_force(0.0)
                if long_i and each[NUMBERS * tj] > 0.0:
                    u, slope, gx, gy, gz, ux, uy, uz = pair_of_two(i, j, ti, tj, quat, each, p.epsilon, p.sigma, dx, dy, dz, r2,
                                                                   ro)
                elif long_i:
                    u, slope, gx, gy, gz, ux, uy, uz = pair_with_sphere(i, ti, 1.0, quat, each, p.epsilon, p.sigma, dx, dy, dz,
                                                                        r2, ro)
                else:
                    u, slope, gx, gy, gz, ux, uy, uz = pair_with_sphere(j, tj, 0.0, quat, each, p.epsilon, p.sigma, dx, dy, dz,
                                                                        r2, ro)
                b = 4.0 * slope / r2
                gx -= b * (ox - ro / r2 * dx)
                gy -= b * (oy - ro / r2 * dy)
                gz -= b * (oz - ro / r2 * dz)
                lx, ly, lz = times(qxx, qyy, qzz, qxy, qxz, qyz, ox, oy, oz)
                nx, ny, nz = cross(lx, ly, lz, ox, oy, oz)
                tx += ux + b * nx
                ty += uy + b * ny
                tz += uz + b * nz
            fx, fy, fz = fx + gx, fy + gy, fz + gz
            if EV or PERATOM:
                tallied = add_tally(tallied, u - p.offset, dx, dy, dz, gx, gy, gz)
    end_row(i, fx, fy, fz, f, tallied, factor, energy, virial)
    end_torque(i, tx, ty, tz, torque)
    if EV:
        return sum_tally(0.5, tallied)
