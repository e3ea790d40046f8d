"""The loop of the schemes that find pairs from cells at every step, without a neighbour list.

Atoms lie in columns of bins along z. A column's atoms are side by side in memory, bin after bin, with W places after
them that hold an atom far away: lanes may run over the end of a range, and then meet atoms of the same column that
are too far to count. Owned atoms come first, column by column, then ghosts in the same way.
"""

from __future__ import annotations

from everlet.forces.pair.rows import force_of
from everlet.forces.pair.tally import add_tally, keep_tally, no_force, no_tally
from everlet.neighbor.kernels import bin_along
from everlet.portable import accum, add_row, f64, i32, i64, portable, put_row, real, sqrt


@portable
def place_slots(k, layers: i64, order: i32[:], bin: i32[:], type: i32[:], atom: i32[:], kind: i32[:]):
    """Slot of the k-th atom in bin order, with room for PAD fillers after each column."""
    i = i64(order[k])
    slot = k + i64(bin[i]) // layers * PAD
    atom[slot] = i32(i)
    kind[slot] = type[i]


@portable
def gap(c: f64, lo: f64, size: f64, k: i64):
    """Distance of a coordinate to bin k along an axis."""
    low = lo + size * f64(k)
    return max(max(low - c, c - low - size), 0.0)


@portable
def inside(c: f64, lo: f64, inverse: f64, bins: i64):
    """The coordinate moved into the grid: as atoms outside of it are in its outermost bins, no gap may grow by it."""
    return min(max(c, lo), lo + f64(bins) / inverse)


@portable
def cell_loop(t, skip: i64, n: i64, ghosts: i64, columns: i64, turn: i32[:], xs: f64[:], ys: f64[:], zs: f64[:],
              kind: i32[:], atom: i32[:], start: i32[:], grid: f64[:], shape: i64[:],
              reach: i64[:], radius: f64, table: real[:], data: real[:], kinds: i64, gx: accum[:], gy: accum[:],
              gz: accum[:], tally: f64[:]):
    """Forces g (by slot) of the atoms in column turn[skip + t], with all columns within `radius` of each atom.

    FULL   item t is the atom in slot t instead; every pair of owned atoms is computed from both sides.
           Otherwise once: an atom is paired with those after it in its own column and with the columns after that,
           whose forces are written in lanes. Items that run together must not touch the same columns (see `turns`).
    Ghosts get no force: pairs with them are computed by each owner, energy and virial count half.
    BRANCH skip the arithmetic where no lane is within the cutoff.
    With EV, tally[7 (skip + t) …] = E xx yy zz xy xz yz of the item.
    """
    layers = shape[2]
    bins = columns * layers
    if FULL:
        own = i64(0)
        begin = i64(t)
        end = begin
        if i64(atom[begin]) < n:
            end = begin + 1
    if not FULL:
        own = i64(turn[skip + t])
        begin = start[own * layers] + own * PAD
        end = start[own * layers + layers] + own * PAD
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    if EV:
        tallied = no_tally(lanes(0.0))
    size_x = 1.0 / grid[3]
    size_y = 1.0 / grid[4]
    for k in range(begin, end):
        xi = xs[k]
        yi = ys[k]
        zi = zs[k]
        cx = inside(xi, grid[0], grid[3], shape[0])
        cy = inside(yi, grid[1], grid[4], shape[1])
        cz = inside(zi, grid[2], grid[5], shape[2])
        row = i64(kind[k]) * kinds
        first_a = bin_along(cx - radius, grid[0], grid[3], shape[0])
        last_a = bin_along(cx + radius, grid[0], grid[3], shape[0])
        first_b = bin_along(cy - radius, grid[1], grid[4], shape[1])
        last_b = bin_along(cy + radius, grid[1], grid[4], shape[1])
        if not FULL:  # an atom that moved further than the skin allows must still write to the agreed columns only
            first_a = max(first_a, own // shape[1] - reach[0])
            last_a = min(last_a, own // shape[1] + reach[0])
            first_b = max(first_b, own % shape[1] - reach[1])
            last_b = min(last_b, own % shape[1] + reach[1])
        fx, fy, fz = no_force(lanes(0.0))
        for a in range(first_a, last_a + 1):
            gap_x = gap(cx, grid[0], size_x, a)
            left2 = radius * radius - gap_x * gap_x
            for b in range(first_b, last_b + 1):
                column = a * shape[1] + b
                base = column * layers
                gap_y = gap(cy, grid[1], size_y, b)
                half2 = left2 - gap_y * gap_y
                sides = i64(0)
                if half2 > 0.0:
                    if ghosts > 0 and start[bins + base + layers] > start[bins + base]:
                        sides = i64(2)
                    if FULL or column >= own:
                        sides += 1
                if sides > 0:
                    half = sqrt(half2)
                    low = base + bin_along(cz - half, grid[2], grid[5], layers)
                    high = base + bin_along(cz + half, grid[2], grid[5], layers) + 1
                    for side in range(2):
                        q0 = i64(0)
                        q1 = i64(0)
                        if side == 0 and sides != 2:
                            q0 = start[low] + column * PAD
                            q1 = start[high] + column * PAD
                            if not FULL and column == own:
                                q0 = k + 1
                        if side == 1 and sides > 1:
                            q0 = start[bins + low] + (columns + column) * PAD
                            q1 = start[bins + high] + (columns + column) * PAD
                        share = as_real(1.0)
                        if FULL or side == 1:
                            share = as_real(0.5)
                        for q in range(q0, q1, W):
                            dx = as_real(xi - load(xs, q))
                            dy = as_real(yi - load(ys, q))
                            dz = as_real(zi - load(zs, q))
                            r2 = fma(dx, dx, fma(dy, dy, dz * dz))
                            if MANY:
                                p = record(table, (load(kind, q) + i32(row)) * i32(NP), True)
                            near = r2 < p.cut2
                            if FULL:
                                near = both(near, lane_ids() + i32(q - k) != i32(0))
                            if not BRANCH or any_lane(near):
                                dfx, dfy, dfz, e = force_of(r2, near, dx, dy, dz, p, data)
                                fx, fy, fz = fx + dfx, fy + dfy, fz + dfz
                                if not FULL:
                                    if side == 0:
                                        store(gx, q, load(gx, q) - as_accum(dfx))
                                        store(gy, q, load(gy, q) - as_accum(dfy))
                                        store(gz, q, load(gz, q) - as_accum(dfz))
                                if EV:
                                    e = real(share) * e
                                    dfx *= real(share)
                                    dfy *= real(share)
                                    dfz *= real(share)
                                    tallied = add_tally(tallied, e, dx, dy, dz, dfx, dfy, dfz)
        if FULL:
            gx[k] = accum(lane_sum(fx))
            gy[k] = accum(lane_sum(fy))
            gz[k] = accum(lane_sum(fz))
        if not FULL:
            gx[k] += accum(lane_sum(fx))
            gy[k] += accum(lane_sum(fy))
            gz[k] += accum(lane_sum(fz))
    if EV:
        for m in range(7):
            tally[7 * (skip + t) + m] = 0.0
        keep_tally(tally, skip + t, 1.0, tallied)


@portable
def unsort_forces(k, n: i64, atom: i32[:], gx: accum[:], gy: accum[:], gz: accum[:], f: f64[:, 3]):
    """Forces by slot to the atoms; fillers have none."""
    i = i64(atom[k])
    if i < n:
        if not ADD:
            put_row(f, i, f64(gx[k]), f64(gy[k]), f64(gz[k]))
        if ADD:
            add_row(f, i, f64(gx[k]), f64(gy[k]), f64(gz[k]))
