"""How CPUs build neighbour lists: bin by bin, BLOCK slots in turn.

Runs of slots that hold the neighbours of a bin are short, and a loop over each run of each atom would mostly wait for ends of
loops that were not foreseen. So candidates are put side by side once, for all atoms of a bin: in scratch memory, relative to
the first of them, which float32 has digits enough for. Rows are those that `build_list` of kernels.py makes, in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence

from everlet.neighbor.cells import Grid
from everlet.neighbor.kernels import SHAPE, bin_of, runs_of, scan_row, taken
from everlet.portable import f64, i32, i64, portable, real
from everlet.state.control import CROWDED, TROUBLE

CANDIDATES = 1024  # of a bin, at most: 16 KiB; more of them come in long runs, which need no copy
NOWHERE = 1.0e18  # farther than any cutoff, its square still a float32
LARGE = 4.0  # radii: the edge of a bin in which positions in float32 are no longer exact enough


def candidates(grids: Sequence[Grid], radius: float) -> int:
    """How many candidates of a bin may be put side by side."""
    return CANDIDATES if max(float(grid.size.max()) for grid in grids) <= LARGE * radius else 0


@portable
def copy_run(some: i64, most: i64, first: i64, last: i64, xo: i32, yo: i32, zo: i32, slots: i64, packed: i32[:], cx: real[:],
             cy: real[:], cz: real[:], cj: i32[:]):
    """Candidates of slots first … last-1, behind the `some` that are there; how many there are then, or more than `most`."""
    end = some + last - first
    if end <= most:
        for q in lane_steps(first, last):
            xj, yj, zj, j = load4(packed, slots, q)
            to = some + q - first
            store(cx, to, difference(xj, xo))
            store(cy, to, difference(yj, yo))
            store(cz, to, difference(zj, zo))
            store(cj, to, j)
    return min(end, most + 1)


@portable
def build_list(t, atoms: i64, x: f64[:, 4], member: i32[:], filler: i64, slots: i64, packed: i32[:], start: i32[:],
               grid: f64[:], shape: i64[:], stencil: i64[:, 3], most: i64, reach2: f64[:], si: i64, sk: i64, room: i64,
               neigh: i32[:], count: i32[:], first_entry: i32[:], control: i64[:]):
    """Rows of the atoms in the slots of block t. Arguments and statics are those of `build_list` in kernels.py; most: so many
    candidates are put side by side."""
    cx = scratch(real, SIZE)
    cy = scratch(real, SIZE)
    cz = scratch(real, SIZE)
    cj = scratch(i32, SIZE)
    full = i64(0)  # places of the block that are used
    end = min(atoms, (t + 1) * BLOCK)
    k = t * BLOCK
    while k < end:
        xo, yo, zo, atom = item4(packed, slots, k)
        i = i64(atom)
        s = i64(0)
        if MANY:
            s = i64(member[i])
        h = SHAPE * s
        a, b, c = bin_of(x[i, 0], x[i, 1], x[i, 2], s, grid, shape)
        stop = min(i64(start[shape[h + 3] + (a * shape[h + 1] + b) * shape[h + 2] + c + 1]), end)
        rows = shape[h + 6]
        cut2 = real(reach2[s])
        some = i64(0)
        for row in range(rows):
            first, last, first_ghost, last_ghost = runs_of(row, a, b, c, s, k, shape, stencil, start)
            some = copy_run(some, most, first, last, xo, yo, zo, slots, packed, cx, cy, cz, cj)
            some = copy_run(some, most, first_ghost, last_ghost, xo, yo, zo, slots, packed, cx, cy, cz, cj)
        store(cx, min(some, most), lanes(NOWHERE))
        for m in range(k, stop):
            xi, yi, zi, atom = item4(packed, slots, m)
            i = i64(atom)
            found = i64(0)
            to = i * si
            space = room - SPILL
            if DENSE:
                to = t * room + full
                space = room - SPILL - full
                first_entry[i] = i32(to // 8)
            if some <= most:
                dxi = difference(xi, xo)
                dyi = difference(yi, yo)
                dzi = difference(zi, zo)
                begin = i64(0)
                if HALF:
                    begin = m - k + 1
                for q in lane_steps(begin, some):
                    j = load(cj, q)
                    dx = dxi - load(cx, q)
                    dy = dyi - load(cy, q)
                    dz = dzi - load(cz, q)
                    near = fma(dx, dx, fma(dy, dy, dz * dz)) < cut2
                    found = taken(found, i, j, near, to, sk, space, neigh)
            else:
                for row in range(rows):
                    first, last, first_ghost, last_ghost = runs_of(row, a, b, c, s, m + 1, shape, stencil, start)
                    found = scan_row(found, first, last, i, xi, yi, zi, slots, packed, cut2, to, sk, space, neigh)
                    found = scan_row(found, first_ghost, last_ghost, i, xi, yi, zi, slots, packed, cut2, to, sk, space, neigh)
            count[i] = i32(found)
            if found <= space:
                for q in range(found, (found + PAD - 1) // PAD * PAD):
                    neigh[to + q * sk] = i32(filler)
                if DENSE:
                    full += (found + GRAIN - 1) // GRAIN * GRAIN
            else:
                control[CROWDED] = 1
                control[TROUBLE] = 1
        k = stop
