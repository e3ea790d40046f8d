"""Every SIMD word against NumPy: float32 and float64, at the default width and at another one."""

import re

import numpy as np
import pytest
from numba import njit, prange, types
from numba.core.errors import TypingError

from everlet.portable.simd import lanes as simd
from everlet.portable.simd.lanes import (
    all_lanes,
    any_lane,
    as_f32,
    as_f64,
    as_i32,
    as_i64,
    atomic_add,
    bits_float,
    both,
    compress_store,
    count_lanes,
    either,
    float_bits,
    floor,
    fma,
    gather,
    gather_rows3,
    lane_sum,
    least,
    magnitude,
    mask_bits,
    most,
    negate,
    rsqrt,
    scatter_rows3_sub,
    scatter_rows3_sub_distinct,
    sqrt,
    store,
    where,
)

jit = njit(error_model="numpy")
REALS = {"float32": (types.float32, np.float32), "float64": (types.float64, np.float64)}
CASES = [
    (name, width)
    for name, (_, dtype) in REALS.items()
    for width in (simd.default_width(dtype), 2 * simd.default_width(dtype))
]
both_reals = pytest.mark.parametrize("name", REALS)
every_case = pytest.mark.parametrize("name, width", CASES)


def numbers(dtype, count, seed=1):
    rng = np.random.default_rng(seed)
    return (rng.normal(size=count) * 3).astype(dtype)


def close(got, want, dtype, size=0.0):
    """Equal but for rounding of the result, and of terms of `size` that may cancel in it."""
    eps = np.finfo(dtype).eps
    np.testing.assert_allclose(got, want, rtol=2 * eps, atol=2 * eps * size)


def test_machine():
    assert simd.host_bytes() in (16, 32, 64)
    assert simd.default_width(np.float32) == simd.default_width(types.float32) == max(8, simd.host_bytes() // 4)
    assert simd.default_width("float64") == 8
    with pytest.raises(ValueError, match="power of two"):
        simd.Simd(types.float64, 3)


@every_case
def test_arithmetic_and_words(name, width):
    real, dtype = REALS[name]
    load, splat = simd.loader(width), simd.splatter(width, real)

    @jit
    def run(a, b, out):
        x, y = load(a, 0), load(b, 0)
        s = splat(0)
        s += x
        s -= 0.5
        s *= y
        s /= 3
        results = (
            x + y,
            x - y,
            x * y,
            x / y,
            -x,
            2.0 * x + 1,
            1 - x,
            3.0 / x,
            s,
            least(x, y),
            most(x, 0.25),
            magnitude(x),
            sqrt(magnitude(x)),
            rsqrt(magnitude(y)),
            fma(x, y, 1.5),
            floor(x),
        )
        for k in range(len(results)):
            store(out, k * width, results[k])

    a, b, out = numbers(dtype, width), numbers(dtype, width, 2), np.zeros(16 * width, dtype)
    run(a, b, out)
    f = np.float64
    wants = (
        a + b,
        a - b,
        a * b,
        a / b,
        -a,
        dtype(2) * a + dtype(1),
        dtype(1) - a,
        dtype(3) / a,
        (a.astype(f) - 0.5) * b / 3,
        np.minimum(a, b),
        np.maximum(a, dtype(0.25)),
        abs(a),
        np.sqrt(abs(a)),
        1 / np.sqrt(abs(b).astype(f)),
        (a.astype(f) * b + 1.5).astype(dtype),
        np.floor(a),
    )
    for got, want in zip(out.reshape(16, width), wants, strict=True):
        close(got, want, dtype, size=10.0)


@every_case
def test_rsqrt_at_the_ends(name, width):
    real, dtype = REALS[name]
    load = simd.loader(width)

    @jit
    def run(a, out):
        store(out, 0, rsqrt(load(a, 0)))

    a, out = np.ones(width, dtype), np.zeros(width, dtype)
    a[:4] = 0, np.inf, np.finfo(dtype).tiny, np.finfo(dtype).max
    run(a, out)
    assert out[0] == np.inf and out[1] == 0 and out[-1] == (1 if width > 4 else out[3])
    close(out[2:4], 1 / np.sqrt(a[2:4]), dtype)


@every_case
def test_masks(name, width):
    real, dtype = REALS[name]
    load, live, ids = simd.loader(width), simd.live(width), simd.lane_ids(width)

    @jit
    def run(a, b, q, n, yes, bits, lanes):
        x, y = load(a, 0), load(b, 0)
        masks = (
            x < y,
            x <= y,
            x > 0,
            x >= 0,
            x == y,
            x != y,
            both(x > 0, y > 0),
            either(x > 0, y > 0),
            negate(x > 0),
            both(x > 0, yes),
            (x > 0) & (y > 0),
            (x > 0) | (y > 0),
            (x > 0) ^ (y > 0),
            ~(x > 0),
            live(q, n),
            ids() * 2 > 3,
        )
        for k in range(len(masks)):
            bits[k] = mask_bits(masks[k])
            bits[32 + k] = count_lanes(masks[k])
            bits[64 + k] = any_lane(masks[k]) + 2 * all_lanes(masks[k])
        store(lanes, 0, where(x < y, x, y))
        store(lanes, width, where(x < y, 1, y))
        store(lanes, 2 * width, where(x < y, x, 0.5))
        store(lanes, 3 * width, where(x < y, real(1.0), real(0.0)))
        store(lanes, 4 * width, where(yes, x, y))

    a, b = numbers(dtype, width), numbers(dtype, width, 2)
    a[1] = b[1]
    a[2] = np.nan
    bits, lanes = np.zeros(96, np.int64), np.zeros(5 * width, dtype)
    for yes, n in ((True, 103), (False, 1000), (True, 90)):
        run(a, b, 100, n, yes, bits, lanes)
        p, s = a > 0, b > 0
        wants = (
            a < b,
            a <= b,
            p,
            a >= 0,
            a == b,
            a != b,
            p & s,
            p | s,
            ~p,
            p & yes,
            p & s,
            p | s,
            p ^ s,
            ~p,
            100 + np.arange(width) < n,
            np.arange(width) * 2 > 3,
        )
        for k, want in enumerate(wants):
            assert bits[k] == sum(1 << i for i in range(width) if want[i]), k
            assert bits[32 + k] == want.sum() and bits[64 + k] == want.any() + 2 * want.all()
        np.testing.assert_array_equal(
            lanes.reshape(5, width),
            [np.where(a < b, a, b), np.where(a < b, 1, b), np.where(a < b, a, 0.5), a < b, a if yes else b],
        )


@both_reals
def test_scalars(name):
    real, dtype = REALS[name]

    @jit
    def run(x, y):
        return (
            where(x < y, x, y),
            least(x, y),
            most(x, y),
            magnitude(x),
            sqrt(magnitude(x)),
            rsqrt(magnitude(x)),
            fma(x, y, x),
            floor(x),
            lane_sum(x),
            where(x < y, x, 0),
        )

    @jit
    def truths(x, y):
        m = both(x < y, negate(x > 0))
        return (
            either(m, y > 0),
            any_lane(m),
            all_lanes(m),
            count_lanes(m),
            mask_bits(m),
            least(3, 4),
            as_i32(x),
            as_f32(x),
            as_f64(x),
        )

    x, y = dtype(-1.75), dtype(0.5)
    close(run(x, y), (x, x, y, -x, np.sqrt(-x), 1 / np.sqrt(-x), x * y + x, -2, x, x), dtype)
    (result,) = run.nopython_signatures
    assert set(result.return_type) == {real}
    assert truths(x, y) == (True, True, True, 1, 1, 3, -1, x, x)
    assert [str(t) for t in truths.nopython_signatures[0].return_type][-3:] == ["int32", "float32", "float64"]
    assert where(True, 1.0, 2.0) == 1.0 and both(True, False) is False and rsqrt(4.0) == 0.5  # plain Python, too


@every_case
def test_conversions_and_sums(name, width):
    real, dtype = REALS[name]
    load, to, ids = simd.loader(width), simd.to_real(dtype), simd.lane_ids(width)
    other, other_dtype = (as_f64, np.float64) if name == "float32" else (as_f32, np.float32)

    @jit
    def run(a, out, there, ints, longs):
        x = load(a, 0)
        store(there, 0, other(x))
        store(out, 0, to(other(x)))
        store(out, width, to(ids()))
        store(out, 2 * width, bits_float(float_bits(x) & -2))
        i = as_i32(x)
        store(ints, 0, i)
        store(ints, width, (i - ids()) * 3)
        store(ints, 2 * width, least(magnitude(-i), 2) ^ (ids() << 1))
        store(longs, 0, as_i64(x) >> 1)
        return lane_sum(x), lane_sum(ids())

    a, out, there = numbers(dtype, width), np.zeros(3 * width, dtype), np.zeros(width, other_dtype)
    ints, longs = np.zeros(3 * width, np.int32), np.zeros(width, np.int64)
    total, ids_sum = run(a, out, there, ints, longs)
    whole, k = np.trunc(a).astype(int), np.arange(width)
    np.testing.assert_array_equal(there, a.astype(other_dtype))
    np.testing.assert_array_equal(out[: 2 * width], np.concatenate([a.astype(other_dtype).astype(dtype), k]))
    kind = np.dtype(dtype.__name__.replace("float", "int"))
    np.testing.assert_array_equal(out[2 * width :].view(kind), a.view(kind) & -2)
    np.testing.assert_array_equal(ints, np.concatenate([whole, (whole - k) * 3, np.minimum(abs(whole), 2) ^ (k << 1)]))
    np.testing.assert_array_equal(longs, whole >> 1)
    tree = a.copy()
    while len(tree) > 1:
        tree = tree[: len(tree) // 2] + tree[len(tree) // 2 :]
    assert total == tree[0] and type(total) is (float if name == "float64" else type(total)) and ids_sum == k.sum()


@every_case
@pytest.mark.parametrize("stride", [3, 4])
@pytest.mark.parametrize("subtract", [scatter_rows3_sub, scatter_rows3_sub_distinct])
def test_rows(name, width, stride, subtract):
    """Gathers and scatters, with lanes masked off whose indices lie far outside the arrays."""
    real, dtype = REALS[name]
    load, live = simd.loader(width), simd.live(width)

    @jit
    def run(x, force, index, count, out):
        j = load(index, 0)
        some = live(0, count)
        p, q, r = gather_rows3(x, stride, j, some)
        one = gather(x, j, some)
        store(out, 0, where(some, p, 0.0))
        store(out, width, where(some, q, 0.0))
        store(out, 2 * width, where(some, r, 0.0))
        store(out, 3 * width, where(some, one, 0.0))
        subtract(force, stride, j, p, q, r, some)

    rng, n = np.random.default_rng(3), 50
    x = rng.normal(size=n * stride).astype(dtype)
    for count in (width, width - 1, 1, 0):
        index = rng.permutation(n - 1)[:width].astype(np.int32)
        index[0] = n - 1  # the last row: its end is the end of the array
        index[count:] = 2**31 // 9
        start = rng.normal(size=n * stride)
        force, out = start.copy(), np.zeros(4 * width, dtype)
        run(x, force, index, count, out)
        rows = x.reshape(n, stride)[index[:count], :3]
        got = out.reshape(4, width)
        np.testing.assert_array_equal(got[:3, :count].T, rows)
        np.testing.assert_array_equal(got[3, :count], x[index[:count]])
        assert not got[:, count:].any()
        want = start.reshape(n, stride).copy()
        want[index[:count], :3] -= rows
        np.testing.assert_array_equal(force, want.ravel())


def test_rows_without_a_mask_and_with_a_stride_known_at_run_time():
    load = simd.loader(4)

    @jit
    def run(x, index, stride, out):
        p, q, r = gather_rows3(x, stride, load(index, 0), True)
        store(out, 0, p + 10 * q + 100 * r)
        scatter_rows3_sub(x, stride, load(index, 0), p, q, r, True)

    x, out = np.arange(30.0), np.zeros(4)
    run(x, np.array([0, 5, 2, 1], np.int32), 5, out)
    np.testing.assert_array_equal(out, [210, 25 + 260 + 2700, 10 + 110 + 1200, 5 + 60 + 700])
    assert (
        not x[[0, 1, 2, 5, 6, 7, 10, 11, 12, 25, 26, 27]].any()
        and x.sum() == 3 + 4 + 8 + 9 + 13 + 14 + sum(range(15, 25)) + 28 + 29
    )


@pytest.mark.parametrize("dtype, width", [(np.int32, 4), (np.int32, 8), (np.int32, 16), (np.int64, 4), (np.float32, 2)])
def test_compress_store(dtype, width):
    load = simd.loader(width)

    @jit
    def run(values, flags, out, index):
        return compress_store(out, index, load(values, 0), load(flags, 0) > 0)

    rng, values = np.random.default_rng(5), np.arange(100, 100 + width).astype(dtype)
    for k in range(40):
        flags = rng.integers(0, 2, width).astype(np.int32) * (k > 0)
        out = np.full(3 + width + 2, -1, dtype)
        count = run(values, flags, out, 3)
        chosen = values[flags > 0]
        assert count == len(chosen)
        np.testing.assert_array_equal(out[3 : 3 + count], chosen)
        assert (out[:3] == -1).all() and (out[3 + width :] == -1).all()


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int32, np.int64])
def test_atomic_add(dtype):
    @njit(parallel=True)
    def run(out, n):
        for i in prange(n):
            atomic_add(out, i % 3, 1)

    @jit
    def once(out):
        return atomic_add(out, 1, 5)

    out = np.zeros(3, dtype)
    run(out, 30000)
    assert (out == 10000).all()
    assert once(out) == 10000 and out[1] == 10005


def test_float32_lanes_stay_float32():
    load = simd.loader(8)

    @jit
    def run(a, out):
        x = load(a, 0)
        y = 2.0 * x + 1 - 0.1 / x
        store(out, 0, where(y < 0.5, least(y, 1.5), fma(y, 2.0, sqrt(y))))

    a, out = numbers(np.float32, 8), np.zeros(8, np.float32)
    run(a, out)
    (text,) = run.inspect_llvm().values()
    assert re.search(r"fmul .*<8 x float>", text) and "x double>" not in text and not re.search(r"\bfpext\b", text)


@pytest.mark.parametrize(
    "body, message",
    [
        ("load(a, 0) + load(b, 0)", "lanes of different types meet"),
        ("ids() * 0.5", "a float meets integer lanes"),
        ("sqrt(ids())", "integer lanes"),
        ("where(load(a, 0) > 0, 1, 0)", "the lanes' type is not clear"),
        ("store(a, 0, load(b, 0))", "does not fit"),
        ("load(a, 0.5)", "integer index"),
        ("gather(a, load(a, 0), True)", "integer lanes as indices"),
    ],
)
def test_refusals(body, message):
    space = {"load": simd.loader(4), "ids": simd.lane_ids(4), **vars(simd)}
    exec(f"def run(a, b):\n    {body}\n", space)
    with pytest.raises(TypingError, match=message):
        njit(space["run"])(np.zeros(8), np.zeros(8, np.float32))
