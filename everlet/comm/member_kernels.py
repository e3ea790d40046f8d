"""Kernels of the ghosts of many systems: `box` has a row for each of them, `member` says whose an atom is."""

from __future__ import annotations

from everlet.comm.kernels import wrap_slanted, wrap_straight
from everlet.portable import f64, i32, i64, local, portable, sqrt
from everlet.state.box import BOX


@local
@portable
def wrap_members(i, member: i32[:], due: i32[:], tilted: i32[:], x: f64[:, 4], image: i32[:, 3], box: f64[:], control: i64[:]):
    """Bring atoms of systems whose turn it is back into their boxes. Edges that are not periodic have no faces."""
    s = i64(member[i])
    if due[s] != 0:
        if tilted[s] != 0:
            wrap_slanted(i, BOX * s, x, image, box, control)
        else:
            wrap_straight(i, BOX * s, x, image, box, control)


@local
@portable
def keep_members(i, member: i32[:], due: i32[:], x: f64[:, 4], kept: f64[:, 4]):
    """Positions that ghosts and lists of a system are made of, from its turn on."""
    if due[member[i]] != 0:
        kept[i, 0] = x[i, 0]
        kept[i, 1] = x[i, 1]
        kept[i, 2] = x[i, 2]


@portable
def reach_members(s, cutoff: f64, box: f64[:], cut: f64[:]):
    """A distance as fractions of each box, measured at right angles to its faces."""
    b = BOX * s
    cut[3 * s] = cutoff * sqrt(box[b + 9] * box[b + 9] + box[b + 14] * box[b + 14] + box[b + 13] * box[b + 13])
    cut[3 * s + 1] = cutoff * sqrt(box[b + 10] * box[b + 10] + box[b + 12] * box[b + 12])
    cut[3 * s + 2] = cutoff * box[b + 11]


@portable
def set_due(s, value: i32, due: i32[:]):
    due[s] = value


@portable
def have_built(s, due: i32[:], box: f64[:], built: f64[:]):
    """Lists of a system whose turn it was are those of its present box; it waits for its next turn."""
    if due[s] != 0:
        for k in range(BOX):
            built[BOX * s + k] = box[BOX * s + k]
    due[s] = i32(0)
