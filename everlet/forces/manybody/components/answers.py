"""A model at work: energies of the atoms of a chunk and slopes with their components."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.forces.manybody.components.models import Model
from everlet.portable import Kernel, Space, View, parallel_for
from everlet.portable.language.dtypes import dtype
from everlet.state.ledger import Tally


class Answers:
    """For schemes that keep numbers of atoms in tiles of `tile` atoms, and do `width` of them at a time.

    slopes   of each atom K numbers (and a zero: `zero`);  energy   of each atom; both are made by `make`
    """

    def __init__(self, model: Model, of_type: Sequence[int], space: Space, precision: str, width: int, tile: int,
                 zero: bool = False):
        self.model, self.space, self.precision, self.width, self.tile = model, space, precision, width, tile
        self.many, self.numbers_of_slopes = len(of_type) > 1, model.components + zero
        self.real = dtype("real", precision)
        self.numbers = [self._put(name, values) for name, values in model.tables(of_type).items()]
        self.room = 0
        self.slopes = self.energy = View(1, self.real, space)
        self.kept: list[View] = []

    def _put(self, name: str, values: np.ndarray) -> View:
        kind = np.float64 if name == "energies" else values.dtype if values.dtype == np.int32 else self.real
        view = View(max(values.size, 1), kind, self.space)
        view.put(np.resize(values.reshape(-1), max(values.size, 1)))
        return view

    def kernel(self, tally: bool) -> Kernel:
        model = self.model
        own = {"T": self.tile, "COMPONENTS": model.components,
               "SLOPES": self.numbers_of_slopes, "MANY": self.many, **model.statics, "EV": tally}
        return Kernel(model.body, int(tally), self.precision, statics=tuple(own.items()), width=self.width)

    def reserve(self, atoms: int) -> None:
        """Room for so many, a whole number of tiles."""
        if atoms > self.room:
            self.room = atoms
            sizes = {"slopes": self.numbers_of_slopes, "energy": 1, **self.model.each}
            self.slopes, self.energy, *self.kept = (View(size * atoms, self.real, self.space) for size in sizes.values())

    def make(self, begin: int, end: int, kind: View, components: View, tally: Tally | None) -> None:
        """Of atoms begin … end - 1 of these types; their energy is added to the tally, if there is one."""
        blocks = -(-(end - begin) // self.width)
        given = begin, end, kind, *self.numbers, *self.kept, components, self.slopes, self.energy
        if tally is not None:
            tally.reduce(self.space, blocks, self.kernel(True), *given)
        else:
            parallel_for(self.space, blocks, self.kernel(False), *given)
