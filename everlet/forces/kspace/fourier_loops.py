"""Loops of PPPM in Fourier space: the influence function, fields, energy and virial.

A half of the vectors is there, nz // 2 + 1 along z. The whole numbers of a vector are signed, and -n/2 if they are half of an
even mesh size (the edge); the mirror image of an edge is the edge itself, so that fields along it need care:

    field of n: -i (n_d G(n) - n'_d G(n')) / 2 S        n' = -n, but n itself where it is an edge

A rank has all vectors along x, `my` along y from y0 on, and `mz` along z from z0 on: all of them, or a pencil (pencils.py).

Statics: P order; STAGGERED; IK, or slopes of stencils; EV; TILTED: G(n) and G(n') may differ; DISPERSION, and `slope_of`, a
spectrum of ewald_loops.py, for the virial.
"""

from __future__ import annotations

from everlet.forces.kspace.ewald_loops import add_vector, of_dispersion, vector
from everlet.forces.pair.tally import no_tally
from everlet.portable import exp, f64, i32, i64, most, portable, sin

SMALLEST = 1e-100  # k^2 of a vector 0, whose slope does not matter
PI = 3.141592653589793


@portable
def numbers(i: i64, my: i64, mz: i64, y0: i64, z0: i64):
    """The mesh indices of vector i."""
    row = i32(i) // i32(mz)  # divisions of 32 bits are quicker
    x = row // i32(my)
    return i64(x), y0 + i64(row - x * i32(my)), z0 + i64(i32(i) - row * i32(mz))


@portable
def signed(i: i64, n: i64):
    """A mesh index as a whole number around 0."""
    found = f64(i)
    if 2 * i >= n:
        found = f64(i - n)
    return found


@portable
def mirrored(a: f64, n: i64):
    """The whole number of the mirror image: that of an edge is itself."""
    found = -a
    if 2.0 * a == -f64(n):
        found = a
    return found


@portable
def window(a: f64, n: i64):
    """U^2 of one axis: sinc^2p of pi a / n."""
    x = PI * a / f64(n)
    s = 1.0
    if x != 0.0:
        s = sin(x) / x
    value = 1.0
    for _ in unroll(P):
        value *= s * s
    return value


@portable
def green_of(a: f64, b: f64, c: f64, u2: f64, box: f64[:], slab: f64, g: f64, nx: i64, ny: i64, nz: i64, ax: i64, ay: i64,
             az: i64):
    """1 / k^2 sum_m (k.K / K^2) exp(-K^2/4g^2) U^2 of one vector, over so many aliases on each side; u2: U^2 of the vector.
    Of dispersion the spectrum of 1/r^6 times u2."""
    kx, ky, kz = vector(box, slab, a, b, c)
    k2 = kx * kx + ky * ky + kz * kz
    total = 0.0
    if DISPERSION:
        if k2 > 0.0:
            value, _ = of_dispersion(k2, g)
            total = value * u2
    elif k2 > 0.0 and ax + ay + az == 0:
        total = exp(-k2 / (4.0 * g * g)) * u2 / k2
    elif k2 > 0.0:
        for la in range(-ax, ax + 1):
            ux = window(a + f64(la * nx), nx)
            for lb in range(-ay, ay + 1):
                uy = window(b + f64(lb * ny), ny)
                for lc in range(-az, az + 1):
                    hx, hy, hz = vector(box, slab, a + f64(la * nx), b + f64(lb * ny), c + f64(lc * nz))
                    h2 = hx * hx + hy * hy + hz * hz
                    u = ux * uy * window(c + f64(lc * nz), nz)
                    total += (kx * hx + ky * hy + kz * hz) / h2 * exp(-h2 / (4.0 * g * g)) * u
        total /= k2
    return total


@portable
def influence(i, box: f64[:], slab: f64, constant: f64, g: f64, nx: i64, ny: i64, nz: i64, my: i64, mz: i64, y0: i64, z0: i64,
              ax: i64, ay: i64, az: i64, aliases: f64[:], windows: f64[:], green: f64[:], odd: f64[:]):
    """constant G / 4 pi V of vector i, the mean of its mirror images; `odd`: half of their difference, in a tilted box.
    STAGGERED: for the mean of two meshes, half a cell apart, in which aliases with odd sums of whole numbers cancel; `aliases`
    has sums with signs behind those without."""
    x, y, z = numbers(i, my, mz, y0, z0)
    u2 = windows[x] * windows[nx + y] * windows[nx + ny + z]
    d = aliases[x] * aliases[nx + y] * aliases[nx + ny + z]
    d *= d
    if STAGGERED:
        n = nx + ny + nz
        e = aliases[n + x] * aliases[n + nx + y] * aliases[n + nx + ny + z]
        d = 0.5 * (d + e * e)
    factor = constant / (box[3] * box[4] * box[5] * slab * d)
    a = signed(x, nx)
    b = signed(y, ny)
    c = signed(z, nz)
    one = green_of(a, b, c, u2, box, slab, g, nx, ny, nz, ax, ay, az)
    if TILTED:
        two = green_of(mirrored(a, nx), mirrored(b, ny), mirrored(c, nz), u2, box, slab, g, nx, ny, nz, ax, ay, az)
        odd[i] = 0.5 * factor * (one - two)
        one = 0.5 * (one + two)
    green[i] = factor * one


@portable
def part_of_virial(which: i64, t: f64, kx: f64, ky: f64, kz: f64):
    """What 1 of energy is of a component: 0 energy, then xx yy zz xy xz yz; t: the slope of the spectrum."""
    value = 1.0
    if which == 1:
        value = 1.0 - t * kx * kx
    if which == 2:
        value = 1.0 - t * ky * ky
    if which == 3:
        value = 1.0 - t * kz * kz
    if which == 4:
        value = -t * kx * ky
    if which == 5:
        value = -t * kx * kz
    if which == 6:
        value = -t * ky * kz
    return value


@portable
def solve(i, box: f64[:], slab: f64, g: f64, own: f64, mean: f64, spread: f64, nx: i64, ny: i64, nz: i64, my: i64,
          mz: i64, y0: i64, z0: i64, green: f64[:], odd: f64[:], spectrum: f64[:], fields: f64[:]):
    """Fields of vector i: the potential, or its slopes along the three axes; with EV energy and virial, and with vector 0
    those of atoms with themselves and with the mean of all (Part.constants)."""
    points = nx * my * mz
    x, y, z = numbers(i, my, mz, y0, z0)
    a = signed(x, nx)
    b = signed(y, ny)
    c = signed(z, nz)
    sr = spectrum[2 * i]
    si = spectrum[2 * i + 1]
    even = green[i]
    apart = 0.0
    if TILTED:
        apart = odd[i]
    if IK:
        fa = a * even
        fb = b * even
        fc = c * even
        if 2.0 * a == -f64(nx):
            fa = a * apart
        if 2.0 * b == -f64(ny):
            fb = b * apart
        if 2.0 * c == -f64(nz):
            fc = c * apart
        fields[2 * i] = fa * si
        fields[2 * i + 1] = -fa * sr
        fields[2 * (points + i)] = fb * si
        fields[2 * (points + i) + 1] = -fb * sr
        fields[2 * (2 * points + i)] = fc * si
        fields[2 * (2 * points + i) + 1] = -fc * sr
    else:
        fields[2 * i] = even * sr
        fields[2 * i + 1] = even * si
    if EV:
        weight = 0.5 * (sr * sr + si * si)
        kx, ky, kz = vector(box, slab, a, b, c)
        one = weight * (even + apart)
        _, slope = slope_of(most(kx * kx + ky * ky + kz * kz, SMALLEST), g)
        tallied = add_vector(no_tally(0.0), one, slope, kx, ky, kz)
        if z > 0 and 2 * z < nz:  # its mirror image is not there
            kx, ky, kz = vector(box, slab, mirrored(a, nx), mirrored(b, ny), -c)
            two = weight * (even - apart)
            _, slope = slope_of(most(kx * kx + ky * ky + kz * kz, SMALLEST), g)
            tallied = add_vector(tallied, two, slope, kx, ky, kz)
        e, xx, yy, zz, xy, xz, yz = tallied
        if x + y + z == 0:
            volume = box[3] * box[4] * box[5] * slab
            e += own + mean / volume
            xx += spread / volume
            yy += spread / volume
            zz += spread / volume
        return e, xx, yy, zz, xy, xz, yz


@portable
def component(i, which: i64, box: f64[:], slab: f64, g: f64, nx: i64, ny: i64, nz: i64, my: i64, mz: i64, y0: i64, z0: i64,
              green: f64[:], odd: f64[:], spectrum: f64[:], fields: f64[:]):
    """The potential (0), or what a component of the virial has in its place, of vector i."""
    x, y, z = numbers(i, my, mz, y0, z0)
    a = signed(x, nx)
    b = signed(y, ny)
    c = signed(z, nz)
    kx, ky, kz = vector(box, slab, a, b, c)
    hx, hy, hz = vector(box, slab, mirrored(a, nx), mirrored(b, ny), mirrored(c, nz))
    apart = 0.0
    if TILTED:
        apart = odd[i]
    _, slope = slope_of(most(kx * kx + ky * ky + kz * kz, SMALLEST), g)
    _, other = slope_of(most(hx * hx + hy * hy + hz * hz, SMALLEST), g)
    value = 0.5 * (part_of_virial(which, slope, kx, ky, kz) * (green[i] + apart)
                   + part_of_virial(which, other, hx, hy, hz) * (green[i] - apart))
    fields[2 * i] = value * spectrum[2 * i]
    fields[2 * i + 1] = value * spectrum[2 * i + 1]


@portable
def self_forces(i, nx: i64, ny: i64, nz: i64, my: i64, mz: i64, y0: i64, z0: i64, green: f64[:], sums: f64[:]):
    """What slopes of stencils push a charge by its own field: for each axis the amplitudes of sin 2 pi t and of sin 4 pi t.
    `sums`: of U(n + m) U(n + m + r) over aliases m, for r = 0, 1, 2, along each axis."""
    x, y, z = numbers(i, my, mz, y0, z0)
    g = PI * green[i]
    hx = (nx - x) % nx
    hy = (ny - y) % ny
    hz = (nz - z) % nz
    other = 0.0
    if z > 0 and 2 * z < nz:
        other = 1.0
    at_y = 3 * nx
    at_z = 3 * (nx + ny)
    sx = sums[x]
    sy = sums[at_y + y]
    sz = sums[at_z + z]
    rx = other * sums[hx]
    ry = sums[at_y + hy]
    rz = sums[at_z + hz]
    return (g * (sums[nx + x] * sy * sz + other * sums[nx + hx] * ry * rz),
            2.0 * g * (sums[2 * nx + x] * sy * sz + other * sums[2 * nx + hx] * ry * rz),
            g * (sx * sums[at_y + ny + y] * sz + rx * sums[at_y + ny + hy] * rz),
            2.0 * g * (sx * sums[at_y + 2 * ny + y] * sz + rx * sums[at_y + 2 * ny + hy] * rz),
            g * (sx * sy * sums[at_z + nz + z] + rx * ry * sums[at_z + nz + hz]),
            2.0 * g * (sx * sy * sums[at_z + 2 * nz + z] + rx * ry * sums[at_z + 2 * nz + hz]))
