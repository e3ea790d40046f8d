"""The loop that evaluates a pair style for pairs one by one, as computes ask for them. Statics as in loops.py."""

from __future__ import annotations

from everlet.portable import f64, i64, portable, real


@portable
def single_pair(i, r2: f64[:], first: i64[:], second: i64[:], charges: f64[:], weights: f64[:], table: real[:], data: real[:],
                kinds: i64, factor: f64, out: f64[:]):
    """Adds F/r, the energy of pair i, of types first and second, and that of its charges beside it; charges and weights (of
    both parts) are two for each."""
    p = record(table, (first[i] * kinds + second[i]) * NP)
    if r2[i] < p.cut2:
        w = weights[2 * i]
        if COUL:
            strength, e, pull, ec = pair(r2[i], p, data, charges[2 * i], charges[2 * i + 1], w, weights[2 * i + 1])
            out[3 * i] += factor * (strength + pull)
            out[3 * i + 1] += factor * (e - p.offset)
            out[3 * i + 2] += factor * ec
        if not COUL:
            strength, e = pair(r2[i], p, data)
            out[3 * i] += factor * w * strength
            out[3 * i + 1] += factor * w * (e - p.offset)
