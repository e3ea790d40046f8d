"""What loops of styles have in common whose pairs need more than a distance (schemes/own.py): velocities, directions, charges.

An item is an atom with its full row, a pair is computed from both sides, and nobody writes to others. Of many threads several
share an atom; on cores there is one lane (`width=1`), so that loops may have branches. Loops without branches (`width=0`) go by
lanes there, and their rows in parts of SEGMENT: those that are near are PACKED first, since what follows is dear.

Statics: EV (energies and virials are returned), PERATOM (they go to the atom, times a factor, and forces to nobody); ADD,
SLOTS, DENSE, NP as in loops.py.
"""

from __future__ import annotations

from everlet.forces.pair.rows import between, position, toward
from everlet.forces.pair.tally import add_virial, no_tally, sum_tally
from everlet.portable import add_row, both, f64, i32, i64, portable, put_row


@portable
def neighbor_at(q: i64, i: i64, neigh: i32[:], x: f64[:, 4]):
    """The atom j that an entry of the row of atom i is, the way from there, and the square of the distance."""
    j = i64(neigh[q])
    dx, dy, dz, r2 = between(i, j, x)
    return j, dx, dy, dz, r2


@portable
def pack_near(begin: i64, m: i64, base: i64, i: i64, neigh: i32[:], x: f64[:, 4], reach2: f64, packed: i32[:]):
    """Of a part of the row of atom i those within the longest cutoff, filled up with i itself; how many they are."""
    xi, yi, zi = position(i, x)
    some = i64(0)
    for q in lane_steps(begin, min(m, begin + SEGMENT)):
        j = load(neigh, base + q)
        _, _, _, r2 = toward(j, x, xi, yi, zi)
        some += append(packed, i64(0), some, i64(1), j, both(live(q, m), r2 < reach2))
    store(packed, some, lane_ids() * i32(0) + i32(i))
    return some


@portable
def empty_row():
    """The force on an atom, energy and virial, of no pair yet."""
    return 0.0, 0.0, 0.0, no_tally(0.0)


@portable
def end_row(i: i64, fx: f64, fy: f64, fz: f64, f: f64[:, 3], tallied, factor: f64, energy: f64[:], virial: f64[:, 6]):
    """The force on atom i; it is set, or added to others. Of PERATOM half of energy and virial of its row instead."""
    if PERATOM:
        e, xx, yy, zz, xy, xz, yz = sum_tally(0.5, tallied)
        if leader():
            energy[i] += factor * e
            add_virial(virial, i, factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz)
    if not PERATOM:
        tx = f64(lane_sum(fx))
        ty = f64(lane_sum(fy))
        tz = f64(lane_sum(fz))
        if leader():
            if ADD:
                tx += f[i, 0]
                ty += f[i, 1]
                tz += f[i, 2]
            put_row(f, i, tx, ty, tz)


@portable
def end_torque(i: i64, tx: f64, ty: f64, tz: f64, torque: f64[:, 3]):
    """More torque on atom i: it was set to zero."""
    sx = f64(lane_sum(tx))
    sy = f64(lane_sum(ty))
    sz = f64(lane_sum(tz))
    if leader() and not PERATOM:
        add_row(torque, i, sx, sy, sz)
