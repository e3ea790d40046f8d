"""Types of kernel arguments, as annotations: `n: i64`, `dt: f64`, `x: f64[:, 4]`, `f: scatter[f64[:, 3]]`; helpers may take
`a: unrolled[N]`, the variables a[0] … a[N - 1] of unrolled loops.

`real` is the precision of pair arithmetic, `accum` of sums; which they are is decided per run:

    precision   real      accum
    double      float64   float64
    mixed       float32   float64
    single      float32   float32
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

PRECISION = {"double": ("f64", "f64"), "mixed": ("f32", "f64"), "single": ("f32", "f32")}
DTYPES = {"f64": np.float64, "f32": np.float32, "i32": np.int32, "i64": np.int64, "u8": np.uint8}


@dataclass(frozen=True)
class Array:
    """An array argument. `width` is the number of values per item of a two-dimensional one, 0 for a flat one."""

    dtype: str
    width: int = 0
    scatter: bool = False


@dataclass(frozen=True)
class Dtype:
    """A scalar argument; `f64[:]` and `f64[:, m]` are arrays of it. In kernels also a cast: `f64(i)`."""

    name: str

    def __getitem__(self, shape: Any) -> Array:
        if isinstance(shape, tuple):
            return Array(self.name, int(shape[1]))
        return Array(self.name)

    def __call__(self, value: Any) -> Any:
        return DTYPES[resolve(self.name, "double")](value)


@dataclass(frozen=True)
class Unrolled:
    """Variables of unrolled loops as a parameter of a helper; `size` is the text of a number known when compiled."""

    size: str


class Scatter:
    """`scatter[f64[:, 3]]`: many iterations add to the same element (see scatter_view.py)."""

    def __getitem__(self, array: Array) -> Array:
        return Array(array.dtype, array.width, scatter=True)


f64, f32, i32, i64, u8 = (Dtype(name) for name in ("f64", "f32", "i32", "i64", "u8"))
real, accum = Dtype("real"), Dtype("accum")
scatter = Scatter()


def resolve(name: str, precision: str) -> str:
    """`real` and `accum` as f32 or f64."""
    if name == "real":
        return PRECISION[precision][0]
    if name == "accum":
        return PRECISION[precision][1]
    return name


def dtype(name: str, precision: str = "double") -> Any:
    """The NumPy type with this name in kernels."""
    return DTYPES[resolve(name, precision)]
