"""Extrapolation grades: the largest of the coefficients with which the functions B of an atom are made of those of a set."""

from __future__ import annotations

from everlet.comm.kernels import atom_of
from everlet.forces.manybody.tile_loops import place, species_of
from everlet.portable import f64, i32, i64, magnitude, most, portable, real


@portable
def grade(item, blocks: i64, begin: i64, tiles: i32[:], inverse: real[:], values: real[:], grades: real[:]):
    """max |B A^-1|, over every PARTS-th four columns. COLUMNS: those of the inverse, a multiple of four."""
    own = item % blocks * W
    part = item // blocks
    species = species_of(begin + own, tiles)
    if species >= 0:
        base = place(own, OUTPUTS)
        worst = as_real(lanes(0.0))
        for k in range(4 * part, COLUMNS, 4 * PARTS):
            for u in unroll(4):
                s[u] = as_real(lanes(0.0))
            for f in range(OUTPUTS):
                b = load(values, base + f * T)
                for u in unroll(4):
                    s[u] = fma(b, inverse[(species * OUTPUTS + f) * COLUMNS + k + u], s[u])
            for u in unroll(4):
                worst = most(worst, magnitude(s[u]))
        store(grades, place(own, PARTS) + part * T, worst)


@portable
def worst_of(own, begin: i64, n: i64, order: i32[:], grades: real[:], out: f64[:]):
    """The largest of the parts, for each atom."""
    i = atom_of(begin + own, order)
    if i >= 0 and i < n:
        found = grades[place(own, PARTS)]
        for k in range(1, PARTS):
            found = max(found, grades[place(own, PARTS) + k * T])
        out[i] = f64(found)
