"""Numbers as text."""

from __future__ import annotations


def shortest(value: float) -> str:
    """The shortest text that reads back as the same number; whole numbers without a point.

    >>> shortest(2.0), shortest(0.1), shortest(1e-7)
    ('2', '0.1', '1e-07')
    """
    text = repr(float(value))
    return text.removesuffix(".0")
