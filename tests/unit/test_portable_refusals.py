"""What has no meaning on every device is refused before any compiler sees it, with file and line."""

# ruff: noqa: F821
# mypy: ignore-errors

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from everlet.errors import DeviceError, EverletError, InputError
from everlet.portable import (
    Kernel,
    Reference,
    ScatterView,
    Serial,
    Threads,
    View,
    both,
    choose,
    exp,
    f32,
    f64,
    i64,
    parallel_for,
    parallel_reduce,
    parallel_scan,
    portable,
    scatter,
    sqrt,
    where,
)
from everlet.portable.kernels import Program
from everlet.settings import STARTED

LINES = Path(__file__).read_text().splitlines()
settings = {"a": 1}


def unmarked(x):
    return x


@portable
def if_in_physics(x):
    if x < 1.0:  # if: If has no meaning for lanes
        return x
    return 1.0


@portable
def and_in_physics(x):
    return x < 1.0 and x > 0.0  # and: BoolOp has no meaning for lanes


@portable
def not_in_physics(x):
    return not x  # not: UnaryOp has no meaning for lanes


@portable
def invert_in_physics(x):
    return ~(x < 1.0)  # invert: UnaryOp has no meaning for lanes


@portable
def chain_in_physics(x):
    return 0.0 < x < 1.0  # chain: Compare has no meaning for lanes


@portable
def either_or_in_physics(x):
    return x if x < 1.0 else 1.0  # ifexp: IfExp has no meaning for lanes


@portable
def loop_in_physics(x):
    for _ in range(3):  # for: For has no meaning for lanes
        x = x * x
    return x


@portable
def array_in_physics(x):
    return x[0]  # array: physics has no arrays


@portable
def builtin_in_physics(x):
    return max(x, 0.0)  # builtin: 'max' is not a local, a number, a portable function or a portable word


@portable
def strange_power(x):
    return x**0.5  # power: '**' takes a small positive integer


@portable
def helper_without_mark(x):
    return unmarked(x)  # unmarked: 'unmarked' is not a local


@portable
def keyword(x):
    return exp(x=x)  # keyword: keyword arguments have no meaning in a kernel


@portable
def module_function(x):
    return np.exp(x)  # module: 'np.exp' has no meaning in a kernel


@portable
def missing_parameter(x, p):
    return p.sigma * x  # field: no parameter 'sigma'


@portable
def comprehension(x: f64):
    return sum([x for _ in range(3)])  # list: '[x for _ in range(3)]' has no meaning in a kernel


@portable
def text_inside(x: f64):
    y = "word"  # text: 'word' is not a number
    return y


@portable
def global_table(x: f64):
    return settings[0] + x  # global: 'settings' is not a local


@portable
def try_inside(x: f64):
    try:  # try: 'try:' has no meaning in a kernel
        return x
    finally:
        pass


@portable
def slice_of_view(x: f64):
    y = (x, x)[0:1]  # slice: '0:1' has no meaning in a kernel
    return y[0]


@portable
def default(x: f64 = 1.0):  # default: portable functions take plain positional parameters
    return x


@portable
def wrong_annotation(x: float):  # kind: 'float' is no kind of argument
    return x


CASES = {
    "if": if_in_physics, "and": and_in_physics, "not": not_in_physics, "invert": invert_in_physics, "chain":
    chain_in_physics, "ifexp": either_or_in_physics, "for": loop_in_physics, "array": array_in_physics, "builtin":
    builtin_in_physics, "power": strange_power, "unmarked": helper_without_mark, "keyword": keyword, "module":
    module_function, "field": missing_parameter, "list": comprehension, "text": text_inside, "global": global_table,
    "try": try_inside, "slice": slice_of_view, "default": default, "kind": wrong_annotation,
}


@portable
def calls(i, x: f64[:], out: f64[:]):
    out[i] = f(x[i])


@pytest.mark.parametrize("case", CASES)
def test_refused_with_file_line_and_cause(case: str) -> None:
    line, cause = next((n, text.split(f"# {case}: ")[1]) for n, text in enumerate(LINES, 1) if f"# {case}: " in text)
    with pytest.raises(InputError) as error:
        Program(Kernel(calls, statics=(("f", CASES[case]),), fields=("epsilon",)), "plain")
    if case == "default":  # the parameter list has no line of its own
        line -= 1
    shown = str(error.value)
    assert f"{Path(__file__).name}:{line}:" in shown and cause in shown and CASES[case].__name__ in shown, shown


@portable
def flat_index(i, v: f64[:, 3], out: f64[:]):
    out[i] = v[i]


@portable
def row_word(i, v: f64[:, 3], out: f64[:]):
    x, y, z = gather3(v, i, True)
    out[i] = x


@portable
def add(i, n: i64, a: f64, v: f64[:, 3], w: scatter[f64[:]], out: f64[:]):
    out[i] = n * a + v[i, 0]


@portable
def product(i, w: scatter[f64[:]]):
    w[0] *= 2.0


@portable
def untyped(i, x: f64[:]):
    x[i] = x[i](3)


def test_views_in_kernels() -> None:
    v, out = View((4, 3), np.float64, layout="column"), np.zeros(4)
    with pytest.raises(InputError, match=r"'v\[i\]': wrong number of indices"):
        parallel_for(Serial(), 4, flat_index, v, out)
    with pytest.raises(InputError, match="gather3 takes a two-dimensional view of row layout"):
        parallel_for(Serial(), 4, row_word, v, out)
    with pytest.raises(InputError, match=r"takes \+= and -= only"):
        parallel_for(Serial(), 4, product, out)


def arguments(**changed):
    given = {"n": 2, "a": 1.5, "v": View((4, 3), np.float64), "w": np.zeros(4), "out": np.zeros(4)}
    return list({**given, **changed}.values())


@pytest.mark.parametrize("changed, message", [
    ({"n": 2.5}, r"argument 'n' is 2.5, expected a whole number \(i64\)"),
    ({"a": None}, "argument 'a' is None, expected a number"),
    ({"out": np.zeros(4, np.float32)}, "argument 'out' has type float32, expected float64"),
    ({"out": np.zeros(8)[::2]}, "argument 'out' is not contiguous"),
    ({"out": [1.0, 2.0]}, r"argument 'out' \(list\) is not an array in the memory of"),
    ({"v": np.zeros((4, 4))}, "argument 'v' has 4 values per item, expected 3"),
    ({"v": View((4, 2), np.float64)}, "argument 'v' has 2 values per item in row layout, expected 3 in row layout"),
    ({"v": View((4, 3), np.int32)}, "argument 'v' has type int32, expected float64"),
    ({"v": View((4, 3), np.float64, layout="tiled")}, "argument 'v' has 3 values per item in tiled layout"),
], ids=lambda value: value if isinstance(value, str) else ",".join(value))
def test_wrong_arguments(changed, message) -> None:
    for space in (Serial(), Reference()):
        if space.target == "cpu" or set(changed) - {"n", "a"}:  # the reference takes any number
            with pytest.raises(InputError, match=message):
                parallel_for(space, 4, Kernel(add), *arguments(**changed))


def test_wrong_memory_threads_and_count() -> None:
    there = Serial()
    there.memory = there.name = "elsewhere"
    with pytest.raises(InputError, match="argument 'v' is in the memory of elsewhere, not of serial"):
        parallel_for(Serial(), 4, add, *arguments(v=View((4, 3), np.float64, there)))
    with pytest.raises(InputError, match="'out' .ndarray. is not an array in the memory of elsewhere"):
        parallel_for(there, 4, add, *arguments(v=View((4, 3), np.float64, there), w=View(4, np.float64, there)))
    two = Serial()
    two.threads, two.name = 2, "two"
    with pytest.raises(InputError, match="argument 'w' is a ScatterView for 1 threads, but two has 2"):
        parallel_for(two, 4, add, *arguments(w=ScatterView(View(4, np.float64))))
    with pytest.raises(InputError, match="kernel 'add' takes 5 arguments, not 3"):
        parallel_for(Serial(), 4, add, 1, 2, 3)
    with pytest.raises(InputError, match="ScatterView of column layout"):
        ScatterView(View((4, 3), np.float64, layout="column"))


def test_wrong_use_of_loops() -> None:
    x = np.zeros(3)
    with pytest.raises(InputError, match="is not a portable function"):
        parallel_for(Serial(), 3, unmarked, x)
    with pytest.raises(InputError, match="statics K given with a Kernel"):
        parallel_for(Serial(), 3, Kernel(flat_index), x, x, K=1)
    with pytest.raises(InputError, match="made for another loop"):
        parallel_for(Serial(), 3, Kernel(flat_index, sums=1), x, x)
    with pytest.raises(InputError, match="sums nothing"):
        parallel_reduce(Serial(), 3, Kernel(flat_index), x, x)
    with pytest.raises(InputError, match=r"parallel_scan of shape \(3,\) into \(3,\)"):
        parallel_scan(Serial(), x, x)


def test_what_only_the_compiler_can_know_names_kernel_and_text() -> None:
    with pytest.raises(EverletError, match="kernel 'untyped' could not be compiled") as error:
        parallel_for(Serial(), 3, untyped, np.zeros(3))
    assert "k_untyped_" in error.value.remedy


def test_words_cannot_be_taken_by_others() -> None:
    scope = {"portable": portable, "f64": f64, "f32": f32, "exp": unmarked}
    exec(compile("def own(x): return exp(x)", "own.py", "exec"), scope)
    with pytest.raises(InputError, match="'exp' is not a local"):
        Program(Kernel(calls, statics=(("f", portable(scope["own"], "def own(x): return exp(x)")),)), "plain")


def test_text_that_cannot_be_read() -> None:
    scope: dict = {}
    exec("def typed(i, x): return x", scope)
    with pytest.raises(InputError, match="the text of 'typed' cannot be read"):
        parallel_for(Serial(), 1, portable(scope["typed"]), np.zeros(1))


def test_spaces() -> None:
    with pytest.raises(DeviceError, match="unknown device 'quantum'"):
        choose("quantum")
    with pytest.raises(DeviceError, match="100000 threads asked for"):
        Threads(100000)


# ---- comparisons as numbers
@portable
def product_with_comparison(r2, p):
    inside = r2 < p.cut  # truth-product
    return inside * r2, r2


@portable
def returned_comparison(r2, p):
    return r2 < 1.0, r2  # truth-returned


@portable
def condition(r2, p):
    return r2 < p.cut  # truth-called


@portable
def through_helper(r2, p):
    return 2.0 * condition(r2, p), r2


@portable
def word_of_comparison(r2, p):
    return sqrt(both(r2 < p.cut, r2 > 0.5)), r2  # truth-word


@portable
def mixed_branches(r2, p):
    return where(r2 < p.cut, r2 > 0.5, r2), r2  # truth-branch


@portable
def right_condition(r2, p):
    return where(both(condition(r2, p), r2 > 0.5), 1.0, 0.0), where(condition(r2, p), r2, 0.0)


@portable
def pair_body(i, n: i64, x: f64[:], out: f64[:]):
    total = lanes(0.0)
    for q in lane_range(n):
        p = record(x, 0)
        f, e = PAIR(load(x, q), p)
        total += f * e
    out[i] = f64(lane_sum(total))


def pair_kernel(pair):
    return Kernel(pair_body, statics=(("PAIR", pair),), fields=("cut",))


@pytest.mark.parametrize("case, pair", [("product", product_with_comparison), ("returned", returned_comparison),
                                        ("called", through_helper), ("word", word_of_comparison), ("branch", mixed_branches)])
def test_a_comparison_as_a_number_is_refused_where_it_was_written(case: str, pair: portable) -> None:
    line = next(n for n, text in enumerate(LINES, 1) if text.endswith(f"# truth-{case}"))
    with pytest.raises(InputError, match="a comparison is used as a number") as error:
        Program(pair_kernel(pair), "cpu")
    assert f"{Path(__file__).name}:{line}:" in str(error.value) and "where(condition" in error.value.remedy


def test_a_comparison_as_a_condition_is_right() -> None:
    out = np.zeros(1)
    parallel_for(Serial(), 1, pair_kernel(right_condition), 16, np.full(32, 0.75), out)
    assert out[0] == 0.0  # 0.75 < cut is false: cut is the first number
    x = np.full(32, 0.75)
    x[0] = 2.0
    parallel_for(Serial(), 1, pair_kernel(right_condition), 16, x, out)
    assert out[0] == 15 * 0.75


def test_threads_follow_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    from everlet.portable import spaces

    monkeypatch.setattr(spaces.os, "sched_getaffinity", lambda _: range(8), raising=False)
    for name in ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS"):
        monkeypatch.delitem(STARTED, name, raising=False)
    assert Threads().threads == 8 and spaces.default_threads(sharing=4) == 2
    monkeypatch.setitem(STARTED, "OMP_NUM_THREADS", "3,2")
    assert Threads().threads == 3 and Threads(5).threads == 5 and choose("cpu").threads == 3
    monkeypatch.setitem(STARTED, "NUMBA_NUM_THREADS", "2")
    assert Threads().threads == 2
    with pytest.raises(DeviceError, match="NUMBA_NUM_THREADS allows 2") as error:
        Threads(5)
    assert error.value.remedy == "use --threads 2, or unset NUMBA_NUM_THREADS"
    monkeypatch.setitem(STARTED, "OMP_NUM_THREADS", "many")
    with pytest.raises(DeviceError, match="OMP_NUM_THREADS=many is not a number"):
        Threads()
