"""Rows of ghosts, where these are atoms of other ranks: torsions need the bonds of an atom's partners.

Ghosts that may be bound to an atom of this rank have a row (ALL: each has one), but for images of its own atoms; partners are
looked for in the bins that lists were made from.
"""

from __future__ import annotations

from everlet.forces.manybody.reaxff.bond_loops import is_near
from everlet.neighbor.kernels import bin_along
from everlet.portable import f64, i32, i64, portable


@portable
def scan_bins(i: i64, n: i64, low: i64, high: i64, x: f64[:, 4], kind: i32[:], order: i32[:], reach: f64[:], kinds: i64,
              skin: f64, to: i64, write: i64, partner: i32[:]):
    """Partners among the atoms of slots low … high - 1: how many, and how many of them are atoms of this rank."""
    found = i64(0)
    owned = i64(0)
    for slot in range(low, high):
        j = i64(order[slot])
        if j != i and is_near(i, j, x, kind, reach, kinds, skin):
            if write > 0:
                partner[to + found] = i32(j)
            found += 1
            owned += i64(j < n)
    return found, owned


@portable
def scan_ghost(i: i64, n: i64, x: f64[:, 4], kind: i32[:], order: i32[:], start: i32[:], grid: f64[:], shape: i64[:], far: f64,
               reach: f64[:], kinds: i64, skin: f64, to: i64, write: i64, partner: i32[:]):
    """Partners of ghost i among all atoms and ghosts; 0 if no atom of this rank is among them (not ALL)."""
    bins = shape[0] * shape[1] * shape[2]
    c = bin_along(x[i, 2] - far, grid[2], grid[5], shape[2])
    d = bin_along(x[i, 2] + far, grid[2], grid[5], shape[2])
    found = i64(0)
    owned = i64(0)
    for a in range(bin_along(x[i, 0] - far, grid[0], grid[3], shape[0]), bin_along(x[i, 0] + far, grid[0], grid[3], shape[0])
                   + 1):
        for b in range(bin_along(x[i, 1] - far, grid[1], grid[4], shape[1]),
                       bin_along(x[i, 1] + far, grid[1], grid[4], shape[1]) + 1):
            base = (a * shape[1] + b) * shape[2]
            for part in range(2):
                some, own = scan_bins(i, n, i64(start[part * bins + base + c]), i64(start[part * bins + base + d + 1]), x, kind,
                                      order, reach, kinds, skin, to + found, write, partner)
                found += some
                owned += own
    if not ALL:
        if owned == 0:
            found = i64(0)
    return found


@portable
def count_ghost(g, n: i64, x: f64[:, 4], kind: i32[:], order: i32[:], start: i32[:], grid: f64[:], shape: i64[:], far: f64,
                reach: f64[:], kinds: i64, skin: f64, home: i32[:], near: i32[:]):
    near[n + g] = i32(0)
    if i64(home[n + g]) == n + g:
        near[n + g] = i32(scan_ghost(n + g, n, x, kind, order, start, grid, shape, far, reach, kinds, skin, i64(0), i64(0),
                                     order))


@portable
def fill_ghost(g, n: i64, x: f64[:, 4], kind: i32[:], order: i32[:], start: i32[:], grid: f64[:], shape: i64[:], far: f64,
               reach: f64[:], kinds: i64, skin: f64, near: i32[:], partner: i32[:]):
    if near[n + g] < near[n + g + 1]:
        scan_ghost(n + g, n, x, kind, order, start, grid, shape, far, reach, kinds, skin, i64(near[n + g]), i64(1),
                   partner)
