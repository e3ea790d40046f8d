"""parallel_for, parallel_ranges, parallel_reduce, parallel_scan and scatter on every space; statics, records and precision."""

# ruff: noqa: F821
# mypy: ignore-errors

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import (
    Kernel,
    ScatterView,
    Serial,
    View,
    accum,
    exp,
    f32,
    f64,
    i32,
    i64,
    parallel_for,
    parallel_ranges,
    parallel_reduce,
    parallel_scan,
    portable,
    real,
    scatter,
    u8,
    where,
)
from everlet.portable.backends.cpu.pipeline import optimised
from tests.unit.spaces import every_space


@portable
def chain(i, before: i64[:], seen: i64[:], x: f64[:]):
    """Items of one range come one after the other: each finds what the last one left."""
    seen[i] = before[0] if i < 4 else before[1]
    if i < 4:
        before[0] = i
    if i >= 4:
        before[1] = i
    return x[i], 1.0


@every_space
def test_ranges_are_done_in_order_and_summed_one_by_one(space) -> None:
    before, seen, x = np.full(2, -1), np.full(9, -7), np.arange(9.0)
    begin, end = np.array([5, 0, 2]), np.array([9, 3, 2])  # any order, gaps, an empty one
    sums = parallel_ranges(space, begin, end, Kernel(chain, sums=2), before, seen, x)
    assert sums.tolist() == [[26.0, 4.0], [3.0, 3.0], [0.0, 0.0]]
    assert seen.tolist() == [-1, 0, 1, -7, -7, -1, 5, 6, 7]
    assert parallel_ranges(space, begin[:0], end[:0], Kernel(chain, sums=2), before, seen, x).shape == (0, 2)


def test_ranges_are_refused_on_a_gpu() -> None:
    class Paper(Serial):
        target = "cuda"

    one = np.zeros(1, np.int64)
    with pytest.raises(InputError, match="parallel_ranges does not run on a GPU"):
        parallel_ranges(Paper(), one, one, Kernel(chain, sums=2), one, one, np.zeros(1))


@portable
def turn(i, c: f64, s: f32, k: i64, small: u8, v: f64[:, 3], out: f64[:, 3]):
    """Every kind of scalar, and two-dimensional views of any layout."""
    out[i, 0] = c * v[i, 0] - s * v[i, 1]
    out[i, 1] = s * v[i, 0] + c * v[i, 1]
    out[i, 2] = v[i, 2] + k - small


@every_space
@pytest.mark.parametrize("layouts", [("row", "row"), ("column", "tiled"), ("tiled", "column")], ids="-".join)
def test_layouts_in_kernels(space, layouts) -> None:
    n = 21
    values = np.random.default_rng(1).normal(size=(n, 3))
    v, out = (View((n, 3), np.float64, space, layout) for layout in layouts)
    v.put(values)
    parallel_for(space, n, turn, 0.25, 0.5, 2**40, 200, v, out)
    x, y, z = values.T
    want = np.stack([0.25 * x - 0.5 * y, 0.5 * x + 0.25 * y, z + (2**40 - 200)], 1)
    np.testing.assert_allclose(out.get(), want, rtol=1e-15, atol=1e-15)


@portable
def noisy(i, x: f64[:]):
    return x[i], x[i] * x[i]


@every_space
def test_reductions_do_not_depend_on_threads_or_on_what_came_before(space) -> None:
    n = 5000
    x = np.random.default_rng(2).normal(size=n) * 10.0 ** np.random.default_rng(3).integers(-8, 8, n)
    got = parallel_reduce(space, n, noisy, x, sums=2)
    blocks = [(np.float64(sum(part, 0.0)), sum(p * p for p in part)) for part in np.split(x, range(1024, n, 1024))]
    np.testing.assert_allclose(got, np.sum(blocks, axis=0), rtol=1e-12)
    again = parallel_reduce(Serial(), n, noisy, x, sums=2)
    if space.target == "cpu":
        assert got.tobytes() == again.tobytes()
        assert all(parallel_reduce(space, n, noisy, x, sums=2).tobytes() == got.tobytes() for _ in range(20))
    assert parallel_reduce(space, 0, noisy, x, sums=2).tolist() == [0, 0]


@every_space
def test_scan(space) -> None:
    counts, starts = View(4, np.int32, space), View(5, np.int64, space)
    counts.put([3, 0, 2, 5])
    assert parallel_scan(space, counts, starts) == 10
    assert starts.get().tolist() == [0, 3, 3, 5, 10]
    assert parallel_scan(space, counts.data[:0], starts) == 0


@portable
def histogram(i, place: i32[:], amount: f64[:], bins: scatter[f64[:]]):
    bins[place[i]] += amount[i]
    bins[0] -= 1.0


@every_space
def test_scatter(space) -> None:
    n, rng = 1000, np.random.default_rng(4)
    place, amount = rng.integers(0, 5, n).astype(np.int32), rng.integers(0, 9, n).astype(float)
    target = View(5, np.float64, space)
    target.put(99.0)
    bins = ScatterView(target)
    bins.reset(5)
    parallel_for(space, n, histogram, place, amount, bins)
    bins.collect(5)
    want = np.bincount(place, amount, 5)
    want[0] -= n
    np.testing.assert_array_equal(target.get(), want)


@portable
def cube(x):
    return x**3


@portable
def fifth(x):
    return x * cube(x) * x


@portable
def apply(i, x: f64[:], out: f64[:]):
    if SCALE:
        out[i] = FACTOR * f(x[i])
    else:
        out[i] = undefined_name_that_is_never_reached(x)


@every_space
def test_statics_choose_branches_numbers_and_functions(space) -> None:
    x, out = np.arange(4.0), np.zeros(4)
    parallel_for(space, 4, apply, x, out, SCALE=True, FACTOR=2, f=cube)
    assert out.tolist() == [0, 2, 16, 54]
    parallel_for(space, 4, apply, x, out, SCALE=True, FACTOR=0.5, f=fifth)
    assert out.tolist() == [0, 0.5, 16, 121.5]
    text = Kernel(apply, statics=(("SCALE", True), ("FACTOR", 2), ("f", cube))).program("cpu").text
    assert "undefined_name" not in text and "if " not in text.split("def apply_")[1].split("def entry")[0]


def test_equal_statics_of_different_type_are_different_kernels() -> None:
    kernels = [Kernel(apply, statics=(("SCALE", True), ("FACTOR", value), ("f", cube))) for value in (2, 2.0)]
    assert kernels[0].program("plain") is not kernels[1].program("plain")
    assert kernels[0].program("plain") is kernels[0].program("plain")


WEIGHT = 3


@portable
def energy(r2, p):
    return where(r2 < p.cut, p.depth * exp(-0.1 * r2) + WEIGHT * r2**2, 0.0)


@portable
def evaluate(i, r2: real[:], table: real[:], out: real[:]):
    p = record(table, 0)
    out[i] = energy(r2[i], p)


@portable
def summed(i, n: i64, r2: real[:], table: real[:], out: accum[:]):
    p = record(table, 0)
    total = lanes(0.0)
    for q in lane_range(n):
        total += where(live(q, n), energy(load(r2, q), p), real(0.0))
    out[i] = accum(lane_sum(total))


@every_space
@pytest.mark.parametrize("precision, dtype", [("double", np.float64), ("mixed", np.float32)])
def test_records_lanes_and_precision(space, precision, dtype) -> None:
    n = 37
    r2 = np.linspace(0.1, 5.0, 64).astype(dtype)
    table, out, total = np.array([3.5, 2.0], dtype), np.zeros(64, dtype), np.zeros(1)
    want = np.where(r2 < 3.5, 2.0 * np.exp(-0.1 * r2.astype(float)) + 3 * r2.astype(float) ** 2, 0)
    kernel = Kernel(evaluate, 0, precision, ("cut", "depth"))
    parallel_for(space, 64, kernel, r2, table, out)
    np.testing.assert_allclose(out, want, rtol=8 * np.finfo(dtype).eps)
    parallel_for(space, 1, Kernel(summed, 0, precision, ("cut", "depth")), n, r2, table, total)
    np.testing.assert_allclose(total, want[:n].sum(), rtol=40 * np.finfo(dtype).eps)


def test_numbers_of_physics_stay_float32() -> None:
    program = Kernel(evaluate, 0, "mixed", ("cut", "depth")).program("cpu")
    scope: dict[str, Any] = {"__name__": "kernel"}
    exec(program.text, scope)
    module = str(optimised(scope["entry"]))
    assert " float" in module and "fpext float" not in module and "fmul double" not in module
    ptx = Kernel(evaluate, 0, "mixed", ("cut", "depth")).program("cuda")
    ptx.load()
    assert ".f32" in (text := ptx.path.with_suffix(".ptx").read_text()) and ".f64" not in text
