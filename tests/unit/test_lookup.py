"""lookup(data, index) in compiled code: lanes and scalars read the same numbers as plain Python."""

# ruff: noqa: F821

import numpy as np
import pytest

from everlet.portable import Kernel, Serial, View, accum, f64, floor, i64, lookup, parallel_for, portable, real, where


@portable
def halves(x, data):
    return lookup(data, floor(x * 0.5))


@portable
def in_lanes(i, n: i64, x: real[:], data: real[:], out: accum[:]):
    total = lanes(0.0)
    for q in lane_range(n):
        total += where(live(q, n), halves(load(x, q), data), real(0.0))
    out[0] = f64(lane_sum(total))


@portable
def one_by_one(i, n: i64, x: real[:], data: real[:], out: accum[:]):
    out[0] += f64(halves(x[i], data))


@pytest.mark.parametrize("precision, dtype", [("double", np.float64), ("mixed", np.float32)])
def test_lanes_and_scalars(precision, dtype):
    space, n = Serial(), 21
    x, data = np.arange(n + 32.0), np.arange(40.0) ** 2
    expected = sum(data[k // 2] for k in range(n))
    for body, items in ((in_lanes, 1), (one_by_one, n)):
        views = [View(len(values), dtype, space) for values in (x, data)]
        for view, values in zip(views, (x, data), strict=True):
            view.put(values.astype(dtype))
        out = View(1, np.float64, space)
        parallel_for(space, items, Kernel(body, 0, precision), n, *views, out)
        assert out.get()[0] == expected
