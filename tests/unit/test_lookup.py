"""lookup(data, index) in compiled code: lanes and scalars read the same numbers as plain Python."""

# ruff: noqa: F821

import numpy as np
import pytest

from everlet.portable import (
    Kernel,
    ScatterView,
    Serial,
    View,
    accum,
    f64,
    floor,
    i32,
    i64,
    leading_bits,
    lookup,
    lookup2,
    lookup4,
    lookup8,
    parallel_for,
    portable,
    real,
    scatter,
    single,
    where,
)
from tests.unit.spaces import SPACES


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


@portable
def cubic(x, data):
    k = floor(x)
    a, b = lookup2(data, 4.0 * k)
    _, _, c, d = lookup4(data, 4.0 * k)
    t = x - k
    return ((a * t + b) * t + c) * t + d


@portable
def along(i, n: i64, x: real[:], data: real[:], out: accum[:]):
    for q in lane_range(n):
        store(out, q, as_accum(cubic(load(x, q), data)))


@portable
def each(i, x: real[:], data: real[:], out: accum[:]):
    out[i] = accum(cubic(x[i], data))


@pytest.mark.parametrize("precision, dtype", [("double", np.float64), ("mixed", np.float32)])
def test_two_and_four_at_a_time(precision, dtype):
    space, n, rng = Serial(), 32, np.random.default_rng(2)
    rows, x = rng.random((9, 4)).astype(dtype), (9.0 * rng.random(n)).astype(dtype)
    t, k = x - np.floor(x), np.floor(x).astype(int)
    expected = ((rows[k, 0] * t + rows[k, 1]) * t + rows[k, 2]) * t + rows[k, 3]
    data, points = View(36, dtype, space), View(n, dtype, space)
    data.put(rows.ravel())
    points.put(x)
    for kernel, items, first in ((Kernel(along, 0, precision), 1, (n,)), (Kernel(each, 0, precision), n, ())):
        out = View(n, np.float64, space)
        parallel_for(space, items, kernel, *first, points, data, out)
        np.testing.assert_allclose(out.get(), expected, rtol=1e-6 if dtype is np.float32 else 1e-14)


@portable
def parts_along(i, n: i64, x: real[:], shift: real[:], bits: accum[:], near: accum[:]):
    for q in lane_range(n):
        store(bits, q, as_accum(leading_bits(load(x, q), load(shift, q))))
        store(near, q, as_accum(single(load(x, q))))


@portable
def parts_of_each(i, x: real[:], shift: real[:], bits: accum[:], near: accum[:]):
    bits[i] = accum(leading_bits(x[i], shift[i]))
    near[i] = accum(single(x[i]))


@pytest.mark.parametrize("precision, dtype", [("double", np.float64), ("mixed", np.float32)])
def test_bits_of_numbers(precision, dtype):
    """Those of a float32, nearest to the number, in every place; each lane with a shift of its own."""
    n, rng = 32, np.random.default_rng(5)
    x = (4.0 ** rng.uniform(-8, 8, n)).astype(dtype)
    shift = rng.integers(7, 23, n)
    expected = x.astype(np.float32)
    for space in SPACES[:2]:
        points, shifts = View(n, dtype, space), View(n, dtype, space)
        points.put(x)
        shifts.put(shift.astype(dtype))
        for kernel, items, first in ((parts_along, 1, (n,)), (parts_of_each, n, ())):
            if items == 1 and space.target != "cpu":
                continue
            bits, near = View(n, np.float64, space), View(n, np.float64, space)
            parallel_for(space, items, Kernel(kernel, 0, precision), *first, points, shifts, bits, near)
            assert (bits.get() == expected.view(np.int32) >> shift).all() and (near.get() == expected).all()


@portable
def both_halves(x, data):
    a, b, c, d, e, f, g, h = lookup8(data, 8.0 * floor(x))
    return a + 2.0 * b + 3.0 * c + 4.0 * d - e - 2.0 * f - 3.0 * g - 4.0 * h


@portable
def halves_along(i, n: i64, x: real[:], data: real[:], rows: f64[:, 4], out: accum[:]):
    for q in lane_range(n):
        prefetch3(rows, lane_ids())  # which changes nothing
        store(out, q, as_accum(both_halves(load(x, q), data)))


@portable
def halves_of_each(i, x: real[:], data: real[:], out: accum[:]):
    out[i] = accum(both_halves(x[i], data))


def test_eight_at_a_time():
    n, rng = 32, np.random.default_rng(3)
    rows, x = rng.random((9, 8)), 9.0 * rng.random(n)
    expected = rows[np.floor(x).astype(int)] @ [1.0, 2.0, 3.0, 4.0, -1.0, -2.0, -3.0, -4.0]
    for space in SPACES[:2]:
        data, points, places = View(72, np.float64, space), View(n, np.float64, space), View((16, 4), np.float64, space)
        data.put(rows.ravel())
        points.put(x)
        out = View(n, np.float64, space)
        if space.target == "cpu":
            parallel_for(space, 1, halves_along, n, points, data, places, out)
            np.testing.assert_allclose(out.get(), expected, rtol=0, atol=1e-14)
            out.put(np.zeros(n))
        parallel_for(space, n, halves_of_each, points, data, out)
        np.testing.assert_allclose(out.get(), expected, rtol=0, atol=1e-14)


@portable
def spread(i, n: i64, place: i32[:], value: real[:], total: scatter[f64[:]]):
    for q in lane_range(n):
        subtract(total, load(place, q), load(value, q), live(q, n))


@pytest.mark.parametrize("space", SPACES[1:], ids=str)
def test_subtracting_at_places_that_come_twice(space):
    rng, n = np.random.default_rng(4), 29
    place, value = rng.integers(0, 5, 64).astype(np.int32), rng.integers(0, 9, 64).astype(float)
    total = View(5, np.float64, space)
    many = ScatterView(total)
    many.reset(5)
    parallel_for(space, 4, Kernel(spread), n, place, value, many)
    many.collect(5)
    assert total.get().tolist() == (-4.0 * np.bincount(place[:n], value[:n], 5)).tolist()
