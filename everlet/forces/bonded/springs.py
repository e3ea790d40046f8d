"""What bonds of finite length are made of."""

from __future__ import annotations

from everlet.portable import least, log, most, portable, where


@portable
def spring(share):
    """-ln(1 - r^2/R^2) for r^2/R^2 = share, up to 0.9; from there on a straight line of the same slope."""
    left = 1.0 - share
    return -log(most(left, 0.1)) - 10.0 * least(left - 0.1, 0.0)


@portable
def core(q):
    """4 (q^6 - q^3) + 1 for q = sigma^2 / r^2 up to its minimum, 0 beyond."""
    q3 = q * q * q
    return where(q3 > 0.5, 4.0 * q3 * (q3 - 1.0) + 1.0, 0.0)


@portable
def too_long(share):
    """The alarm of bonds with `spring`."""
    return where(share > 0.9, where(share >= 4.0, 2.0, 1.0), 0.0)
