"""Kernels of binning and of the neighbour lists.

`grid` holds lo(3), inverse bin size(3) and `shape` the number of bins (x, y, z; z fastest).
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import f64, floor, i32, i64, portable


@portable
def bin_along(c: f64, lo: f64, inverse: f64, bins: i64):
    """Bin number along one axis; atoms outside the grid go to the outermost bins."""
    k = i64(floor((c - lo) * inverse))
    return min(max(k, i64(0)), bins - 1)


@portable
def assign_bins(i, x: f64[:, 4], grid: f64[:], shape: i64[:], bin: i32[:], rank: i32[:], count: i32[:]):
    """Bin of each atom, its place among the atoms of that bin, and the number of atoms per bin."""
    a = bin_along(x[i, 0], grid[0], grid[3], shape[0])
    b = bin_along(x[i, 1], grid[1], grid[4], shape[1])
    c = bin_along(x[i, 2], grid[2], grid[5], shape[2])
    k = (a * shape[1] + b) * shape[2] + c
    bin[i] = i32(k)
    rank[i] = atomic_add(count, k, i32(1))


@portable
def permute(i, bin: i32[:], rank: i32[:], start: i32[:], order: i32[:]):
    """order[slot] = atom, atoms of one bin side by side."""
    order[start[bin[i]] + rank[i]] = i32(i)


@portable
def order_bin(k, start: i32[:], order: i32[:]):
    """Sort the atoms of one bin by index: the places were given in no fixed order if several threads did it."""
    for a in range(start[k] + 1, start[k + 1]):
        atom = order[a]
        b = a
        while b > start[k] and order[b - 1] > atom:
            order[b] = order[b - 1]
            b -= 1
        order[b] = atom


@portable
def gather_sorted(k, x: f64[:, 4], order: i32[:], xs: f64[:], ys: f64[:], zs: f64[:]):
    """Positions in bin order, one array per axis: candidates are then read side by side."""
    i = order[k]
    xs[k] = x[i, 0]
    ys[k] = x[i, 1]
    zs[k] = x[i, 2]


@portable
def build_list(i, n: i64, x: f64[:, 4], xs: f64[:], ys: f64[:], zs: f64[:], order: i32[:], start: i32[:],
               grid: f64[:], shape: i64[:], stencil: i64[:, 3], rows: i64, cut2: f64, upper: i32[:],
               si: i64, sk: i64, room: i64, neigh: i32[:], count: i32[:]):
    """Neighbours of atom i within the list radius; returns 1 if they did not fit (count says how many there are).

    A stencil row (da, db, dc) stands for the bins (a+da, b+db, c-dc … c+dc), whose atoms are side by side in bin order.
    HALF = 0: all neighbours. 1: each pair once (newton on). 2: pairs of owned atoms once, ghosts always (newton off).
    """
    xi = x[i, 0]
    yi = x[i, 1]
    zi = x[i, 2]
    a = bin_along(xi, grid[0], grid[3], shape[0])
    b = bin_along(yi, grid[1], grid[4], shape[1])
    c = bin_along(zi, grid[2], grid[5], shape[2])
    found = i64(0)
    for row in range(rows):
        aa = a + stencil[row, 0]
        bb = b + stencil[row, 1]
        if aa >= 0 and aa < shape[0] and bb >= 0 and bb < shape[1]:
            base = (aa * shape[1] + bb) * shape[2]
            first = i64(start[base + max(c - stencil[row, 2], i64(0))])
            size = i64(start[base + min(c + stencil[row, 2], shape[2] - 1) + 1]) - first
            for q in range(0, size, W):
                inside = live(q, size)
                dx = xi - load(xs, first + q)
                dy = yi - load(ys, first + q)
                dz = zi - load(zs, first + q)
                near = both(inside, fma(dx, dx, fma(dy, dy, dz * dz)) < cut2)
                if any_lane(near):
                    j = load(order, first + q)
                    if HALF == 0:
                        near = both(near, j != i32(i))
                    if HALF == 1:
                        ghost = j >= i32(n)
                        above = gather(upper, most(j - i32(n), i32(0)), both(near, ghost)) > i32(0)
                        near = both(near, either(both(ghost, above), both(negate(ghost), j > i32(i))))
                    if HALF == 2:
                        near = both(near, j > i32(i))
                    if found <= room:
                        found += append(neigh, i * si + found * sk, j, near)
                    else:
                        found += count_lanes(near)
    count[i] = i32(found)
    full = 0.0
    if found > room:
        full = 1.0
    return full


@portable
def keep_positions(i, x: f64[:, 4], held: f64[:]):
    held[3 * i] = x[i, 0]
    held[3 * i + 1] = x[i, 1]
    held[3 * i + 2] = x[i, 2]


@portable
def moved_too_far(i, x: f64[:, 4], held: f64[:], limit2: f64):
    """1 if the atom has moved further than the limit since the last build, or is not a number."""
    dx = x[i, 0] - held[3 * i]
    dy = x[i, 1] - held[3 * i + 1]
    dz = x[i, 2] - held[3 * i + 2]
    moved = 1.0
    if dx * dx + dy * dy + dz * dz <= limit2:
        moved = 0.0
    return moved


@portable
def total_count(i, count: i32[:]):
    return f64(count[i])


@portable
def sort_rows(i, order: i32[:], source: f64[:], target: f64[:], width: i64):
    """target row i = source row order[i]."""
    for k in range(width):
        target[i * width + k] = source[order[i] * width + k]


@portable
def sort_rows_i32(i, order: i32[:], source: i32[:], target: i32[:], width: i64):
    for k in range(width):
        target[i * width + k] = source[order[i] * width + k]


@portable
def sort_rows_i64(i, order: i32[:], source: i64[:], target: i64[:], width: i64):
    for k in range(width):
        target[i * width + k] = source[order[i] * width + k]
