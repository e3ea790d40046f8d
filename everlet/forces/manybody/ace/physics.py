"""What a neighbour at distance r adds to the sums of an expansion: rows of tables, and spherical harmonics.

Y_lm = sqrt(4 pi) times those with the phase of Condon and Shortley, as P_lm(z) (x + i y)^m of a direction (x, y, z), m >= 0.
Statics: PIECES of a table of each pair (tables.py).
"""
# ruff: noqa: F821  (words of kernels, and constants of a variant)

from __future__ import annotations

from everlet.portable import floor, i64, lookup8, portable, real, where


@portable
def row_of(r, pair: i64, pieces: real[:]):
    """The row of a table at distance r, how far beyond its middle, and rows for a unit of distance."""
    spot = pair * (3 * PIECES)
    place = (r - pieces[spot]) * pieces[spot + 1] + pieces[spot + 2]
    rate = r * real(0.0) + pieces[spot + 1]
    for u in unroll(PIECES - 1):
        k = spot + 3 * (u + 1)
        past = r >= pieces[k]
        place = where(past, (r - pieces[k]) * pieces[k + 1] + pieces[k + 2], place)
        rate = where(past, r * real(0.0) + pieces[k + 1], rate)
    row = floor(place)
    return row, place - row - real(0.5), rate


@portable
def spots_of(near, dx, dy, dz, r, inverse, pair: i64, pieces: real[:]):
    """Of neighbours that are `near`: directions, where their rows begin, how far beyond the middle, rows for a unit."""
    row, u, rate = row_of(r, pair, pieces)
    return dx * inverse, dy * inverse, dz * inverse, where(near, row, real(0.0)) * real(8 * FUNCTIONS), u, rate


@portable
def value(rows, spot, u):
    """A function of the table."""
    a, b, c, d, e, f, g, h = lookup8(rows, spot)
    return a + u * (b + u * (c + u * (d + u * (e + u * (f + u * (g + u * h))))))


@portable
def value_and_slope(rows, spot, u):
    """The same, and how it changes with u."""
    a, b, c, d, e, f, g, h = lookup8(rows, spot)
    v = g + u * h
    s = h
    s = v + u * s
    v = f + u * v
    s = v + u * s
    v = e + u * v
    s = v + u * s
    v = d + u * v
    s = v + u * s
    v = c + u * v
    s = v + u * s
    v = b + u * v
    s = v + u * s
    return a + u * v, s
