"""Views: layouts, copies between memories, and dual views that copy only what is stale."""

from __future__ import annotations

import numpy as np
import pytest

from everlet.portable import HOST, DualView, Reference, ScatterView, Serial, Threads, View, deep_copy
from everlet.portable.language.layouts import TILE


class Elsewhere(Serial):
    """A second memory, on the host: what it holds may not be mixed with host arrays, as with a GPU."""

    name = memory = "elsewhere"

    def __init__(self) -> None:
        self.down = self.up = 0

    def to_host(self, array):
        self.down += 1
        return array.copy()

    def from_host(self, array):
        self.up += 1
        return array.copy()


def numbers(n: int, m: int) -> np.ndarray:
    return np.arange(n * m, dtype=float).reshape(n, m)


@pytest.mark.parametrize("layout", ["row", "column", "tiled"])
@pytest.mark.parametrize("n", [1, TILE, 3 * TILE + 5])
def test_what_is_put_comes_back(layout: str, n: int) -> None:
    view, values = View((n, 3), np.float64, layout=layout), numbers(n, 3)
    view.put(values)
    np.testing.assert_array_equal(view.get(), values)
    place = {"row": lambda i, k: i * 3 + k, "column": lambda i, k: k * n + i,
             "tiled": lambda i, k: i // TILE * TILE * 3 + k * TILE + i % TILE}[layout]
    assert all(view.data[place(i, k)] == values[i, k] for i in range(n) for k in range(3))
    if layout == "tiled":
        with pytest.raises(ValueError, match="no plain array"):
            _ = view.array
    else:
        view.array[0, 1] = -1.0
        assert view.get()[0, 1] == -1.0


def test_flat_views_and_broadcast() -> None:
    for layout in ("row", "column", "tiled"):
        view = View(5, np.int32, layout=layout)
        view.put(7)
        assert view.width == 1 and view.array.tolist() == [7] * 5 == view.get().tolist()
    with pytest.raises(ValueError, match="one or two dimensions"):
        View((2, 2, 2), np.float64)
    with pytest.raises(ValueError, match="unknown layout 'diagonal'"):
        View(3, np.float64, layout="diagonal")


@pytest.mark.parametrize("before", ["row", "column", "tiled"])
@pytest.mark.parametrize("after", ["row", "tiled"])
def test_deep_copy_between_memories_layouts_and_types(before: str, after: str) -> None:
    there = Elsewhere()
    source, values = View((11, 2), np.float64, layout=before), numbers(11, 2)
    source.put(values)
    to = View((11, 2), np.float32, there, after)
    deep_copy(to, source)
    np.testing.assert_array_equal(to.get(), values.astype(np.float32))
    back = source.mirror(HOST)
    assert back.layout == before and not back.data.any()
    deep_copy(back, to)
    np.testing.assert_array_equal(back.get(), values)
    with pytest.raises(ValueError, match=r"shape \(11, 2\) into \(3,\)"):
        deep_copy(View(3, np.float64), source)


def test_deep_copy_to_a_mirror_crosses_once() -> None:
    there = Elsewhere()
    source = View(4, np.float64)
    source.put(2.5)
    deep_copy(source.mirror(there), source)
    assert (there.up, there.down) == (1, 0)


def test_dual_view_copies_only_what_is_stale() -> None:
    there = Elsewhere()
    dual = DualView((3, 2), np.float64, there)
    assert not dual.shared and dual.shape == (3, 2)
    dual.read()
    dual.on_device()
    assert dual.copies == 0
    dual.edit()[:] = 4.0
    dual.edit()[0, 0] = 5.0
    assert dual.host_modified and dual.copies == 0
    assert dual.on_device().data[0] == 5.0 and dual.copies == 1
    dual.on_device()
    dual.read()
    assert dual.copies == 1 and not dual.host_modified
    dual.on_device(modify=True).data[1] = 6.0
    assert dual.device_modified
    assert dual.read()[0, 1] == 6.0 and dual.copies == 2
    dual.read()
    assert dual.copies == 2 and not dual.device_modified


@pytest.mark.parametrize("space", [Reference(), Serial(), Threads(1)], ids=repr)
def test_dual_view_on_the_host_is_one_buffer(space) -> None:
    dual = DualView(4, np.float64, space)
    dual.edit()[:] = 1.0
    dual.on_device(modify=True).data[2] = 2.0
    assert dual.shared and dual.read().tolist() == [1, 1, 2, 1] and dual.copies == 0


def test_scatter_views_know_their_space() -> None:
    plain, many = ScatterView(View((4, 3), np.float64, Serial())), View((4, 3), np.float64, Serial())
    assert plain.mode == "plain" and plain.view is plain.target
    many.space = two = Serial()
    two.threads = 2
    duplicated = ScatterView(many)
    assert duplicated.mode == "duplicated" and duplicated.view.data.size == 24
    duplicated.view.data[:] = 1.0
    duplicated.collect(3)
    assert many.get().tolist() == [[2] * 3] * 3 + [[0] * 3]
    duplicated.reset(2)
    assert duplicated.view.data.sum() == 12
    empty = ScatterView(View((0, 3), np.float64, two))
    empty.reset(0)
    empty.collect(0)
