"""What schemes of expansions read: tables of the expansion, and the species of atom types."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.forces.manybody.ace.expansion import Expansion
from everlet.forces.manybody.shares import SharedParameters
from everlet.forces.pair.base import PairStyle
from everlet.portable import Space, View


class ExpansionParameters(SharedParameters):
    """`species` are those of the atom types 0 … n, -1 where there is none; `chunk` atoms of one pass, 0: as many as fit best.
    `ordered`: atoms of one tile must be put together, as there are several species, or none for some."""

    def __init__(self, style: PairStyle, space: Space, precision: str, expansion: Expansion, species: np.ndarray, chunk: int,
                 scheme: Any):
        super().__init__(style, space, precision)
        self.expansion, self.chunk, self.scheme = expansion, chunk, scheme
        self.ordered = expansion.species > 1 or bool((species[1:] < 0).any())
        self.views = expansion.views(space)
        self.views["species"] = View(len(species), np.int32, space)
        self.views["species"].put(species.astype(np.int32))

    def sharer(self, space: Space) -> Any:
        return self.scheme
