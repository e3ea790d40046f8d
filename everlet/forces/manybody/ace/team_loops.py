"""The loops of an expansion over neighbours with one neighbour on each lane: for GPUs, where the threads of an item are its
lanes. Sums of an atom are sums over lanes, forces are of one lane alone. Statics and formulas as in lane_loops.py.
"""

from __future__ import annotations

from everlet.comm.kernels import atom_of
from everlet.forces.manybody.ace.edge_loops import add_edge, edge_slope
from everlet.forces.manybody.ace.physics import spots_of
from everlet.forces.manybody.giving_loops import factor_of, give_slope, keep_force, on_each_lane
from everlet.forces.manybody.tile_loops import on_lanes, place, species_of
from everlet.forces.pair.rows import position, row_start
from everlet.forces.pair.tally import no_force, no_tally, sum_tally
from everlet.portable import f64, i32, i64, portable, real, rsqrt, scatter, where


@portable
def edges(q: i64, last: i64, start: i32, sk: i64, neigh: i32[:], filler: i64, x: f64[:, 4], xi, yi, zi):
    """Entries of a row from q on, one on each lane: is there one, its atom, way and distance; 0 where there is none."""
    near, j, dx, dy, dz, r2 = on_lanes(q, last, start, sk, neigh, filler, x, xi, yi, zi)
    inverse = where(near, rsqrt(r2), real(0.0))
    return near, j, dx, dy, dz, r2 * inverse, inverse


@portable
def team_sums(own, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64,
              sk: i64, filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:], shells: i32[:],
              legendre: real[:], total: real[:]):
    """As lane_loops.sums."""
    species = species_of(begin + own, tiles)
    i = atom_of(begin + own, order)
    if species >= 0 and i >= 0:
        xi, yi, zi = position(i, x)
        base = place(own, SIZE)
        start = i32(row_start(i, first, si))
        done = i64(0)
        opened = i64(-1)  # channels up to this one have been begun: species come in their order
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = i64(ends[c * pitch + i])
            for q in lane_steps(done, max(last, done + 1)):  # once at least: the sums are zero where nobody is
                begun = q >= done + lane_stride()
                fresh = not begun and i64(channels[c]) > opened
                near, j, dx, dy, dz, r, inverse = edges(q, last, start, sk, neigh, filler, x, xi, yi, zi)
                ux, uy, uz, spot, u, _ = spots_of(near, dx, dy, dz, r, inverse, pair, pieces)
                add_edge(c, base, spot, u, ux, uy, uz, fresh, begun, channels, rows, shells, legendre, total)
            opened = max(opened, i64(channels[c]))
            done = last


@portable
def team_forces(own, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64,
                sk: i64, filler: i64, pitch: i64, ends: i32[:], channels: i32[:], pieces: real[:], rows: real[:],
                shells: i32[:], legendre: real[:], weights: real[:], nearest: real[:], table: real[:], kinds: i64,
                f: scatter[f64[:, 3]]):
    """As lane_loops.forces."""
    species = species_of(begin + own, tiles)
    i = atom_of(begin + own, order)
    tallied = no_tally(lanes(0.0))
    factor = factor_of(table, kinds + 1)
    if species >= 0 and i >= 0:
        xi, yi, zi = position(i, x)
        mine = on_each_lane(i)
        zero = as_real(lanes(0.0))
        fx, fy, fz = no_force(lanes(0.0))
        base = place(own, SIZE)
        start = i32(row_start(i, first, si))
        done = i64(0)
        for c in range(SPECIES):
            pair = species * SPECIES + c
            last = i64(ends[c * pitch + i])
            for q in lane_steps(done, last):
                near, j, dx, dy, dz, r, inverse = edges(q, last, start, sk, neigh, filler, x, xi, yi, zi)
                ux, uy, uz, spot, u, rate = spots_of(near, dx, dy, dz, r, inverse, pair, pieces)
                own_slope = zero
                if SWITCHED:
                    k = place(own, 3)
                    same = as_real(lane_ids() + i32(q)) == nearest[k + 2 * T]
                    own_slope = where(same, zero + nearest[k + T], zero)
                gx, gy, gz = edge_slope(c, base, spot, u, rate, ux, uy, uz, inverse, own_slope, channels, rows, shells,
                                        legendre, weights)
                fx, fy, fz, tallied = give_slope(f, mine, j, dx, dy, dz, gx, gy, gz, near, factor, fx, fy, fz, tallied)
            done = last
        keep_force(f, i, fx, fy, fz)
    if EV:
        return sum_tally(1.0, tallied)
