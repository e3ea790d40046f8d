"""The loop over pairs of atoms that a file names. Entry k has two ids, the form of a potential and its numbers.
Owned atoms alone get forces, and their halves of energies: a pair between two ranks is computed by both.

Statics: EV (energies and virials are returned), SHARES (they go to atoms, and nobody gets a force), EXACT and STEPS as in
manybody/giving_loops.py, MANY (boxes of many systems), CHECK (an atom that is not to be found is an error).
"""

from __future__ import annotations

from everlet.forces.bonded.loops import nearest_in, own_box
from everlet.forces.manybody.giving_loops import push
from everlet.forces.pair.tally import add_tally, no_tally, scale_virial
from everlet.portable import exp, f64, i32, i64, local, portable, scatter, sqrt
from everlet.state.control import TROUBLE, UNLINKED

HARMONIC, MORSE, LJ126, QUARTIC = range(4)
NUMBERS = 6  # four of a form at most, the squared cutoff, the energy there


@local
@portable
def find_listed(k, n: i64, most: i64, first: i64[:], second: i64[:], rows: i32[:], pairs: i32[:], control: i64[:]):
    """Rows of the atoms of pair k; -1 if it is not this rank's."""
    i = i64(-1)
    j = i64(-1)
    if first[k] <= most and second[k] <= most:
        i = i64(rows[first[k]])
        j = i64(rows[second[k]])
    mine = (i >= 0 and i < n) or (j >= 0 and j < n)
    if mine and (i < 0 or j < 0):
        mine = False
        if CHECK:
            control[UNLINKED] = 1
            control[TROUBLE] = 1
    pairs[2 * k] = i32(i)
    pairs[2 * k + 1] = i32(j)
    if not mine:
        pairs[2 * k] = i32(-1)


@portable
def law(form: i64, r: f64, a: f64, b: f64, c: f64, d: f64):
    """The energy of a pair, and its slope."""
    e = 0.0
    slope = 0.0
    if form == HARMONIC:
        e = a * (r - b) * (r - b)
        slope = 2.0 * a * (r - b)
    elif form == MORSE:
        y = exp(-b * (r - c))
        e = a * (1.0 - y) * (1.0 - y)
        slope = 2.0 * a * b * y * (1.0 - y)
    elif form == LJ126:
        s2 = b * b / (r * r)
        s6 = s2 * s2 * s2
        e = 4.0 * a * s6 * (s6 - 1.0)
        slope = -24.0 * a * s6 * (2.0 * s6 - 1.0) / r
    else:
        x = r - b
        u = x - c
        v = x - d
        e = a * x * x * u * v
        slope = a * x * (2.0 * u * v + x * (u + v))
    return e, slope


@portable
def give(out: scatter[f64[:, 3]], j: i64, e: f64, dx: f64, dy: f64, dz: f64, gx: f64, gy: f64, gz: f64):
    """Half of an energy and of a virial for atom j (manybody/shares.py)."""
    out[3 * j, 0] += 0.5 * dx * gx
    out[3 * j, 1] += 0.5 * dy * gy
    out[3 * j, 2] += 0.5 * dz * gz
    out[3 * j + 1, 0] += 0.5 * dx * gy
    out[3 * j + 1, 1] += 0.5 * dx * gz
    out[3 * j + 1, 2] += 0.5 * dy * gz
    out[3 * j + 2, 0] += 0.5 * e


@portable
def listed_loop(k, n: i64, x: f64[:, 4], member: i32[:], box: f64[:], pairs: i32[:], forms: i32[:], numbers: f64[:],
                factor: f64, f: scatter[f64[:, 3]]):
    """Pair k, at the nearest image."""
    tallied = no_tally(0.0)
    if pairs[2 * k] >= 0:
        i = i64(pairs[2 * k])
        j = i64(pairs[2 * k + 1])
        dx, dy, dz = nearest_in(x[i, 0] - x[j, 0], x[i, 1] - x[j, 1], x[i, 2] - x[j, 2], own_box(i, member), box)
        r2 = dx * dx + dy * dy + dz * dz
        own = NUMBERS * k
        if r2 < numbers[own + 4]:
            r = sqrt(r2)
            e, slope = law(i64(forms[k]), r, numbers[own], numbers[own + 1], numbers[own + 2], numbers[own + 3])
            e -= numbers[own + 5]
            pull = 0.0
            if r > 0.0:  # atoms at one place have no direction
                pull = -slope / r
            gx = pull * dx
            gy = pull * dy
            gz = pull * dz
            part = 0.0
            if i < n:
                part += 0.5
                if SHARES:
                    give(f, i, e, dx, dy, dz, gx, gy, gz)
                if not SHARES:
                    push(f, i, factor * gx, factor * gy, factor * gz)
            if j < n:
                part += 0.5
                if SHARES:
                    give(f, j, e, dx, dy, dz, gx, gy, gz)
                if not SHARES:
                    push(f, j, -factor * gx, -factor * gy, -factor * gz)
            if EV:
                tallied = add_tally(tallied, part * e, part * dx, part * dy, part * dz, gx, gy, gz)
    if EV:
        return scale_virial(factor, tallied)
