"""Arrays that know their layout and the memory they live in.

A `View` is a flat buffer in one space's memory plus a shape and a layout. Kernels index views logically (`x[i, 2]`);
the layout decides where that element is:

    row      element (i, k) of an (n, m) view at i*m + k            one item's values side by side
    column   at k*n + i                                             one value of all items side by side
    tiled    at (i // T)*T*m + k*T + i % T                          blocks of T items, column layout inside a block

A `DualView` holds the same data on the host and in a space, with a modified flag for each side, and copies only when
the side that is asked for is stale. In CPU spaces both sides are one buffer and nothing is ever copied.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from everlet.portable.language.layouts import TILE
from everlet.portable.spaces import HOST, Space


class View:
    """An array of shape (n,) or (n, m) in the memory of `space`.

    >>> v = View((3, 2), np.float64, layout="column")
    >>> v.put([[1, 2], [3, 4], [5, 6]])
    >>> v.data
    array([1., 3., 5., 2., 4., 6.])
    """

    made = 0  # views so far: while it stays the same, no array can have been replaced

    def __init__(self, shape: tuple[int, ...] | int, dtype: Any, space: Space = HOST, layout: str = "row"):
        View.made += 1
        self.shape = (shape,) if isinstance(shape, int) else tuple(shape)
        if len(self.shape) > 2:
            raise ValueError(f"a view has one or two dimensions, not {len(self.shape)}")
        if layout not in ("row", "column", "tiled"):
            raise ValueError(f"unknown layout '{layout}': row, column or tiled")
        self.dtype, self.space, self.layout = np.dtype(dtype), space, layout
        self.made_in = space.kept  # the collection of launches in which it was made
        self.width = self.shape[1] if len(self.shape) == 2 else 1  # values per item
        self.form = (self.shape[1], layout) if len(self.shape) == 2 else None  # how two indices find an element
        n, m = self.shape[0], self.width
        size = -(-n // TILE) * TILE * m if layout == "tiled" else n * m
        self.data = space.zeros(size, self.dtype)
        self._words: tuple[int, ...] = ()
        self._words_of: Any = None

    def part(self, first: int, size: int) -> View:
        """Elements of a one-dimensional view, in the same memory."""
        found = copy.copy(self)
        found.shape, found.data, found._words_of = (size,), self.data[first : first + size], None
        return found

    def flat(self) -> View:
        """All elements of a view in row layout, one after the other, in the same memory."""
        found = copy.copy(self)
        found.shape, found.width, found.form, found._words_of = (self.data.size,), 1, None, None
        return found

    def over(self, array: Any) -> View:
        """A view of the same kind over another array of the same memory, which has as many columns."""
        found = copy.copy(self)
        found.data, found.shape, found._words_of = array, (array.size // self.width, *self.shape[1:]), None
        return found

    def words(self) -> tuple[int, ...]:
        """What kernels are told of the buffer; remembered, since asking an array for its address is slow."""
        if self._words_of is not self.data:
            self._words, self._words_of = self.space.words(self.data), self.data
        return self._words

    @property
    def array(self) -> Any:
        """The view as an array of its logical shape, sharing memory (row and column layouts)."""
        self.space.ask("numbers of an array")
        if len(self.shape) == 1:
            return self.data[: self.shape[0]]
        if self.layout == "row":
            return self.data.reshape(self.shape)
        if self.layout == "column":
            return self.data.reshape(self.width, -1).T
        raise ValueError("a tiled view has no plain array: use get() and put()")

    def get(self) -> np.ndarray:
        """A host copy in logical order."""
        flat = self.space.to_host(self.data)
        n, m = self.shape[0], self.width
        if len(self.shape) == 1:
            return flat[:n].copy()
        if self.layout == "row":
            return flat.reshape(n, m).copy()
        if self.layout == "column":
            return np.ascontiguousarray(flat.reshape(m, n).T)
        return np.ascontiguousarray(flat.reshape(-1, m, TILE).transpose(0, 2, 1).reshape(-1, m)[:n])

    def put(self, values: Any) -> None:
        """Fill from host values in logical order."""
        if not self.made_in or self.made_in != self.space.kept:  # one that is new need not be filled again
            self.space.ask("numbers to put into an array")
        self.fill(values)

    def fill(self, values: Any) -> None:
        """`put`, for whoever knows that steps that are replayed have the same values."""
        given = np.broadcast_to(np.asarray(values, self.dtype), self.shape)
        n, m = self.shape[0], self.width
        if len(self.shape) == 1 or self.layout == "row":
            flat = given.reshape(-1)
        elif self.layout == "column":
            flat = given.T.reshape(-1)
        else:
            blocks = -(-n // TILE)
            padded = np.zeros((blocks * TILE, m), self.dtype)
            padded[:n] = given
            flat = padded.reshape(blocks, TILE, m).transpose(0, 2, 1).reshape(-1)
        self.data[: flat.size] = self.space.from_host(np.ascontiguousarray(flat))

    def mirror(self, space: Space) -> View:
        """An empty view of the same shape and layout in another memory."""
        return View(self.shape, self.dtype, space, self.layout)


class Constants:
    """A few numbers for kernels, copied to the space only when they change."""

    def __init__(self, size: int, space: Space, dtype: Any = np.float64):
        self.view = View(size, dtype, space)
        self.now = np.zeros(size, dtype)
        self.set_in = 0  # the collection of launches in which they were set last (Space.kept)

    def set(self, values: Any) -> None:
        given = np.asarray(values, self.now.dtype)
        if not np.array_equal(given, self.now):
            space = self.view.space
            if space.tape is not None or space.kept and space.kept == self.set_in:
                space.ask("constants that change from step to step")
            self.set_in = space.kept
            self.now = given.copy()
            self.view.fill(given)

    def known(self, values: Any) -> None:
        """A kernel has put them there."""
        self.now = np.array(values, self.now.dtype)

    def forget(self) -> None:
        """Kernels may have changed them: the next ones are copied in any case."""
        self.now = np.empty(0, self.now.dtype)


class Scattered:
    """What kernels see of a ScatterView (scatter_view.py): where they add; the size of each thread's copy; 0: one."""

    view: View
    threads: int
    copy_size: int


def deep_copy(to: View, source: View) -> None:
    """Copy the contents of `source` into `to`, across memories and layouts."""
    if to.shape != source.shape:
        raise ValueError(f"deep_copy of shape {source.shape} into {to.shape}")
    if to.layout == source.layout and to.dtype == source.dtype:
        near = source.space.memory == to.space.memory
        to.data[:] = source.data if near else to.space.from_host(source.space.to_host(source.data))
    else:
        to.put(source.get())


class DualView:
    """The same data on the host and in a space, each copied only when it is stale.

    >>> d = DualView(3, np.float64)
    >>> d.edit()[:] = 2.0           # host side, marked modified
    >>> d.read()                    # host side, up to date
    array([2., 2., 2.])
    """

    def __init__(self, shape: tuple[int, ...] | int, dtype: Any, space: Space = HOST, layout: str = "row"):
        self.device = View(shape, dtype, space, layout)
        self.host = self.device if space.memory == "host" else View(shape, dtype, HOST, layout)
        self.host_modified = self.device_modified = False
        self.copies = 0  # how often data crossed between the two sides

    @property
    def shape(self) -> tuple[int, ...]:
        return self.device.shape

    @property
    def shared(self) -> bool:
        """Both sides are one buffer."""
        return self.host is self.device

    def sync_host(self) -> None:
        if self.device_modified and not self.shared:
            self.host.data[:] = self.device.space.to_host(self.device.data)
            self.copies += 1
        self.device_modified = False

    def sync_device(self) -> None:
        if self.host_modified and not self.shared:
            self.device.data[:] = self.device.space.from_host(self.host.data)
            self.copies += 1
        self.host_modified = False

    def read(self) -> np.ndarray:
        """The host array, up to date. Do not write to it."""
        self.sync_host()
        return self.host.array

    def edit(self) -> np.ndarray:
        """The host array, up to date and marked modified."""
        self.sync_host()
        self.host_modified = True
        return self.host.array

    def on_device(self, modify: bool = False) -> View:
        """The space's view, up to date; marked modified if the caller will write to it."""
        self.sync_device()
        if modify:
            self.device_modified = True
        return self.device
