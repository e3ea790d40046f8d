"""Edges: what a model is handed.

An edge is an atom i and a neighbour j within the cutoff, from both sides: i to j and j to i. Arrays are in the memory of the
device, and torch, JAX and NumPy see them without a copy:

    n, total      atoms of this rank; atoms with those of other ranks behind them (the same on one rank)
    rows          of `species`: total, or more if the model is `padded`
    species       (rows,) int32: the index of an atom's species in the model's list
    i, j          (edges,) int32: rows; edges follow each other by i. On one rank j is the atom itself, not an image of it
    rij           (edges, 3) float64: from i to j, to the image that is near
    start         (n + 1,) int32: edges start[i] to start[i + 1] are those of atom i
    x, ids        (rows, 3) float64 and (rows,) int64: positions, and numbers by which ranks know an atom; of rows that are no
                  atoms they mean nothing
    shift         (edges, 3) int32: edges of the box between x[j] and the image that is near
    cell, pbc     edges of the box in rows (3, 3) and which of them are periodic, on the host; many systems in a batch have
                  many, and who asks is refused
    step          the number of the step
    want          energies are wanted as well as forces
    extras        names of those numbers of atoms that are wanted now, of those that the model says it `gives`

A model that says `padded = True` gets arrays whose sizes seldom change, as compilers of fixed shapes and graphs of a GPU want
them. Edges that are none lead from the last row, an atom that is none, to itself, and are twice as long as the cutoff; `start`
has rows + 1 entries. Energies of all rows may be given back, those of the first n count.

`torch()` and `jax()` give the same with arrays of these libraries; `numpy()` too, which on a GPU copies them to the host.
`exchange(h)` is for models that pass messages: numbers of atoms, (n, k), with those of other ranks behind them, (total, k).
With torch it can be differentiated; who differentiates by hand uses `back(g)`, the way back of slopes with such numbers.
`view(name)` and `room(name, count, width)` are for kernels of Everlet's own language: arrays to read, and room to write to.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.models.libraries import library, tensor_of, to_array
from everlet.portable import Space, View

BY_EDGE = ("i", "j", "rij")
ARRAYS = ("species", *BY_EDGE, "start", "x", "ids")


class Edges:
    """See the head of this file. `forward` and `reverse` act on arrays (total, k) of the space: numbers of atoms to those who
    have copies of them, and what such copies have gathered back to the atoms; None on one rank, where nobody has copies."""

    species: Any
    i: Any
    j: Any
    rij: Any
    start: Any
    x: Any
    ids: Any

    def __init__(self, space: Space, n: int, total: int, held: dict[str, tuple[View, int]], cell: np.ndarray | None,
                 pbc: tuple[bool, ...], step: int, want: bool, forward: Callable[[Any], None] | None,
                 reverse: Callable[[Any], None] | None, extras: frozenset[str] = frozenset()):
        self.space, self.n, self.total, self._cell, self._pbc, self.step, self.want = space, n, total, cell, pbc, step, want
        self.extras = extras
        self.held, self.rows, self.edges = held, held["species"][1], held["i"][1]
        self._forward, self._reverse = forward, reverse
        self.rooms: dict[str, View] = {}
        self._library = "space"
        self._turn: Callable[[View, int, int], Any] = self._plain
        self._others: dict[str, Edges] = {}  # the same with arrays of other libraries

    def __len__(self) -> int:
        return self.edges

    def __getattr__(self, name: str) -> Any:
        """An array, when it is asked for."""
        if name not in ARRAYS:
            raise AttributeError(f"edges have no '{name}': see docs/models.md")
        view, count = self.held[name]
        found = self._turn(view, count, min(view.width, 3))
        setattr(self, name, found)
        return found

    def _plain(self, view: View, count: int, width: int) -> Any:
        """Of an array of the space."""
        return view.data[:count] if width == 1 else view.data[: count * view.width].reshape(count, view.width)[:, :width]

    def _of_box(self, found: Any) -> Any:
        if self._cell is None:
            raise InputError("the model asks for the cell, and the systems of a batch have one each", "use the ways of edges "
                             "(b.rij) alone, or run each system in a Simulation")
        return found

    @property
    def cell(self) -> np.ndarray:
        return self._of_box(self._cell)

    @property
    def pbc(self) -> tuple[bool, ...]:
        return self._of_box(self._pbc)

    def at(self, cell: np.ndarray | None, step: int, want: bool, extras: frozenset[str], edges: int) -> Edges:
        """The same arrays at another step, at which other parts of them may be in use."""
        for one in (self, *self._others.values()):
            one._cell, one.step, one.want, one.extras = cell, step, want, extras
            if edges != one.edges:
                one.edges = edges
                for name in BY_EDGE:
                    vars(one).pop(name, None)
        for name in BY_EDGE:
            self.held[name] = self.held[name][0], edges  # the others have the same dict
        return self

    def _with(self, name: str, turn: Callable[[View, int, int], Any]) -> Edges:
        if name == self._library:
            return self
        found = self._others.get(name)
        if found is None:
            found = copy.copy(self)
            found._library, found._others, found._turn = name, {}, turn
            for one in ARRAYS:
                vars(found).pop(one, None)
            self._others[name] = found
        return found

    def numpy(self) -> Edges:
        """With arrays of NumPy."""
        if self.space.memory != "host":
            self._others.pop("numpy", None)  # a copy, of other numbers
        return self._with("numpy", lambda *which: self.space.to_host(self._plain(*which)))

    def torch(self) -> Edges:
        """With tensors."""

        def turn(view: View, count: int, width: int) -> Any:
            whole = tensor_of(view)
            return whole[:count] if width == 1 else whole[: count * view.width].view(count, view.width)[:, :width]

        return self._with("torch", turn)

    def jax(self) -> Edges:
        """With arrays of JAX, for float64 with jax_enable_x64. They are never written to: where memory cannot be shared,
        because JAX wants it compact and aligned, it is copied."""
        jax = library("jax.dlpack") and library("jax")
        self._others.pop("jax", None)  # JAX takes for granted that what it has seen stays

        def turn(*which: Any) -> Any:
            array = self._plain(*which)
            return jax.dlpack.from_dlpack(array if array.flags.c_contiguous else array.copy())

        return self._with("jax", turn)

    def view(self, name: str) -> View:
        """An array for kernels of Everlet's own (docs/portable.md); x is (rows, 4), and more may be there than is in use."""
        return self.held[name][0]

    def room(self, name: str, count: int, width: int = 1) -> View:
        """Room for so many numbers, (count, width) in float64, which kernels of a model write to; kept for later steps."""
        found = self.rooms.get(name)
        if found is None or found.shape[0] < count or found.width != width:
            size = int(1.1 * count) + 16
            found = self.rooms[name] = View((size, width) if width > 1 else size, np.float64, self.space)
        return found

    @property
    def shift(self) -> Any:
        """Whole edges of the box."""
        across = np.linalg.inv(self.cell)
        if self._library == "torch":
            across = self.x.new_tensor(across)
        elif self._library == "space":
            across = self.space.from_host(across)
        there = self.i < self.total  # padding leads nowhere
        i, j = (there * self.i, there * self.j)
        ways = (self.rij - (self.x[j] - self.x[i])) @ across
        whole = (ways.round() * there[:, None])
        return whole.int() if self._library == "torch" else whole.astype(np.int32)

    def exchange(self, h: Any) -> Any:
        """Numbers of atoms, (n, k) or (n,), with those of other ranks' atoms behind them."""
        if self._forward is None:
            return h  # whoever is near is one of our own
        if self._library == "jax":
            raise InputError("exchange(h) of JAX arrays on several ranks is not available",
                             "use torch, or one rank; or say exchanges = False: then there are edges of other ranks' atoms too")
        return _exchange(self, h) if self._library == "torch" else self._sent(h)

    def back(self, g: Any) -> Any:
        """Slopes with numbers that `exchange` gave, (rows, k): those with copies of an atom are added to its own, (n, k)."""
        if self._reverse is None:
            return g
        rows = self._empty(g)
        rows[:] = g[: self.total].reshape(rows.shape)
        self._reverse(rows)
        return rows[: self.n].reshape(self.n, *g.shape[1:])

    def _sent(self, h: Any) -> Any:
        rows = self._empty(h)
        rows[: self.n] = h[: self.n].reshape(self.n, rows.shape[1])
        assert self._forward is not None
        self._forward(rows)
        found = rows.reshape(self.total, *h.shape[1:])
        if self.rows == self.total:
            return found
        padded = self.space.zeros(self.rows * rows.shape[1], np.float64).reshape(self.rows, *h.shape[1:])
        padded[: self.total] = found
        return padded

    def _empty(self, like: Any) -> Any:
        width = int(np.prod(like.shape[1:]))
        return self.space.zeros(self.total * width, np.float64).reshape(self.total, width)


def _exchange(edges: Edges, h: Any) -> Any:
    """exchange(h) of tensors, with a gradient."""
    torch = library("torch")

    class Exchange(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, given: Any) -> Any:
            ctx.rows = given.shape[0]
            return _tensor(edges._sent(to_array(edges.space, given)), given)

        @staticmethod
        def backward(ctx: Any, slope: Any) -> Any:
            found = _tensor(edges.back(to_array(edges.space, slope)), slope)
            if ctx.rows == found.shape[0]:
                return found
            whole = slope.new_zeros((ctx.rows, *slope.shape[1:]))
            whole[: found.shape[0]] = found
            return whole

    return Exchange.apply(h)


def _tensor(array: Any, like: Any) -> Any:
    torch = library("torch")
    return torch.as_tensor(array, device=like.device).to(like.dtype)
