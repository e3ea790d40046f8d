"""Sums of seven numbers that loops have left for each item: E xx yy zz xy xz yz."""

from __future__ import annotations

from everlet.portable import Kernel, f64, portable


@portable
def item_sums(i, numbers: f64[:]):
    k = 7 * i
    return (numbers[k], numbers[k + 1], numbers[k + 2], numbers[k + 3], numbers[k + 4], numbers[k + 5], numbers[k + 6])


ITEM_SUMS = Kernel(item_sums, sums=7)
