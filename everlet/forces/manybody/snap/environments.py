"""Bispectrum components of atoms and their slopes with each neighbour: SNAP without a potential, for fitting one.

Nothing is computed here: sums, products and slopes are the loops of pair style snap (descriptors/laid_out.py).
"""

from __future__ import annotations

import numpy as np

from everlet.forces.descriptors.base import Batch
from everlet.forces.descriptors.laid_out import LaidOut
from everlet.forces.manybody.components.models import Linear
from everlet.forces.manybody.scattered import Chunk
from everlet.forces.manybody.snap.files import Coefficients, Settings, check_inner
from everlet.forces.manybody.snap.index import labels
from everlet.forces.manybody.snap.scheme import Products, SnapFull
from everlet.forces.manybody.snap.snap import Snap, SnapParameters
from everlet.portable import View
from everlet.state.system import System


class Described(Snap):
    """What loops must know about types: an element for each, with coefficients that are set later, one by one."""

    def __init__(self, system: System, radius: list[float], weight: list[float], settings: Settings, channels: list[int],
                 count: int):
        super().__init__(system, [])
        names = [str(k + 1) for k in range(len(radius))]
        size = len(labels(settings.whole["twojmax"])) * count**3
        self.coefficients = Coefficients(settings.path, names, dict(zip(names, radius, strict=True)),
                                         dict(zip(names, weight, strict=True)), {})
        self.model = Linear(np.zeros((len(names), size + 1)))
        self.settings_of, self.used, self.names = settings, names, dict(enumerate(names, 1))
        self.of_type, self.count = channels, count
        self.components = size

    def channel_count(self) -> int:
        return self.count

    def channel_of(self, kind: int) -> int:
        return self.of_type[kind - 1]


class Describing(SnapFull):
    """The loops of SNAP, with room for components."""

    describes = True


class Environments(LaidOut):
    """The loops of SNAP on atoms that are laid out by pairs."""

    style: Described
    made_of = Described

    def __init__(self, system: System, radius: list[float], weight: list[float], settings: Settings, channels: list[int],
                 count: int):
        super().__init__(system.space, system, len(radius))
        style = self.made_of(self.laid, radius, weight, settings, channels, count)
        check_inner(settings)
        self.parameters = SnapParameters(style, self.space, "double")
        self.style = style
        self.scheme = Describing(self.laid, self.rows, self.parameters)  # type: ignore[arg-type]
        table = style.tables()
        self.entries, self.ratio = table["entries"], table["ratio"]
        self.weights = View(self.parameters.kinds * len(self.ratio), np.float64, self.space)
        self.of_component: dict[int, Products] = {}

    @property
    def components(self) -> int:
        return self.style.components

    def products_of(self, k: int) -> Products:
        """Those sections (snap_index.Index) that have products which component k is made of."""
        if k not in self.of_component:
            size = self.parameters.index
            made = (self.entries.reshape(self.style.count**3, -1, 3) == k).any(axis=(0, 2))
            sections = size.sections.reshape(-1, 4)
            matrices = np.repeat(np.arange(len(size.ranges) - 1) % size.most + 1, np.diff(size.ranges))
            before = np.concatenate([[0], np.cumsum(made)])
            kept = before[sections[:, 3] + matrices] > before[sections[:, 3]]
            ranges = np.concatenate([[0], np.cumsum(kept)])[size.ranges]
            self.of_component[k] = Products(*map(self._put, (sections[kept], ranges, size.out.reshape(-1, size.most)[kept])))
        return self.of_component[k]

    def _put(self, values: np.ndarray) -> View:
        view = View(max(values.size, 1), np.int32, self.space)
        view.put(np.resize(values.astype(np.int32), view.shape))
        return view

    def _describe(self, mine: Batch) -> Chunk:
        do = self.scheme
        do.fill_rows()
        chunk = do.chunk(0, len(mine.rows))
        do.sum_neighbours(chunk)
        do.describe(chunk)
        mine.values = do.components(chunk)
        return chunk

    def _slope(self, k: int, chunk: Chunk) -> None:
        do = self.scheme
        self.weights.put(np.tile((self.entries == k).sum(axis=1) * self.ratio, self.parameters.kinds))
        do.weigh(chunk, self.weights)
        do.multiply(chunk, self.products_of(k))
        do.fold(chunk)
        with do.forces() as force:
            do.pull(chunk, force)
