"""The loop over donors D of hydrogen bonds D-H...A: hydrogens are those that are bonded to D, acceptors are in its row.

Entry k of `hydrogen` and of `partner` is 4 * row + level, -1 behind the last; there are `width` for each atom. `partner` has
special pairs that rows leave out and that have a force all the same: acceptors that few bonds link to the donor.

Statics: `radial`, the law of the distance of D and A; EV (energies and virials are returned), SHARES (each of the three atoms
gets a third of them, and nobody a force), EXACT and STEPS as in giving_loops.py, DENSE, MANY, NP as in other loops.
"""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest_in, own_box
from everlet.forces.manybody.giving_loops import push
from everlet.forces.pair.rows import row_of
from everlet.forces.pair.tally import and_way, no_tally, scale_virial, virial_of
from everlet.portable import f64, i32, i64, most, portable, scatter, sqrt

THIRD = 1.0 / 3.0
LEAST_SINE = 1e-3  # in slopes
SAME = 1e-20  # part of a squared bond


@portable
def switched(r2: f64, p):
    """The energy of the distance of D and A, and its slope over r; S takes both to 0 from r_in to r_out."""
    e, slope = radial(r2, p)
    if r2 > p.inner2:
        left = p.cut2 - r2
        span = p.cut2 - p.inner2
        cube = span * span * span
        s = left * left * (p.cut2 + 2.0 * r2 - 3.0 * p.inner2) / cube
        slope = slope * s + e * 12.0 * left * (p.inner2 - r2) / cube
        e = e * s
    return e, slope


@portable
def turned(c: f64, p):
    """cos(theta + 180 - theta0) and its slope with c = cos theta."""
    sine = sqrt(most(1.0 - c * c, 0.0))
    return c * p.turn_cos - sine * p.turn_sin, p.turn_cos + c / most(sine, LEAST_SINE) * p.turn_sin


@portable
def powers(u: f64, p):
    """u^n and its slope."""
    below = 1.0
    n = i64(p.n)
    for _ in range(n - 1):
        below *= u
    value = below
    if n > 0:
        value = below * u
    return value, p.n * below


@portable
def share(out: scatter[f64[:, 3]], j: i64, e: f64, virial):
    """A third of the energy and of minus the virial, which slopes make, for atom j (manybody/shares.py)."""
    xx, yy, zz, xy, xz, yz = virial
    out[3 * j, 0] -= THIRD * xx
    out[3 * j, 1] -= THIRD * yy
    out[3 * j, 2] -= THIRD * zz
    out[3 * j + 1, 0] -= THIRD * xy
    out[3 * j + 1, 1] -= THIRD * xz
    out[3 * j + 1, 2] -= THIRD * yz
    out[3 * j + 2, 0] += THIRD * e


@portable
def hbond_loop(i, x: f64[:, 4], kind: i32[:], neigh: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, width: i64,
               hydrogen: i32[:], partner: i32[:], weights: f64[:], member: i32[:], box: f64[:], table: f64[:], kinds: i64,
               factor: f64, found: f64[:], f: scatter[f64[:, 3]]):
    """The hydrogen bonds of donor i. With EV how many they are and their energy go to `found`."""
    tallied = no_tally(0.0)
    bonds = 0.0
    if hydrogen[i * width] >= 0:
        begin, m = row_of(i, count, first, si)
        b = own_box(i, member)
        for q in range(m + width):
            j = i64(-1)
            weight = 1.0
            if q < m:
                j = i64(neigh[begin + q * sk])
            else:
                entry = i64(partner[i * width + q - m])
                if entry >= 0:
                    j = entry // 4
                    weight = weights[entry % 4]
            if j >= 0:
                dx = x[j, 0] - x[i, 0]
                dy = x[j, 1] - x[i, 1]
                dz = x[j, 2] - x[i, 2]
                if q >= m:
                    dx, dy, dz = nearest_in(dx, dy, dz, b, box)
                r2 = dx * dx + dy * dy + dz * dz
                k = i * width
                while k < (i + 1) * width and hydrogen[k] >= 0:
                    h = i64(hydrogen[k]) // 4
                    p = record(table, ((i64(kind[i]) * kinds + i64(kind[j])) * kinds + i64(kind[h])) * NP)
                    if r2 < p.cut2:
                        ax, ay, az = nearest_in(x[i, 0] - x[h, 0], x[i, 1] - x[h, 1], x[i, 2] - x[h, 2], b, box)
                        bx = ax + dx
                        by = ay + dy
                        bz = az + dz
                        a2 = ax * ax + ay * ay + az * az
                        b2 = bx * bx + by * by + bz * bz
                        apart = b2 > SAME * a2  # a hydrogen is not its own acceptor
                        ab = 1.0 / sqrt(most(a2 * b2, SAME * a2 * a2))
                        c = min(max((ax * bx + ay * by + az * bz) * ab, -1.0), 1.0)
                        u, du = turned(c, p)
                        if apart and u < p.reach:
                            e, slope = switched(r2, p)
                            value, by_cosine = powers(u, p)
                            slope *= weight * value
                            turn = weight * e * by_cosine * du
                            e *= weight * value
                            to_a = turn * c / a2
                            to_b = turn * c / b2
                            turn *= ab
                            gax = turn * bx - to_a * ax - slope * dx
                            gay = turn * by - to_a * ay - slope * dy
                            gaz = turn * bz - to_a * az - slope * dz
                            gbx = turn * ax - to_b * bx + slope * dx
                            gby = turn * ay - to_b * by + slope * dy
                            gbz = turn * az - to_b * bz + slope * dz
                            virial = and_way(virial_of(ax, ay, az, gax, gay, gaz), bx, by, bz, gbx, gby, gbz)
                            if SHARES:
                                share(f, i, e, virial)
                                share(f, j, e, virial)
                                share(f, h, e, virial)
                            if not SHARES:
                                push(f, i, -factor * gax, -factor * gay, -factor * gaz)
                                push(f, j, -factor * gbx, -factor * gby, -factor * gbz)
                                push(f, h, factor * (gax + gbx), factor * (gay + gby), factor * (gaz + gbz))
                            if EV:
                                te, txx, tyy, tzz, txy, txz, tyz = tallied
                                vxx, vyy, vzz, vxy, vxz, vyz = virial
                                tallied = (te + e, txx - vxx, tyy - vyy, tzz - vzz, txy - vxy, txz - vxz, tyz - vyz)
                                bonds += 1.0
                    k += 1
    if EV:
        energy, xx, yy, zz, xy, xz, yz = scale_virial(factor, tallied)
        found[2 * i] = bonds
        found[2 * i + 1] = energy
        return energy, xx, yy, zz, xy, xz, yz
