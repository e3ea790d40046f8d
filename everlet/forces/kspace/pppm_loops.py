"""Loops of PPPM: charges to mesh, the potential in Fourier space, mesh to forces.

Fractions of the box are multiplied by the mesh size: t. A charge goes to P points along each axis (stencil.py). Loops over
atoms use a brick: the mesh with P + 1 more points along each axis, so that no stencil goes around; rows along z have room
for whole steps of lanes. A lane is a point along z. `fold` adds the borders of the brick up, `fill` makes them.

In Fourier space a half of the vectors is there, nz // 2 + 1 along z. The whole numbers of a vector are signed, and -n/2 if they
are half of an even mesh size (the edge); the mirror image of an edge is the edge itself, so that fields along it need care:

    field of n: -i (n_d G(n) - n'_d G(n')) / 2 S        n' = -n, but n itself where it is an edge

Statics: P order; ODD; IK or slopes; EV; TILTED: G(n) and G(n') may differ.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.kspace.ewald_loops import TWO_PI, vector
from everlet.portable import exp, f64, floor, i64, portable, scatter, sin

PI = 3.141592653589793


@portable
def fractions(i: i64, x: f64[:, 4], box: f64[:], slab: f64):
    """Where atom i is, in parts of the box from 0 to 1."""
    dx = x[i, 0] - box[0]
    dy = x[i, 1] - box[1]
    dz = x[i, 2] - box[2]
    sx = dx * box[9] + dy * box[14] + dz * box[13]
    sy = dy * box[10] + dz * box[12]
    sz = dz * box[11] / slab
    return sx - floor(sx), sy - floor(sy), sz - floor(sz)


@portable
def nearest_point(t: f64):
    """The point c of a stencil, and the distance d from it (stencil.py)."""
    if ODD:
        c = floor(t + 0.5)
        d = c - t
    else:
        c = floor(t)
        d = c + 0.5 - t
    return i64(c), d


@portable
def stencil(d: f64, first: i64, coef: f64[:]):
    """The weights of all points along an axis."""
    for j in unroll(P):
        w[j] = coef[(first + P - 1) * PITCH + j]
        for power in unroll(P - 1):
            w[j] = w[j] * d + coef[(first + P - 2 - power) * PITCH + j]
    return w[:P]


@portable
def along_lanes(k: i64, d: f64, first: i64, coef: f64[:]):
    """The weights of points k, k + 1, … of the lanes."""
    w = load(coef, (first + P - 1) * PITCH + k)
    for power in unroll(P - 1):
        w = w * d + load(coef, (first + P - 2 - power) * PITCH + k)
    return w


@portable
def spread(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, nx: i64, ny: i64, nz: i64, pitch: i64, coef: f64[:],
           brick: scatter[f64[:]]):
    """Add the charge of atom i to the brick."""
    sx, sy, sz = fractions(i, x, box, slab)
    cx, dx = nearest_point(sx * f64(nx))
    cy, dy = nearest_point(sy * f64(ny))
    cz, dz = nearest_point(sz * f64(nz))
    wx[:P] = stencil(dx, 0, coef)
    wy[:P] = stencil(dy, 0, coef)
    plane = (ny + P + 1) * pitch
    first = cx * plane + cy * pitch + cz
    for k in lane_range(P):
        wz = q[i] * along_lanes(k, dz, 0, coef)
        for a in unroll(P):
            for b in unroll(P):
                add_at(brick, first + a * plane + b * pitch + k, wx[a] * wy[b] * wz)


@portable
def fold(i, nx: i64, ny: i64, nz: i64, pitch: i64, brick: f64[:], mesh: f64[:]):
    """Mesh point i: the sum of all points of the brick that are images of it."""
    before = (P - 1) // 2
    z = i % nz
    y = i // nz % ny
    x = i // (nz * ny)
    total = 0.0
    for a in range((x + before) % nx, nx + P + 1, nx):
        for b in range((y + before) % ny, ny + P + 1, ny):
            for c in range((z + before) % nz, nz + P + 1, nz):
                total += brick[(a * (ny + P + 1) + b) * pitch + c]
    mesh[i] = total


@portable
def fill(i, nx: i64, ny: i64, nz: i64, pitch: i64, fields: i64, mesh: f64[:], brick: f64[:]):
    """Point i of the brick from the mesh, in each of several fields."""
    before = (P - 1) // 2
    size = (nx + P + 1) * (ny + P + 1) * pitch
    z = (i % pitch + nz * (P + 1) - before) % nz
    y = (i // pitch % (ny + P + 1) + ny * (P + 1) - before) % ny
    x = (i // (pitch * (ny + P + 1)) + nx * (P + 1) - before) % nx
    for k in range(fields):
        brick[k * size + i] = mesh[((k * nx + x) * ny + y) * nz + z]


@portable
def signed(i: i64, n: i64):
    """A mesh index as a whole number around 0."""
    return f64(i - n * (2 * i // n))


@portable
def mirrored(a: f64, n: i64):
    """The whole number of the mirror image: that of an edge is itself."""
    found = -a
    if 2.0 * a == -f64(n):
        found = a
    return found


@portable
def window(a: f64, n: i64):
    """U^2 of one axis: sinc^2p of pi a / n."""
    x = PI * a / f64(n)
    s = 1.0
    if x != 0.0:
        s = sin(x) / x
    value = 1.0
    for _ in unroll(P):
        value *= s * s
    return value


@portable
def green_of(a: f64, b: f64, c: f64, box: f64[:], slab: f64, g: f64, nx: i64, ny: i64, nz: i64, mx: i64, my: i64, mz: i64):
    """1 / k^2 sum_m (k.K / K^2) exp(-K^2/4g^2) U^2 of one vector, over m aliases on each side."""
    kx, ky, kz = vector(box, slab, a, b, c)
    k2 = kx * kx + ky * ky + kz * kz
    total = 0.0
    if k2 > 0.0:
        for la in range(-mx, mx + 1):
            ux = window(a + f64(la * nx), nx)
            for lb in range(-my, my + 1):
                uy = window(b + f64(lb * ny), ny)
                for lc in range(-mz, mz + 1):
                    hx, hy, hz = vector(box, slab, a + f64(la * nx), b + f64(lb * ny), c + f64(lc * nz))
                    h2 = hx * hx + hy * hy + hz * hz
                    u = ux * uy * window(c + f64(lc * nz), nz)
                    total += (kx * hx + ky * hy + kz * hz) / h2 * exp(-h2 / (4.0 * g * g)) * u
        total /= k2
    return total


@portable
def influence(i, box: f64[:], slab: f64, constant: f64, g: f64, nx: i64, ny: i64, nz: i64, mx: i64, my: i64, mz: i64,
              aliases: f64[:], green: f64[:], odd: f64[:]):
    """constant G / 4 pi V of vector i, the mean of its mirror images; `odd`: half of their difference, in a tilted box."""
    half = nz // 2 + 1
    z = i % half
    y = i // half % ny
    x = i // (half * ny)
    d = aliases[x] * aliases[nx + y] * aliases[nx + ny + z]
    factor = constant / (box[3] * box[4] * box[5] * slab * d * d)
    a = signed(x, nx)
    b = signed(y, ny)
    c = signed(z, nz)
    one = green_of(a, b, c, box, slab, g, nx, ny, nz, mx, my, mz)
    if TILTED:
        two = green_of(mirrored(a, nx), mirrored(b, ny), mirrored(c, nz), box, slab, g, nx, ny, nz, mx, my, mz)
        odd[i] = 0.5 * factor * (one - two)
        one = 0.5 * (one + two)
    green[i] = factor * one


@portable
def part_of_virial(which: i64, kx: f64, ky: f64, kz: f64, g: f64):
    """What 1 of energy is of a component: 0 energy, then xx yy zz xy xz yz."""
    k2 = kx * kx + ky * ky + kz * kz
    t = 0.0
    if k2 > 0.0:
        t = 2.0 * (1.0 / k2 + 1.0 / (4.0 * g * g))
    value = 1.0
    if which == 1:
        value = 1.0 - t * kx * kx
    if which == 2:
        value = 1.0 - t * ky * ky
    if which == 3:
        value = 1.0 - t * kz * kz
    if which == 4:
        value = -t * kx * ky
    if which == 5:
        value = -t * kx * kz
    if which == 6:
        value = -t * ky * kz
    return value


@portable
def solve(i, box: f64[:], slab: f64, constant: f64, g: f64, qsum: f64, qsqsum: f64, nx: i64, ny: i64, nz: i64, green: f64[:],
          odd: f64[:], spectrum: f64[:], fields: f64[:]):
    """Fields of vector i: the potential, or its slopes along the three axes; with EV energy and virial, and with item 0
    those of charges with themselves and of a net charge with its background."""
    half = nz // 2 + 1
    points = nx * ny * half
    z = i % half
    y = i // half % ny
    x = i // (half * ny)
    a = signed(x, nx)
    b = signed(y, ny)
    c = signed(z, nz)
    sr = spectrum[2 * i]
    si = spectrum[2 * i + 1]
    even = green[i]
    apart = 0.0
    if TILTED:
        apart = odd[i]
    if IK:
        fa = a * even
        fb = b * even
        fc = c * even
        if 2.0 * a == -f64(nx):
            fa = a * apart
        if 2.0 * b == -f64(ny):
            fb = b * apart
        if 2.0 * c == -f64(nz):
            fc = c * apart
        fields[2 * i] = fa * si
        fields[2 * i + 1] = -fa * sr
        fields[2 * (points + i)] = fb * si
        fields[2 * (points + i) + 1] = -fb * sr
        fields[2 * (2 * points + i)] = fc * si
        fields[2 * (2 * points + i) + 1] = -fc * sr
    else:
        fields[2 * i] = even * sr
        fields[2 * i + 1] = even * si
    if EV:
        weight = 0.5 * (sr * sr + si * si)
        kx, ky, kz = vector(box, slab, a, b, c)
        one = weight * (even + apart)
        k2 = kx * kx + ky * ky + kz * kz
        t = 0.0
        if k2 > 0.0:
            t = 2.0 * one * (1.0 / k2 + 1.0 / (4.0 * g * g))
        e = one
        xx = one - t * kx * kx
        yy = one - t * ky * ky
        zz = one - t * kz * kz
        xy = -t * kx * ky
        xz = -t * kx * kz
        yz = -t * ky * kz
        if z > 0 and 2 * z < nz:  # its mirror image is not there
            kx, ky, kz = vector(box, slab, mirrored(a, nx), mirrored(b, ny), -c)
            two = weight * (even - apart)
            k2 = kx * kx + ky * ky + kz * kz
            t = 2.0 * two * (1.0 / k2 + 1.0 / (4.0 * g * g))
            e += two
            xx += two - t * kx * kx
            yy += two - t * ky * ky
            zz += two - t * kz * kz
            xy -= t * kx * ky
            xz -= t * kx * kz
            yz -= t * ky * kz
        if i == 0:
            e -= constant * (g * qsqsum / 1.772453850905516
                             + PI * qsum * qsum / (2.0 * g * g * box[3] * box[4] * box[5] * slab))
        return e, xx, yy, zz, xy, xz, yz


@portable
def component(i, which: i64, box: f64[:], slab: f64, g: f64, nx: i64, ny: i64, nz: i64, green: f64[:], odd: f64[:],
              spectrum: f64[:], fields: f64[:]):
    """The potential (0), or what a component of the virial has in its place, of vector i."""
    half = nz // 2 + 1
    a = signed(i // (half * ny), nx)
    b = signed(i // half % ny, ny)
    c = signed(i % half, nz)
    kx, ky, kz = vector(box, slab, a, b, c)
    hx, hy, hz = vector(box, slab, mirrored(a, nx), mirrored(b, ny), mirrored(c, nz))
    apart = 0.0
    if TILTED:
        apart = odd[i]
    value = 0.5 * (part_of_virial(which, kx, ky, kz, g) * (green[i] + apart)
                   + part_of_virial(which, hx, hy, hz, g) * (green[i] - apart))
    fields[2 * i] = value * spectrum[2 * i]
    fields[2 * i + 1] = value * spectrum[2 * i + 1]


@portable
def self_forces(i, nx: i64, ny: i64, nz: i64, green: f64[:], sums: f64[:]):
    """What slopes of stencils push a charge by its own field: for each axis the amplitudes of sin 2 pi t and of sin 4 pi t.
    `sums`: of U(n + m) U(n + m + r) over aliases m, for r = 0, 1, 2, along each axis."""
    half = nz // 2 + 1
    z = i % half
    y = i // half % ny
    x = i // (half * ny)
    g = PI * green[i]
    mx = (nx - x) % nx
    my = (ny - y) % ny
    mz = (nz - z) % nz
    other = 0.0
    if z > 0 and 2 * z < nz:
        other = 1.0
    at_y = 3 * nx
    at_z = 3 * (nx + ny)
    x0 = sums[x]
    y0 = sums[at_y + y]
    z0 = sums[at_z + z]
    u0 = other * sums[mx]
    v0 = sums[at_y + my]
    w0 = sums[at_z + mz]
    return (g * (sums[nx + x] * y0 * z0 + other * sums[nx + mx] * v0 * w0),
            2.0 * g * (sums[2 * nx + x] * y0 * z0 + other * sums[2 * nx + mx] * v0 * w0),
            g * (x0 * sums[at_y + ny + y] * z0 + u0 * sums[at_y + ny + my] * w0),
            2.0 * g * (x0 * sums[at_y + 2 * ny + y] * z0 + u0 * sums[at_y + 2 * ny + my] * w0),
            g * (x0 * y0 * sums[at_z + nz + z] + u0 * v0 * sums[at_z + nz + mz]),
            2.0 * g * (x0 * y0 * sums[at_z + 2 * nz + z] + u0 * v0 * sums[at_z + 2 * nz + mz]))


@portable
def push(f: f64[:, 3], i: i64, q: f64, fa: f64, fb: f64, fc: f64, box: f64[:], slab: f64, zforce: f64):
    """Add a force that is given along the axes of the box, for charge q."""
    f[i, 0] += q * box[9] * fa
    f[i, 1] += q * (box[14] * fa + box[10] * fb)
    f[i, 2] += q * zforce * (box[13] * fa + box[12] * fb + box[11] / slab * fc)


@portable
def interpolate(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, zforce: f64, nx: i64, ny: i64, nz: i64, pitch: i64,
                coef: f64[:], brick: f64[:], own: f64[:], f: f64[:, 3]):
    """The force on atom i: of fields in the brick, or of the slopes of its stencil in the potential there."""
    sx, sy, sz = fractions(i, x, box, slab)
    tx = sx * f64(nx)
    ty = sy * f64(ny)
    tz = sz * f64(nz)
    cx, dx = nearest_point(tx)
    cy, dy = nearest_point(ty)
    cz, dz = nearest_point(tz)
    wx[:P] = stencil(dx, 0, coef)
    wy[:P] = stencil(dy, 0, coef)
    if not IK:
        vx[:P] = stencil(dx, P, coef)
        vy[:P] = stencil(dy, P, coef)
    plane = (ny + P + 1) * pitch
    size = (nx + P + 1) * plane
    first = cx * plane + cy * pitch + cz
    fa = lanes(0.0)
    fb = lanes(0.0)
    fc = lanes(0.0)
    for k in lane_range(P):
        ea = lanes(0.0)
        eb = lanes(0.0)
        ec = lanes(0.0)
        for a in unroll(P):
            for b in unroll(P):
                spot = first + a * plane + b * pitch + k
                if IK:
                    w = wx[a] * wy[b]
                    ea += w * load(brick, spot)
                    eb += w * load(brick, size + spot)
                    ec += w * load(brick, 2 * size + spot)
                else:
                    u = load(brick, spot)
                    ea += vx[a] * wy[b] * u
                    eb += wx[a] * vy[b] * u
                    ec += wx[a] * wy[b] * u
        wz = along_lanes(k, dz, 0, coef)
        fa += wz * ea
        fb += wz * eb
        if IK:
            fc += wz * ec
        else:
            fc += along_lanes(k, dz, P, coef) * ec
    ga = f64(lane_sum(fa))
    gb = f64(lane_sum(fb))
    gc = f64(lane_sum(fc))
    if leader():
        if IK:
            push(f, i, q[i], TWO_PI * ga, TWO_PI * gb, TWO_PI * gc, box, slab, zforce)
        else:
            ga -= 2.0 * q[i] * (own[0] * sin(TWO_PI * tx) + own[1] * sin(2.0 * TWO_PI * tx))
            gb -= 2.0 * q[i] * (own[2] * sin(TWO_PI * ty) + own[3] * sin(2.0 * TWO_PI * ty))
            gc -= 2.0 * q[i] * (own[4] * sin(TWO_PI * tz) + own[5] * sin(2.0 * TWO_PI * tz))
            push(f, i, q[i], f64(nx) * ga, f64(ny) * gb, f64(nz) * gc, box, slab, zforce)


@portable
def read_off(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, nx: i64, ny: i64, nz: i64, pitch: i64, coef: f64[:],
             brick: f64[:], width: i64, column: i64, values: f64[:]):
    """Add q/2 times the field in the brick where atom i is to its number `column` of `width`."""
    sx, sy, sz = fractions(i, x, box, slab)
    cx, dx = nearest_point(sx * f64(nx))
    cy, dy = nearest_point(sy * f64(ny))
    cz, dz = nearest_point(sz * f64(nz))
    wx[:P] = stencil(dx, 0, coef)
    wy[:P] = stencil(dy, 0, coef)
    plane = (ny + P + 1) * pitch
    first = cx * plane + cy * pitch + cz
    total = lanes(0.0)
    for k in lane_range(P):
        e = lanes(0.0)
        for a in unroll(P):
            for b in unroll(P):
                e += wx[a] * wy[b] * load(brick, first + a * plane + b * pitch + k)
        total += along_lanes(k, dz, 0, coef) * e
    value = f64(lane_sum(total))
    if leader():
        values[i * width + column] += 0.5 * q[i] * value
