"""What loops of many-body styles say to give an atom its share of an energy and a virial (shares.py), or exact forces."""
# mypy: disable-error-code="index, name-defined, operator, valid-type"

from __future__ import annotations

from everlet.portable import f64, floor, i32, portable, real, scatter


@portable
def rounded(g):
    """To whole steps, of which there are STEPS (a power of two) to a unit of force: sums are then exact, in any order."""
    return floor(g * STEPS + 0.5) * (1.0 / STEPS)


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
