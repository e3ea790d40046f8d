"""Loops of multilevel summation over the points of meshes; those over atoms are of pppm_loops.py.

An axis of a mesh has n numbers. In a periodic box they are its points; else its points are lo … hi, of which those below 0 are
at the end of the numbers, and there are zeros between. `half`: phi(k/2), k = 0 … P - 1 (splitting.py).

Statics: P order; BACK, ADD to what is there; EV.
"""

from __future__ import annotations

from everlet.portable import f64, i64, local, portable

PERIODS = 1024  # added before a remainder is taken, which is not to be negative


@portable
def place_of(c: i64, n: i64):
    """Where point c is among n numbers."""
    return (c + PERIODS * n) % n


@portable
def point_of(k: i64, n: i64, hi: i64):
    """The point that number k is."""
    c = k
    if k > hi:
        c = k - n
    return c


@portable
def resample(i, inner: i64, n: i64, lo: i64, hi: i64, m: i64, low: i64, high: i64, open: i64, half: f64[:], given: f64[:],
             made: f64[:]):
    """Charges along one axis: m numbers of every second point, from n. BACK: potentials, m numbers of all points, from n of
    every second one."""
    a = i % inner
    c = point_of((i // inner) % m, m, high)
    begin = (i // (inner * m)) * n
    sum = 0.0
    if c >= low:
        for k in range(1 - P, P):
            even = True
            j = 2 * c + k
            if BACK:
                even = (c - k + 2 * PERIODS * n) % 2 == 0
                j = (c - k + 2 * PERIODS * n) // 2 - PERIODS * n
            if even and (open == 0 or (j >= lo and j <= hi)):
                sum += half[max(k, -k)] * given[(begin + place_of(j, n)) * inner + a]
    if ADD:
        sum += made[i]
    made[i] = sum


@local
@portable
def copy(i, source: f64[:], to: i64, target: f64[:]):
    target[to + i] = source[i]


@local
@portable
def multiply(i, green: f64[:], first: i64, waves: f64[:]):
    """Waves times the spectrum of what charges make, which is real."""
    waves[2 * i] *= green[first + i]
    waves[2 * i + 1] *= green[first + i]


@portable
def directly(i, nx: i64, ny: i64, nz: i64, green: f64[:], first: i64, charges: f64[:], values: f64[:]):
    """The potential at point i of a small mesh, of all its points."""
    x = i // (ny * nz)
    y = (i // nz) % ny
    z = i % nz
    sum = 0.0
    for a in range(nx):
        for b in range(ny):
            row = first + (((x - a + nx) % nx) * ny + (y - b + ny) % ny) * nz
            for c in range(nz):
                sum += green[row + (z - c + nz) % nz] * charges[(a * ny + b) * nz + c]
    values[i] = sum


@portable
def totals(i, own: f64, n: i64, charges: f64[:], fields: f64[:]):
    """Of point i: half of its charge times potentials; `own`, what charges have by themselves, goes with the first."""
    q = 0.5 * charges[i]
    e = q * fields[i]
    if i == 0:
        e += own
    return (e, q * fields[n + i], q * fields[2 * n + i], q * fields[3 * n + i], q * fields[4 * n + i], q * fields[5 * n + i],
            q * fields[6 * n + i])
