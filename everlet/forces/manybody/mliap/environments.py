"""Outputs of expansions and their slopes with each neighbour, without a model, for fitting one (descriptors/laid_out.py)."""

from __future__ import annotations

import numpy as np

from everlet.forces.descriptors.base import Batch
from everlet.forces.descriptors.laid_out import LaidOut
from everlet.forces.manybody.ace.parameters import ExpansionParameters
from everlet.forces.manybody.ace.scheme import ExpansionScheme
from everlet.forces.manybody.mliap.expansion import Expanded, ExpansionStyle
from everlet.forces.manybody.scattered import Chunk
from everlet.portable import Space
from everlet.state.system import System


class Bare(ExpansionStyle):
    """What loops must know about types: all elements, in order."""

    def __init__(self, system: System, of: Expanded):
        super().__init__(system, [])
        self.of, self.names = of, dict(enumerate(of.elements, 1))
        self.take()


class ExpansionEnvironments(LaidOut):
    def __init__(self, of: Expanded, space: Space):
        super().__init__(space, System(space), len(of.elements))
        self.of, self.style = of, Bare(self.laid, of)
        style = self.style
        self.parameters = ExpansionParameters(style, self.space, "double", style.expansion, style.species, 0, ExpansionScheme)
        self.scheme = ExpansionScheme(self.laid, self.rows, self.parameters)  # type: ignore[arg-type]

    @property
    def components(self) -> int:
        return self.of.components

    @property
    def most_atoms(self) -> int:
        return max(1, self.scheme.most_atoms() - self.types * self.scheme.tile)  # each species begins a tile

    def _describe(self, mine: Batch) -> Chunk:
        do, n = self.scheme, len(mine.rows)
        do.fill_rows()
        chunk = do.chunk(0, do.slots)
        do.sum_neighbours(chunk)
        do.evaluate_products(chunk)
        count, tiles = self.components, -(-chunk.end // do.tile)
        values = do.tables["outputs"].get()[: tiles * count * do.tile].reshape(tiles, count, do.tile)
        by_slot = values.transpose(0, 2, 1).reshape(-1, count)
        order = do.order.get()[: chunk.end] if self.parameters.ordered else np.arange(n)
        mine.values = np.zeros((n, count))
        mine.values[order[order >= 0]] = by_slot[: len(order)][order >= 0]
        return chunk

    def _slope(self, k: int, chunk: Chunk) -> None:
        do, count = self.scheme, self.components
        slopes = do.tables["slopes"].array.reshape(-1, count, do.tile)
        slopes[:] = 0.0
        slopes[:, k] = 1.0
        do.weigh(chunk)
        with do.forces() as force:
            do.pull(chunk, force)
