"""Loops of the Ewald sum. A lane is an atom throughout; atoms are in tiles of T.

The phase of atom i for the vector k = 2 pi (nx a* + ny b* + nz c*) is a product of three powers, one of each axis, which
recursion gives (`axis_tables`); q_i is part of the first. Vectors that differ in the sign of nz alone are done together:

    e(nx, ny, ±nz) = e_xy (c ± i s)        c = cos(2 pi nz s_z), s = sin(…)

so that sums over atoms of e_xy c and e_xy s, four real numbers, give both structure factors, and a row (nx, ny) of vectors
becomes two complex numbers of an atom before its phase e_xy is multiplied in. Vectors are in blocks of R rows ny, ny + 1, …
times U columns nz, nz + 1, …; groups are all blocks of the same rows, from nz = 0 on. What is in a block but not among the
vectors of the sum has coefficient 0.

    table    tile by tile: row of numbers m = 0 … NX-1: q e^{2 pi i m s_x}, then NY of y from -KY on, then NZ of z
    groups   nx, ny of its first row, number of its first block, blocks
"""

from __future__ import annotations

from everlet.forces.pair.tally import add_virial, no_tally
from everlet.portable import both, cos, erfc, exp, f64, floor, i32, i64, portable, sin, sqrt, where

TWO_PI = 6.283185307179586


@portable
def turned(ar, ai, br, bi):
    """The product of two complex numbers."""
    return ar * br - ai * bi, ar * bi + ai * br


@portable
def place(own: i64, rows: i64):
    """Where row 0 of the tables of atom `own` is."""
    return own // T * (2 * T * rows) + own % T


@portable
def put_powers(table: f64[:], start: i64, count: i64, below: i64, re, im, fraction):
    """(re + i im) e^{2 pi i m s} for m = 0 … count-1 from `start` on, and for -m as far as `below` before it."""
    turn = TWO_PI * (fraction - floor(fraction))
    stepr = cos(turn)
    stepi = sin(turn)
    for m in range(count):
        store(table, start + 2 * T * m, re)
        store(table, start + 2 * T * m + T, im)
        if m <= below and m > 0:
            store(table, start - 2 * T * m, re)
            store(table, start - 2 * T * m + T, -im)
        re, im = turned(re, im, stepr, stepi)


@portable
def axis_tables(w, n: i64, x: f64[:, 4], q: f64[:], box: f64[:], slab: f64, nx: i64, ky: i64, ny: i64, nz: i64, table: f64[:]):
    """Powers of the phases of each axis; atoms from n on have no charge."""
    own = w * W
    there = lane_ids() + i32(own) < i32(n)
    px, py, pz = gather3(x, lane_ids() + i32(own), True)
    dx = px - box[0]
    dy = py - box[1]
    dz = pz - box[2]
    sx = where(there, dx * box[9] + dy * box[14] + dz * box[13], 0.0)
    sy = where(there, dy * box[10] + dz * box[12], 0.0)
    sz = where(there, dz * box[11] / slab, 0.0)
    one = sx * 0.0 + 1.0
    start = place(own, nx + ny + nz)
    put_powers(table, start, nx, 0, where(there, load(q, own), 0.0), 0.0 * one, sx)
    put_powers(table, start + 2 * T * (nx + ky), ny - ky, ky, one, 0.0 * one, sy)
    put_powers(table, start + 2 * T * (nx + ny), nz, 0, one, 0.0 * one, sz)


@portable
def structure_factors(i, count: i64, blocks: i64, group_of: i32[:], groups: i32[:], nx: i64, ky: i64, ny: i64, nz: i64,
                      table: f64[:], sums: f64[:]):
    """Sums over the atoms of chunk i // blocks of e_xy c (real, imaginary) and e_xy s for the vectors of block i % blocks."""
    chunk = i // blocks
    block = i % blocks
    g = 4 * i64(group_of[block])
    rows = nx + ny + nz
    atx = 2 * T * i64(groups[g])
    aty = 2 * T * (nx + ky + i64(groups[g + 1]))
    atz = 2 * T * (nx + ny + U * (block - i64(groups[g + 2])))
    for k in unroll(R * U):
        ar[k] = lanes(0.0)
        ai[k] = lanes(0.0)
        br[k] = lanes(0.0)
        bi[k] = lanes(0.0)
    first = chunk * CHUNK
    last = min(CHUNK, count - first)
    for step in lane_range(last):
        start = place(first + step, rows)
        xr = load(table, start + atx)
        xi = load(table, start + atx + T)
        for r in unroll(R):
            er[r], ei[r] = turned(xr, xi, load(table, start + aty + 2 * T * r), load(table, start + aty + 2 * T * r + T))
        for u in unroll(U):
            c = load(table, start + atz + 2 * T * u)
            s = load(table, start + atz + 2 * T * u + T)
            for r in unroll(R):
                ar[u * R + r] += er[r] * c
                ai[u * R + r] += ei[r] * c
                br[u * R + r] += er[r] * s
                bi[u * R + r] += ei[r] * s
    for k in unroll(R * U):
        into = 4 * (i * (R * U) + k)
        one = lane_sum(ar[k])
        two = lane_sum(ai[k])
        three = lane_sum(br[k])
        four = lane_sum(bi[k])
        if leader():
            sums[into] = one
            sums[into + 1] = two
            sums[into + 2] = three
            sums[into + 3] = four


@portable
def add_chunks(k, chunks: i64, size: i64, sums: f64[:]):
    """sums[k] over all chunks, into that of the first."""
    total = sums[k]
    for chunk in range(1, chunks):
        total += sums[chunk * size + k]
    sums[k] = total


@portable
def vector(box: f64[:], slab: f64, nx: f64, ny: f64, nz: f64):
    """k of three whole numbers."""
    kx = TWO_PI * nx * box[9]
    ky = TWO_PI * (nx * box[14] + ny * box[10])
    kz = TWO_PI * (nx * box[13] + ny * box[12] + nz * box[11] / slab)
    return kx, ky, kz


@portable
def of_charges(k2, g):
    """V u(k) = 4 pi exp(-k^2/4g^2) / k^2, and -2 d ln u / d k^2, for the virial."""
    return 2.0 * TWO_PI * exp(-k2 / (4.0 * g * g)) / k2, 2.0 * (1.0 / k2 + 1.0 / (4.0 * g * g))


@portable
def of_dispersion(k2, g):
    """The same of 1/r^6: V u(k) = pi^1.5 g^3/3 [(1 - 2 b^2) exp(-b^2) + 2 sqrt(pi) b^3 erfc(b)], b = k/2g."""
    b2 = k2 / (4.0 * g * g)
    b = sqrt(b2)
    gauss = exp(-b2)
    tail = 1.7724538509055159 * b * erfc(b)
    u = (1.0 - 2.0 * b2) * gauss + 2.0 * b2 * tail
    return 1.8561093322772359 * g * g * g * u, 1.5 * (gauss - tail) / (g * g * u)


@portable
def kept(k2: f64, most: f64, value: f64):
    """0 beyond the last vector and for k = 0."""
    return where(both(k2 > 0.0, k2 <= most), value, 0.0)


@portable
def weights(i, constant: f64, g: f64, most: f64, slab: f64, mx: i64, my: i64, mz: i64, longest: i64, box: f64[:],
            group_of: i32[:], groups: i32[:], sums: f64[:], pull: f64[:]):
    """What atoms need of the vectors (nx, ny, ±nz), from the sums over all atoms: A = G+ + G-, B = i (G+ - G-) with
    G = 2 C u S*; with EV energy and virial of both. Vectors go up to mx, my, mz, those along an axis up to `longest`.
    `spectrum` is of_charges or of_dispersion."""
    block = i // (R * U)
    g4 = 4 * i64(group_of[block])
    a = i64(groups[g4])
    b = i64(groups[g4 + 1]) + i % R
    c = U * (block - i64(groups[g4 + 2])) + i % (R * U) // R
    volume = box[3] * box[4] * box[5] * slab
    ahead = a > 0 or (a == 0 and b > 0)  # in the half space for both signs of nz
    near = a <= mx and abs(b) <= my and c <= mz
    alone = (a == 0 and b == 0) or (b == 0 and c == 0) or (a == 0 and c == 0)
    counts = near or (alone and a <= longest and abs(b) <= longest and c <= longest)
    up = 1.0 if (ahead or (a == 0 and b == 0 and c > 0)) and counts else 0.0
    down = up if ahead and c > 0 else 0.0
    kx, k1, k3 = vector(box, slab, f64(a), f64(b), f64(c))
    _, _, k4 = vector(box, slab, f64(a), f64(b), f64(-c))
    plus2 = kx * kx + k1 * k1 + k3 * k3
    minus2 = kx * kx + k1 * k1 + k4 * k4
    plus, plus_slope = spectrum(where(plus2 > 0.0, plus2, 1.0), g)
    minus, minus_slope = spectrum(where(minus2 > 0.0, minus2, 1.0), g)
    u = up * constant * kept(plus2, most, plus / volume)
    v = down * constant * kept(minus2, most, minus / volume)
    pr = sums[4 * i] - sums[4 * i + 3]  # S+ = A + i B
    pi = sums[4 * i + 1] + sums[4 * i + 2]
    mr = sums[4 * i] + sums[4 * i + 3]  # S-
    mi = sums[4 * i + 1] - sums[4 * i + 2]
    pull[4 * i] = 2.0 * (u * pr + v * mr)
    pull[4 * i + 1] = -2.0 * (u * pi + v * mi)
    pull[4 * i + 2] = 2.0 * (u * pi - v * mi)
    pull[4 * i + 3] = 2.0 * (u * pr - v * mr)
    if EV:
        e = u * (pr * pr + pi * pi)
        d = v * (mr * mr + mi * mi)
        p = e * plus_slope
        m = d * minus_slope
        return (e + d, e + d - (p + m) * kx * kx, e + d - (p + m) * k1 * k1, e + d - p * k3 * k3 - m * k4 * k4,
                -(p + m) * kx * k1, -kx * (p * k3 + m * k4), -k1 * (p * k3 + m * k4))


@portable
def forces(w, n: i64, groups_n: i64, groups: i32[:], box: f64[:], slab: f64, zforce: f64, nx: i64, ky: i64, ny: i64, nz: i64,
           table: f64[:], pull: f64[:], f: f64[:, 3]):
    """F = q sum_k k Im(e^{ik.r} G), a row of vectors at a time."""
    own = w * (V * W)
    start = place(own, nx + ny + nz)
    for v in unroll(V):
        fa[v] = lanes(0.0)
        fb[v] = lanes(0.0)
        fc[v] = lanes(0.0)
    for g in range(groups_n):
        a = i64(groups[4 * g])
        b = i64(groups[4 * g + 1])
        atx = start + 2 * T * a
        aty = start + 2 * T * (nx + ky + b)
        atz = start + 2 * T * (nx + ny)
        for k in unroll(R * V):
            tr[k] = lanes(0.0)
            ti[k] = lanes(0.0)
            zr[k] = lanes(0.0)
            zi[k] = lanes(0.0)
        spot = 4 * R * U * i64(groups[4 * g + 2])
        for column in range(U * i64(groups[4 * g + 3])):
            for v in unroll(V):
                c[v] = load(table, atz + 2 * T * column + v * W)
                s[v] = load(table, atz + 2 * T * column + T + v * W)
                cz[v] = c[v] * f64(column)
                sz[v] = s[v] * f64(column)
            for r in unroll(R):
                pa = pull[spot + 4 * r]
                pb = pull[spot + 4 * r + 1]
                pc = pull[spot + 4 * r + 2]
                pd = pull[spot + 4 * r + 3]
                for v in unroll(V):
                    tr[r * V + v] += c[v] * pa + s[v] * pc
                    ti[r * V + v] += c[v] * pb + s[v] * pd
                    zr[r * V + v] += sz[v] * pa - cz[v] * pc
                    zi[r * V + v] += sz[v] * pb - cz[v] * pd
            spot += 4 * R
        for v in unroll(V):
            xr = load(table, atx + v * W)
            xi = load(table, atx + T + v * W)
            for r in unroll(R):
                er, ei = turned(xr, xi, load(table, aty + 2 * T * r + v * W), load(table, aty + 2 * T * r + T + v * W))
                im = er * ti[r * V + v] + ei * tr[r * V + v]
                fa[v] += f64(a) * im
                fb[v] += f64(b + r) * im
                fc[v] += er * zr[r * V + v] - ei * zi[r * V + v]
    for v in unroll(V):
        one = lane_ids() + i32(own + v * W)
        subtract3_distinct(f, one, -(TWO_PI * box[9] * fa[v]), -(TWO_PI * (box[14] * fa[v] + box[10] * fb[v])),
                           -(zforce * TWO_PI * (box[13] * fa[v] + box[12] * fb[v] + box[11] / slab * fc[v])), one < i32(n))


@portable
def add_vector(t, one: f64, slope: f64, kx: f64, ky: f64, kz: f64):
    """A tally with the energy of one more vector, and the virial that follows from it; slope: that of the spectrum."""
    energy, xx, yy, zz, xy, xz, yz = t
    s = one * slope
    return (energy + one, xx + (one - s * kx * kx), yy + (one - s * ky * ky), zz + (one - s * kz * kz), xy - s * kx * ky,
            xz - s * kx * kz, yz - s * ky * kz)


@portable
def of_atoms(i, groups_n: i64, groups: i32[:], box: f64[:], slab: f64, g: f64, nx: i64, ky: i64, ny: i64, nz: i64,
             table: f64[:], pull: f64[:], energy: f64[:], virial: f64[:, 6]):
    """Energy and virial of atom i: q_i sum_k u Re(e^{ik.r} S*) and the same times that of the vector."""
    start = place(i, nx + ny + nz)
    tallied = no_tally(0.0)
    for group in range(groups_n):
        a = i64(groups[4 * group])
        spot = 4 * R * U * i64(groups[4 * group + 2])
        for column in range(U * i64(groups[4 * group + 3])):
            z = start + 2 * T * (nx + ny + column)
            for r in range(R):
                b = i64(groups[4 * group + 1]) + r
                y = start + 2 * T * (nx + ky + b)
                er, ei = turned(table[start + 2 * T * a], table[start + 2 * T * a + T], table[y], table[y + T])
                ar = pull[spot]
                ai = pull[spot + 1]
                br = pull[spot + 2]
                bi = pull[spot + 3]
                spot += 4
                for sign in range(2):
                    turn = 1.0 - 2.0 * f64(sign)  # G± = (A ∓ i B) / 2
                    pr, pi = turned(er, ei, table[z], turn * table[z + T])
                    part = 0.25 * (pr * (ar + turn * bi) - pi * (ai - turn * br))
                    kx, k1, k3 = vector(box, slab, f64(a), f64(b), turn * f64(column))
                    k2 = kx * kx + k1 * k1 + k3 * k3
                    _, slope = spectrum(where(k2 > 0.0, k2, 1.0), g)
                    tallied = add_vector(tallied, part, slope, kx, k1, k3)
    e, xx, yy, zz, xy, xz, yz = tallied
    energy[i] += e
    add_virial(virial, i, xx, yy, zz, xy, xz, yz)


@portable
def own_energies(i, factor: f64, q: f64[:], background: f64, spread: f64, energy: f64[:], virial: f64[:, 6]):
    """Of a charge with itself, and with the background of a net charge, or of dispersion with the mean of all atoms; `spread`
    is the part of the latter that the virial has."""
    energy[i] -= q[i] * (factor * q[i] + background)
    for k in range(3):
        virial[i, k] -= q[i] * background * spread


@portable
def of_types(i, type: i32[:], numbers: f64[:], values: f64[:]):
    """A number of each atom that is one of its type."""
    values[i] = numbers[type[i]]
