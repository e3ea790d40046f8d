"""Bond orders of hydrocarbons, seen from one of the two atoms, and what they change with that atom's own bonds.

u is a way from atom i to atom j, of length r; `skip` is the bond of i that it is, -1 if it is none (distant_loops.py). An
energy of the order of i and j has slopes with bonds of both: each atom works out those with its own, and with u those that come
by its own bonds. So nothing is added to rows of others.

    order = (p_ij + p_ji) / 2 + F(N_ij, N_ji, N^conj) + T(N_ij, N_ji, N^conj) sum_kl (1 - cos^2 w_kijl) w'_ik w'_jl
"""

from __future__ import annotations

from everlet.forces.manybody.rebo.edge_loops import give_one, part
from everlet.forces.manybody.rebo.physics import bend, correction, ease, fade, radial, solid
from everlet.forces.manybody.rebo.places import CROWD_MAX, CROWD_MIN, F_AT, NP, RHO, SOLID, T_AT, TWIST
from everlet.portable import exp, f64, i32, i64, portable, scatter, sqrt

STRAIGHT = -0.995  # torsions about bonds fade out where cosines of their angles fall from here to -1
THIN = 1e-12  # no torsion where a square of a sine is less
SAME = 1e-8  # squares of distances of atoms that are the same
DH_A, DH_B = 256.0 / 405.0, 0.1  # V = A cos^10(w/2) - B


@portable
def far(ax: f64, ay: f64, az: f64, bx: f64, by: f64, bz: f64):
    """Two ways do not lead to the same place."""
    x = ax - bx
    y = ay - by
    z = az - bz
    return x * x + y * y + z * z > SAME


@portable
def bond_along(i: i64, ux: f64, uy: f64, uz: f64, start: i32[:], dx: f64[:], dy: f64[:], dz: f64[:]):
    """The bond in row i that is this way; -1: none is."""
    found = i64(-1)
    for a in range(i64(start[i]), i64(start[i + 1])):
        if not far(ux, uy, uz, dx[a], dy[a], dz[a]):
            found = i64(a)
    return found


@portable
def others(i: i64, skip: i64, j: i64, kind: i32[:], element: i32[:], w: f64[:], carbons: f64[:], hydrogens: f64[:]):
    """Carbons and hydrogens that atom i has besides j."""
    c = carbons[i]
    h = hydrogens[i]
    if skip >= 0:
        if element[kind[j]] == 0:
            c -= w[skip]
        else:
            h -= w[skip]
    return c, h


@portable
def elsewhere(i: i64, skip: i64, j: i64, chain: f64[:], kind: i32[:], element: i32[:], w: f64[:], carbons: f64[:],
              hydrogens: f64[:], g: f64[:]):
    """The conjugation of atom i by its bonds with others than j."""
    total = chain[i]
    if skip >= 0:
        own, _, _ = part(skip, j, w[skip], kind, element, carbons, hydrogens, g)
        total -= own
    return total


@portable
def pull_of(a: i64, i: i64, rho: f64, length: f64, hydrogen: i64, bj: i32[:], kind: i32[:], pairs: f64[:], kinds: i64,
r: f64[:]):
    """e^lambda of bond a, which is 1 at a carbon."""
    value = 1.0
    if hydrogen == 1:
        k = (i64(kind[i]) * kinds + i64(kind[bj[a]])) * NP
        value = exp(4.0 * (pairs[k + RHO] - r[a] - rho + length))
    return value


@portable
def angles(i: i64, skip: i64, ux: f64, uy: f64, uz: f64, distance: f64, length: f64, rho: f64, hydrogen: i64, alone: f64,
           start: i32[:], bj: i32[:], kind: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], w: f64[:], pairs: f64[:],
           kinds: i64, table: f64[:]):
    """The sum of w g e^lambda over the other bonds of atom i, and its slope with `alone`. `length`: of the bond, for lambda."""
    total = 0.0
    by_alone = 0.0
    for a in range(i64(start[i]), i64(start[i + 1])):
        if a != skip:
            c = (ux * dx[a] + uy * dy[a] + uz * dz[a]) / (distance * r[a])
            value, _, change = bend(table, hydrogen, c, alone)
            weight = w[a] * pull_of(a, i, rho, length, hydrogen, bj, kind, pairs, kinds, r)
            total += weight * value
            by_alone += weight * change
    return total, by_alone


@portable
def angle_slopes(i: i64, skip: i64, ux: f64, uy: f64, uz: f64, distance: f64, length: f64, rho: f64, hydrogen: i64, alone: f64,
                 factor: f64, start: i32[:], bj: i32[:], kind: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], w: f64[:],
                 dw: f64[:], pairs: f64[:], kinds: i64, table: f64[:], gx: f64[:], gy: f64[:], gz: f64[:], ew: f64[:],
                 out: scatter[f64[:, 3]], other: i64, stretch: f64, element: i32[:], by_c: f64, by_h: f64):
    """The slopes of `factor` times this sum: with the bonds they are added to those, with u they are returned, and the one
    with `length`. SHARES: virials of angles belong to three atoms, in thirds; `stretch` is 1 if the length is that of u;
    by_c, by_h: slopes with numbers of neighbours, which then belong to angles, too."""
    hx = 0.0
    hy = 0.0
    hz = 0.0
    by_length = 0.0
    for a in range(i64(start[i]), i64(start[i + 1])):
        if a != skip:
            one = 1.0 / r[a]
            c = (ux * dx[a] + uy * dy[a] + uz * dz[a]) / distance * one
            value, slope, _ = bend(table, hydrogen, c, alone)
            pull = factor * pull_of(a, i, rho, length, hydrogen, bj, kind, pairs, kinds, r)
            along = 0.0
            if hydrogen == 1:
                along = 4.0 * pull * w[a] * value
            turn = pull * w[a] * slope
            cross = turn / distance * one
            own = turn * c * one * one
            back = turn * c / (distance * distance)
            ax = cross * ux - own * dx[a]
            ay = cross * uy - own * dy[a]
            az = cross * uz - own * dz[a]
            bx = cross * dx[a] - back * ux
            by = cross * dy[a] - back * uy
            bz = cross * dz[a] - back * uz
            if not SHARES:
                ew[a] += pull * value
                by_length += along
                turned = -along * one
            if SHARES:
                crowd = by_c
                if element[kind[bj[a]]] == 1:
                    crowd = by_h
                turned = ((pull * value + crowd) * dw[a] - along) * one
                bx += stretch * along / distance * ux
                by += stretch * along / distance * uy
                bz += stretch * along / distance * uz
            ax += turned * dx[a]
            ay += turned * dy[a]
            az += turned * dz[a]
            if not SHARES:
                hx, hy, hz = hx + bx, hy + by, hz + bz
                more(gx, gy, gz, a, ax, ay, az)
            if SHARES:
                third = 1.0 / 3.0
                give_one(out, i, ux, uy, uz, bx, by, bz, third, 0.0)
                give_one(out, other, ux, uy, uz, bx, by, bz, third, 0.0)
                give_one(out, i64(bj[a]), ux, uy, uz, bx, by, bz, third, 0.0)
                give_one(out, i, dx[a], dy[a], dz[a], ax, ay, az, third, 0.0)
                give_one(out, other, dx[a], dy[a], dz[a], ax, ay, az, third, 0.0)
                give_one(out, i64(bj[a]), dx[a], dy[a], dz[a], ax, ay, az, third, 0.0)
    return hx, hy, hz, by_length


@portable
def more(gx: f64[:], gy: f64[:], gz: f64[:], q: i64, x: f64, y: f64, z: f64):
    """More for the slope with the way of bond q."""
    gx[q] += x
    gy[q] += y
    gz[q] += z


@portable
def torsion_of(a: i64, m: i64, ux: f64, uy: f64, uz: f64, one: f64, dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:]):
    """Bonds a of i and m of j: whether there is a torsion of four atoms about u, the cosine of its angle and of the two angles
    in it, a x u, (bond m) x u, and one over the length of both."""
    there = far(ux + dx[m], uy + dy[m], uz + dz[m], dx[a], dy[a], dz[a])
    px = dy[a] * uz - dz[a] * uy
    py = dz[a] * ux - dx[a] * uz
    pz = dx[a] * uy - dy[a] * ux
    qx = dy[m] * uz - dz[m] * uy
    qy = dz[m] * ux - dx[m] * uz
    qz = dx[m] * uy - dy[m] * ux
    p2 = px * px + py * py + pz * pz
    q2 = qx * qx + qy * qy + qz * qz
    ra = one / r[a]
    rm = one / r[m]
    first = (ux * dx[a] + uy * dy[a] + uz * dz[a]) * ra
    second = -(ux * dx[m] + uy * dy[m] + uz * dz[m]) * rm
    ip = 0.0
    iq = 0.0
    if p2 * ra * ra > THIN and q2 * rm * rm > THIN:
        ip = 1.0 / sqrt(p2)
        iq = 1.0 / sqrt(q2)
    else:
        there = False
    cosine = (px * qx + py * qy + pz * qz) * ip * iq
    return there, cosine, first, second, px, py, pz, qx, qy, qz, ip, iq


@portable
def twists(i: i64, skip: i64, home: i64, other_skip: i64, ux: f64, uy: f64, uz: f64, distance: f64, start: i32[:],
           dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:], wp: f64[:]):
    """The sum of (1 - cos^2 w) w'_ik w'_jl."""
    total = 0.0
    one = 1.0 / distance
    for a in range(i64(start[i]), i64(start[i + 1])):
        if a != skip and wp[a] > 0.0:
            for m in range(i64(start[home]), i64(start[home + 1])):
                if m != other_skip and wp[m] > 0.0:
                    there, c, first, second, px, py, pz, qx, qy, qz, ip, iq = torsion_of(a, m, ux, uy, uz, one, dx, dy, dz, r)
                    if there:
                        bent, _ = ease(first, -1.0, STRAIGHT)
                        far_bent, _ = ease(second, -1.0, STRAIGHT)
                        total += (1.0 - c * c) * wp[a] * wp[m] * (1.0 - bent) * (1.0 - far_bent)
    return total


@portable
def twist_slopes(i: i64, skip: i64, home: i64, other_skip: i64, ux: f64, uy: f64, uz: f64, distance: f64, factor: f64,
                 weight: f64, start: i32[:], bj: i32[:], kind: i32[:], element: i32[:], dx: f64[:], dy: f64[:], dz: f64[:],
                 r: f64[:], w: f64[:], wp: f64[:], dwp: f64[:], g: f64[:], gx: f64[:], gy: f64[:], gz: f64[:], ew: f64[:],
                 dw: f64[:], out: scatter[f64[:, 3]], other: i64, stretch: f64):
    """Slopes of `factor` times this sum, and of energies of torsions of a bond of this weight (TORSIONS), with the bonds of
    atom i, and with u those that come by these: returned, behind the sum and the slope of these energies with the weight.
    SHARES: virials of four atoms belong to them in quarters, and so does half of the energy of a torsion; `stretch` is the
    slope of the logarithm of the weight over the length."""
    total = 0.0
    by_weight = 0.0
    hx = 0.0
    hy = 0.0
    hz = 0.0
    one = 1.0 / distance
    for a in range(i64(start[i]), i64(start[i + 1])):
        if a != skip:
            for m in range(i64(start[home]), i64(start[home + 1])):
                if m != other_skip:
                    there, c, first, second, px, py, pz, qx, qy, qz, ip, iq = torsion_of(a, m, ux, uy, uz, one, dx, dy, dz, r)
                    if there:
                        bent, bent_slope = ease(first, -1.0, STRAIGHT)
                        far_bent, _ = ease(second, -1.0, STRAIGHT)
                        loose = (1.0 - bent) * (1.0 - far_bent)
                        wave = (1.0 - c * c) * wp[m]
                        total += wave * wp[a] * loose
                        by_c = -2.0 * c * factor * wp[a] * wp[m] * loose
                        by_bent = factor * wave * wp[a] * (far_bent - 1.0)
                        k = factor * wave * loose * dwp[a] / r[a]
                        tors = 0.0
                        if TORSIONS:
                            half = 0.5 * (1.0 + c)
                            fourth = half * half * half * half
                            depth = g[TWIST + i64(element[kind[bj[a]]]) + i64(element[kind[bj[m]]])] * w[m]
                            strength = depth * weight
                            v = DH_A * fourth * half - DH_B
                            tors = strength * v * loose * w[a]
                            if not SHARES:
                                ew[a] += strength * v * loose
                            if SHARES:
                                k += strength * v * loose * dw[a] / r[a]
                            by_weight += depth * v * loose * w[a]
                            by_c += 2.5 * DH_A * fourth * strength * w[a] * loose
                            by_bent += strength * v * w[a] * (far_bent - 1.0)
                        by_pq = by_c * ip * iq
                        by_p = -by_c * c * ip * ip
                        sx = by_p * px + by_pq * qx
                        sy = by_p * py + by_pq * qy
                        sz = by_p * pz + by_pq * qz
                        turn = by_bent * bent_slope
                        cross = turn * one / r[a]
                        own = turn * first / (r[a] * r[a]) - k
                        back = turn * first * one * one
                        ax = uy * sz - uz * sy + cross * ux - own * dx[a]
                        ay = uz * sx - ux * sz + cross * uy - own * dy[a]
                        az = ux * sy - uy * sx + cross * uz - own * dz[a]
                        bx = sy * dz[a] - sz * dy[a] + cross * dx[a] - back * ux
                        by = sz * dx[a] - sx * dz[a] + cross * dy[a] - back * uy
                        bz = sx * dy[a] - sy * dx[a] + cross * dz[a] - back * uz
                        if not SHARES:
                            hx, hy, hz = hx + bx, hy + by, hz + bz
                            more(gx, gy, gz, a, ax, ay, az)
                        if SHARES:
                            along = 0.5 * tors * stretch
                            bx += along * ux
                            by += along * uy
                            bz += along * uz
                            share_four(out, i, other, i64(bj[a]), i64(bj[m]), ux, uy, uz, bx, by, bz, 0.125 * tors)
                            share_four(out, i, other, i64(bj[a]), i64(bj[m]), dx[a], dy[a], dz[a], ax, ay, az, 0.0)
    return total, by_weight, hx, hy, hz


@portable
def share_four(out: scatter[f64[:, 3]], i: i64, j: i64, k: i64, m: i64, dx: f64, dy: f64, dz: f64, gx: f64, gy: f64, gz: f64,
               energy: f64):
    give_one(out, i, dx, dy, dz, gx, gy, gz, 0.25, energy)
    give_one(out, j, dx, dy, dz, gx, gy, gz, 0.25, energy)
    give_one(out, k, dx, dy, dz, gx, gy, gz, 0.25, energy)
    give_one(out, m, dx, dy, dz, gx, gy, gz, 0.25, energy)


@portable
def half_order(i: i64, skip: i64, ux: f64, uy: f64, uz: f64, distance: f64, length: f64, rho: f64, hydrogen: i64, mate: i64,
               c: f64, h: f64, start: i32[:], bj: i32[:], kind: i32[:], dx: f64[:], dy: f64[:], dz: f64[:], r: f64[:],
               w: f64[:], pairs: f64[:], kinds: i64, g: f64[:], table: f64[:]):
    """p of atom i and a mate (0: carbon, 1: hydrogen), dp/d(sum of angles), slopes of that sum with c and h, its other carbons
    and hydrogens, and how much of g is that of few neighbours."""
    by_c = 0.0
    by_h = 0.0
    whole = 1.0
    if hydrogen == 0:
        added, by_c, by_h = correction(table, mate, c, h)
        whole += added
    alone, alone_slope = fade(c + h, g[CROWD_MIN], g[CROWD_MAX])
    total, by_alone = angles(i, skip, ux, uy, uz, distance, length, rho, hydrogen, alone, start, bj, kind, dx, dy, dz, r, w,
                             pairs, kinds, table)
    whole += total
    value = 1.0 / sqrt(whole)
    crowd = by_alone * alone_slope
    return value, -0.5 * value / whole, by_c + crowd, by_h + crowd, alone


@portable
def order_terms(i, start: i32[:], home: i32[:], bj: i32[:], kind: i32[:], element: i32[:], dx: f64[:], dy: f64[:], dz: f64[:],
                r: f64[:], w: f64[:], dw: f64[:], wp: f64[:], dwp: f64[:], carbons: f64[:], hydrogens: f64[:], chain: f64[:],
                pairs: f64[:], kinds: i64, g: f64[:], table: f64[:], gx: f64[:], gy: f64[:], gz: f64[:], ew: f64[:], ac: f64[:],
                by_carbons: f64[:], by_hydrogens: f64[:], pull: f64[:], out: scatter[f64[:, 3]]):
    """Half of the energies of the bonds of atom i and of the torsions about them, and slopes with its bonds, its numbers of
    neighbours and its conjugation. Returns both energies."""
    energy = 0.0
    torsions = 0.0
    of_c = 0.0
    of_h = 0.0
    of_chain = 0.0
    hydrogen = i64(element[kind[i]])
    for q in range(i64(start[i]), i64(start[i + 1])):
        j = i64(bj[q])
        k = (i64(kind[i]) * kinds + i64(kind[j])) * NP
        mate = i64(element[kind[j]])
        ux = dx[q]
        uy = dy[q]
        uz = dz[q]
        distance = r[q]
        away, away_slope, bound, bound_slope = radial(distance, w[q], dw[q], pairs, k)
        c, h = others(i, q, j, kind, element, w, carbons, hydrogens)
        value, by_sum, by_c, by_h, alone = half_order(i, q, ux, uy, uz, distance, distance, pairs[k + RHO], hydrogen, mate, c,
                                                      h, start, bj, kind, dx, dy, dz, r, w, pairs, kinds, g, table)
        factor = 0.5 * bound * by_sum
        by_c = factor * by_c
        by_h = factor * by_h
        hx, hy, hz, by_length = angle_slopes(i, q, ux, uy, uz, distance, distance, pairs[k + RHO], hydrogen, alone, factor,
                                             start, bj, kind, dx, dy, dz, r, w, dw, pairs, kinds, table, gx, gy, gz, ew, out,
                                             j, 1.0, element, by_c, by_h)
        if SHARES:
            by_c = 0.0
            by_h = 0.0
        # conjugation, and torsions; atom j has the bond q, and others, as its own
        their = carbons[j] + hydrogens[j] - w[q]
        back, _, _ = part(q, i, w[q], kind, element, carbons, hydrogens, g)
        mine = elsewhere(i, q, j, chain, kind, element, w, carbons, hydrogens, g)
        theirs = chain[j] - back
        conj = 1.0 + mine * mine + theirs * theirs
        both, by_n, by_conj = solid(table, F_AT + (hydrogen + mate) * SOLID, c + h, their, conj)
        if hydrogen + mate == 0:
            stiff, stiff_n, stiff_conj = solid(table, T_AT, c + h, their, conj)
            if TORSIONS or stiff != 0.0 or stiff_n != 0.0 or stiff_conj != 0.0:
                seat = i64(home[j])
                other_skip = bond_along(seat, -ux, -uy, -uz, start, dx, dy, dz)
                total, by_weight, tx, ty, tz = twist_slopes(
                    i, q, seat, other_skip, ux, uy, uz, distance, stiff * bound, w[q], start, bj, kind, element, dx, dy, dz, r,
                    w, wp, dwp, g, gx, gy, gz, ew, dw, out, j, dw[q] / (w[q] * distance))
                hx += tx
                hy += ty
                hz += tz
                both += stiff * total
                by_n += stiff_n * total
                by_conj += stiff_conj * total
                torsions += 0.5 * w[q] * by_weight
                if not SHARES:
                    ew[q] += 0.5 * by_weight
        by_c += bound * by_n
        by_h += bound * by_n
        push = bound * by_conj * 2.0 * mine
        of_c += by_c
        of_h += by_h
        of_chain += push
        ac[q] -= push
        if mate == 0:
            ew[q] -= by_c
        else:
            ew[q] -= by_h
        order = value + both
        along = (0.5 * (away_slope + order * bound_slope) + by_length) / distance
        more(gx, gy, gz, q, hx + along * ux, hy + along * uy, hz + along * uz)
        own = 0.5 * (away + order * bound)
        energy += own
        if SHARES:
            give_one(out, i, ux, uy, uz, 0.0, 0.0, 0.0, 0.0, 0.5 * own)
            give_one(out, j, ux, uy, uz, 0.0, 0.0, 0.0, 0.0, 0.5 * own)
    by_carbons[i] = of_c
    by_hydrogens[i] = of_h
    pull[i] = of_chain
    if EV:
        return energy, torsions
