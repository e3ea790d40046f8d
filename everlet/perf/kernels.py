"""Kernels that reach what a processor can do: multiply-adds from registers, and a copy through memory."""

from __future__ import annotations

from everlet.portable import Kernel, f64, i64, portable, real


@portable
def multiply_adds(i, rounds: i64, scale: f64, out: f64[:]):
    """CHAINS independent sums of products in registers: enough to hide the latency of a fused multiply-add. CHAINED: chains
    a = a m + n, for GPUs: nothing can be taken out of the loop, as m n could else."""
    m = lanes(0.5) + real(scale)
    n = lanes(0.1) + real(scale)
    for u in unroll(CHAINS):
        a[u] = lanes(1.0) + real(1.0 * u)
    for _ in range(rounds):
        for u in unroll(CHAINS):
            if CHAINED:
                a[u] = fma(a[u], m, n)
            else:
                a[u] = fma(m, n, a[u])
    for u in unroll(CHAINS - 1):
        a[0] += a[u + 1]
    out[i] = f64(lane_sum(a[0]))


def adding(chains: int, precision: str = "double", chained: bool = False) -> Kernel:
    return Kernel(multiply_adds, precision=precision, statics=(("CHAINS", chains), ("CHAINED", int(chained))))


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
