"""What loops of many-body styles say to give an atom its share of an energy and a virial (shares.py), or exact forces."""

from __future__ import annotations

from everlet.forces.pair.rows import add_force
from everlet.forces.pair.tally import add_tally
from everlet.portable import f64, floor, i32, i64, portable, real, scatter, where


@portable
def rounded(g):
    """To whole steps, of which there are STEPS (a power of two) to a unit of force: sums are then exact, in any order."""
    return floor(g * STEPS + 0.5) * (1.0 / STEPS)


@portable
def push(f: scatter[f64[:, 3]], j: i64, gx: f64, gy: f64, gz: f64):
    """A force on one atom."""
    if EXACT:
        gx = rounded(gx)
        gy = rounded(gy)
        gz = rounded(gz)
    f[j, 0] += gx
    f[j, 1] += gy
    f[j, 2] += gz


@portable
def on_each_lane(i: i64):
    """Atom i, for every lane."""
    return lane_ids() * i32(0) + i32(i)


@portable
def keep_force(f: scatter[f64[:, 3]], i: i64, fx, fy, fz):
    """The force on the atom whose row it was, a sum over lanes. SHARES: there are none."""
    if not SHARES:
        add_force(f, i, fx, fy, fz)


@portable
def keep_share(own: f64[:], i: i64, energy: f64):
    """An energy that is atom i's alone. SHARES: there are such."""
    if SHARES:
        own[9 * i + 6] += energy


@portable
def factor_of(table: real[:], entry: i64):
    """What hybrid/scaled multiplies a style by (SCALED), which every entry of its parameters has."""
    factor = real(1.0)
    if SCALED:
        p = record(table, entry * NP)
        factor = p.factor
    return factor


@portable
def as_given(g, near, factor):
    """A slope as loops give it to atoms: none where there is no neighbour, scaled (SCALED), in whole steps (EXACT)."""
    g = where(near, g, 0.0)
    if SCALED:
        g = factor * g
    if EXACT:
        g = rounded(g)
    return g


@portable
def give_slope(out: scatter[f64[:, 3]], i, j, dx, dy, dz, gx, gy, gz, near, factor, fx, fy, fz, tallied):
    """Less for neighbours j of atoms i: the slopes g of the energy of these with their places. The sums of g and the tally are
    returned with these. SHARES: instead of forces their virial, for both."""
    gx = as_given(gx, near, factor)
    gy = as_given(gy, near, factor)
    gz = as_given(gz, near, factor)
    if not SHARES:
        subtract3(out, j, gx, gy, gz, near)
    if SHARES:
        share_pair(out, i, j, dx, dy, dz, gx, gy, gz, near)
    if EV:
        tallied = add_tally(tallied, dx - dx, -dx, -dy, -dz, gx, gy, gz)
    return fx + gx, fy + gy, fz + gz, tallied


@portable
def give(out: scatter[f64[:, 3]], j, e, xx, yy, zz, xy, xz, yz, mask):
    """Less for the atoms j of lanes: minus their shares."""
    at = j * i32(3)
    zero = e - e
    subtract3(out, at, xx, yy, zz, mask)
    subtract3(out, at + i32(1), xy, xz, yz, mask)
    subtract3(out, at + i32(2), e, zero, zero, mask)


@portable
def give_part(out: scatter[f64[:, 3]], j, e, part, virial, mask):
    """An energy, and a part of a virial."""
    xx, yy, zz, xy, xz, yz = virial
    give(out, j, e, xx * part, yy * part, zz * part, xy * part, xz * part, yz * part, mask)


@portable
def share_pair(out: scatter[f64[:, 3]], i, j, dx, dy, dz, gx, gy, gz, mask):
    """To both atoms half of the virial, minus the distance from i to j times the slope with the place of j."""
    hx = real(0.5) * dx
    hy = real(0.5) * dy
    hz = real(0.5) * dz
    share_way(out, i, hx, hy, hz, gx, gy, gz, mask)
    share_way(out, j, hx, hy, hz, gx, gy, gz, mask)


@portable
def share_way(out: scatter[f64[:, 3]], j, hx, hy, hz, gx, gy, gz, mask):
    """To atoms j the virial of a way, minus the way times the slope."""
    give(out, j, hx - hx, hx * gx, hy * gy, hz * gz, hx * gy, hx * gz, hy * gz, mask)
