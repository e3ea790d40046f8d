"""All words of kernels, with what the language must know of each; those of physics with their plain-Python meaning.

The same words mean SIMD lanes on CPUs and scalars on GPUs (see compiler.py). `if`, `and`, `or`, `not`, `~` and chained
comparisons have no meaning for lanes; `where`, `both`, `either` and `negate` do. What a word is:

    physics    it has a plain meaning here, and may stand in functions without annotations; all others may stand in code
    condition  it gives a condition
    numbers    it takes numbers, and no comparisons
    free       it counts as no operation: it names lanes or members, or changes the type of a number that is known
    rows       its first argument is a row view: the row length is passed along
    together   all lanes of an item must come to it
    steps      a loop over it goes on by steps of lanes
    team       it has a meaning in teams only
    python     it is a function of Python
    inner      the compiler writes it, nobody else

Backends give them their meaning (`prelude.py` of each). Who needs a list of words makes it from this table, by `words`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

Word = Callable[..., Any]
TABLE: dict[str, frozenset[str]] = {}  # of each word, what it is
VOCABULARY: dict[str, Word] = {}  # of physics


def words(*traits: str) -> frozenset[str]:
    """All words that are all of this."""
    return frozenset(name for name, known in TABLE.items() if known.issuperset(traits))


def _word(name: str, plain: Word, *traits: str) -> Word:
    """A word that works on plain numbers; a recorded value (autodiff.py) answers for itself."""

    def word(*args: Any) -> Any:
        for arg in args:
            if hasattr(arg, "recorded"):
                return arg.recorded(name, args)
        return plain(*args)

    word.__name__ = name
    TABLE[name], VOCABULARY[name] = frozenset(("physics", *traits)), word
    return word


def _exp(x: float) -> float:
    try:
        return math.exp(x)
    except OverflowError:
        return math.inf


where = _word("where", lambda condition, a, b: a if condition else b)
both = _word("both", lambda a, b: a and b, "condition", "free")
either = _word("either", lambda a, b: a or b, "condition", "free")
negate = _word("negate", lambda a: not a, "condition", "free")
least = _word("least", min, "numbers")
most = _word("most", max, "numbers")
magnitude = _word("magnitude", abs, "numbers")
sqrt = _word("sqrt", math.sqrt, "numbers")
rsqrt = _word("rsqrt", lambda x: 1.0 / math.sqrt(x), "numbers")
exp = _word("exp", _exp, "numbers")
log = _word("log", math.log, "numbers")
erfc = _word("erfc", math.erfc, "numbers")
sin = _word("sin", math.sin, "numbers")
cos = _word("cos", math.cos, "numbers")
floor = _word("floor", math.floor, "numbers")
atan2 = _word("atan2", math.atan2, "numbers")  # atan2(y, x): the angle of the point (x, y)
# the angle whose cosine is x; beyond -1 and 1 that of the nearest end
acos = _word("acos", lambda x: math.atan2(math.sqrt(max(0.0, (1.0 - x) * (1.0 + x))), x), "numbers")
lookup = _word("lookup", lambda data, index: data[int(index)], "numbers")  # data[index], index a whole number held as a float
# four numbers from data[index] on; the index is a multiple of 4
lookup2 = _word("lookup2", lambda data, index: tuple(data[int(index) : int(index) + 2]), "numbers")
lookup4 = _word("lookup4", lambda data, index: tuple(data[int(index) : int(index) + 4]), "numbers")
lookup8 = _word("lookup8", lambda data, index: tuple(data[int(index) : int(index) + 8]), "numbers")
as_f64 = _word("as_f64", float, "numbers", "free")  # as float64 and int64, which literals and types cannot say of lanes
as_i64 = _word("as_i64", int, "numbers", "free")
single = _word("single", lambda x: float(np.float32(x)), "free")  # as exact as a float32
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
octave_row = _word("octave_row", _octave_row, "numbers")

for _traits, _names in {
    "": "load load4 item4 store store4 gather subtract add_at atomic_add difference",
    "numbers": "fma",
    "rows": "gather3 gather4 subtract3 subtract3_distinct add3",
    "rows free": "prefetch3",
    "free": "W lanes lane_ids lane_stride live leader any_lane",
    "free numbers": "as_real as_accum",
    "free steps": "lane_range lane_steps",
    "together": "append add_sums",
    "together numbers": "lane_sum",
    "together free": "count_lanes",
    "team free": "team_range team_sum team_rank team_size barrier scratch wait_for announce",
    "python free": "range min max abs int float len bool",
    "inner": "scatter_add",
}.items():
    TABLE.update(dict.fromkeys(_names.split(), frozenset(_traits.split())))
