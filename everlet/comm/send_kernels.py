"""Kernels of the exchange between ranks. `box` is as in kernels.py; `nodes` is as in cuts.py, flat."""

from __future__ import annotations

from everlet.comm.kernels import fraction_x, fraction_y, fraction_z
from everlet.portable import add_row, f64, i32, i64, local, portable


@portable
def find_owner(i, x: f64[:, 4], box: f64[:], nodes: f64[:], part: f64[:], owner: i32[:]):
    """Go down the tree of cuts: at each node to the side on which the atom is. Most atoms are still in the part (its
    corners, 6, and its rank) of the rank that asks: for these there is no need to."""
    sx = fraction_x(x[i, 0], x[i, 1], x[i, 2], i64(0), box)
    sy = fraction_y(x[i, 1], x[i, 2], i64(0), box)
    sz = fraction_z(x[i, 2], i64(0), box)
    node = i64(0)
    if sx >= part[0] and sx < part[3] and sy >= part[1] and sy < part[4] and sz >= part[2] and sz < part[5]:
        node = -1 - i64(part[6])
    while node >= 0:
        s = sx
        if nodes[4 * node] == 1.0:
            s = sy
        if nodes[4 * node] == 2.0:
            s = sz
        if s < nodes[4 * node + 1]:
            node = i64(nodes[4 * node + 2])
        else:
            node = i64(nodes[4 * node + 3])
    owner[i] = i32(-1 - node)


@portable
def mark_edge(i, x: f64[:, 4], box: f64[:], inner: f64[:], edge: i32[:]):
    """1 if an atom is so near to a face of its part that others may need it; inner: the corners (6) of the rest."""
    sx = fraction_x(x[i, 0], x[i, 1], x[i, 2], i64(0), box)
    sy = fraction_y(x[i, 1], x[i, 2], i64(0), box)
    sz = fraction_z(x[i, 2], i64(0), box)
    edge[i] = i32(1)
    if sx >= inner[0] and sx < inner[3] and sy >= inner[1] and sy < inner[4] and sz >= inner[2] and sz < inner[5]:
        edge[i] = i32(0)


@portable
def edge_fractions(k, x: f64[:, 4], box: f64[:], atom: i32[:], s: f64[:, 3]):
    i = i64(atom[k])
    s[k, 0] = fraction_x(x[i, 0], x[i, 1], x[i, 2], i64(0), box)
    s[k, 1] = fraction_y(x[i, 1], x[i, 2], i64(0), box)
    s[k, 2] = fraction_z(x[i, 2], i64(0), box)


@portable
def within(k: i64, t: i64, s: f64[:], window: f64[:]):
    """1 if edge atom k lies in the window of target t: low (3), high (3)."""
    found = i64(0)
    if s[3 * k] >= window[6 * t] and s[3 * k] < window[6 * t + 3]:
        if s[3 * k + 1] >= window[6 * t + 1] and s[3 * k + 1] < window[6 * t + 4]:
            if s[3 * k + 2] >= window[6 * t + 2] and s[3 * k + 2] < window[6 * t + 5]:
                found = i64(1)
    return found


@portable
def count_sends(t, edges: i64, s: f64[:], window: f64[:], count: i32[:]):
    """How many of the edge atoms target t needs."""
    found = i64(0)
    for k in range(edges):
        found += within(k, t, s, window)
    count[t] = i32(found)


@portable
def list_sends(t, edges: i64, atom: i32[:], s: f64[:], window: f64[:], start: i32[:], sent: i32[:], target: i32[:]):
    """The atoms that target t needs, in their order."""
    q = i64(start[t])
    for k in range(edges):
        if within(k, t, s, window) > 0:
            sent[q] = atom[k]
            target[q] = i32(t)
            q += 1


@portable
def pack_positions(q, x: f64[:, 4], sent: i32[:], target: i32[:], shift: f64[:, 3], box: f64[:], packed: f64[:, 4]):
    """The position of a sent atom plus whole box vectors."""
    i = i64(sent[q])
    t = i64(target[q])
    packed[q, 0] = x[i, 0] + shift[t, 0] * box[3] + shift[t, 1] * box[8] + shift[t, 2] * box[7]
    packed[q, 1] = x[i, 1] + shift[t, 1] * box[4] + shift[t, 2] * box[6]
    packed[q, 2] = x[i, 2] + shift[t, 2] * box[5]


@portable
def pack_words(q, width: i64, words: i32[:], sent: i32[:], packed: i32[:]):
    """The row of a sent atom, of any kind of numbers: so many words of 4 bytes."""
    for k in range(width):
        packed[q * width + k] = words[i64(sent[q]) * width + k]


@portable
def add_forces(k, atom: i32[:], first: i32[:], entry: i32[:], back: f64[:, 3], f: f64[:, 3]):
    """Add to an atom the forces on its ghosts, in the order of the ranks they were sent to."""
    i = i64(atom[k])
    for e in range(i64(first[k]), i64(first[k + 1])):
        q = i64(entry[e])
        add_row(f, i, back[q, 0], back[q, 1], back[q, 2])


@portable
def pack_values(q, values: f64[:], sent: i32[:], packed: f64[:]):
    packed[q] = values[sent[q]]


@portable
def add_rows(k, width: i64, atom: i32[:], first: i32[:], entry: i32[:], back: f64[:], values: f64[:]):
    """As add_forces, for rows of so many numbers."""
    i = i64(atom[k]) * width
    for e in range(i64(first[k]), i64(first[k + 1])):
        row = i64(entry[e]) * width
        for q in range(width):
            values[i + q] += back[row + q]


@portable
def add_values(k, atom: i32[:], first: i32[:], entry: i32[:], back: f64[:], values: f64[:]):
    """As add_forces, for one number of each atom."""
    i = i64(atom[k])
    for e in range(i64(first[k]), i64(first[k + 1])):
        values[i] += back[entry[e]]


@local
@portable
def at_home(i, home: i32[:]):
    """Atoms and ghosts have rows of their own, at first."""
    home[i] = i32(i)
