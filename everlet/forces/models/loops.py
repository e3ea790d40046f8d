"""Loops between rows of the list and edges of models."""
# mypy: ignore-errors

from __future__ import annotations

from everlet.forces.manybody.giving_loops import rounded
from everlet.forces.pair.rows import position, row_start
from everlet.portable import f64, i32, i64, portable, scatter


@portable
def number_rows(i, rows: f64[:]):
    """Every atom and its own number, which ghosts are then told."""
    rows[i] = f64(i)


@portable
def name_species(i, kind: i32[:], of_type: i32[:], species: i32[:]):
    """The species of atoms and ghosts, from their types."""
    species[i] = of_type[kind[i]]


@portable
def list_edges(i, x: f64[:, 4], short: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, start: i32[:], rows: f64[:],
               tail: i32[:], head: i32[:], way: f64[:, 3]):
    """The edges of atom i: to the neighbours in its short row."""
    xi, yi, zi = position(i, x)
    here = row_start(i, first, si)
    e = i64(start[i])
    for q in range(i64(count[i])):
        j = i64(short[here + q * sk])
        tail[e + q] = i32(i)
        head[e + q] = i32(rows[j])
        way[e + q, 0] = x[j, 0] - xi
        way[e + q, 1] = x[j, 1] - yi
        way[e + q, 2] = x[j, 2] - zi


@portable
def give_forces(i, start: i32[:], head: i32[:], way: f64[:, 3], slope: f64[:, 3], energy: f64[:], kind: i32[:],
                counts: f64[:], factor: f64, wrong: i32[:], f: scatter[f64[:, 3]]):
    """Forces of the edges of atom i: the slope of the energy with the way to j on i, and minus that on j.

    `counts` is 0 for types that are none of the model's. Returns energy and virial.
    """
    fx = 0.0
    fy = 0.0
    fz = 0.0
    if EV:
        xx = 0.0
        yy = 0.0
        zz = 0.0
        xy = 0.0
        xz = 0.0
        yz = 0.0
    for e in range(i64(start[i]), i64(start[i + 1])):
        gx = slope[e, 0] * factor
        gy = slope[e, 1] * factor
        gz = slope[e, 2] * factor
        if EXACT:
            gx = rounded(gx)
            gy = rounded(gy)
            gz = rounded(gz)
        j = i64(head[e])
        fx += gx
        fy += gy
        fz += gz
        f[j, 0] += -gx
        f[j, 1] += -gy
        f[j, 2] += -gz
        if EV:
            xx -= way[e, 0] * gx
            yy -= way[e, 1] * gy
            zz -= way[e, 2] * gz
            xy -= way[e, 0] * gy
            xz -= way[e, 0] * gz
            yz -= way[e, 1] * gz
    f[i, 0] += fx
    f[i, 1] += fy
    f[i, 2] += fz
    sum = fx + fy + fz
    if sum != sum or abs(sum) > 1.0e300:
        wrong[0] = i32(i + 1)
    if EV:
        own = energy[i] * counts[kind[i]]
        if own != own or abs(own) > 1.0e300:
            wrong[0] = i32(i + 1)
        return own, xx, yy, zz, xy, xz, yz


@portable
def share_edges(i, start: i32[:], head: i32[:], way: f64[:, 3], slope: f64[:, 3], energy: f64[:], kind: i32[:],
                counts: f64[:], out: scatter[f64[:, 3]]):
    """The energy to atom i; of the virial of an edge half to each of its ends (manybody/shares.py)."""
    own = i64(3) * i64(i)
    out[own + 2, 0] += energy[i] * counts[kind[i]]
    for e in range(i64(start[i]), i64(start[i + 1])):
        hx = -0.5 * way[e, 0]
        hy = -0.5 * way[e, 1]
        hz = -0.5 * way[e, 2]
        for side in range(2):
            row = own
            if side == 1:
                row = i64(3) * i64(head[e])
            out[row, 0] += hx * slope[e, 0]
            out[row, 1] += hy * slope[e, 1]
            out[row, 2] += hz * slope[e, 2]
            out[row + 1, 0] += hx * slope[e, 1]
            out[row + 1, 1] += hx * slope[e, 2]
            out[row + 1, 2] += hy * slope[e, 2]
