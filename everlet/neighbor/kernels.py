"""Kernels of binning and of the neighbour lists.

`grid` holds lo(3), inverse bin size(3) and `shape` the number of bins (x, y, z; z fastest), the first of them, and the bins of
all grids; then the first row of the stencil, how many there are and how many of them are `later`. MANY: there is such a row for
each of the systems of a batch, and `member` says whose an atom is; otherwise there is one, and `member` is not read.
"""

from __future__ import annotations

from everlet.neighbor.fixed_point import steps_along
from everlet.portable import f64, floor, i32, i64, local, portable, real
from everlet.state.control import CROWDED, STOP, TROUBLE

SHAPE = 8  # numbers of a grid in `shape`


@portable
def bin_along(c: f64, lo: f64, inverse: f64, bins: i64):
    """Bin number along one axis; atoms outside the grid go to the outermost bins."""
    k = i64(floor((c - lo) * inverse))
    return min(max(k, i64(0)), bins - 1)


@portable
def bin_of(x: f64, y: f64, z: f64, s: i64, grid: f64[:], shape: i64[:]):
    """Bin of a place in grid s, along each axis."""
    g = 6 * s
    h = SHAPE * s
    a = bin_along(x, grid[g], grid[g + 3], shape[h])
    b = bin_along(y, grid[g + 1], grid[g + 4], shape[h + 1])
    c = bin_along(z, grid[g + 2], grid[g + 5], shape[h + 2])
    return a, b, c


@portable
def runs_of(row: i64, a: i64, b: i64, c: i64, s: i64, after: i64, shape: i64[:], stencil: i64[:, 3], start: i32[:]):
    """Slots of row `row` of the stencil around a bin of grid s: the first, and the one behind the last, of owned atoms and of
    ghosts; the same number twice where there are none.

    A row (da, db, dc) stands for the bins (a+da, b+db, c-dc … c+dc), whose atoms are side by side in bin order. The first row
    is the bin's own, then come the `later` rows that follow it in bin order, then the ones before it. HALF: of two owned atoms
    the earlier one in bin order has the later one in its row, so that rows begin at slot `after`; ghosts are always taken.
    """
    first = i64(0)
    last = i64(0)
    first_ghost = i64(0)
    last_ghost = i64(0)
    h = SHAPE * s
    t = shape[h + 5] + row
    aa = a + stencil[t, 0]
    bb = b + stencil[t, 1]
    if aa >= 0 and aa < shape[h] and bb >= 0 and bb < shape[h + 1]:
        base = shape[h + 3] + (aa * shape[h + 1] + bb) * shape[h + 2]
        low = base + max(c - stencil[t, 2], i64(0))
        high = base + min(c + stencil[t, 2], shape[h + 2] - 1) + 1
        if row <= shape[h + 7] or not HALF:
            first = i64(start[low])
            if HALF and row == 0:
                first = after
            last = i64(start[high])
        first_ghost = i64(start[shape[4] + low])  # the bins of ghosts come after those of owned atoms
        last_ghost = i64(start[shape[4] + high])
    return first, last, first_ghost, last_ghost


@portable
def clear(k, count: i32[:]):
    count[k] = i32(0)


@portable
def assign_bins(i, n: i64, x: f64[:, 4], member: i32[:], grid: f64[:], shape: i64[:], bin: i32[:], rank: i32[:],
                count: i32[:]):
    """Bin of atom i, its place among the atoms of that bin, and the number of atoms per bin; ghosts have their own bins."""
    s = i64(0)
    if MANY:
        s = i64(member[i])
    h = SHAPE * s
    a, b, c = bin_of(x[i, 0], x[i, 1], x[i, 2], s, grid, shape)
    place = shape[h + 3] + (a * shape[h + 1] + b) * shape[h + 2] + c
    if i >= n:
        place += shape[4]
    bin[i] = i32(place)
    rank[i] = atomic_add(count, place, i32(1))


@portable
def permute(i, bin: i32[:], rank: i32[:], start: i32[:], order: i32[:]):
    """order[slot] = atom, atoms of one bin side by side."""
    order[start[bin[i]] + rank[i]] = i32(i)


@portable
def order_bin(k, start: i32[:], order: i32[:]):
    """Sort the atoms of one bin by index: the places were given in no fixed order if several threads did it."""
    low = i64(start[k])
    for a in range(low + 1, i64(start[k + 1])):
        atom = order[a]
        b = a
        while b > low and order[b - 1] > atom:
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
def pack_sorted(k, x: f64[:, 4], member: i32[:], order: i32[:], origin: f64[:], slots: i64, packed: i32[:]):
    """Position in steps and index of the atom in slot k: candidates are then read side by side, in few loads."""
    i = order[k]
    o = i64(0)
    if MANY:
        o = 4 * i64(member[i])
    store4(packed, slots, k, steps_along(x[i, 0], origin[o], origin[o + 3]), steps_along(x[i, 1], origin[o + 1], origin[o + 3]),
           steps_along(x[i, 2], origin[o + 2], origin[o + 3]), i)


@portable
def taken(found: i64, self: i64, j, near, base: i64, sk: i64, room: i64, neigh: i32[:]):
    """Append atoms j of the lanes that are near to a row, except atom `self`; if they do not fit they are counted alone."""
    if not HALF:
        near = both(near, j != i32(self))
    if found <= room:
        found += append(neigh, base, found, sk, j, near)
    else:
        found += count_lanes(near)
    return found


@portable
def scan_row(found: i64, first: i64, last: i64, self: i64, xi: i32, yi: i32, zi: i32, slots: i64, packed: i32[:], cut2: real,
             base: i64, sk: i64, room: i64, neigh: i32[:]):
    """Append the atoms of slots first … last-1 within the list radius to a row, except atom `self`."""
    for q in lane_steps(first, last):
        xj, yj, zj, j = load4(packed, slots, q)
        dx = difference(xi, xj)
        dy = difference(yi, yj)
        dz = difference(zi, zj)
        near = both(live(q, last), fma(dx, dx, fma(dy, dy, dz * dz)) < cut2)
        if not BRANCH or any_lane(near):
            found = taken(found, self, j, near, base, sk, room, neigh)
    return found


@portable
def build_list(k, x: f64[:, 4], member: i32[:], filler: i64, slots: i64, packed: i32[:], start: i32[:], grid: f64[:],
               shape: i64[:], stencil: i64[:, 3], used: i32[:], reach2: f64[:], si: i64, sk: i64, room: i64, neigh: i32[:],
               count: i32[:], first_entry: i32[:], control: i64[:]):
    """Neighbours of the atom in slot k within the list radius; if they do not fit, count says how many there are. CPUs have a
    loop of their own (block_loops.py).

    Distances are in steps (fixed_point.py) and float32; reach2 has a margin for what is rounded, so no pair is missed.
    BRANCH: look whether any candidate is near before appending (for scalars; lanes nearly always have one).
    Rows are filled up to a whole number of PAD, so many the force loop may read, with `filler`, a place far away.
    DENSE: rows follow each other, and those of BLOCK slots, which one thread fills in turn, share `room` places; `used`
    counts them in steps of GRAIN, and row i begins at 8 * first_entry[i]. Otherwise row i begins at i * si.
    SPILL: of the places those at the end, into which the last step of lanes may write.
    """
    xi, yi, zi, atom = item4(packed, slots, k)
    i = i64(atom)
    s = i64(0)
    if MANY:
        s = i64(member[i])
    a, b, c = bin_of(x[i, 0], x[i, 1], x[i, 2], s, grid, shape)
    cut2 = real(reach2[s])
    found = i64(0)
    to = i * si
    if DENSE:
        block = k // BLOCK
        if k % BLOCK == 0:
            used[block] = i32(0)
        to = block * room + used[block]
        room -= used[block]
        first_entry[i] = i32(to // 8)
    room -= SPILL
    for row in range(shape[SHAPE * s + 6]):
        first, last, first_ghost, last_ghost = runs_of(row, a, b, c, s, k + 1, shape, stencil, start)
        found = scan_row(found, first, last, i, xi, yi, zi, slots, packed, cut2, to, sk, room, neigh)
        found = scan_row(found, first_ghost, last_ghost, i, xi, yi, zi, slots, packed, cut2, to, sk, room, neigh)
    if leader():
        count[i] = i32(found)
        if found <= room:
            for q in range(found, (found + PAD - 1) // PAD * PAD):
                neigh[to + q * sk] = i32(filler)
            if DENSE:
                used[block] += i32((found + GRAIN - 1) // GRAIN * GRAIN)
        else:
            control[CROWDED] = 1
            control[TROUBLE] = 1


@local
@portable
def keep_positions(i, x: f64[:, 4], held: f64[:]):
    held[3 * i] = x[i, 0]
    held[3 * i + 1] = x[i, 1]
    held[3 * i + 2] = x[i, 2]


@local
@portable
def mark_moved(i, x: f64[:, 4], held: f64[:], limit2: f64, position: i64, control: i64[:]):
    """Stop at this position if the atom has moved further than the limit since the last build, or is not a number."""
    dx = x[i, 0] - held[3 * i]
    dy = x[i, 1] - held[3 * i + 1]
    dz = x[i, 2] - held[3 * i + 2]
    if not dx * dx + dy * dy + dz * dz <= limit2:
        control[STOP] = position


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
