"""Random numbers without a state, for kernels: Philox4x32-10.

J. K. Salmon, M. A. Moraes, R. O. Dror and D. E. Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11 (2011): ten
rounds of multiplication and exclusive or scramble a counter of 128 bits under a key of 64. Here the counter is the number
of an item and of a step, and the key is a seed and the number of a stream, so that an item has the same numbers
wherever and in whichever order it is done. Words, for the code of kernels (import them):

    random4(seed, item, step, stream)     four whole numbers of 32 bits: the same on every target
    uniforms(seed, item, step, stream)    four numbers in (0, 1), which are those over 2^32; never 0 or 1
    normals(seed, item, step, stream)     four numbers of the normal distribution, by Box and Muller's method

Seed and stream have 32 bits, item and step have 64. Who needs more than four numbers takes several streams. Items may be lanes.
"""

from __future__ import annotations

from everlet.portable import as_f64, as_i64, cos, i64, log, portable, sin, sqrt

LOW = 0xFFFFFFFF  # the low 32 bits; whole numbers of kernels have 64 and wrap, so that products keep all their bits
ROUNDS = 10
FIRST, SECOND = 0xD2511F53, 0xCD9E8D57  # factors
STEP_0, STEP_1 = 0x9E3779B9, 0xBB67AE85  # what keys grow by
UNIT = 1.0 / 2.0**32
CIRCLE = 6.283185307179586


@portable
def philox(a, b, c, d, key: i64, other: i64):
    """Four words of a counter, scrambled under two words of a key; all have 32 bits."""
    for _ in range(ROUNDS):
        p = FIRST * a
        q = SECOND * c
        a = ((q >> 32) & LOW) ^ b ^ key
        c = ((p >> 32) & LOW) ^ d ^ other
        b = q & LOW
        d = p & LOW
        key = (key + STEP_0) & LOW
        other = (other + STEP_1) & LOW
    return a, b, c, d


@portable
def random4(seed: i64, item, step: i64, stream: i64):
    one = as_i64(item)
    two = one - one + i64(step)  # on lanes too, if items are
    return philox(one & LOW, (one >> 32) & LOW, two & LOW, (two >> 32) & LOW, i64(seed) & LOW, i64(stream) & LOW)


@portable
def uniforms(seed: i64, item, step: i64, stream: i64):
    a, b, c, d = random4(seed, item, step, stream)
    return (as_f64(a) + 0.5) * UNIT, (as_f64(b) + 0.5) * UNIT, (as_f64(c) + 0.5) * UNIT, (as_f64(d) + 0.5) * UNIT


@portable
def normals(seed: i64, item, step: i64, stream: i64):
    a, b, c, d = uniforms(seed, item, step, stream)
    r = sqrt(-2.0 * log(a))
    s = sqrt(-2.0 * log(c))
    return r * cos(CIRCLE * b), r * sin(CIRCLE * b), s * cos(CIRCLE * d), s * sin(CIRCLE * d)
