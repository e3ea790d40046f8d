"""The performance-portability layer: spaces, views, kernels and lanes. It knows nothing of atoms.

    from everlet.portable import Threads, f64, parallel_for, portable

    @portable
    def axpy(i, a: f64, x: f64[:], y: f64[:]):
        y[i] += a * x[i]

    parallel_for(Threads(2), len(x), axpy, 2.0, x, y)
"""

from everlet.portable.backends.cuda.space import Cuda
from everlet.portable.devices import choose
from everlet.portable.kernels import (
    Counted,
    Kernel,
    parallel_for,
    parallel_ranges,
    parallel_reduce,
    parallel_scan,
    parallel_team,
    warm,
)
from everlet.portable.language.dtypes import accum, f32, f64, i32, i64, real, scatter, u8
from everlet.portable.language.functions import Portable, local, portable
from everlet.portable.language.words import (
    acos,
    as_f64,
    as_i64,
    atan2,
    both,
    cos,
    either,
    erfc,
    exp,
    floor,
    leading_bits,
    least,
    log,
    lookup,
    lookup2,
    lookup4,
    lookup8,
    magnitude,
    most,
    negate,
    octave_row,
    rsqrt,
    sin,
    single,
    sqrt,
    where,
)
from everlet.portable.rows import add_row, put_row
from everlet.portable.scatter_view import ScatterView
from everlet.portable.spaces import HOST, Reference, Serial, Space, Threads
from everlet.portable.views import Constants, DualView, View, deep_copy

__all__ = [
    "HOST", "Constants", "Counted", "Cuda", "DualView", "Kernel", "Portable", "Reference", "ScatterView", "Serial", "Space",
    "Threads", "View", "accum", "acos", "add_row", "as_f64", "as_i64", "atan2", "both", "choose", "cos", "deep_copy", "either",
    "erfc", "exp", "f32", "f64", "floor", "i32", "i64", "leading_bits", "least", "local", "log", "lookup", "lookup2", "lookup4",
    "lookup8", "magnitude", "most", "negate", "octave_row", "parallel_for", "parallel_ranges", "parallel_reduce",
    "parallel_scan", "parallel_team", "portable", "put_row", "real", "rsqrt", "scatter", "sin", "single", "sqrt", "u8", "warm",
    "where",
]
