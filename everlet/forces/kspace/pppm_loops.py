"""Loops of PPPM over atoms: charges to mesh, mesh to forces. What is between is in fourier_loops.py.

Fractions of the box are multiplied by the mesh size: t. A charge goes to P points along each axis (stencil.py). Loops over
atoms use a brick: the mesh with P + 1 more points along each axis, so that no stencil goes around; rows along z have room
for whole steps of lanes. A lane is a point along z. `fold` adds the borders of the brick up, `fill` makes them.

Statics: P order; ODD; IK, or slopes of stencils.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.kspace.ewald_loops import TWO_PI
from everlet.portable import f64, floor, i64, portable, scatter, sin


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
