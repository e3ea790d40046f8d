"""Loops of PPPM over atoms: charges to mesh, mesh to forces. What is between is in fourier_loops.py.

Fractions of the box are multiplied by the mesh size: t. A charge goes to P points along each axis (stencil.py). Loops over
atoms use a brick: the part of the mesh around a rank's atoms (mesh.py) with room for all of their stencils, so that none
goes around; rows along z have room for whole steps of lanes. A lane is a point along z. `fold` adds up the points of bricks
that are images of a point of the mesh, `pick` puts numbers of the mesh where they are wanted.

Of a brick loops know: `lx ly lz`, where it begins, in fractions that are a period long from there on; `ox oy oz`, what is
added to a stencil's point c to be a place in the brick; `bx by pitch`, points along the axes.

Statics: P order; ODD; IK, or slopes of stencils; PART: the brick is a part of the mesh, and an atom may be out of it; EXACT:
charges are rounded so that sums of them are, in any order.
"""

from __future__ import annotations

from everlet.forces.kspace.ewald_loops import TWO_PI
from everlet.portable import f64, floor, i32, i64, local, portable, scatter, sin
from everlet.state.control import TROUBLE


@portable
def fractions(i: i64, x: f64[:, 4], box: f64[:], slab: f64, lx: f64, ly: f64, lz: f64):
    """Where atom i is, in parts of the box; of its images the one in the period from lx, ly, lz on."""
    dx = x[i, 0] - box[0]
    dy = x[i, 1] - box[1]
    dz = x[i, 2] - box[2]
    sx = dx * box[9] + dy * box[14] + dz * box[13]
    sy = dy * box[10] + dz * box[12]
    sz = dz * box[11] / slab
    return sx - floor(sx - lx), sy - floor(sy - ly), sz - floor(sz - lz)


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
def around(i: i64, x: f64[:, 4], box: f64[:], slab: f64, lx: f64, ly: f64, lz: f64, nx: i64, ny: i64, nz: i64, coef: f64[:]):
    """The point of the stencil of atom i, its distance along z, and the weights along x and y."""
    sx, sy, sz = fractions(i, x, box, slab, lx, ly, lz)
    cx, dx = nearest_point(sx * f64(nx))
    cy, dy = nearest_point(sy * f64(ny))
    cz, dz = nearest_point(sz * f64(nz))
    wx[:P] = stencil(dx, 0, coef)
    wy[:P] = stencil(dy, 0, coef)
    return cx, cy, cz, dz, wx[:P], wy[:P]


@portable
def spread(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, lx: f64, ly: f64, lz: f64, nx: i64, ny: i64, nz: i64,
           ox: i64, oy: i64, oz: i64, bx: i64, by: i64, pitch: i64, coef: f64[:], scale: f64, control: i64[:],
           brick: scatter[f64[:]]):
    """Add the charge of atom i, times `scale`, to the brick."""
    cx, cy, cz, dz, wx[:P], wy[:P] = around(i, x, box, slab, lx, ly, lz, nx, ny, nz, coef)
    plane = by * pitch
    first = (cx + ox) * plane + (cy + oy) * pitch + cz + oz
    if PART:
        if min(cx + ox, cy + oy, cz + oz) < 0 or cx + ox + P > bx or cy + oy + P > by or cz + oz + P + PITCH > pitch:
            control[TROUBLE] = 1
            first = i64(0)
    for k in lane_range(P):
        wz = scale * q[i] * along_lanes(k, dz, 0, coef)
        for a in unroll(P):
            v = wx[a] * wz
            for b in unroll(P):
                if EXACT:
                    add_at(brick, first + a * plane + b * pitch + k, floor(wy[b] * v + 0.5))
                else:
                    add_at(brick, first + a * plane + b * pitch + k, wy[b] * v)


@local
@portable
def shift_box(i, box: f64[:], slab: f64, nx: i64, ny: i64, nz: i64, shifted: f64[:]):
    """A box (state/box.py) that begins half a mesh cell before another one, along all axes."""
    for k in range(21):
        shifted[k] = box[k]
    a = 0.5 / f64(nx)
    b = 0.5 / f64(ny)
    c = 0.5 * slab / f64(nz)
    shifted[0] = box[0] - a * box[3] - b * box[8] - c * box[7]
    shifted[1] = box[1] - b * box[4] - c * box[6]
    shifted[2] = box[2] - c * box[5]


@portable
def fold(i, scale: f64, start: i32[:], entry: i32[:], values: f64[:], mesh: f64[:]):
    """Mesh point i: the sum of all numbers that belong there."""
    total = 0.0
    for e in range(i64(start[i]), i64(start[i + 1])):
        total += values[entry[e]]
    mesh[i] = scale * total


@portable
def pick(i, count: i64, index: i32[:], step: i64, pace: i64, source: f64[:], to_step: i64, to_pace: i64, target: f64[:]):
    """Number i of each of several fields: those of a field are a pace apart, fields a step."""
    spot = pace * i64(index[i])
    for k in range(count):
        target[k * to_step + i * to_pace] = source[k * step + spot]


@portable
def push(f: f64[:, 3], i: i64, q: f64, fa: f64, fb: f64, fc: f64, box: f64[:], slab: f64, zforce: f64):
    """Add a force that is given along the axes of the box, for charge q."""
    f[i, 0] += q * box[9] * fa
    f[i, 1] += q * (box[14] * fa + box[10] * fb)
    f[i, 2] += q * zforce * (box[13] * fa + box[12] * fb + box[11] / slab * fc)


@portable
def interpolate(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, zforce: f64, lx: f64, ly: f64, lz: f64, nx: i64, ny: i64,
                nz: i64, ox: i64, oy: i64, oz: i64, bx: i64, by: i64, pitch: i64, coef: f64[:], brick: f64[:], own: f64[:],
                f: f64[:, 3]):
    """The force on atom i: of fields in the brick, or of the slopes of its stencil in the potential there."""
    sx, sy, sz = fractions(i, x, box, slab, lx, ly, lz)
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
    plane = by * pitch
    size = bx * plane
    first = (cx + ox) * plane + (cy + oy) * pitch + cz + oz
    fa = lanes(0.0)
    fb = lanes(0.0)
    fc = lanes(0.0)
    for k in lane_range(P):
        ea = lanes(0.0)
        eb = lanes(0.0)
        ec = lanes(0.0)
        for a in unroll(P):  # sums along y are short chains, one of each a beside the others
            ra = lanes(0.0)
            rb = lanes(0.0)
            rc = lanes(0.0)
            for b in unroll(P):
                spot = first + a * plane + b * pitch + k
                if IK:
                    ra += wy[b] * load(brick, spot)
                    rb += wy[b] * load(brick, size + spot)
                    rc += wy[b] * load(brick, 2 * size + spot)
                else:
                    u = load(brick, spot)
                    ra += wy[b] * u
                    rb += vy[b] * u
            if IK:
                ea += wx[a] * ra
                eb += wx[a] * rb
                ec += wx[a] * rc
            else:
                ea += vx[a] * ra
                eb += wx[a] * rb
                ec += wx[a] * ra
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
def read_off(i, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, lx: f64, ly: f64, lz: f64, nx: i64, ny: i64, nz: i64,
             ox: i64, oy: i64, oz: i64, bx: i64, by: i64, pitch: i64, coef: f64[:], brick: f64[:], width: i64, column: i64,
             values: f64[:]):
    """Add q/2 times the field in the brick where atom i is to its number `column` of `width`."""
    cx, cy, cz, dz, wx[:P], wy[:P] = around(i, x, box, slab, lx, ly, lz, nx, ny, nz, coef)
    plane = by * pitch
    first = (cx + ox) * plane + (cy + oy) * pitch + cz + oz
    total = lanes(0.0)
    for k in lane_range(P):
        e = lanes(0.0)
        for a in unroll(P):
            r = lanes(0.0)
            for b in unroll(P):
                r += wy[b] * load(brick, first + a * plane + b * pitch + k)
            e += wx[a] * r
        total += along_lanes(k, dz, 0, coef) * e
    value = f64(lane_sum(total))
    if leader():
        values[i * width + column] += 0.5 * q[i] * value
