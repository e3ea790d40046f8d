"""Densities of MEAM, the energies of atoms in them, and what the slopes of these are made of.

Of the neighbours j of atom i, with u the direction, w = S fc(r) and f_l = rho_j exp(-b_l (r / re_j - 1)):

    rho0 = sum w f0,  A1 = sum w f1 u,  A2 = sum w f2 u u,  A3 = sum w f3 u u u
    R1 = |A1|^2,  R2 = |A2|^2 - tr(A2)^2 / 3,  R3 = |A3|^2 - 3/5 |tr(A3)|^2
    Gamma = sum_l t_l R_l / rho0^2,  rho = rho0 G(Gamma) / background,  F = A Ec rho ln rho

Statics: AVERAGE how t follows from neighbours: 0 not, 1 sum w f0 t / rho0, 2 (t are in f_l) over sum w f0 t^2; MINUS: a
second set of densities is subtracted, t are in all (meam/ms); MIXED: the background follows t, too (mixture_ref_t).

Of each atom there are numbers for its slopes (force_loops.py): at 0 what belongs to f0, from 1 on to f0 t, from 4 on to f0 t^2,
from 7 on the sets.
"""

from __future__ import annotations

from everlet.forces.manybody.giving_loops import keep_share
from everlet.forces.manybody.meam.physics import SET, empty_set, partial, partial_minus, squares, with_neighbour
from everlet.forces.manybody.meam.screening_loops import taper
from everlet.forces.pair.rows import distance_at, row_at
from everlet.portable import exp, f64, i32, i64, least, log, magnitude, portable, real, sqrt, where

# of an element: A Ec; what ln rho is for negative ones; the exponent of small G; ibar; t; 1 / background; neighbours in its
# lattice; shape of that; 1 / rho0
SIZE, LINEAR, SMOOTH, FORM, T1, INVERSE, FIRST, SHAPE, ALONE, NE = 0, 1, 2, 3, 4, 7, 8, 9, 12, 13
SETS = 7  # where the first set of an atom begins


@portable
def gain(gamma: f64, form: f64, smooth: f64):
    """G and its slope."""
    if form == 1.0:
        g = exp(0.5 * gamma)
        slope = 0.5 * g
    elif form == 3.0:
        g = 2.0 / (1.0 + exp(least(-gamma, 700.0)))
        slope = 0.5 * g * (2.0 - g)
    else:
        edge = -smooth / (smooth + 1.0)
        if form != -5.0 and gamma < edge:
            g = sqrt(exp(smooth * log(edge / gamma)) / (smooth + 1.0))
            slope = -0.5 * smooth * g / gamma
        else:
            root = sqrt(magnitude(1.0 + gamma))
            slope = 0.0
            if root > 0.0:
                slope = 0.5 / root
            g = where(gamma < -1.0, -root, root)
    return g, slope


@portable
def embedded(rho: f64, size: f64, linear: f64):
    """F and its slope."""
    energy = size * rho * linear
    slope = size * linear
    if rho > 0.0:
        slope = size * log(rho)
        energy = rho * slope
        slope += size
    return energy, slope


@portable
def share_of(value: f64, whole: f64):
    part = 0.0
    if whole > 0.0:
        part = value / whole
    return part


@portable
def keep_set(to: i64, step: i64, numbers: f64[:], tensors, one: f64, two: f64, three: f64):
    """A set times numbers for each of its tensors, and its traces."""
    x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz = tensors
    numbers[to] = one * x
    numbers[to + step] = one * y
    numbers[to + 2 * step] = one * z
    numbers[to + 3 * step] = two * xx
    numbers[to + 4 * step] = two * yy
    numbers[to + 5 * step] = two * zz
    numbers[to + 6 * step] = two * xy
    numbers[to + 7 * step] = two * xz
    numbers[to + 8 * step] = two * yz
    numbers[to + 9 * step] = three * xxx
    numbers[to + 10 * step] = three * xxy
    numbers[to + 11 * step] = three * xxz
    numbers[to + 12 * step] = three * xyy
    numbers[to + 13 * step] = three * xyz
    numbers[to + 14 * step] = three * xzz
    numbers[to + 15 * step] = three * yyy
    numbers[to + 16 * step] = three * yyz
    numbers[to + 17 * step] = three * yzz
    numbers[to + 18 * step] = three * zzz
    numbers[to + 19 * step] = two * (xx + yy + zz) / 3.0
    numbers[to + 20 * step] = 0.6 * three * (xxx + xyy + xzz)
    numbers[to + 21 * step] = 0.6 * three * (xxy + yyy + yzz)
    numbers[to + 22 * step] = 0.6 * three * (xxz + yyz + zzz)


@portable
def set_sums(sign: f64, tensors):
    """Sums over lanes, times a sign."""
    x, y, z, xx, yy, zz, xy, xz, yz, xxx, xxy, xxz, xyy, xyz, xzz, yyy, yyz, yzz, zzz = tensors
    return (sign * f64(lane_sum(x)), sign * f64(lane_sum(y)), sign * f64(lane_sum(z)), sign * f64(lane_sum(xx)),
            sign * f64(lane_sum(yy)), sign * f64(lane_sum(zz)), sign * f64(lane_sum(xy)), sign * f64(lane_sum(xz)),
            sign * f64(lane_sum(yz)), sign * f64(lane_sum(xxx)), sign * f64(lane_sum(xxy)), sign * f64(lane_sum(xxz)),
            sign * f64(lane_sum(xyy)), sign * f64(lane_sum(xyz)), sign * f64(lane_sum(xzz)), sign * f64(lane_sum(yyy)),
            sign * f64(lane_sum(yyz)), sign * f64(lane_sum(yzz)), sign * f64(lane_sum(zzz)))


@portable
def density_loop(i, x: f64[:, 4], kind: i32[:], short: i32[:], count: i32[:], first: i32[:], si: i64, sk: i64, filler: i64,
                 left: real[:], table: real[:], kinds: i64, cut: real, inner: real, el: f64[:], from_atom: i64, step: i64,
                 numbers: f64[:], own: f64[:]):
    """The numbers of atom i; its energy is returned, or put into `own` (SHARES)."""
    xi, yi, zi, start, m, row = row_at(i, x, count, first, si, kind, kinds)
    zero = as_real(lanes(0.0))
    plus = empty_set(zero)
    rho = zero
    if MINUS:
        minus = empty_set(zero)
    if AVERAGE > 0:
        s1, s2, s3, q1, q2, q3 = zero, zero, zero, zero, zero, zero
    p = record(table, (kinds + 1) * NP)
    for q in lane_range(m):
        near, j, dx, dy, dz, r, inverse = distance_at(q, m, short, start, sk, filler, x, xi, yi, zi)
        if MANY:
            p = record(table, (gather(kind, j, True) + i32(row)) * i32(NP), True)
        fc, _ = taper((cut - r) * inner)
        w = where(near, load(left, start + q * sk) * fc, real(0.0))
        f0, f1, f2, f3 = partial(r, p)
        ux = dx * inverse
        uy = dy * inverse
        uz = dz * inverse
        rho += w * f0
        plus = with_neighbour(plus, w * f1, w * f2, w * f3, ux, uy, uz)
        if MINUS:
            f1, f2, f3 = partial_minus(r, p)
            minus = with_neighbour(minus, w * f1, w * f2, w * f3, ux, uy, uz)
        if AVERAGE > 0:
            s1 += w * f0 * p.t1
            s2 += w * f0 * p.t2
            s3 += w * f0 * p.t3
        if AVERAGE == 2:
            q1 += w * f0 * p.t1 * p.t1
            q2 += w * f0 * p.t2 * p.t2
            q3 += w * f0 * p.t3 * p.t3
    rho0 = f64(lane_sum(rho))
    whole = set_sums(1.0, plus)
    if MINUS:
        less = set_sums(1.0, minus)
    if AVERAGE > 0:
        s1, s2, s3 = f64(lane_sum(s1)), f64(lane_sum(s2)), f64(lane_sum(s3))
    if AVERAGE == 2:
        q1, q2, q3 = f64(lane_sum(q1)), f64(lane_sum(q2)), f64(lane_sum(q3))
    energy = 0.0
    if leader():
        mine = i64(kind[i]) * NE
        t1, t2, t3 = 1.0, 1.0, 1.0
        n1, n2, n3 = rho0, rho0, rho0
        if AVERAGE == 0 and not MINUS:
            t1, t2, t3 = el[mine + T1], el[mine + T1 + 1], el[mine + T1 + 2]
        if AVERAGE == 2:
            n1, n2, n3 = q1, q2, q3
        if AVERAGE > 0:
            t1, t2, t3 = share_of(s1, n1), share_of(s2, n2), share_of(s3, n3)
        r1, r2, r3 = squares(whole)
        if MINUS:
            l1, l2, l3 = squares(less)
            r1, r2, r3 = r1 - l1, r2 - l2, r3 - l3
        gamma = share_of(t1 * r1 + t2 * r2 + t3 * r3, rho0 * rho0)
        g, slope = gain(gamma, el[mine + FORM], el[mine + SMOOTH])
        inverse_background = el[mine + INVERSE]
        b1, b2, b3 = 0.0, 0.0, 0.0
        if MIXED:
            z2 = el[mine + FIRST] * el[mine + FIRST]
            u1, u2, u3 = el[mine + SHAPE], el[mine + SHAPE + 1], el[mine + SHAPE + 2]
            base, rise = gain((u1 * t1 + u2 * t2 + u3 * t3) / z2, el[mine + FORM], el[mine + SMOOTH])
            inverse_background = el[mine + ALONE] / (el[mine + FIRST] * base)
            rise = rise / (base * z2)
            b1, b2, b3 = rise * u1, rise * u2, rise * u3
        density = rho0 * g * inverse_background
        energy, by_density = embedded(density, el[mine + SIZE], el[mine + LINEAR])
        by_density *= inverse_background
        zeroth = by_density * (g - 2.0 * slope * gamma)
        h = by_density * share_of(slope, rho0)
        to = i * from_atom
        if AVERAGE > 0:
            drop = by_density * rho0 * g
            e1 = share_of(h * r1 - drop * b1, n1)
            e2 = share_of(h * r2 - drop * b2, n2)
            e3 = share_of(h * r3 - drop * b3, n3)
            numbers[to + step] = e1
            numbers[to + 2 * step] = e2
            numbers[to + 3 * step] = e3
            if AVERAGE == 1:
                zeroth -= t1 * e1 + t2 * e2 + t3 * e3
            if AVERAGE == 2:
                numbers[to + 4 * step] = t1 * e1
                numbers[to + 5 * step] = t2 * e2
                numbers[to + 6 * step] = t3 * e3
        numbers[to] = zeroth
        keep_set(to + SETS * step, step, numbers, whole, 2.0 * h * t1, 2.0 * h * t2, 2.0 * h * t3)
        if MINUS:
            keep_set(to + (SETS + SET) * step, step, numbers, less, -2.0 * h, -2.0 * h, -2.0 * h)
        keep_share(own, i, energy)
    if EV:
        return energy
