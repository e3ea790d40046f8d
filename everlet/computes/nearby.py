"""Computes over the neighbours of atoms: one loop over rows (neighbor/surroundings.py), which a style gives as a kernel.

    @compute_style("name")
    class Style(Nearby):
        body = …            (i, x, type, mask, neigh, count, si, sk, out, …): fills the places of atom i in `out`
        cutoff = …          set by the constructor
        special = …         which special pairs are no neighbours (neighbor/exclusions.py)

The neighbours of atom i are j = neigh[i * si + q * sk] for q in range(count[i]); some may be beyond the cutoff.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.computes.base import Compute
from everlet.neighbor.surroundings import dry_surroundings, of_the_run, surroundings
from everlet.portable import Kernel, Portable, View, parallel_for
from everlet.state.system import System


class Nearby(Compute):
    """Base of computes over neighbours."""

    body: ClassVar[Portable]
    cutoff = 0.0
    special = "unlisted"
    asks_run: ClassVar[bool] = False  # rows of the run will do: of neighbours it reads positions and types
    _out: View | None = None

    @property
    def kernel(self) -> Kernel:
        return Kernel(self.body)

    def kernels(self) -> list[Kernel]:
        with dry_surroundings(self.system, self.cutoff, self.special) as (_, notes):
            return [*notes.kernels(), self.kernel]

    def out(self, size: int, dtype: Any = np.float64) -> View:
        """So many zeros. The array is used again: a GPU would have to record its steps anew if another took its place."""
        if self._out is None or self._out.shape[0] < size:
            self._out = View(size if self._out is None else int(1.2 * size), dtype, self.system.space)
        self._out.data[:] = 0
        return self._out

    def over_rows(self, out: View, *arguments: Any) -> View:
        """Run the kernel for all atoms of this rank."""
        system = self.system
        near = of_the_run(system, self.cutoff) if self.asks_run and self.bit == 1 else None  # groups of ghosts may be old
        if near is not None:
            atoms = near.system.atoms
            rows = (*(atoms.view(name) for name in ("x", "type", "mask")), near.neigh, near.count, near.si, near.sk)
            parallel_for(system.space, atoms.n, self.kernel, *rows, out, *arguments)
        else:
            of_all = surroundings(system, self.cutoff, self.special)
            parallel_for(system.space, of_all.n, self.kernel, *of_all.rows(), out, *arguments)
        return out

    def of_atoms(self, columns: int, *arguments: Any) -> np.ndarray:
        """What the kernel puts into the places of atoms: (n,), or (n, columns)."""
        n = self.system.atoms.n
        values = self.over_rows(self.out(max(n * columns, 1)), *arguments).get()[: n * columns]
        return values if columns == 1 else values.reshape(n, columns)


def listed_reach(system: System) -> float:
    """How far lists of the reference reach, for computes of its that take what is listed; 0 without a pair style."""
    if system.pair is None:
        return 0.0
    skin = system.units.skin
    if system.evaluator is not None:
        skin = system.evaluator.neighbor.settings.given_skin(skin)
    return system.pair_cutoff + skin
