"""Accuracy of the vector math on wide ranges and at the ends, and its meaning for scalars."""

import math

import numpy as np
import pytest
from numba import njit, types

from everlet.portable.simd import lanes as simd
from everlet.portable.simd import vecmath

DTYPES = {"float64": np.float64, "float32": np.float32}
LIMITS = {"float64": {"erfc": 2e-15}, "float32": {"erfc": 4e-7}}
ENOUGH = {"float64": 5e-16, "float32": 2.5e-7}
SPECIAL = {
    "exp": ([0.0, -0.0, np.inf, -np.inf, np.nan, 1e5, -1e5, 3.0e38], [1, 1, np.inf, 0, np.nan, np.inf, 0, np.inf]),
    "log": ([1.0, 0.0, -0.0, -1.0, np.inf, -np.inf, np.nan], [0, -np.inf, -np.inf, np.nan, np.inf, np.nan, np.nan]),
    "sin": ([0.0, np.inf, -np.inf, np.nan], [0, np.nan, np.nan, np.nan]),
    "cos": ([0.0, np.inf, -np.inf, np.nan], [1, np.nan, np.nan, np.nan]),
    "erf": ([0.0, np.inf, -np.inf, np.nan, 30.0, -3e38], [0, 1, -1, np.nan, 1, -1]),
    "erfc": ([0.0, np.inf, -np.inf, np.nan, 30.0, -3e38], [1, 0, 2, np.nan, 0, 2]),
}


def exact(name, x):
    """More digits than float64 where NumPy's long double has them; the C library (under one unit) for erf and erfc."""
    if name in ("erf", "erfc"):
        return np.array([getattr(math, name)(v) for v in x.astype(float)])
    return getattr(np, name)(x.astype(np.longdouble))


def samples(name, dtype):
    rng, n = np.random.default_rng(7), 4000
    info = np.finfo(dtype)
    single = dtype is np.float32
    multiples = np.arange(1, 2000) * (np.pi / 2)
    x = {
        "exp": lambda: np.concatenate(
            [rng.uniform(np.log(info.tiny), np.log(info.max), n), rng.normal(size=n), rng.normal(size=n) * 1e-4]
        ),
        "log": lambda: np.concatenate(
            [
                np.exp2(rng.uniform(info.minexp, info.maxexp, n)),
                1 + rng.normal(size=n) * 0.2**2,
                1 + rng.normal(size=n) * 1e-5,
                np.exp2(rng.uniform(info.minexp - 20, info.minexp, 200)),
            ]
        ),
        "sin": lambda: np.concatenate(
            [rng.uniform(-1e5, 1e5, n), rng.uniform(-7, 7, n), multiples, rng.normal(size=n) * 1e-5]
        ),
        "erf": lambda: np.concatenate([rng.uniform(-6, 6, n), rng.normal(size=n) * 1e-3]),
        "erfc": lambda: np.concatenate(
            [rng.uniform(0, 9.1 if single else 26.5, n), rng.uniform(-6, 6, n), rng.normal(size=n) * 1e-3]
        ),
    }["sin" if name == "cos" else name]().astype(dtype)
    return np.abs(x) if name == "log" else x


@pytest.fixture(scope="module")
def kernels():
    """kernel(name, dtype, width): out = word(x), compiled once."""
    made = {}

    def kernel(name, width):
        if (name, width) not in made:
            word, load, store = getattr(vecmath, name), simd.loader(width), simd.store

            @njit(error_model="numpy", fastmath=True)  # the caller's flags must not reach the reductions inside
            def run(x, out):
                for q in range(0, x.size, width):
                    store(out, q, word(load(x, q)))

            made[name, width] = run
        return made[name, width]

    return kernel


def apply(kernel, x, width):
    padded = np.ones(-(-x.size // width) * width, x.dtype)
    padded[: x.size] = x
    out = np.empty_like(padded)
    kernel(padded, out)
    return out[: x.size]


@pytest.mark.parametrize("real", DTYPES)
@pytest.mark.parametrize("name", SPECIAL)
def test_lanes(kernels, name, real):
    dtype = DTYPES[real]
    width = simd.default_width(dtype)
    kernel = kernels(name, width)
    x = samples(name, dtype)
    got, want = apply(kernel, x, width), exact(name, x)
    error = np.abs(got - want) / np.maximum(np.abs(want), np.finfo(dtype).tiny)
    assert error.max() < LIMITS[real].get(name, ENOUGH[real]), f"{error.max():.2e} at {x[error.argmax()]!r}"
    given, want = (np.array(v, dtype) for v in SPECIAL[name])
    np.testing.assert_allclose(apply(kernel, given, width), want, rtol=np.finfo(dtype).eps, atol=0)


@pytest.mark.parametrize("real", DTYPES)
def test_exp_at_the_ends_of_its_range(kernels, real):
    dtype = DTYPES[real]
    width, info = simd.default_width(dtype), np.finfo(dtype)
    top, bottom = (dtype(math.log(float(v))) for v in (info.max, info.tiny))
    x = np.array(
        [
            np.nextafter(top, dtype(0)),
            np.nextafter(top, dtype(np.inf)) + dtype(0.001),
            np.nextafter(bottom, dtype(0)),
            bottom - dtype(0.001),
        ],
        dtype,
    )
    got = apply(kernels("exp", width), x, width)
    assert (
        info.max > got[0] > 0.99 * info.max
        and got[1] == np.inf
        and 1.01 * info.tiny > got[2] >= info.tiny
        and got[3] == 0
    )


def test_another_width_gives_the_same_lanes(kernels):
    x = np.linspace(-3, 5, 64)
    width = simd.default_width(x.dtype)
    for name in ("exp", "sin", "erfc"):
        np.testing.assert_array_equal(apply(kernels(name, width), x, width), apply(kernels(name, 2), x, 2))


@pytest.mark.parametrize("real", DTYPES)
def test_scalars(real):
    exp, log, sin, cos, erf, erfc = (getattr(vecmath, name) for name in ("exp", "log", "sin", "cos", "erf", "erfc"))

    @njit(error_model="numpy")
    def run(x):
        return exp(x), log(x), sin(x), cos(x), erf(x), erfc(x)

    x = DTYPES[real](0.7)
    want = [getattr(math, name)(float(x)) for name in ("exp", "log", "sin", "cos", "erf", "erfc")]
    np.testing.assert_allclose(run(x), want, rtol=4 * np.finfo(x.dtype).eps)
    assert set(run.nopython_signatures[0].return_type) == {getattr(types, real)}
    assert vecmath.exp(0.0) == 1.0  # plain Python
