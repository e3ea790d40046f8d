"""Guesses of s and t by weights of the differences of earlier solutions that would have given the last one best.

A polynomial of time takes what the tolerance leaves of each solution many times; weights that are fitted follow the noise and
the motion alike. For s, then for t, `numbers` have from FIT on ten products of four differences, as rows of an upper triangle,
and four of them with the last change, which the weights take the place of.
"""

from __future__ import annotations

from everlet.fixes.charges.solver_loops import NUMBERS, pull
from everlet.portable import f64, i32, i64, local, portable, sqrt

FIT, FITTED_NUMBERS = NUMBERS, NUMBERS + 28
HELD = 6  # solutions of earlier steps
RIDGE = 1e-6  # of the sum of squares: keeps weights of differences that are alike finite


@portable
def differences(a, b, c, d, e):
    """Of first to fourth order, of numbers of earlier and earlier steps."""
    ab = a - b
    bc = b - c
    cd = c - d
    abc = ab - bc
    bcd = bc - cd
    abcd = abc - bcd
    return ab, abc, abcd, abcd - (bcd - (cd - (d - e)))


@portable
def correlate(i, s: f64[:, 6], t: f64[:, 6]):
    """Products of differences before the last change of s and t, and of them with it."""
    a, b, c, d = differences(s[i, 1], s[i, 2], s[i, 3], s[i, 4], s[i, 5])
    e, f, g, h = differences(t[i, 1], t[i, 2], t[i, 3], t[i, 4], t[i, 5])
    u = s[i, 0] - s[i, 1]
    v = t[i, 0] - t[i, 1]
    return (a * a, a * b, a * c, a * d, b * b, b * c, b * d, c * c, c * d, d * d, a * u, b * u, c * u, d * u,
            e * e, e * f, e * g, e * h, f * f, f * g, f * h, g * g, g * h, h * h, e * v, f * v, g * v, h * v)


@portable
def fit(which, numbers: f64[:]):
    """Least squares of differences of length 1, by elimination. Where squares were, scales of differences are kept."""
    square = FIT + 14 * which
    right = square + 10
    for k in range(4):  # rows of the triangle begin at k (9 - k)/2
        row = square + k * (9 - k) // 2
        scale = 0.0
        if numbers[row] > 0.0:
            scale = 1.0 / sqrt(numbers[row])
        for j in range(k + 1, 4):
            numbers[row + j - k] *= scale
        for j in range(k):
            numbers[square + j * (9 - j) // 2 + k - j] *= scale
        numbers[right + k] *= scale
        numbers[row] = scale
    first = 1.0 + RIDGE
    ab = numbers[square + 1] / first
    ac = numbers[square + 2] / first
    ad = numbers[square + 3] / first
    second = first - ab * numbers[square + 1]
    bc = (numbers[square + 5] - ab * numbers[square + 2]) / second
    bd = (numbers[square + 6] - ab * numbers[square + 3]) / second
    third = first - ac * numbers[square + 2] - bc * bc * second
    cd = (numbers[square + 8] - ac * numbers[square + 3] - bc * bd * second) / third
    fourth = first - ad * numbers[square + 3] - bd * bd * second - cd * cd * third
    a = numbers[right]
    b = numbers[right + 1] - ab * a
    c = numbers[right + 2] - ac * a - bc * b
    d = (numbers[right + 3] - ad * a - bd * b - cd * c) / fourth
    c = c / third - cd * d
    b = b / second - bc * c - bd * d
    a = a / first - ab * b - ac * c - ad * d
    numbers[right] = a * numbers[square]
    numbers[right + 1] = b * numbers[square + 4]
    numbers[right + 2] = c * numbers[square + 7]
    numbers[right + 3] = d * numbers[square + 9]


@portable
def continued(which: i64, numbers: f64[:], a, b, c, d, e):
    ab, abc, abcd, rest = differences(a, b, c, d, e)
    w = FIT + 14 * which + 10
    return a + numbers[w] * ab + numbers[w + 1] * abc + numbers[w + 2] * abcd + numbers[w + 3] * rest


@local
@portable
def guess_fitted(i, kind: i32[:], mask: i32[:], bit: i32, chi: f64[:], place: f64[:, 4], charged: i32, ex: f64, ey: f64,
                 ez: f64, numbers: f64[:], s: f64[:, 6], t: f64[:, 6], x: f64[:], b: f64[:]):
    """s and t, and the right-hand sides."""
    x[2 * i] = 0.0
    x[2 * i + 1] = 0.0
    b[2 * i] = 0.0
    b[2 * i + 1] = 0.0
    if (mask[i] & bit) != 0:
        x[2 * i] = continued(i64(0), numbers, s[i, 0], s[i, 1], s[i, 2], s[i, 3], s[i, 4])
        x[2 * i + 1] = continued(i64(1), numbers, t[i, 0], t[i, 1], t[i, 2], t[i, 3], t[i, 4])
        b[2 * i] = pull(i, kind, mask, chi, place, charged, ex, ey, ez)
        b[2 * i + 1] = -1.0


@local
@portable
def remember_six(i, mask: i32[:], bit: i32, x: f64[:], s: f64[:, 6], t: f64[:, 6]):
    if (mask[i] & bit) != 0:
        for k in range(HELD - 1, 0, -1):
            s[i, k] = s[i, k - 1]
            t[i, k] = t[i, k - 1]
        s[i, 0] = x[2 * i]
        t[i, 0] = x[2 * i + 1]
