"""Loops over bonds of hydrocarbons: distances and weights, numbers of neighbours, conjugation; then slopes home to forces.

Bonds are in one packed table as in reaxff/bond_loops.py: those of atom i are start[i] … start[i + 1] - 1. Numbers of bond q:

    bi bj            its two atoms; bj may be a ghost
    dx dy dz r       the way from bi to bj
    w dw wp dwp      the weight of the bond and that in torsions, with slopes
    gx gy gz         the slope of the energy with the way, as far as it belongs to no weight
    ew               the slope with w; ac: the slope with its part of the conjugation of atom bi alone

An atom works out the slopes with its own bonds only: what a bond changes at its other end belongs to that atom.
"""

from __future__ import annotations

from everlet.forces.manybody.reaxff.bond_loops import crowded, is_near
from everlet.forces.manybody.rebo.physics import fade
from everlet.forces.manybody.rebo.places import N_MAX, N_MIN, NP, RMAX, RMAXP, RMIN
from everlet.forces.pair.rows import row_of
from everlet.forces.pair.tally import add_tally, no_force, no_tally
from everlet.portable import f64, i32, i64, portable, scatter, sqrt


@portable
def count_near(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, reach: f64[:],
               kinds: i64, skin: f64, near: i32[:]):
    """How many atoms may become partners of atom i before lists are made anew."""
    start, m = row_of(i, count, first, si)
    found = i64(0)
    for q in range(m):
        found += i64(is_near(i, i64(neigh[start + q * sk]), x, kind, reach, kinds, skin))
    near[i] = i32(found)


@portable
def fill_near(i, n: i64, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64,
              reach: f64[:], kinds: i64, skin: f64, rows: i64, near: i32[:], room: i64, place: i64, control: i64[:],
              partner: i32[:]):
    if not crowded(i64(near[rows]), room, place, control):
        start, m = row_of(i, count, first, si)
        to = i64(near[i])
        for q in range(m):
            j = i64(neigh[start + q * sk])
            if is_near(i, j, x, kind, reach, kinds, skin):
                partner[to] = i32(j)
                to += 1


@portable
def measure(q, rows: i64, start: i32[:], x: f64[:, 4], kind: i32[:], bi: i32[:], bj: i32[:], pairs: f64[:], kinds: i64,
            dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], w: f64[:], dw: f64[:], wp: f64[:], dwp: f64[:], gx: f64[:],
            gy: f64[:], gz: f64[:], ew: f64[:], ac: f64[:]):
    if q < i64(start[rows]):
        i = i64(bi[q])
        j = i64(bj[q])
        ax = x[j, 0] - x[i, 0]
        ay = x[j, 1] - x[i, 1]
        az = x[j, 2] - x[i, 2]
        length = sqrt(ax * ax + ay * ay + az * az)
        k = (i64(kind[i]) * kinds + i64(kind[j])) * NP
        weight, slope = fade(length, pairs[k + RMIN], pairs[k + RMAX])
        turned, turned_slope = fade(length, pairs[k + RMIN], pairs[k + RMAXP])
        dx[q] = ax
        dy[q] = ay
        dz[q] = az
        r[q] = length
        w[q] = weight
        dw[q] = slope
        wp[q] = turned
        dwp[q] = turned_slope
        gx[q] = 0.0
        gy[q] = 0.0
        gz[q] = 0.0
        ew[q] = 0.0
        ac[q] = 0.0


@portable
def count_neighbours(i, start: i32[:], bj: i32[:], kind: i32[:], element: i32[:], w: f64[:], carbons: f64[:],
                     hydrogens: f64[:]):
    """N^C and N^H of an atom."""
    c = 0.0
    h = 0.0
    for q in range(i64(start[i]), i64(start[i + 1])):
        if element[kind[bj[q]]] == 0:
            c += w[q]
        else:
            h += w[q]
    carbons[i] = c
    hydrogens[i] = h


@portable
def part(q: i64, j: i64, weight: f64, kind: i32[:], element: i32[:], carbons: f64[:], hydrogens: f64[:], g: f64[:]):
    """What bond q with atom j counts in the conjugation of its first atom: of carbons with few other neighbours their weight.
    With the slopes with this weight and with the number of neighbours of j."""
    value = 0.0
    by_w = 0.0
    by_n = 0.0
    if element[kind[j]] == 0:
        s, slope = fade(carbons[j] + hydrogens[j] - weight, g[N_MIN], g[N_MAX])
        value = weight * s
        by_n = weight * slope
        by_w = s - by_n
    return value, by_w, by_n


@portable
def conjugate(i, start: i32[:], bj: i32[:], kind: i32[:], element: i32[:], w: f64[:], carbons: f64[:], hydrogens: f64[:],
              g: f64[:], chain: f64[:]):
    """The sum of these over the bonds of an atom."""
    total = 0.0
    for q in range(i64(start[i]), i64(start[i + 1])):
        value, _, _ = part(q, i64(bj[q]), w[q], kind, element, carbons, hydrogens, g)
        total += value
    chain[i] = total


@portable
def spread(i, start: i32[:], bj: i32[:], kind: i32[:], element: i32[:], w: f64[:], carbons: f64[:], hydrogens: f64[:],
           g: f64[:], pull: f64[:], ac: f64[:], ew: f64[:], lean: scatter[f64[:]]):
    """From slopes with conjugation (`pull` of all bonds of an atom, `ac` of one) to those with weights and, in `lean`, with
    numbers of neighbours of partners."""
    for q in range(i64(start[i]), i64(start[i + 1])):
        j = i64(bj[q])
        _, by_w, by_n = part(q, j, w[q], kind, element, carbons, hydrogens, g)
        slope = pull[i] + ac[q]
        ew[q] += slope * by_w
        lean[j] += slope * by_n


@portable
def bond_forces(i, start: i32[:], bj: i32[:], kind: i32[:], element: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:],
                dw: f64[:], gx: f64[:], gy: f64[:], gz: f64[:], ew: f64[:], by_carbons: f64[:], by_hydrogens: f64[:],
                lean: f64[:], f: scatter[f64[:, 3]]):
    """Forces along the bonds of an atom. SHARES: of each bond half of the virial for both."""
    fx, fy, fz = no_force(0.0)
    tallied = no_tally(0.0)
    for q in range(i64(start[i]), i64(start[i + 1])):
        j = i64(bj[q])
        slope = ew[q] + lean[i]
        if element[kind[j]] == 0:
            slope += by_carbons[i]
        else:
            slope += by_hydrogens[i]
        k = slope * dw[q] / r[q]
        ax = dx[q]
        ay = dy[q]
        az = dz[q]
        hx = gx[q] + k * ax
        hy = gy[q] + k * ay
        hz = gz[q] + k * az
        if SHARES:
            give_halves(f, i, j, ax, ay, az, hx, hy, hz, 0.0)
        if not SHARES:
            f[j, 0] -= hx
            f[j, 1] -= hy
            f[j, 2] -= hz
            fx += hx
            fy += hy
            fz += hz
        if EV:
            tallied = add_tally(tallied, 0.0, -ax, -ay, -az, hx, hy, hz)
    if not SHARES:
        f[i, 0] += fx
        f[i, 1] += fy
        f[i, 2] += fz
    if EV:
        _, xx, yy, zz, xy, xz, yz = tallied
        return xx, yy, zz, xy, xz, yz


@portable
def give_one(out: scatter[f64[:, 3]], j: i64, dx: f64, dy: f64, dz: f64, gx: f64, gy: f64, gz: f64, part: f64, energy: f64):
    """To an atom part of the virial of a way with slope g, and an energy (shares.py)."""
    out[3 * j, 0] -= part * dx * gx
    out[3 * j, 1] -= part * dy * gy
    out[3 * j, 2] -= part * dz * gz
    out[3 * j + 1, 0] -= part * dx * gy
    out[3 * j + 1, 1] -= part * dx * gz
    out[3 * j + 1, 2] -= part * dy * gz
    out[3 * j + 2, 0] += energy


@portable
def give_halves(out: scatter[f64[:, 3]], i: i64, j: i64, dx: f64, dy: f64, dz: f64, gx: f64, gy: f64, gz: f64, energy: f64):
    give_one(out, i, dx, dy, dz, gx, gy, gz, 0.5, 0.5 * energy)
    give_one(out, j, dx, dy, dz, gx, gy, gz, 0.5, 0.5 * energy)


@portable
def collect(i, parts: f64[:]):
    """Sums of all loops: energy and virial."""
    return (parts[0] + parts[1] + parts[8], parts[2] + parts[9], parts[3] + parts[10], parts[4] + parts[11],
            parts[5] + parts[12], parts[6] + parts[13], parts[7] + parts[14])
