"""Loops that clear forces, where no term sets them, that add those of terms that ran beside others, and that keep a copy."""

from __future__ import annotations

from everlet.portable import Kernel, f64, local, portable, put_row


@local
@portable
def clear_forces(i, f: f64[:, 3]):
    put_row(f, i, 0.0, 0.0, 0.0)


@portable
def add_forces(i, beside: f64[:, 3], f: f64[:, 3]):
    for d in range(3):
        f[i, d] += beside[i, d]


@local
@portable
def keep_forces(i, f: f64[:, 3], kept: f64[:, 3]):
    for d in range(3):
        kept[i, d] = f[i, d]


CLEAR, ADD, KEEP = Kernel(clear_forces), Kernel(add_forces), Kernel(keep_forces)
