"""Clusters of constrained atoms in kernels: their rows, the vectors between them, and what multipliers do along these.

A cluster is a centre 0 with partners 1, 2, 3. Its constraints keep the lengths of

    r_1 = x_0 - x_1,  r_2 = x_0 - x_2,  r_3 = x_0 - x_3 (four atoms) or x_1 - x_2 (the angle),

and multipliers l_a push the atoms along them: the force on 0 is sum l_a r_a. One lane or thread for each cluster.
"""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest
from everlet.portable import Kernel, add_row, f64, i32, i64, portable, put_row, sqrt
from everlet.state.control import TROUBLE, UNLINKED

PAIR, THREE, FOUR, ANGLE = 1, 2, 3, 4  # forms of clusters


# ---- finding the atoms of clusters
@portable
def lead(i, cluster: i64[:, 5], rows: i32[:], control: i64[:], leads: i32[:]):
    """1 if atom i is the first row of its cluster: it does the work on this rank."""
    found = i32(0)
    if cluster[i, 0] > 0:
        found = i32(1)
        for k in range(1, 5):
            if cluster[i, k] > 0:
                j = rows[cluster[i, k]]
                if j < 0:
                    control[UNLINKED] = 1
                    control[TROUBLE] = 1
                if j < i:
                    found = i32(0)
    leads[i] = found


@portable
def gather(i, cluster: i64[:, 5], rows: i32[:], start: i32[:], room: i64, shape: i32[:], member: i32[:, 4]):
    """Shape and rows of the cluster that atom i leads. Places without an atom hold the centre."""
    c = i64(start[i])
    if start[i + 1] > start[i] and c < room:
        shape[c] = i32(cluster[i, 0])
        for k in range(4):
            id = cluster[i, k + 1]
            if id == 0:
                id = cluster[i, 1]
            member[c, k] = rows[id]


# ---- geometry
@portable
def bonds_of(c, form: i32, member: i32[:, 4], x: f64[:, 4], box: f64[:]):
    """The vectors r_1, r_2, r_3; zeros where there is no constraint."""
    i = i64(member[c, 0])
    j = i64(member[c, 1])
    k = i64(member[c, 2])
    m = i64(member[c, 3])
    ax, ay, az = nearest(x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2], box)
    bx, by, bz = nearest(x[i, 0] - x[k, 0], x[i, 1] - x[k, 1], x[i, 2] - x[k, 2], box)
    cx, cy, cz = nearest(x[i, 0] - x[m, 0], x[i, 1] - x[m, 1], x[i, 2] - x[m, 2], box)
    if form == ANGLE:
        cx = bx - ax
        cy = by - ay
        cz = bz - az
    return ax, ay, az, bx, by, bz, cx, cy, cz


@portable
def pushes(form: i32, u: f64, v: f64, w: f64, a: f64, b: f64, c: f64):
    """What multipliers u, v, w do to the partners 1, 2 and 3 along one axis, where r_1, r_2, r_3 are a, b, c."""
    third = w * c
    if form == ANGLE:
        return third - u * a, -(v * b + third), 0.0
    return -(u * a), -(v * b), -third


@portable
def push(i: i64, n: i64, f: f64[:, 3], x: f64[:, 4], h: f64, px: f64, py: f64, pz: f64):
    """f += h p for owned atoms, or with REPAIR x += h p: each rank that has atoms of a cluster computes all of it."""
    if i < n:
        if REPAIR:
            x[i, 0] += h * px
            x[i, 1] += h * py
            x[i, 2] += h * pz
        if not REPAIR:
            add_row(f, i, h * px, h * py, h * pz)


@portable
def push_all(form: i32, n: i64, f: f64[:, 3], x: f64[:, 4], i0: i64, i1: i64, i2: i64, i3: i64, h0: f64, h1: f64, h2: f64,
             h3: f64, p1x: f64, p1y: f64, p1z: f64, p2x: f64, p2y: f64, p2z: f64, p3x: f64, p3y: f64, p3z: f64):
    """The same for all atoms of a cluster: h p for each partner, -h times the sum of p for the centre."""
    push(i0, n, f, x, -h0, p1x + p2x + p3x, p1y + p2y + p3y, p1z + p2z + p3z)
    push(i1, n, f, x, h1, p1x, p1y, p1z)
    if form != PAIR:
        push(i2, n, f, x, h2, p2x, p2y, p2z)
    if form == FOUR:
        push(i3, n, f, x, h3, p3x, p3y, p3z)


# ---- what multipliers add up to
@portable
def virial(c, n: i64, shape: i32[:], member: i32[:, 4], forms: i32[:], x: f64[:, 4], box: f64[:], multiplier: f64[:, 3]):
    """sum l_a r_a r_a of cluster c: xx yy zz xy xz yz; each rank has the part of its atoms."""
    form = forms[shape[c]]
    ax, ay, az, bx, by, bz, cx, cy, cz = bonds_of(c, form, member, x, box)
    size = 2 if form == PAIR else 4 if form == FOUR else 3
    own = 0
    for k in range(size):
        if member[c, k] < n:
            own += 1
    part = f64(own) / f64(size)
    u = part * multiplier[c, 0]
    v = part * multiplier[c, 1]
    w = part * multiplier[c, 2]
    return (u * ax * ax + v * bx * bx + w * cx * cx, u * ay * ay + v * by * by + w * cy * cy,
            u * az * az + v * bz * bz + w * cz * cz, u * ax * ay + v * bx * by + w * cx * cy,
            u * ax * az + v * bx * bz + w * cx * cz, u * ay * az + v * by * bz + w * cy * cz)


@portable
def springs(c, n: i64, shape: i32[:], member: i32[:, 4], forms: i32[:], lengths: f64[:, 3], x: f64[:, 4], f: f64[:, 3],
            box: f64[:], stiffness: f64, multiplier: f64[:, 3]):
    """In minimisations, in place of constraints: E = sum k (r_a - d_a)^2, forces l_a r_a with l_a = -2 k (r_a - d_a)/r_a. Gives
    E, each rank the part of its atoms."""
    s = i64(shape[c])
    form = forms[s]
    ax, ay, az, bx, by, bz, cx, cy, cz = bonds_of(c, form, member, x, box)
    a = sqrt(ax * ax + ay * ay + az * az)
    b = sqrt(bx * bx + by * by + bz * bz)
    d = sqrt(cx * cx + cy * cy + cz * cz)
    da = a - sqrt(lengths[s, 0])
    db = 0.0
    dc = 0.0
    size = 2
    if form != PAIR:
        db = b - sqrt(lengths[s, 1])
        size = 3
    if form == FOUR or form == ANGLE:
        dc = d - sqrt(lengths[s, 2])
    if form == FOUR:
        size = 4
    u = -2.0 * stiffness * da / a
    v = -2.0 * stiffness * db / b if form != PAIR else 0.0
    w = -2.0 * stiffness * dc / d if form == FOUR or form == ANGLE else 0.0
    put_row(multiplier, c, u, v, w)
    p1x, p2x, p3x = pushes(form, u, v, w, ax, bx, cx)
    p1y, p2y, p3y = pushes(form, u, v, w, ay, by, cy)
    p1z, p2z, p3z = pushes(form, u, v, w, az, bz, cz)
    push_all(form, n, f, x, i64(member[c, 0]), i64(member[c, 1]), i64(member[c, 2]), i64(member[c, 3]), 1.0, 1.0, 1.0, 1.0,
             p1x, p1y, p1z, p2x, p2y, p2z, p3x, p3y, p3z)
    own = 0
    for k in range(size):
        if member[c, k] < n:
            own += 1
    return f64(own) / f64(size) * stiffness * (da * da + db * db + dc * dc)


LEAD, GATHER = Kernel(lead), Kernel(gather)
VIRIAL, SPRINGS = Kernel(virial, sums=6), Kernel(springs, sums=1, statics=(("REPAIR", 0),))
