"""Kernels of two methods of conjugate gradients that go side by side: H s = -chi and H t = -1, preconditioned by the diagonal.

Vectors have two numbers per atom, of s and of t, side by side; `numbers` are sums that stay in memory of the space:

    0 1    b b           |b|^2
    2 3    r D^-1 r      before iterations of even number, and 4 5 before those of odd number
    6 7    d H d
    8 9    r D^-1 H d
    10 11  H d D^-1 H d
    12 13  r D^-1 r      summed anew with each product
    14 15  sums of s and t
    16 17  iterations

An iteration sums once: the r D^-1 r that it leads to follows from those of 6 to 13, and with it the next direction. Rounding is
some 1e-16 of the one before, and is gone with the next product. A system that has converged, sqrt(r D^-1 r)/|b| <= tolerance,
stays as it is.
"""

from __future__ import annotations

from everlet.portable import f64, i32, i64, local, lookup2, portable, sqrt, where
from everlet.state.control import PLACE, TROUBLE

SQUARE, SIGMA, CURVATURE, SUMS, ITERATIONS, NUMBERS = 0, 2, 6, 14, 16, 18


@portable
def open(which: i64, now: i64, tolerance: f64, numbers: f64[:]):
    """1 if a system has not converged; now: where its r D^-1 r is."""
    found = i64(0)
    if sqrt(numbers[now + which]) > tolerance * sqrt(numbers[SQUARE + which]):
        found = i64(1)
    return found


@portable
def cubic(i, s: f64[:, 4]):
    """A number from those of four earlier steps, as a cubic function of time."""
    return 4.0 * (s[i, 0] + s[i, 2]) - (6.0 * s[i, 1] + s[i, 3])


@portable
def remember(i, latest: f64, s: f64[:, 4]):
    s[i, 3] = s[i, 2]
    s[i, 2] = s[i, 1]
    s[i, 1] = s[i, 0]
    s[i, 0] = latest


@portable
def pull(i, kind: i32[:], mask: i32[:], chi: f64[:], place: f64[:, 4], charged: i32, ex: f64, ey: f64, ez: f64):
    """What draws charge to an atom. An electric field acts on the atoms of the group `charged`."""
    found = -chi[kind[i]]
    if (mask[i] & charged) != 0:
        found += ex * place[i, 0] + ey * place[i, 1] + ez * place[i, 2]
    return found


@local
@portable
def guess(i, kind: i32[:], mask: i32[:], bit: i32, chi: f64[:], place: f64[:, 4], charged: i32, ex: f64, ey: f64, ez: f64,
          s: f64[:, 4], t: f64[:, 3], x: f64[:], b: f64[:]):
    """s and t from those of earlier steps, as cubic and quadratic functions of time; the right-hand sides."""
    x[2 * i] = 0.0
    x[2 * i + 1] = 0.0
    b[2 * i] = 0.0
    b[2 * i + 1] = 0.0
    if (mask[i] & bit) != 0:
        x[2 * i] = cubic(i, s)
        x[2 * i + 1] = t[i, 2] + 3.0 * (t[i, 0] - t[i, 1])
        b[2 * i] = pull(i, kind, mask, chi, place, charged, ex, ey, ez)
        b[2 * i + 1] = -1.0


@portable
def multiply(i, kind: i32[:], eta: f64[:], depth: i64, length: i32[:], column: i32[:], value: f64[:], first: i64, now: i64,
             tolerance: f64, numbers: f64[:], r: f64[:], d: f64[:], product: f64[:]):
    """product = H d, and its sums. Not if both systems have converged, unless this is the first product."""
    base = i * depth
    m = i64(length[i])
    if first == 0:
        if open(i64(0), now, tolerance, numbers) + open(i64(1), now, tolerance, numbers) == 0:
            m = i64(0)
    ds = d[2 * i]
    dt = d[2 * i + 1]
    own = eta[kind[i]]
    if PAIRED:  # lanes are both numbers of an atom
        for u in unroll(TOGETHER):
            a[u] = lanes(0.0)
        for q in range(base, base + m, TOGETHER):
            for u in unroll(TOGETHER):
                a[u] = fma(load(d, column[q + u]), value[q + u], a[u])
        pair = load(d, 2 * i) * own
        for u in unroll(TOGETHER):
            pair += a[u]
        store(product, 2 * i, pair)
        hs = product[2 * i]
        ht = product[2 * i + 1]
    if not PAIRED:
        s = lanes(0.0)
        t = lanes(0.0)
        for q in lane_range(m, AHEAD):
            for u in unroll(AHEAD):
                k = q + u * lane_stride()
                j[u] = load(column, base + k)
                h[u] = where(k < m, load(value, base + k), 0.0)  # behind the end there is what rows had there before
            for u in unroll(AHEAD):
                first_one, second_one = lookup2(d, j[u])
                s = fma(h[u], first_one, s)
                t = fma(h[u], second_one, t)
        hs = f64(lane_sum(s)) + own * ds
        ht = f64(lane_sum(t)) + own * dt
    if leader():
        product[2 * i] = hs
        product[2 * i + 1] = ht
    inverse = 1.0 / own
    rs = r[2 * i] * inverse
    rt = r[2 * i + 1] * inverse
    return (ds * hs, dt * ht, rs * hs, rt * ht, hs * (hs * inverse), ht * (ht * inverse), rs * r[2 * i], rt * r[2 * i + 1])


@portable
def residual(i, kind: i32[:], eta: f64[:], b: f64[:], product: f64[:], r: f64[:], d: f64[:]):
    """r = b - H x and the first direction; |b|^2 and r D^-1 r."""
    inverse = 1.0 / eta[kind[i]]
    bs = b[2 * i]
    bt = b[2 * i + 1]
    rs = 0.0
    rt = 0.0
    if bt != 0.0:
        rs = bs - product[2 * i]
        rt = bt - product[2 * i + 1]
    r[2 * i] = rs
    r[2 * i + 1] = rt
    d[2 * i] = rs * inverse
    d[2 * i + 1] = rt * inverse
    return bs * bs, bt * bt, rs * (rs * inverse), rt * (rt * inverse)


@portable
def advance(t, n: i64, kind: i32[:], eta: f64[:], now: i64, next: i64, tolerance: f64, numbers: f64[:], product: f64[:],
            x: f64[:], r: f64[:], d: f64[:]):
    """x += alpha d, r -= alpha H d, and the next direction, of CHUNK atoms. The first item, which a rank without atoms has too,
    counts."""
    for which in range(2):
        left = numbers[now + which]
        if open(which, now, tolerance, numbers) > 0:
            exact = numbers[CURVATURE + 6 + which]
            alpha = exact / numbers[CURVATURE + which]
            left = exact - alpha * (2.0 * numbers[CURVATURE + 2 + which] - alpha * numbers[CURVATURE + 4 + which])
            if left < 0.0:
                left = 0.0
            beta = left / exact
            for i in range(t * CHUNK, min((t + 1) * CHUNK, n)):
                k = 2 * i + which
                rest = r[k] - alpha * product[k]
                x[k] += alpha * d[k]
                r[k] = rest
                d[k] = rest / eta[kind[i]] + beta * d[k]
            if t == 0:
                numbers[ITERATIONS + which] += 1.0
        if t == 0:
            numbers[next + which] = left


@portable
def demand(i, now: i64, tolerance: f64, place: i64, numbers: f64[:], control: i64[:]):
    """Of a sequence that is replayed: it had too few iterations, and the host goes on."""
    for which in range(SYSTEMS):
        if open(i64(which), now, tolerance, numbers) > 0:
            control[PLACE] = place + 1
            control[TROUBLE] = 1


@portable
def begin(i, numbers: f64[:]):
    numbers[ITERATIONS] = 0.0
    numbers[ITERATIONS + 1] = 0.0


@portable
def sum_solutions(i, x: f64[:]):
    return x[2 * i], x[2 * i + 1]


@local
@portable
def settle(i, mask: i32[:], bit: i32, numbers: f64[:], x: f64[:], q: f64[:]):
    """q = s - t sum(s)/sum(t)."""
    if (mask[i] & bit) != 0:
        q[i] = x[2 * i] - numbers[SUMS] / numbers[SUMS + 1] * x[2 * i + 1]


@local
@portable
def remember_both(i, mask: i32[:], bit: i32, x: f64[:], s: f64[:, 4], t: f64[:, 3]):
    """s and t are the latest of those that are remembered."""
    if (mask[i] & bit) != 0:
        remember(i, x[2 * i], s)
        t[i, 2] = t[i, 1]
        t[i, 1] = t[i, 0]
        t[i, 0] = x[2 * i + 1]
