"""Loops of water whose negative charge is not at the oxygen O but at M = O + (a/2) (H1 + H2 - 2 O).

Statics: ADD, forces are added and not set.
"""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest
from everlet.portable import add_row, f64, i32, i64, local, portable, put_row
from everlet.state.control import TROUBLE, UNLINKED


@local
@portable
def find_water(i, id: i64[:], type: i32[:], oxygen: i64, hydrogen: i64, most: i64, rows: i32[:], partner: i32[:],
               control: i64[:]):
    """Of an oxygen the rows of its hydrogens, which have the next two ids; of a hydrogen that of its oxygen; else -1."""
    first = i32(-1)
    second = i32(-1)
    if type[i] == oxygen:
        if id[i] + 2 <= most:
            first = rows[id[i] + 1]
            second = rows[id[i] + 2]
        lost = first < 0 or second < 0
        if not lost:
            lost = type[first] != hydrogen or type[second] != hydrogen
        if lost:
            first = i32(-1)
            second = i32(-1)
            control[UNLINKED] = 1
            control[TROUBLE] = 1
    if type[i] == hydrogen:
        for k in range(1, 3):
            if first < 0 and id[i] - k > 0:
                there = rows[id[i] - k]
                if there >= 0:
                    if type[there] == oxygen:
                        first = there
    partner[2 * i] = first
    partner[2 * i + 1] = second


@portable
def find_site(i, x: f64[:, 4], box: f64[:], type: i32[:], oxygen: i64, share: f64, partner: i32[:], mx: f64[:], my: f64[:],
              mz: f64[:]):
    """The way from atom i to its charge: to M, or none."""
    dx = 0.0
    dy = 0.0
    dz = 0.0
    a = i64(partner[2 * i])
    b = i64(partner[2 * i + 1])
    if type[i] == oxygen and a >= 0:
        ax, ay, az = nearest(x[a, 0] - x[i, 0], x[a, 1] - x[i, 1], x[a, 2] - x[i, 2], box)
        bx, by, bz = nearest(x[b, 0] - x[i, 0], x[b, 1] - x[i, 1], x[b, 2] - x[i, 2], box)
        dx = 0.5 * share * (ax + bx)
        dy = 0.5 * share * (ay + by)
        dz = 0.5 * share * (az + bz)
    mx[i] = dx
    my[i] = dy
    mz[i] = dz


@local
@portable
def put_site(i, x: f64[:, 4], mx: f64[:], my: f64[:], mz: f64[:], site: f64[:, 4]):
    """Where the charge of an atom or ghost is."""
    site[i, 0] = x[i, 0] + mx[i]
    site[i, 1] = x[i, 1] + my[i]
    site[i, 2] = x[i, 2] + mz[i]


@local
@portable
def take_force(i, force: f64[:, 3], mx: f64[:], my: f64[:], mz: f64[:]):
    mx[i] = force[i, 0]
    my[i] = force[i, 1]
    mz[i] = force[i, 2]


@portable
def share_force(i, type: i32[:], oxygen: i64, share: f64, partner: i32[:], mx: f64[:], my: f64[:], mz: f64[:], f: f64[:, 3]):
    """Forces on atoms from those on charges: of that on M the part 1 - a is the oxygen's, a/2 each hydrogen's."""
    own = 1.0
    other = i64(i)
    part = 0.0
    if type[i] == oxygen:
        own = 1.0 - share
    if type[i] != oxygen and partner[2 * i] >= 0:
        other = i64(partner[2 * i])
        part = 0.5 * share
    if not ADD:
        put_row(f, i, 0.0, 0.0, 0.0)
    add_row(f, i, own * mx[i] + part * mx[other], own * my[i] + part * my[other], own * mz[i] + part * mz[other])
