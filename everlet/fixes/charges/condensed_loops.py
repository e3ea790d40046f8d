"""Kernels of the method of conjugate gradients for potentials a of atoms between which charges q = S a pass: (1 + H S) a = b.

(S a)_i = sum_j X_ij (a_i - a_j) is symmetric, and so is 1 + H S in the product a S b, in which it is positive: that is the
method's product here. Of charges and potentials the mean over members of the group is taken away (P): sums are zero, and atoms
of other groups, which have the potential 0, may be partners. Vectors have two numbers per atom:

    x  q, a       b  -chi, 1 if the atom is a member       r  direction p, -
    d  S p, what is left w = b - a - H q                    product  H S p, S w

`numbers` are sums that stay in memory of the space:

    0 1 2 3    |b|^2, sums of b and a, members
    4 5 6 7    |S w|^2, w S w, sum of S w, p S p, before iterations of even number; 8 to 11 before those of odd number
    12 13      S p H S p, sum of H S p
    14         iterations

With u = a + w all equations but q = S u hold, and there S w is left: the method has converged if |S w| <= tolerance |b|. w S w
is summed over bonds, and p S p = w S w + beta^2 p S p of before: both without cancellation.
"""

from __future__ import annotations

from everlet.fixes.charges.solver_loops import cubic, open, pull, remember
from everlet.portable import f64, i32, i64, local, portable, where

SQUARE, SUM_B, SUM_A, MEMBERS, EVEN, ODD, PRESSED, ITERATIONS, NUMBERS = 0, 1, 2, 3, 4, 8, 12, 14, 15
BONDS, SUM, OWN = 1, 2, 3  # behind EVEN and ODD


@portable
def guess(i, kind: i32[:], mask: i32[:], bit: i32, chi: f64[:], place: f64[:, 4], charged: i32, ex: f64, ey: f64, ez: f64,
          s: f64[:, 4], x: f64[:], b: f64[:]):
    """Potentials from those of earlier steps; the right-hand side; sums."""
    a = 0.0
    right = 0.0
    member = 0.0
    if (mask[i] & bit) != 0:
        a = cubic(i, s)
        right = pull(i, kind, mask, chi, place, charged, ex, ey, ez)
        member = 1.0
    x[2 * i] = 0.0
    x[2 * i + 1] = a
    b[2 * i] = right
    b[2 * i + 1] = member
    return right * right, right, a, member


@local
@portable
def centre(i, numbers: f64[:], x: f64[:], b: f64[:], r: f64[:], d: f64[:]):
    """Means are taken away; the potential is the first vector that S is multiplied with."""
    x[2 * i + 1] -= b[2 * i + 1] * numbers[SUM_A] / numbers[MEMBERS]
    b[2 * i] -= b[2 * i + 1] * numbers[SUM_B] / numbers[MEMBERS]
    r[2 * i] = 0.0
    d[2 * i] = 0.0
    d[2 * i + 1] = x[2 * i + 1]


@local
@portable
def charge(i, now: i64, numbers: f64[:], b: f64[:], product: f64[:], x: f64[:], d: f64[:]):
    """q = P S a."""
    x[2 * i] = b[2 * i + 1] * (product[2 * i + 1] - numbers[now + SUM] / numbers[MEMBERS])
    d[2 * i] = x[2 * i]


@local
@portable
def residual(i, numbers: f64[:], b: f64[:], product: f64[:], x: f64[:], d: f64[:]):
    """w = b - a - P H q."""
    d[2 * i + 1] = b[2 * i] - x[2 * i + 1] - b[2 * i + 1] * (product[2 * i] - numbers[PRESSED + 1] / numbers[MEMBERS])


@portable
def press(i, kind: i32[:], eta: f64[:], depth: i64, length: i32[:], column: i32[:], value: f64[:], first: i64, now: i64,
          tolerance: f64, numbers: f64[:], d: f64[:], product: f64[:]):
    """H S p, or H q if it is the first product, and its sums. Not if the method has converged."""
    base = i * depth
    m = i64(length[i])
    if first == 0:
        if open(i64(0), now, tolerance, numbers) == 0:
            m = i64(0)
    mine = d[2 * i]
    sum = lanes(0.0)
    for q in lane_range(m, AHEAD):
        for u in unroll(AHEAD):
            k = q + u * lane_stride()
            j[u] = load(column, base + k)
            h[u] = where(live(k, m), load(value, base + k), 0.0)  # behind the end there is what rows had there before
        for u in unroll(AHEAD):
            sum = fma(h[u], gather(d, j[u], True), sum)
    total = f64(lane_sum(sum)) + eta[kind[i]] * mine
    if leader():
        product[2 * i] = total
    return mine * total, total


@portable
def soften(i, depth: i64, length: i32[:], column: i32[:], value: f64[:], first: i64, now: i64, tolerance: f64,
           numbers: f64[:], b: f64[:], d: f64[:], product: f64[:]):
    """S w, |S w|^2, w S w from both ends of each bond, the sum of S w. Not if the method has converged."""
    base = i * depth
    m = i64(length[i])
    if first == 0:
        if open(i64(0), now, tolerance, numbers) == 0:
            m = i64(0)
    mine = d[2 * i + 1]
    sum = lanes(0.0)
    energy = lanes(0.0)
    for q in lane_range(m):
        step = mine - gather(d, load(column, base + q) + i32(1), True)
        flow = where(live(q, m), load(value, base + q), 0.0) * step
        sum += flow
        energy = fma(flow, step, energy)
    total = f64(lane_sum(sum))
    half = 0.5 * f64(lane_sum(energy))
    if leader():
        product[2 * i + 1] = total
    return b[2 * i + 1] * total * total, half, b[2 * i + 1] * total


@portable
def advance(t, n: i64, now: i64, tolerance: f64, numbers: f64[:], b: f64[:], product: f64[:], x: f64[:], r: f64[:], d: f64[:]):
    """q += alpha S p, a += alpha p, w -= alpha (p + P H S p), of CHUNK atoms. The first item counts."""
    if open(i64(0), now, tolerance, numbers) > 0:
        alpha = numbers[now + BONDS] / (numbers[now + OWN] + numbers[PRESSED])
        mean = numbers[PRESSED + 1] / numbers[MEMBERS]
        for i in range(t * CHUNK, min((t + 1) * CHUNK, n)):
            x[2 * i] += alpha * d[2 * i]
            x[2 * i + 1] += alpha * r[2 * i]
            d[2 * i + 1] -= alpha * (r[2 * i] + b[2 * i + 1] * (product[2 * i] - mean))
        if t == 0:
            numbers[ITERATIONS] += 1.0


@portable
def turn(t, n: i64, first: i64, now: i64, after: i64, tolerance: f64, numbers: f64[:], b: f64[:], product: f64[:], r: f64[:],
         d: f64[:]):
    """The next direction p = w + beta p, and S p, of CHUNK atoms."""
    going = i64(1)
    beta = 0.0
    if first == 0:
        going = open(i64(0), now, tolerance, numbers)
        if going > 0:
            beta = numbers[after + BONDS] / numbers[now + BONDS]
    if going > 0:
        mean = numbers[after + SUM] / numbers[MEMBERS]
        for i in range(t * CHUNK, min((t + 1) * CHUNK, n)):
            before = 0.0
            before_s = 0.0
            if first == 0:
                before = beta * r[2 * i]
                before_s = beta * d[2 * i]
            r[2 * i] = d[2 * i + 1] + before
            d[2 * i] = b[2 * i + 1] * (product[2 * i + 1] - mean) + before_s
        if t == 0:
            own = numbers[after + BONDS]
            if first == 0:
                own += beta * beta * numbers[now + OWN]
            numbers[after + OWN] = own


@portable
def begin(i, numbers: f64[:]):
    numbers[ITERATIONS] = 0.0


@local
@portable
def settle(i, mask: i32[:], bit: i32, x: f64[:], d: f64[:], q: f64[:], u: f64[:], s: f64[:, 4]):
    """Charges, and the potentials u = a + w, which are remembered."""
    u[i] = 0.0
    if (mask[i] & bit) != 0:
        q[i] = x[2 * i]
        u[i] = x[2 * i + 1] + d[2 * i + 1]
        remember(i, u[i], s)
