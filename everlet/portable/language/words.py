"""The vocabulary of portable physics, with its plain-Python meaning.

The same words mean SIMD lanes on CPUs and scalars on GPUs (see compiler.py). `if`, `and`, `or`, `not`, `~` and chained
comparisons have no meaning for lanes; `where`, `both`, `either` and `negate` do.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Word = Callable[..., Any]


def _word(name: str, plain: Word) -> Word:
    """A word that works on plain numbers; a recorded value (autodiff.py) answers for itself."""

    def word(*args: Any) -> Any:
        for arg in args:
            if hasattr(arg, "recorded"):
                return arg.recorded(name, args)
        return plain(*args)

    word.__name__ = name
    return word


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


where = _word("where", lambda condition, a, b: a if condition else b)
both = _word("both", lambda a, b: a and b)
either = _word("either", lambda a, b: a or b)
negate = _word("negate", lambda a: not a)
least = _word("least", min)
most = _word("most", max)
magnitude = _word("magnitude", abs)
sqrt = _word("sqrt", math.sqrt)
rsqrt = _word("rsqrt", lambda x: 1.0 / math.sqrt(x))
exp = _word("exp", _exp)
log = _word("log", math.log)
erfc = _word("erfc", math.erfc)
sin = _word("sin", math.sin)
cos = _word("cos", math.cos)
floor = _word("floor", math.floor)
atan2 = _word("atan2", math.atan2)  # atan2(y, x): the angle of the point (x, y)
# the angle whose cosine is x; beyond -1 and 1 that of the nearest end
acos = _word("acos", lambda x: math.atan2(math.sqrt(max(0.0, (1.0 - x) * (1.0 + x))), x))
lookup = _word("lookup", lambda data, index: data[int(index)])  # data[index], index a whole number held as a float
# four numbers from data[index] on; the index is a multiple of 4
lookup2 = _word("lookup2", lambda data, index: tuple(data[int(index) : int(index) + 2]))
lookup4 = _word("lookup4", lambda data, index: tuple(data[int(index) : int(index) + 4]))
lookup8 = _word("lookup8", lambda data, index: tuple(data[int(index) : int(index) + 8]))
single = _word("single", lambda x: float(np.float32(x)))  # as exact as a float32
# the bits of a float32 without the last `shift` ones, as a whole number: counts equal parts of octaves
leading_bits = _word("leading_bits", lambda x, shift: float(int(np.float32(x).view(np.int32)) >> int(shift)))


def _octave_row(data: Any, first: float, x: float) -> tuple[float, ...]:
    bits = int(np.float64(x).view(np.int64))
    part = min(max((bits >> 46) - int(data[int(first)]), -1), int(data[int(first) + 1]))
    begin = float(np.int64(bits >> 46 << 46).view(np.float64))
    row = int(first) + 8 * (part + 2)
    return x - begin, *(float(number) for number in data[row : row + 6])


# Octaves of x > 0 are divided into 64 parts: x less the beginning of its part, and six numbers of the row of that part. From
# data[first] on there are the number of the lowest part (its leading bits), that of rows after its own, and six free places;
# then eight numbers for all that lies below, of which six are read, and eight for each part. float64 on CPUs only.
octave_row = _word("octave_row", _octave_row)

VOCABULARY = {
    word.__name__: word
    for word in (where, both, either, negate, least, most, magnitude, sqrt, rsqrt, exp, log, erfc, sin, cos, atan2,
                 acos, floor, lookup, lookup2, lookup4, lookup8, single, leading_bits, octave_row)
}

# words of kernels besides the vocabulary; backends give them their meaning
KERNEL_WORDS = frozenset(
    "W lanes lane_ids lane_range live load store gather gather3 gather4 prefetch3 subtract subtract3 subtract3_distinct add3 "
    "lane_sum leader as_real as_accum fma atomic_add any_lane append count_lanes lane_stride lane_steps difference load4 "
    "item4 store4 add_sums add_at".split()
)
TEAM_WORDS = frozenset("team_range team_sum team_rank team_size barrier scratch wait_for announce".split())
BUILTINS = frozenset("range min max abs int float len bool".split())
# their first argument is a row view: the row length is passed along
ROW_WORDS = ("gather3", "gather4", "subtract3", "subtract3_distinct", "add3", "prefetch3")
