"""Kernels that clear and sum the threads' copies of a ScatterView."""

from __future__ import annotations

from everlet.portable.language.dtypes import f64, i64
from everlet.portable.language.functions import portable
from everlet.portable.programs import Kernel


@portable
def clear_copies(i, copies: i64, size: i64, all: f64[:]):
    """Element i of every copy = 0."""
    for k in range(copies):
        all[k * size + i] = 0.0


@portable
def sum_copies(i, copies: i64, size: i64, all: f64[:], target: f64[:]):
    """Element i of the target = sum over the copies, in order."""
    total = all[i]
    for k in range(1, copies):
        total += all[k * size + i]
    target[i] = total


@portable
def add_copies(i, copies: i64, size: i64, all: f64[:], target: f64[:]):
    """Element i of the target grows by the sum over the copies, in order."""
    total = all[i]
    for k in range(1, copies):
        total += all[k * size + i]
    target[i] += total


CLEAR, SUM, ADD = Kernel(clear_copies), Kernel(sum_copies), Kernel(add_copies)
