"""Energy and virial of pairs, as one value that loops carry along: E xx yy zz xy xz yz. Loops of styles with charges also
add up the Coulomb energy, which comes last."""

from __future__ import annotations

from everlet.portable import f64, i64, portable, where


@portable
def no_tally(zero):
    """Nothing yet; `zero` says of what kind: lanes(0.0), or 0.0 for one value."""
    return zero, zero, zero, zero, zero, zero, zero


@portable
def no_force(zero):
    return zero, zero, zero


@portable
def add_tally(t, e, dx, dy, dz, gx, gy, gz):
    """With one more pair (or a pair on every lane): its energy, and its distance and force."""
    energy, xx, yy, zz, xy, xz, yz = t
    return energy + e, xx + dx * gx, yy + dy * gy, zz + dz * gz, xy + dx * gy, xz + dx * gz, yz + dy * gz


@portable
def virial_of(dx, dy, dz, gx, gy, gz):
    """Of a way and the force or slope that goes with it."""
    return dx * gx, dy * gy, dz * gz, dx * gy, dx * gz, dy * gz


@portable
def and_way(virial, dx, dy, dz, gx, gy, gz):
    """With one more way."""
    xx, yy, zz, xy, xz, yz = virial
    return xx + dx * gx, yy + dy * gy, zz + dz * gz, xy + dx * gy, xz + dx * gz, yz + dy * gz


@portable
def less_tally(t, e, slopes, here):
    """With the energy of one more term, whose virial is minus that of its ways and slopes; `here`: on these lanes alone."""
    energy, xx, yy, zz, xy, xz, yz = t
    sxx, syy, szz, sxy, sxz, syz = slopes
    return (energy + where(here, e, 0.0), xx - where(here, sxx, 0.0), yy - where(here, syy, 0.0), zz - where(here, szz, 0.0),
            xy - where(here, sxy, 0.0), xz - where(here, sxz, 0.0), yz - where(here, syz, 0.0))


@portable
def sum_tally(share: f64, t):
    """What a loop returns: sums over lanes, of which `share` counts."""
    energy, xx, yy, zz, xy, xz, yz = t
    return (share * f64(lane_sum(energy)), share * f64(lane_sum(xx)), share * f64(lane_sum(yy)),
            share * f64(lane_sum(zz)), share * f64(lane_sum(xy)), share * f64(lane_sum(xz)), share * f64(lane_sum(yz)))


@portable
def sum_virial(share: f64, t):
    """The same without energies: what was computed for them alone is left out by the compiler."""
    energy, xx, yy, zz, xy, xz, yz = t
    return (share * f64(lane_sum(xx)), share * f64(lane_sum(yy)), share * f64(lane_sum(zz)), share * f64(lane_sum(xy)),
            share * f64(lane_sum(xz)), share * f64(lane_sum(yz)))


@portable
def sum_with_energy(share: f64, energy, t):
    """The virial of a tally behind an energy of its own."""
    _, xx, yy, zz, xy, xz, yz = sum_tally(share, t)
    return f64(lane_sum(energy)), xx, yy, zz, xy, xz, yz


@portable
def scale_virial(factor, t):
    energy, xx, yy, zz, xy, xz, yz = t
    return energy, factor * xx, factor * yy, factor * zz, factor * xy, factor * xz, factor * yz


@portable
def add_virial(virial: f64[:, 6], i: i64, xx, yy, zz, xy, xz, yz):
    """More for the virial of atom i."""
    virial[i, 0] += xx
    virial[i, 1] += yy
    virial[i, 2] += zz
    virial[i, 3] += xy
    virial[i, 4] += xz
    virial[i, 5] += yz


@portable
def sum_with_coulomb(share: f64, t, coulomb):
    """The same with the sum of the Coulomb energy as the eighth."""
    energy, xx, yy, zz, xy, xz, yz = sum_tally(share, t)
    return energy, xx, yy, zz, xy, xz, yz, share * f64(lane_sum(coulomb))


@portable
def keep_tally(tally: f64[:], item: i64, share: f64, t):
    """Add to the seven sums of an item, which begin at tally[7 * item]."""
    energy, xx, yy, zz, xy, xz, yz = sum_tally(share, t)
    tally[7 * item] += energy
    tally[7 * item + 1] += xx
    tally[7 * item + 2] += yy
    tally[7 * item + 3] += zz
    tally[7 * item + 4] += xy
    tally[7 * item + 5] += xz
    tally[7 * item + 6] += yz
