"""The energy of an atom from its densities, in pair style pace: embedding functions, and what the core does to them.

Numbers of a species: FEW and then FOUR of each density: weight, power m, and two constants of the shifted kind. FEW are energy
of the atom, core_cut, core_width, kind of embedding, whether the nearest neighbour switches (inner cutoff zbl).
"""

from __future__ import annotations

from everlet.comm.kernels import atom_of
from everlet.forces.manybody.tile_loops import in_slots, place, species_of
from everlet.forces.pair.rows import position, row_start
from everlet.portable import exp, f64, i32, i64, least, log, magnitude, most, portable, real, sqrt, where

FEW, FOUR = 5, 4


@portable
def plain(rho, m):
    """|rho|^m with the sign of rho, linear below 1e-6; and its slope."""
    a = magnitude(rho)
    x = 1.0e6 * a
    x3 = x * x * x
    q = where(x3 > 30.0, 0.0 * a, exp(-least(x3, 30.0 + 0.0 * a)))
    safe = most(a, 1.0e-300 + 0.0 * a)
    up = exp(m * log(safe))
    flat = exp((1.0 - m) * 13.815510557964274)
    value = (1.0 - q) * up + flat * q * a
    fall = 3.0e6 * x * x * q
    slope = (1.0 - q) * m * up / safe + fall * up + flat * (q - fall * a)
    return where(rho < 0.0, -value, value), slope


@portable
def shifted(rho, m, one, two):
    """(one e^-a + a)^m - two e^-a with a = |rho|, with the sign of rho; and its slope."""
    a = magnitude(rho)
    e = exp(-a)
    inside = one * e + a
    up = exp(m * log(inside))
    value = up - two * e
    slope = m * up / inside * (1.0 - one * e) + two * e
    return where(rho < 0.0, -value, value), slope


@portable
def falling(x, top, width):
    """1 below top - width, 0 above top; and its slope."""
    t = (top - x) / width
    t = most(0.0 * t, least(t, 1.0 + 0.0 * t))
    return t * t * t * (10.0 - 15.0 * t + 6.0 * t * t), -30.0 * t * t * (1.0 - t) * (1.0 - t) / width


@portable
def nearest_of(own, begin: i64, n: i64, x: f64[:, 4], order: i32[:], tiles: i32[:], neigh: i32[:], first: i32[:], si: i64,
               sk: i64, pitch: i64, ends: i32[:], inner: real[:], nearest: real[:]):
    """Of the neighbour that is farthest inside its inner cutoff: how much the expansion counts, its slope, place in the row."""
    slot = begin + own
    species = species_of(slot, tiles)
    i = atom_of(slot, order)
    if species >= 0 and i >= 0 and i < n:
        xi, yi, zi = position(i, x)
        start = row_start(i, first, si)
        best = real(1.0e30)
        part = real(1.0)
        slope = real(0.0)
        spot = i64(-1)
        done = i64(0)
        for c in range(SPECIES):
            top = inner[2 * (species * SPECIES + c)]
            width = inner[2 * (species * SPECIES + c) + 1]
            last = i64(ends[c * pitch + i])
            for q in range(done, last):
                j = i64(neigh[start + q * sk])
                dx = x[j, 0] - xi
                dy = x[j, 1] - yi
                dz = x[j, 2] - zi
                r = sqrt(real(dx * dx + dy * dy + dz * dz))
                if r - top + width < best:
                    best = r - top + width
                    less, change = falling(r, top, width)
                    part = real(1.0) - less
                    slope = -change
                    spot = q
            done = last
        k = place(own, 3)
        nearest[k] = part
        nearest[k + T] = slope
        nearest[k + 2 * T] = real(spot)


@portable
def embed(w, begin: i64, n: i64, order: i32[:], tiles: i32[:], numbers: real[:], total: real[:], outputs: real[:],
          nearest: real[:], slopes: real[:], energies: real[:], counted: real[:]):
    """Energies of atoms, with the part that the expansion counts, and their slopes with the densities and with the core."""
    own = w * W
    slot = begin + own
    species = species_of(slot, tiles)
    if EV:
        energy = lanes(0.0)
    if species >= 0:
        spot = species * (5 + 4 * DENSITIES)
        zero = as_real(lanes(0.0))
        base = place(own, SIZE) + 2 * NUMBERS * T
        from_ = place(own, OUTPUTS)
        to = place(own, SLOPES)
        core = zero
        for c in range(SPECIES):
            core = core + load(total, base + (c * DIRECT + DENSITIES) * T)
        e = zero
        for d in unroll(DENSITIES):
            rho = zero
            for c in range(SPECIES):
                rho = rho + load(total, base + (c * DIRECT + d) * T)
            for k in range(PARTS):
                rho = rho + load(outputs, from_ + (k * DENSITIES + d) * T)
            p = spot + 5 + 4 * d
            value = rho
            slope[d] = zero + real(1.0)
            if numbers[spot + 3] == real(0.0):
                value, slope[d] = plain(rho, zero + numbers[p + 1])
            if numbers[spot + 3] == real(1.0) and numbers[p + 1] != real(1.0):
                value, slope[d] = shifted(rho, zero + numbers[p + 1], zero + numbers[p + 2], zero + numbers[p + 3])
            e = fma(value, numbers[p], e)
        part, change = falling(core, zero + numbers[spot + 1], zero + numbers[spot + 2])
        of_core = fma(e, change, zero + real(1.0))
        whole = fma(e, part, core)
        if SWITCHED:
            if numbers[spot + 4] == real(1.0):
                k = place(own, 3)
                part = load(nearest, k)
                of_core = real(1.0) - part
                whole = e * part + core * of_core
                store(nearest, k + T, load(nearest, k + T) * (e - core))
            if numbers[spot + 4] != real(1.0):
                store(nearest, place(own, 3) + T, zero)
        whole = whole + numbers[spot]
        for d in unroll(DENSITIES):
            store(slopes, to + d * T, slope[d] * part * numbers[spot + 5 + 4 * d])
        store(slopes, to + DENSITIES * T, of_core)
        store(energies, place(own, 1), whole)
        store(counted, place(own, 1), part)
        if EV:
            _, there = in_slots(slot, n, order)
            energy += where(there, whole, zero)
    if EV:
        return f64(lane_sum(energy))


@portable
def share_energies(own, begin: i64, n: i64, order: i32[:], energies: real[:], out: f64[:]):
    """Energies of atoms, as shares (manybody/shares.py)."""
    i = atom_of(begin + own, order)
    if i >= 0 and i < n:
        out[9 * i + 6] += f64(energies[place(own, 1)])


@portable
def core_parts(own, begin: i64, n: i64, order: i32[:], counted: real[:], out: f64[:]):
    """How much of its energy is not that of the expansion, for each atom."""
    i = atom_of(begin + own, order)
    if i >= 0 and i < n:
        out[i] = f64(real(1.0) - counted[place(own, 1)])
