"""Kernels that fill the rows of the matrix: who is within the cutoff, then the coupling to each of them."""

from __future__ import annotations

from everlet.forces.cube_root import inverse_cube_root
from everlet.forces.manybody.reaxff.softness import softness
from everlet.forces.pair.rows import away, position, row_start
from everlet.portable import both, f64, i32, i64, portable, real, rsqrt, where
from everlet.state.control import CROWDED, PLACE, TROUBLE


@portable
def point_charges(r2, shield, low, inverse, roots):
    """1/r."""
    return rsqrt(r2)


@portable
def tapered(r2, shield, low, inverse, roots):
    """14.4 T(x) / (r^3 + shield)^(1/3) with x = (r - low)/(high - low), T = 20 x^7 - 70 x^6 + 84 x^5 - 35 x^4 + 1."""
    r = r2 * rsqrt(r2)
    x = (r - low) * inverse
    x2 = x * x
    taper = x2 * x2 * (((20.0 * x - 70.0) * x + 84.0) * x - 35.0) + 1.0
    return 14.4 * taper * inverse_cube_root(r * r2 + shield, roots)


@portable
def soft_bonds(r2, inverse_reach, soft, unused, roots):
    """soft y^3 (1 - y)^6 with y = r/reach."""
    passes, _ = softness(r2 * rsqrt(r2) * inverse_reach)
    return soft * passes


@portable
def pack_row(i, x: f64[:, 4], mask: i32[:], bit: i32, neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, cut2: f64,
             depth: i64, place: i64, column: i32[:], length: i32[:], control: i64[:]):
    """Neighbours of atom i within the cutoff now, of the group if GROUPED, from column[i * depth] on."""
    xi, yi, zi = position(i, x)
    start = row_start(i, first, si)
    base = i * depth
    m = i64(count[i])
    if (mask[i] & bit) == 0:
        m = i64(0)
    found = i64(0)
    for q in lane_range(m):
        j = load(neigh, start + q * sk)
        _, _, _, r2 = away(j, x, xi, yi, zi)
        near = both(live(q, m), r2 <= real(cut2))
        if GROUPED:
            near = both(near, (gather(mask, j, True) & bit) != i32(0))
        if found + lane_stride() <= depth:
            found += append(column, base, found, i64(1), j, near)
        else:
            found += lane_stride()
    if leader():
        length[i] = i32(found)
        if found > depth:
            control[CROWDED] = 1
            control[PLACE] = place + 1
            control[TROUBLE] = 1


@portable
def fill_row(i, x: f64[:, 4], kind: i32[:], home: i32[:], table: f64[:], kinds: i64, first: f64, second: f64, roots: f64[:],
             depth: i64, length: i32[:], column: i32[:], value: f64[:]):
    """The couplings of row i. Columns become places in vectors of two numbers per atom, those of ghosts where `home` says; what
    lanes read behind the end of the row is 0."""
    xi, yi, zi = position(i, x)
    base = i * depth
    m = min(i64(length[i]), depth)
    row = i32(i64(kind[i]) * kinds)
    for q in lane_range(m):
        there = live(q, m)
        j = where(there, load(column, base + q), i32(i))
        _, _, _, r2 = away(j, x, xi, yi, zi)
        h = COUPLING(where(there, r2, real(1.0)), gather(table, gather(kind, j, True) + row, True), real(first), real(second),
                     roots)
        store(value, base + q, where(there, h, real(0.0)))
        store(column, base + q, i32(2) * gather(home, j, True))
