"""Edges: what a model is handed.

An edge is an atom i and a neighbour j within the cutoff, from both sides: i to j and j to i. Arrays are in the memory of the
device, and torch, JAX and NumPy see them without a copy:

    n, total      atoms of this rank; rows with those of other ranks behind them (the same on one rank)
    species       (total,) int32: the index of an atom's species in the model's list
    i, j          (edges,) int32: rows; edges follow each other by i. On one rank j is the atom itself, not an image of it
    rij           (edges, 3) float64: from i to j, to the image that is near
    start         (n + 1,) int32: edges start[i] to start[i + 1] are those of atom i
    cell, pbc     edges of the box in rows (3, 3) and which of them are periodic, on the host
    step          the number of the step
    want          energies are wanted as well as forces

`torch()` and `jax()` give the same with arrays of these libraries; `numpy()` too, which on a GPU copies them to the host.
`exchange(h)` is for models that pass messages: numbers of atoms, (n, k), with those of other ranks behind them, (total, k).
With torch it can be differentiated; who differentiates by hand uses `back(g)`, the way back of slopes with such numbers.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.portable import Space

ARRAYS = ("species", "i", "j", "rij", "start")


class Edges:
    """See the head of this file. `forward` and `reverse` act on arrays (total, k) of the space: numbers of atoms to those who
    have copies of them, and what such copies have gathered back to the atoms; None on one rank, where nobody has copies."""

    def __init__(self, space: Space, n: int, total: int, arrays: dict[str, Any], cell: np.ndarray, pbc: tuple[bool, ...],
                 step: int, want: bool, forward: Callable[[Any], None] | None, reverse: Callable[[Any], None] | None):
        self.space, self.n, self.total, self.cell, self.pbc, self.step, self.want = space, n, total, cell, pbc, step, want
        self.species, self.i, self.j, self.rij, self.start = (arrays[name] for name in ARRAYS)
        self._forward, self._reverse = forward, reverse
        self._library = "numpy"

    def __len__(self) -> int:
        return len(self.i)

    def _with(self, library: str, turn: Callable[[Any], Any]) -> Edges:
        found = copy.copy(self)
        found._library = library
        for name in ARRAYS:
            setattr(found, name, turn(getattr(self, name)))
        return found

    def numpy(self) -> Edges:
        """With arrays of NumPy."""
        return self._with("numpy", self.space.to_host)

    def torch(self) -> Edges:
        """With tensors."""
        torch = _library("torch")
        return self._with("torch", torch.from_numpy if self.space.memory == "host" else torch.as_tensor)

    def jax(self) -> Edges:
        """With arrays of JAX, which are compact and, for float64, need jax_enable_x64."""
        jax = _library("jax")
        return self._with("jax", jax.dlpack.from_dlpack)

    def exchange(self, h: Any) -> Any:
        """Numbers of atoms, (n, k) or (n,), with those of other ranks' atoms behind them."""
        if self._forward is None:
            return h  # whoever is near is one of our own
        if self._library == "jax":
            raise InputError("exchange(h) of JAX arrays on several ranks is not available", "use torch, or one rank")
        return _exchange(self, h) if self._library == "torch" else self._sent(h)

    def back(self, g: Any) -> Any:
        """Slopes with numbers that `exchange` gave, (total, k): those with copies of an atom are added to its own, (n, k)."""
        if self._reverse is None:
            return g
        rows = self._empty(g)
        rows[:] = g.reshape(rows.shape)
        self._reverse(rows)
        return rows[: self.n].reshape(self.n, *g.shape[1:])

    def _sent(self, h: Any) -> Any:
        rows = self._empty(h)
        rows[: self.n] = h[: self.n].reshape(self.n, rows.shape[1])
        assert self._forward is not None
        self._forward(rows)
        return rows.reshape(self.total, *h.shape[1:])

    def _empty(self, like: Any) -> Any:
        width = int(np.prod(like.shape[1:]))
        return self.space.zeros(self.total * width, np.float64).reshape(self.total, width)


def _library(name: str) -> Any:
    """A library that the user's model asks for."""
    import importlib

    try:
        found = importlib.import_module(name)
        if name == "jax":
            importlib.import_module("jax.dlpack")
        return found
    except ImportError:
        raise InputError(f"the model uses {name}, which is not installed", f"pip install {name}") from None


def _exchange(edges: Edges, h: Any) -> Any:
    """exchange(h) of tensors, with a gradient."""
    torch = _library("torch")

    class Exchange(torch.autograd.Function):  # type: ignore[name-defined]
        @staticmethod
        def forward(ctx: Any, given: Any) -> Any:
            return _tensor(edges._sent(_array(edges.space, given)), given)

        @staticmethod
        def backward(ctx: Any, slope: Any) -> Any:
            return _tensor(edges.back(_array(edges.space, slope)), slope)

    return Exchange.apply(h)


def _array(space: Space, given: Any) -> Any:
    """A tensor as an array of the space, in its memory."""
    plain = given.detach().contiguous()
    if space.memory == "host":
        return plain.numpy()
    return space.gpu.cupy.asarray(plain)


def _tensor(array: Any, like: Any) -> Any:
    torch = _library("torch")
    return torch.as_tensor(array, device=like.device).to(like.dtype)
