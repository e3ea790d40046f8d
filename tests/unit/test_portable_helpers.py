"""Helpers that take two-dimensional views."""

from __future__ import annotations

import numpy as np
import pytest

from everlet.errors import InputError
from everlet.portable import Kernel, View, choose, f64, i64, parallel_for, portable, scatter
from everlet.portable.kernels import Program
from everlet.portable.language.counted_loops import counted_loops
from everlet.portable.scatter_view import ScatterView


@portable
def length2(i: i64, v: f64[:, 3]):
    return v[i, 0] * v[i, 0] + v[i, 1] * v[i, 1] + v[i, 2] * v[i, 2]


@portable
def put(i: i64, v: scatter[f64[:, 3]], a: f64):
    v[i, 0] += a
    v[i, 2] -= a


@portable
def lengths(i, x: f64[:, 3], out: f64[:]):
    out[i] = length2(i, x)


@portable
def add_to_first(i, f: scatter[f64[:, 3]], x: f64[:]):
    put(i64(0), f, x[i])


@portable
def wide(i, x: f64[:, 4], out: f64[:]):
    out[i] = length2(i, x)


@portable
def flat(i, x: f64[:], out: f64[:]):
    out[i] = length2(i, x)


@portable
def unwanted(i, x: f64[:, 3], out: f64[:]):
    out[i] = length2(x, x)


@portable
def not_to_scatter(i, f: f64[:, 3], x: f64[:]):
    put(i64(0), f, x[i])


@pytest.mark.parametrize("device", ["reference", "serial", "cpu"])
def test_a_helper_reads_a_view(device: str) -> None:
    space = choose(device, 1)
    x, out = View((5, 3), np.float64, space), View(5, np.float64, space)
    values = np.arange(15.0).reshape(5, 3)
    x.put(values)
    parallel_for(space, 5, lengths, x, out)
    np.testing.assert_array_equal(out.get(), (values**2).sum(axis=1))


@pytest.mark.parametrize("device", ["reference", "serial", "cpu"])
def test_a_helper_scatters(device: str) -> None:
    space = choose(device, 1)
    f, x = View((2, 3), np.float64, space), View(4, np.float64, space)
    x.put(np.array([1.0, 2.0, 3.0, 4.0]))
    copies = ScatterView(f)
    copies.reset(2)
    parallel_for(space, 4, add_to_first, copies, x)
    copies.collect(2)
    np.testing.assert_array_equal(f.get(), [[10.0, 0.0, -10.0], [0.0, 0.0, 0.0]])


@pytest.mark.parametrize("body, cause", [
    (wide, "'v' of 'length2' is a view [:, 3] of row layout"), (flat, "'v' of 'length2' is a view [:, 3] of row layout"),
    (unwanted, "'i' of 'length2' is no two-dimensional view"),
    (not_to_scatter, "'v' of 'put' is a view [:, 3] of row layout to scatter to"),
])
def test_other_views_are_refused(body: portable, cause: str) -> None:
    with pytest.raises(InputError) as error:
        Program(Kernel(body), "plain")
    assert cause in str(error.value) and body.__name__ in str(error.value)


def test_columns_are_refused() -> None:
    with pytest.raises(InputError, match="row layout"):
        Program(Kernel(lengths, layouts=(("x", "column"),)), "plain")


@pytest.mark.parametrize("line, whole", [("found += append(a, 0, found, 1, q, True)", True), ("found += packed(q)", True),
                                         ("found += load(a, q)", False)])
def test_lanes_of_a_gpu_leave_loops_together_where_they_vote(line: str, whole: bool) -> None:
    text = (f"def packed(q):\n    return count_lanes(q > 0)\ndef body(i, m, a):\n    found = 0\n    for q in lane_range(m):\n"
            f"        {line}\n    return lane_sum(found)\n")
    assert ("_whole(0, m)" in counted_loops(text)) == whole
