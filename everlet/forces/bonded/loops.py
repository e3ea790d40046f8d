"""Loops over linked atoms. Every atom has all its bonds in its own row and adds to its own force alone: each bond is computed
from both ends, nobody writes to others' forces, and ghosts get none.
"""
# mypy: ignore-errors

from __future__ import annotations

from everlet.portable import f64, floor, i32, i64, local, portable, real
from everlet.state.control import TROUBLE, UNLINKED


@portable
def nearest(dx: f64, dy: f64, dz: f64, box: f64[:]):
    """A difference of positions, less the whole box vectors in it. `box` is Box.params()."""
    k = floor(dz * box[11] + 0.5) * box[17]
    dz -= k * box[5]
    dy -= k * box[6]
    dx -= k * box[7]
    k = floor(dy * box[10] + dz * box[12] + 0.5) * box[16]
    dy -= k * box[4]
    dx -= k * box[8]
    k = floor(dx * box[9] + dy * box[14] + dz * box[13] + 0.5) * box[15]
    dx -= k * box[3]
    return dx, dy, dz


@local
@portable
def find_partners(i, width: i64, atom: i64[:], rows: i32[:], partner: i32[:], control: i64[:]):
    """Rows of the atoms of the links of atom i; -1 where there is none."""
    for k in range(i * width, (i + 1) * width):
        id = atom[k]
        there = i32(-1)
        if id > 0:
            there = rows[id]
            if there < 0:
                control[UNLINKED] = 1
                control[TROUBLE] = 1
        partner[k] = there


@portable
def bond_loop(i, x: f64[:, 4], box: f64[:], width: i64, type: i32[:], partner: i32[:], table: real[:], f: f64[:, 3]):
    """Forces of all bonds of atom i; with EV half of their energy and virial."""
    fx = 0.0
    fy = 0.0
    fz = 0.0
    if EV:
        energy = 0.0
        xx = 0.0
        yy = 0.0
        zz = 0.0
        xy = 0.0
        xz = 0.0
        yz = 0.0
    for k in range(i * width, (i + 1) * width):
        j = i64(partner[2 * k])
        if j == i:
            j = i64(partner[2 * k + 1])
        if j >= 0 and type[k] > 0:
            dx, dy, dz = nearest(x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2], box)
            p = record(table, i64(type[k]) * NP)
            strength, e = bond(dx * dx + dy * dy + dz * dz, p)
            gx = dx * strength
            gy = dy * strength
            gz = dz * strength
            fx += gx
            fy += gy
            fz += gz
            if EV:
                energy += 0.5 * e
                xx += 0.5 * dx * gx
                yy += 0.5 * dy * gy
                zz += 0.5 * dz * gz
                xy += 0.5 * dx * gy
                xz += 0.5 * dx * gz
                yz += 0.5 * dy * gz
    f[i, 0] += fx
    f[i, 1] += fy
    f[i, 2] += fz
    if EV:
        return energy, xx, yy, zz, xy, xz, yz


@portable
def evaluate(i, r2: f64[:], table: real[:], first: i64, force: f64[:], energy: f64[:]):
    """F/r and E of one bond type at squared distances: for checks."""
    p = record(table, first)
    strength, e = bond(r2[i], p)
    force[i] = strength
    energy[i] = e
