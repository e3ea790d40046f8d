"""What loops over rows have in common: where an atom is, where its row begins, how far away other atoms are, forces and sums.

Statics: `pair`, DENSE, SLOTS, FIXED, FULL, NEWTON, ADD as in loops.py.
"""

from __future__ import annotations

from everlet.portable import f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def row_start(i: i64, first: i32[:], si: i64):
    """Where the row of atom i begins."""
    start = i * si
    if DENSE:
        start = i64(first[i]) * 8
    return start


@portable
def row_of(i: i64, count: i32[:], first: i32[:], si: i64):
    """Where the row of atom i begins, and how many entries it has."""
    return row_start(i, first, si), i64(count[i])


@portable
def whole_row(i: i64, order: i32[:], count: i32[:], first: i32[:], si: i64, kind: i32[:], kinds: i64):
    """Item i: its atom, how many entries the row of that has, where it begins, and where parameters of its type do."""
    if SLOTS:
        i = i64(order[i])
    return i, i64(count[i]), row_start(i, first, si), i64(kind[i]) * kinds


@portable
def whole_row_at(i: i64, x: f64[:, 4], order: i32[:], count: i32[:], first: i32[:], si: i64, kind: i32[:], kinds: i64):
    """The same, and where that atom is."""
    i, m, start, row = whole_row(i, order, count, first, si, kind, kinds)
    return i, m, start, row, x[i, 0], x[i, 1], x[i, 2]


@portable
def row_starts(i: i64, first: i32[:], si: i64):
    """Where the rows of atoms i, i + 1, … of the lanes begin."""
    start = (lane_ids() + i32(i)) * i32(si)
    if DENSE:
        start = load(first, i) * i32(8)
    return start


@portable
def position(i: i64, x: f64[:, 4]):
    return x[i, 0], x[i, 1], x[i, 2]


@portable
def between(i: i64, j: i64, x: f64[:, 4]):
    """The way from atom j to atom i, and the square of the distance."""
    dx = x[i, 0] - x[j, 0]
    dy = x[i, 1] - x[j, 1]
    dz = x[i, 2] - x[j, 2]
    return dx, dy, dz, dx * dx + dy * dy + dz * dz


@portable
def row_at(i: i64, x: f64[:, 4], count: i32[:], first: i32[:], si: i64, kind: i32[:], kinds: i64):
    """Where atom i is; where its row begins, how many entries that has, and where parameters of its type begin."""
    return x[i, 0], x[i, 1], x[i, 2], row_start(i, first, si), i64(count[i]), i64(kind[i]) * kinds


@portable
def away(j, x: f64[:, 4], xi, yi, zi):
    """The way from here to atoms j of the lanes, and the square of the distance."""
    xj, yj, zj = gather3(x, j, True)
    dx = as_real(xj - xi)
    dy = as_real(yj - yi)
    dz = as_real(zj - zi)
    return dx, dy, dz, fma(dx, dx, fma(dy, dy, dz * dz))


@portable
def entry_at(q: i64, m: i64, neigh: i32[:], start: i64, sk: i64, filler: i64, x: f64[:, 4], xi, yi, zi):
    """Entries of a row from q on, one on each lane: is there one, its atom (or `filler`), the way there, its square."""
    there = live(q, m)
    j = where(there, load(neigh, start + q * sk), i32(filler))
    dx, dy, dz, r2 = away(j, x, xi, yi, zi)
    return there, j, dx, dy, dz, r2


@portable
def distance_at(q: i64, m: i64, neigh: i32[:], start: i64, sk: i64, filler: i64, x: f64[:, 4], xi, yi, zi):
    """As entry_at, with the distance and its inverse instead of the square: 1 where there is no entry."""
    there, j, dx, dy, dz, r2 = entry_at(q, m, neigh, start, sk, filler, x, xi, yi, zi)
    r2 = where(there, r2, real(1.0))
    inverse = rsqrt(r2)
    return there, j, dx, dy, dz, r2 * inverse, inverse


@portable
def toward(j, x: f64[:, 4], xi, yi, zi):
    """The way from atoms j of the lanes to here, and the square of the distance."""
    xj, yj, zj = gather3(x, j, True)
    dx = as_real(xi - xj)
    dy = as_real(yi - yj)
    dz = as_real(zi - zj)
    return dx, dy, dz, fma(dx, dx, fma(dy, dy, dz * dz))


# ---- positions in double, or in steps: FIXED
@portable
def place_of(i: i64, x: f64[:, 4], fixed: i32[:, 4]):
    if FIXED:
        return fixed[i, 0], fixed[i, 1], fixed[i, 2]
    if not FIXED:
        return position(i, x)


@portable
def places_of(j, x: f64[:, 4], fixed: i32[:, 4]):
    """Positions of atoms j of the lanes."""
    if FIXED:
        return gather3(fixed, j, True)
    if not FIXED:
        return gather3(x, j, True)


@portable
def apart(xi, yi, zi, xj, yj, zj, scale: f64):
    """The way from j to i, and the square of the distance."""
    if FIXED:
        dx = real(scale) * difference(xi, xj)
        dy = real(scale) * difference(yi, yj)
        dz = real(scale) * difference(zi, zj)
    if not FIXED:
        dx = as_real(xi - xj)
        dy = as_real(yi - yj)
        dz = as_real(zi - zj)
    return dx, dy, dz, fma(dx, dx, fma(dy, dy, dz * dz))


# ---- forces of pairs
@portable
def along(strength, near, dx, dy, dz):
    """Forces along ways, as strong as the ways are long; none beyond the cutoff."""
    strength = where(near, strength, 0.0)
    return dx * strength, dy * strength, dz * strength


@portable
def force_of(r2, near, dx, dy, dz, p, data: real[:]):
    """Forces and energies of the pairs of lanes; none beyond the cutoff."""
    strength, e = pair(r2, p, data)
    gx, gy, gz = along(strength, near, dx, dy, dz)
    return gx, gy, gz, where(near, e - p.offset, real(0.0))


@portable
def sum_stage(some: i64, rows: i32[:], base: i64, n: i64, sx: real[:], sy: real[:], sz: real[:], strengths: real[:],
              f: scatter[f64[:, 3]], fx, fy, fz):
    """The last stage of a part of a row, of which ways and strengths are known: forces on its atom, and with half lists the
    opposite ones on its neighbours."""
    for q in lane_range(some):
        j = load(rows, base + q)
        strength = load(strengths, q)
        gx = load(sx, q) * strength
        gy = load(sy, q) * strength
        gz = load(sz, q) * strength
        fx, fy, fz = fx + gx, fy + gy, fz + gz
        if NEWTON and not FULL:
            subtract3(f, j, gx, gy, gz, True)
        if not NEWTON and not FULL:
            subtract3(f, j, gx, gy, gz, j < i32(n))
    return fx, fy, fz


@portable
def add_force(f: scatter[f64[:, 3]], i: i64, fx, fy, fz):
    """More for one atom: sums over lanes."""
    tx = f64(lane_sum(fx))
    ty = f64(lane_sum(fy))
    tz = f64(lane_sum(fz))
    if leader():
        add3(f, i, tx, ty, tz)


@portable
def end_force(f: scatter[f64[:, 3]], i: i64, tx: f64, ty: f64, tz: f64):
    """What a row ends with: the force on its atom."""
    if leader():
        if FULL and not ADD:
            f[i, 0] = tx
            f[i, 1] = ty
            f[i, 2] = tz
        if FULL and ADD:
            f[i, 0] += tx
            f[i, 1] += ty
            f[i, 2] += tz
        if not FULL:
            add3(f, i, tx, ty, tz)
