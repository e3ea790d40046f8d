"""Energies and virials of single atoms: half of each of their pairs, whatever the scheme of the run is.

Statics as in loops.py: pair, MANY, NP. OWN: the force depends also on a number of each of the two atoms, `own`; COUL: these are
charges, and `pair` gives force and energy in two parts. Sums are kept in double.
"""

from __future__ import annotations

from everlet.forces.pair.rows import position, toward
from everlet.forces.pair.tally import add_tally, add_virial, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, where


@portable
def peratom_loop(i, x: f64[:, 4], kind: i32[:], mask: i32[:], neigh: i32[:], count: i32[:], si: i64, sk: i64, table: real[:],
                 data: real[:], kinds: i64, factor: f64, own: f64[:], energy: f64[:], virial: f64[:, 6]):
    """Add what the pairs of atom i make, times a factor. Rows end in atoms that are far away."""
    xi, yi, zi = position(i, x)
    row = i64(kind[i]) * kinds
    if OWN:
        own_i = as_real(own[i])
    if not MANY:
        p = record(table, (kinds + 1) * NP)
    tallied = no_tally(lanes(0.0))
    for q in lane_range(i64(count[i])):
        j = load(neigh, i * si + q * sk)
        dx, dy, dz, r2 = toward(j, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        near = r2 < p.cut2
        if any_lane(near):
            if COUL:
                strength, e, charged, ec = pair(r2, p, data, own_i, as_real(gather(own, j, True)))
                strength += charged
                e += ec
            if OWN and not COUL:
                strength, e = pair(r2, p, data, own_i, as_real(gather(own, j, True)))
            if not OWN:
                strength, e = pair(r2, p, data)
            strength = where(near, strength, real(0.0))
            e = where(near, e - p.offset, real(0.0))
            tallied = add_tally(tallied, e, dx, dy, dz, dx * strength, dy * strength, dz * strength)
    e, xx, yy, zz, xy, xz, yz = sum_tally(0.5 * factor, tallied)
    if leader():
        energy[i] += e
        add_virial(virial, i, xx, yy, zz, xy, xz, yz)
