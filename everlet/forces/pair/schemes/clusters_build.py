"""Kernels that sort atoms into clusters and list the pairs of clusters that are near each other.

A slot is a place in a cluster: slot t is lane t % W of cluster t // W. Clusters [0:owned] hold owned atoms, those after
them ghosts. `member[t]` is the atom in a slot, -1 where there is none. Clusters are cut from columns of the grid (all
its bins along z), so their numbers rise with the column and with z. Statics: CI (atoms of an i-cluster), RELATIVE
(coordinates are offsets from the cluster's origin), ALIGN (a column begins at a multiple of so many slots).
"""

from __future__ import annotations

from everlet.portable import f64, i32, i64, least, portable, real

APART = 1073741824.0  # 2^30: empty slots are so far away from all atoms and from each other; multiples are exact floats
ROW = 4096


@portable
def piece(k: i64, sections: i64, nz: i64):
    """The first bin of section k, where each column of nz bins is cut into so many sections."""
    return (k // sections) * nz + (k % sections) * nz // sections


@portable
def count_clusters(k, sections: i64, nz: i64, start: i32[:], clusters: i32[:]):
    """How many clusters the atoms of one section of a column fill."""
    atoms = i64(start[piece(k + 1, sections, nz)] - start[piece(k, sections, nz)])
    clusters[k] = i32((atoms + ALIGN - 1) // ALIGN * ALIGN // W)


@portable
def fill_clusters(k, sections: i64, nz: i64, start: i32[:], order: i32[:], first: i32[:], base: i64,
                  x: f64[:, 4], kind: i32[:], member: i32[:], ckind: i32[:], home: i32[:], boxes: f64[:]):
    """Members, types, column and bounding box of the clusters of one section.

    `base` clusters come before those that are made here.
    """
    low = i64(start[piece(k, sections, nz)])
    high = i64(start[piece(k + 1, sections, nz)])
    for c in range(base + first[k], base + first[k + 1]):
        home[c] = i32(k // sections)
        for d in range(3):
            boxes[6 * c + d] = 1.0e300
            boxes[6 * c + 3 + d] = -1.0e300
        for t in range(c * W, c * W + W):
            q = low + t - (base + first[k]) * W
            member[t] = i32(-1)
            ckind[t] = i32(0)
            if q < high:
                m = order[q]
                member[t] = m
                ckind[t] = kind[m]
                for d in range(3):
                    boxes[6 * c + d] = min(boxes[6 * c + d], x[m, d])
                    boxes[6 * c + 3 + d] = max(boxes[6 * c + 3 + d], x[m, d])
        if member[c * W] < 0:  # where ALIGN exceeds W the last clusters may be empty: keep the order along z
            for d in range(6):
                boxes[6 * c + d] = boxes[6 * c - 6 + d]


@portable
def refresh(c, x: f64[:, 4], member: i32[:], cx: real[:], cf: real[:], origin: f64[:]):
    """Positions from the atoms into their slots, forces of the slots to zero."""
    ox = 0.0
    oy = 0.0
    oz = 0.0
    if RELATIVE:
        m = i64(member[c * W])
        if m >= 0:
            ox = x[m, 0]
            oy = x[m, 1]
            oz = x[m, 2]
        origin[3 * c] = ox
        origin[3 * c + 1] = oy
        origin[3 * c + 2] = oz
    for k in range(W):
        t = c * W + k
        m = i64(member[t])
        place = 3 * W * c + k
        if m >= 0:
            cx[place] = real(x[m, 0] - ox)
            cx[place + W] = real(x[m, 1] - oy)
            cx[place + 2 * W] = real(x[m, 2] - oz)
        else:
            cx[place] = real(APART * f64(1 + t % ROW))
            cx[place + W] = real(APART * f64(1 + t // ROW))
            cx[place + 2 * W] = real(APART)
        cf[place] = real(0.0)
        cf[place + W] = real(0.0)
        cf[place + 2 * W] = real(0.0)


@portable
def collect(c, member: i32[:], cf: real[:], f: f64[:, 3]):
    """Forces from the slots to their atoms."""
    for k in range(W):
        m = i64(member[c * W + k])
        place = 3 * W * c + k
        if m >= 0:
            if not ADD:
                f[m, 0] = f64(cf[place])
                f[m, 1] = f64(cf[place + W])
                f[m, 2] = f64(cf[place + 2 * W])
            if ADD:
                f[m, 0] += f64(cf[place])
                f[m, 1] += f64(cf[place + W])
                f[m, 2] += f64(cf[place + 2 * W])


@portable
def coordinate(t: i64, axis: i64, home: i64, cx: real[:], origin: f64[:]):
    """One coordinate of slot t, from the origin of cluster `home`."""
    c = t // W
    value = cx[(3 * c + axis) * W + t % W]
    if RELATIVE:
        value += real(origin[3 * c + axis] - origin[3 * home + axis])
    return value


@portable
def nearest2(t: i64, c: i64, home: i64, cx: real[:], origin: f64[:]):
    """Lanes: squared distance of each atom of cluster c to the nearest atom of the i-cluster at slot t."""
    xj = load(cx, 3 * W * c)
    yj = load(cx, 3 * W * c + W)
    zj = load(cx, 3 * W * c + 2 * W)
    if RELATIVE:
        xj -= real(origin[3 * home] - origin[3 * c])
        yj -= real(origin[3 * home + 1] - origin[3 * c + 1])
        zj -= real(origin[3 * home + 2] - origin[3 * c + 2])
    found = lanes(1.0e30)
    for k in range(CI):
        dx = coordinate(t + k, 0, home, cx, origin) - xj
        dy = coordinate(t + k, 1, home, cx, origin) - yj
        dz = coordinate(t + k, 2, home, cx, origin) - zj
        found = least(found, fma(dx, dx, fma(dy, dy, dz * dz)))
    return found


@portable
def scan_clusters(found: i64, low: i64, high: i64, t: i64, x0: f64, y0: f64, z0: f64, x1: f64, y1: f64, z1: f64,
                  radius: f64, slack: f64, cx: real[:], origin: f64[:], boxes: f64[:], base: i64, room: i64,
                  rows: i32[:]):
    """Append those of the clusters low … high-1 to a row that have an atom within the list radius.

    x0 … z1 is the bounding box of the i-cluster. Clusters of a column rise in z but for `slack`, the height of a bin.
    """
    last = high
    while low < last:  # the first cluster that reaches up to the i-cluster
        c = (low + last) // 2
        if boxes[6 * c + 5] < z0 - radius - slack:
            low = c + 1
        else:
            last = c
    c = low
    while c < high and boxes[6 * c + 2] <= z1 + radius + slack:
        gx = max(max(boxes[6 * c] - x1, x0 - boxes[6 * c + 3]), 0.0)
        gy = max(max(boxes[6 * c + 1] - y1, y0 - boxes[6 * c + 4]), 0.0)
        gz = max(max(boxes[6 * c + 2] - z1, z0 - boxes[6 * c + 5]), 0.0)
        if gx * gx + gy * gy + gz * gz < radius * radius:
            if any_lane(nearest2(t, c, t // W, cx, origin) < real(radius * radius * ROUNDING)):
                if found < room:
                    rows[base + found] = i32(c)
                found += 1
        c += 1
    return found


@portable
def build_rows(i, owned: i64, ghosts: i64, x: f64[:, 4], member: i32[:], cx: real[:], origin: f64[:], boxes: f64[:],
               home: i32[:], first: i32[:], ghost_first: i32[:], nx: i64, ny: i64, stencil: i64[:, 3], near_rows: i64,
               later: i64, radius: f64, slack: f64, pitch: i64, rows: i32[:], count: i32[:]):
    """The clusters near i-cluster i, without the one it lies in; returns 1 if they did not fit (count: how many).

    Of two owned clusters the earlier one has the later one in its row; ghosts are always taken.
    """
    t = i * CI
    x0, y0, z0 = 1.0e300, 1.0e300, 1.0e300
    x1, y1, z1 = -1.0e300, -1.0e300, -1.0e300
    for s in range(t, t + CI):
        m = i64(member[s])
        if m >= 0:
            x0 = min(x0, x[m, 0])
            y0 = min(y0, x[m, 1])
            z0 = min(z0, x[m, 2])
            x1 = max(x1, x[m, 0])
            y1 = max(y1, x[m, 1])
            z1 = max(z1, x[m, 2])
    found = i64(0)
    if x0 <= x1:
        column = i64(home[t // W])
        after = (t + CI - 1) // W + 1
        for row in range(near_rows):
            a = column // ny + stencil[row, 0]
            b = column % ny + stencil[row, 1]
            if a >= 0 and a < nx and b >= 0 and b < ny:
                k = a * ny + b
                if row <= later:
                    found = scan_clusters(found, max(i64(first[k]), after), i64(first[k + 1]), t, x0, y0, z0, x1, y1,
                                          z1, radius, slack, cx, origin, boxes, i * pitch, pitch, rows)
                if ghosts > 0:
                    found = scan_clusters(found, owned + ghost_first[2 * k], owned + ghost_first[2 * k + 2], t, x0, y0,
                                          z0, x1, y1, z1, radius, slack, cx, origin, boxes, i * pitch, pitch, rows)
    count[i] = i32(found)
    full = 0.0
    if found > pitch:
        full = 1.0
    return full
