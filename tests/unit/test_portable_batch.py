"""Loops that are fused, counted on the device, unrolled, or summed up by kernels."""
# mypy: ignore-errors
# ruff: noqa: F821, B007

from __future__ import annotations

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import (
    Counted,
    Kernel,
    Reference,
    Serial,
    View,
    f64,
    i32,
    i64,
    local,
    parallel_for,
    parallel_reduce,
    portable,
)
from everlet.portable.batch import collected, fused, join
from everlet.portable.graphs import Repeated
from everlet.portable.kernels import Program, parallel_team
from everlet.portable.scan import EACH, ONE, SEGMENT, SUMS, Scan
from everlet.portable.spaces import COUNTERS, STOP
from everlet.portable.views import Constants

SPACES = [Reference(), Serial()]


@local
@portable
def double_it(i, x: f64[:]):
    x[i] = 2.0 * x[i]


@local
@portable
def add_it(i, x: f64[:], y: f64[:], a: f64):
    y[i] += a * x[i]


@portable
def an_item(i, x: f64[:]):
    return x[i]


@portable
def neighbour_sum(i, x: f64[:], y: f64[:]):
    y[i] = x[i] + x[max(i - 1, 0)]


@portable
def unrolled(i, x: f64[:], y: f64[:]):
    total = 0.0
    for u in unroll(3):
        value[u] = x[3 * i + u]
    for u in unroll(3):
        total += value[u] * (u + 1)
    y[i] = total


@portable
def there_and_back(i, x: f64[:], y: f64[:]):
    value[MOST] = 0.0
    for u in unroll(MOST):
        value[MOST - 1 - u] = x[u] + 2.0 * value[MOST - u]
    for u in unroll(MOST - 1):
        value[u + 1] += value[u]
    y[0] = value[0]
    y[1] = value[MOST - 1]


@portable
def nested(i, x: f64[:], y: f64[:]):
    for n in unroll(MOST):
        for u in unroll(n + 1):
            y[i] += x[n * 3 + u]


@portable
def shifted(a: unrolled[MOST + 1], b: unrolled[2], scale: f64):
    """Each number times `scale` and the one before it; the sum of b."""
    before = 0.0
    for u in unroll(MOST + 1):
        found[u] = scale * a[u] + before
        before = a[u]
    total = 0.0
    for u in unroll(2):
        total += b[u]
        b[u] = 0.0
    return found[: MOST + 1], total


@portable
def through_a_helper(i, x: f64[:], y: f64[:]):
    for u in unroll(4):
        a[u] = x[u]
    for u in unroll(2):
        b[u] = x[4 + u]
    c[:4] = a[:4]
    c[:4], total = shifted(c[:4], b[:2], 10.0)
    c[: MOST + 1], total = shifted(c[: MOST + 1], b[:2], total)
    for u in unroll(4):
        y[u] = c[u] - a[u]
    for u in unroll(2):
        y[4 + u] = b[u] + total


def views(space, n=6):
    x, y = View(n, np.float64, space), View(n, np.float64, space)
    x.put(np.arange(n)), y.put(np.ones(n))
    return x, y


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_local_loops_are_fused_and_share_their_arrays(space):
    x, y = views(space)
    with collected(space) as found:
        parallel_for(space, 6, double_it, x)
        parallel_for(space, 6, add_it, x, y, 10.0)
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5]  # nothing has run
    (kernel, items, args, _), = join(found)
    assert kernel.name == "double_it_and_add_it" and items == 6 and len(args) == 3 and kernel.same == (0, 0, 1, 2)
    with fused(space):
        parallel_for(space, 6, double_it, x)
        parallel_for(space, 6, add_it, x, y, 10.0)
    assert x.get().tolist() == [0, 2, 4, 6, 8, 10]
    assert y.get().tolist() == [1, 21, 41, 61, 81, 101]


def test_loops_that_look_at_others_or_have_other_items_stay_apart():
    space = Serial()
    x, y = views(space)
    with collected(space) as found:
        parallel_for(space, 6, double_it, x)
        parallel_for(space, 6, neighbour_sum, x, y)
        parallel_for(space, 5, double_it, x)
        parallel_for(space, 6, double_it, x)
    assert len(join(found)) == 4


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_a_few_launches_again_and_again(space):
    """Sums too, which go where they went when they were collected."""
    x, _ = views(space)
    total = View(1, np.float64, space)
    with collected(space) as found:
        parallel_for(space, 6, double_it, x)
        parallel_reduce(space, 6, Kernel(an_item, sums=1), x, into=total)
        parallel_for(space, 0, double_it, x)
    again = Repeated(space, found)
    assert x.get().tolist() == [0, 1, 2, 3, 4, 5]
    for k in (2, 4, 8):
        again.run()
        assert x.get().tolist() == [k * i for i in range(6)] and total.get()[0] == 15 * k


def test_sums_cannot_be_collected():
    space = Serial()
    with collected(space), pytest.raises(InputError, match="while launches are collected"):
        parallel_reduce(space, 3, Kernel(double_it, sums=1), View(3, np.float64))


def test_a_number_of_items_that_the_device_knows():
    space = Serial()
    x, _ = views(space)
    space.control[COUNTERS] = 2
    parallel_for(space, Counted(COUNTERS, 6), double_it, x)
    assert x.get().tolist() == [0, 2, 2, 3, 4, 5]
    space.control[COUNTERS] = 100
    parallel_for(space, Counted(COUNTERS, 6), double_it, x)
    assert x.get().tolist() == [0, 4, 4, 6, 8, 10]
    space.control[STOP] = 3
    space.reset_control()
    assert space.read_control()[STOP] > 2**60 and space.read_control()[COUNTERS] == 100


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_unrolled_loops(space):
    x, y = View(6, np.float64, space), View(2, np.float64, space)
    x.put(np.arange(6))
    parallel_for(space, 2, unrolled, x, y)
    assert y.get().tolist() == [0 + 2 * 1 + 3 * 2, 3 + 2 * 4 + 3 * 5]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_variables_of_unrolled_loops_beside_the_present_one(space):
    x, y = View(3, np.float64, space), View(2, np.float64, space)
    x.put([1.0, 10.0, 100.0])
    parallel_for(space, 1, there_and_back, x, y, MOST=3)
    assert y.get().tolist() == [124, 124 + 12 + 1]
    parallel_for(space, 1, there_and_back, x, y, MOST=1)
    assert y.get().tolist() == [1, 1]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_unrolled_loops_inside_of_others_know_their_number(space):
    x, y = View(9, np.float64, space), View(1, np.float64, space)
    x.put(2.0 ** np.arange(9))
    parallel_for(space, 1, nested, x, y, MOST=3)
    assert y.get().tolist() == [1 + 8 + 16 + 64 + 128 + 256]


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_helpers_take_variables_of_unrolled_loops(space):
    x, y = View(6, np.float64, space), View(6, np.float64, space)
    x.put(np.arange(6) + 1.0)
    parallel_for(space, 1, through_a_helper, x, y, MOST=3)
    once = 10 * np.arange(1.0, 5) + np.arange(4.0)
    twice = 11 * once + np.concatenate([[0], once[:3]])
    assert y.get().tolist() == [*(twice - np.arange(1.0, 5)), 5 + 11, 6 + 11]  # the caller's b is as it was


def test_what_cannot_be_done_with_variables_of_unrolled_loops():
    @portable
    def body(i, a: unrolled[2], x: f64[:]):
        x[i] = 0.0

    @portable
    def too_few(i, x: f64[:]):
        for u in unroll(2):
            a[u] = x[u]
        c[:4], total = shifted(a[:2], a[:2], 1.0)

    @portable
    def of_a_view(i, x: f64[:]):
        a[:2] = x[:2]

    @portable
    def without_number(i, n: i64, x: f64[:]):
        a[:n] = x[i]

    for wrong, message in ((body, r"argument 'a' of a kernel is unrolled\[2\]"),
                           (too_few, "gives 5 values, and 7 are taken"), (of_a_view, "':2' has no meaning"),
                           (without_number, r"'a\[:n\]': unroll takes a number")):
        with pytest.raises(InputError, match=message):
            Program(Kernel(wrong, statics=(("MOST", 3),)), "plain")


def test_unroll_takes_a_number():
    @portable
    def wrong(i, n: i64, x: f64[:]):
        for u in unroll(n):
            x[i] = 0.0

    with pytest.raises(InputError, match="unroll takes a number known when compiled"):
        parallel_for(Serial(), 1, wrong, 3, View(1, np.float64))


@pytest.mark.parametrize("n", [1, 7, SEGMENT, SEGMENT + 1, 3 * SEGMENT + 11])
def test_prefix_sums_by_kernels(n):
    space, numbers = Serial(), np.random.default_rng(n).integers(0, 9, n).astype(np.int32)
    count, start = View(n, np.int32), View(n + 1, np.int32)
    count.put(numbers)
    wanted = np.concatenate([[0], np.cumsum(numbers)])
    Scan(space)(n, count, start)
    assert np.array_equal(start.get(), wanted)
    start.put(0)
    with collected(space) as found:  # what a GPU runs
        Scan(space)(n, count, start)
    for kernel, items, args, _ in found:
        parallel_team(space, items, kernel, *args)
    assert np.array_equal(start.get(), wanted)
    assert {kernel.body.__name__ for kernel, *_ in found} <= {k.body.__name__ for k in (SUMS, ONE, EACH)}


def test_constants_are_copied_when_they_change():
    numbers = Constants(2, Serial())
    numbers.set([1.0, 2.0])
    numbers.view.data[0] = 5.0
    numbers.set([1.0, 2.0])
    assert numbers.view.get().tolist() == [5.0, 2.0]
    numbers.set([1.0, 3.0])
    assert numbers.view.get().tolist() == [1.0, 3.0]


@portable
def quads(k, n: i64, packed: i32[:], out: i32[:]):
    a, b, c, d = item4(packed, n, k)
    store4(packed, n, k, d, c, b, a)
    out[k] = a


@pytest.mark.parametrize("space", SPACES, ids=str)
def test_four_numbers_of_an_item(space):
    packed, out = View(8, np.int32, space), View(2, np.int32, space)
    packed.put(np.arange(8))
    for _ in range(2):
        parallel_for(space, 2, quads, 2, packed, out)
    assert packed.get().tolist() == list(range(8))
    assert out.get()[0] in (3, 6)  # items side by side, or numbers side by side




def test_loops_of_other_lengths_are_not_fused_by_memory() -> None:
    """What was fused before is kept, but not for loops that were equally long by chance."""
    space, kernel = Serial(), Kernel(double_it)
    views = [View(12, np.float64, space) for _ in range(3)]
    for lengths in ((12, 4, 4), (12, 4, 8)):
        for view in views:
            view.put(np.ones(12))
        with fused(space):
            for view, items in zip(views, lengths, strict=True):
                parallel_for(space, items, kernel, view)
        assert [int(view.get().sum()) - 12 for view in views] == list(lengths)


@local
@portable
def stop_at(i, x: f64[:], place: i64, control: i64[:]):
    if x[i] > 1.0:
        control[STOP] = place


def test_what_may_be_called_off_is_a_loop_of_its_own() -> None:
    """A part of one loop would go on, and other items of the part that calls it off would not be done."""
    space = Serial()
    x = View(4, np.float64, space)
    stops, doubles = (Kernel(stop_at), 4, (x, 3, space.control)), (Kernel(double_it), 4, (x,))
    assert len(join([(*stops, 3), (*doubles, 3)])) == 1
    assert len(join([(*stops, 3), (*doubles, 4)])) == 2
    assert len(join([(*doubles, 3), (*doubles, 4)])) == 1
    other = Kernel(double_it), 5, (x,), 3
    assert len(join([(*stops, 3), other, (*doubles, 3), (*doubles, 4)])) == 4  # the first may stop all of them
    assert len(join([(*doubles, 3), (*stops, 4), (*doubles, 4)])) == 1
