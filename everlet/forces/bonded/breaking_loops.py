"""Kernels of bonds that break: those longer than `longest` of their type (squares; 0: never) get type 0, in the rows of their
atoms and in the table of links."""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest
from everlet.portable import Kernel, f64, i32, i64, local, portable


@local
@portable
def cut_own(i, width: i64, type: i32[:], ids: i64[:], rows: i32[:], x: f64[:, 4], box: f64[:], longest: f64[:]):
    """Bonds of atom i."""
    k = i * width
    while k < (i + 1) * width and ids[k * 2] != 0:
        if type[k] > 0 and longest[type[k]] > 0.0:
            a = i64(rows[ids[k * 2]])
            b = i64(rows[ids[k * 2 + 1]])
            if a >= 0 and b >= 0:
                dx, dy, dz = nearest(x[a, 0] - x[b, 0], x[a, 1] - x[b, 1], x[a, 2] - x[b, 2], box)
                if dx * dx + dy * dy + dz * dz > longest[type[k]]:
                    type[k] = i32(0)
        k += 1


@local
@portable
def cut_link(q, count: i64[:], room: i64, links: i32[:], x: f64[:, 4], box: f64[:], longest: f64[:]):
    """Bond q of the table."""
    if q < count[0]:
        a = i64(links[room + q])
        b = i64(links[2 * room + q])
        dx, dy, dz = nearest(x[a, 0] - x[b, 0], x[a, 1] - x[b, 1], x[a, 2] - x[b, 2], box)
        if dx * dx + dy * dy + dz * dz > longest[links[q]]:
            links[q] = i32(0)


@local
@portable
def find_held(i, width: i64, type: i32[:], ids: i64[:], id: i64[:], rows: i32[:], longest: f64[:], partner: i32[:]):
    """4 * row + 1 of the atoms that whole bonds tie to atom i, which are one bond away, then -1."""
    to = i * width
    for k in range(i * width, (i + 1) * width):
        if ids[k * 2] != 0 and type[k] > 0 and longest[type[k]] > 0.0:
            other = ids[k * 2]
            if other == id[i]:
                other = ids[k * 2 + 1]
            if rows[other] >= 0:
                partner[to] = 4 * rows[other] + i32(1)
                to += 1
    for k in range(to, (i + 1) * width):
        partner[k] = i32(-1)


CUT_OWN, CUT_LINK, FIND_HELD = Kernel(cut_own), Kernel(cut_link), Kernel(find_held)
