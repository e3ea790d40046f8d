"""Kernels that reach what a processor can do: multiply-adds from registers, and a copy through memory."""

from __future__ import annotations

from everlet.portable import f64, i64, portable, real


@portable
def multiply_adds(i, rounds: i64, scale: f64, out: f64[:]):
    """CHAINS independent sums of products in registers: enough to hide the latency of a fused multiply-add."""
    m = lanes(0.5) + real(scale)
    n = lanes(0.1) + real(scale)
    a = lanes(1.0)
    b = lanes(2.0)
    c = lanes(3.0)
    d = lanes(4.0)
    if CHAINS > 4:
        e = lanes(5.0)
        g = lanes(6.0)
        h = lanes(7.0)
        k = lanes(8.0)
    for _ in range(rounds):
        a = fma(m, n, a)
        b = fma(m, n, b)
        c = fma(m, n, c)
        d = fma(m, n, d)
        if CHAINS > 4:
            e = fma(m, n, e)
            g = fma(m, n, g)
            h = fma(m, n, h)
            k = fma(m, n, k)
    s = a + b + c + d
    if CHAINS > 4:
        s += e + g + h + k
    out[i] = f64(lane_sum(s))


@portable
def chained_multiply_adds(i, rounds: i64, scale: f64, out: f64[:]):
    """Eight chains a = a m + n, for GPUs: nothing can be taken out of the loop, as m n could above."""
    m = lanes(0.5) + real(scale)
    n = lanes(0.1) + real(scale)
    a = lanes(1.0)
    b = lanes(2.0)
    c = lanes(3.0)
    d = lanes(4.0)
    e = lanes(5.0)
    g = lanes(6.0)
    h = lanes(7.0)
    k = lanes(8.0)
    for _ in range(rounds):
        a = fma(a, m, n)
        b = fma(b, m, n)
        c = fma(c, m, n)
        d = fma(d, m, n)
        e = fma(e, m, n)
        g = fma(g, m, n)
        h = fma(h, m, n)
        k = fma(k, m, n)
    out[i] = f64(lane_sum(a + b + c + d + e + g + h + k))


@portable
def copy(i, source: f64[:], target: f64[:]):
    target[i] = source[i]


@portable
def copy_four(i, n: i64, source: f64[:], target: f64[:]):
    """Four elements, all read before one is written, for GPUs: with one to a thread too few bytes are on their way."""
    for k in unroll(4):
        value[k] = source[i + k * n]
    for k in unroll(4):
        target[i + k * n] = value[k]
