"""Bispectrum components of atoms and their slopes with each neighbour: SNAP without a potential, for fitting one.

Nothing is computed here: sums, products and slopes are the loops of pair style snap. A linear potential whose only
coefficient is 1, of component k, has forces that are minus the slopes of B_k. So that they come out for each pair, every
neighbour of every atom gets a row of its own, behind those of the atoms (a ghost that no other atom sees).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.descriptors.base import Batch
from everlet.forces.manybody.components.models import Linear
from everlet.forces.manybody.snap.files import Coefficients, Settings, check_inner
from everlet.forces.manybody.snap.index import labels
from everlet.forces.manybody.snap.scheme import Chunk, Products, SnapFull
from everlet.forces.manybody.snap.snap import Snap, SnapParameters
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import FAR, Neighbor
from everlet.portable import Kernel, Serial, View
from everlet.portable.kernels import lane_width
from everlet.state.system import System

MANY = 10**9  # no limit on neighbours
BATCH = 64 * 2**20  # bytes of slopes that are kept at a time


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


class Rows:
    """Neighbours as SnapFull reads them, in place of a neighbour list: dense rows, each neighbour with an index of its own."""

    dense = True
    si, sk = 0, 1

    def __init__(self, system: System):
        self.system = system
        self.neigh = self.count = self.first = View(0, np.int32, system.space)
        self.spill = 2 * lane_width(system.space.target, "single")

    @property
    def filler(self) -> int:
        return self.system.atoms.capacity

    def fill(self, counts: np.ndarray) -> None:
        """Row k has the next counts[k] atoms behind the owned ones."""
        space, n = self.system.space, len(counts)
        rooms = -(-(counts + self.spill) // 8) * 8
        starts = np.cumsum(rooms) - rooms
        neigh = np.full(int(rooms.sum()) + 8 * self.spill, self.filler, np.int32)
        pairs = np.arange(int(counts.sum()))
        neigh[pairs + np.repeat(starts - (np.cumsum(counts) - counts), counts)] = n + pairs
        padded = np.zeros(-(-(n + self.spill) // 64) * 64, np.int32)
        self.neigh, self.count, self.first = (View(len(values), np.int32, space) for values in (neigh, padded, padded))
        self.neigh.put(neigh)
        padded[:n] = counts
        self.count.put(padded)
        padded[:n] = starts // 8
        self.first.put(padded)


class Environments:
    """The loops of SNAP on atoms that are laid out by pairs."""

    def __init__(self, system: System, radius: list[float], weight: list[float], settings: Settings, channels: list[int],
                 count: int):
        # loops run on the host, in double precision, whatever the rest does
        self.space = Serial() if system.space.many_threads else system.space
        self.types = len(radius)
        self.laid = self._system(system)
        style = Described(self.laid, radius, weight, settings, channels, count)
        check_inner(settings)
        self.parameters = SnapParameters(style, self.space, "double")
        self.style, self.rows = style, Rows(self.laid)
        self.scheme = Describing(self.laid, self.rows, self.parameters)  # type: ignore[arg-type]
        table = style.tables()
        self.entries, self.ratio = table["entries"], table["ratio"]
        self.weights = View(self.parameters.kinds * len(self.ratio), np.float64, self.space)
        self.of_component: dict[int, Products] = {}

    def _system(self, system: System) -> System:
        """An empty system of the same kind, to put atoms into."""
        made = System(self.space, "double")
        made.units, made.dimension, made.masses = system.units, system.dimension, np.ones(self.types + 1)
        return made

    @property
    def components(self) -> int:
        return self.style.components

    def kernels(self, slopes: bool) -> list[Kernel]:
        """What is compiled, for compiling ahead."""
        return self.scheme.kernels_without_energies(slopes)

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

    # ---- who is near whom
    def neighbours(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray
                   ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Of all atoms at x, of these rows: place in `rows`, row of the neighbour and the vector to it, by place."""
        own, box = self._system(system), copy.deepcopy(system.need_box())
        own.box = box
        x, image = x.copy(), np.zeros(x.shape, np.int32)
        box.wrap(x, image)
        cut, beyond = self.style.max_cutoff, np.abs(box.to_fraction(x) - 0.5) - 0.5
        outside = float((beyond * box.lengths).max(initial=0.0))  # of faces that are not periodic
        near = Neighbor(own, NeighborSettings(skin=0.0, check=False, one=MANY, comm_cutoff=cut + outside), "full", True, True)
        near.cutoff = cut
        own.atoms.append(x=x, type=kind, id=np.arange(len(x)))
        comm = SerialComm(own)
        comm.box.set(box.params())
        comm.borders(own, near.ghost_cutoff)
        near.build()
        counts, first = (view.get()[rows].astype(np.int64) for view in (near.count, near.first))
        of = np.repeat(np.arange(len(rows)), counts)
        j = near.neigh.get()[np.arange(len(of)) + np.repeat(8 * first - (np.cumsum(counts) - counts), counts)]
        every, home = (own.atoms.view(name).array[: own.atoms.total] for name in ("x", "id"))
        vector = every[j, :3] - every[rows[of], :3]
        j = home[j]
        inside = (vector**2).sum(axis=1) < self.style.cutoffs[kind[rows[of]], kind[j]] ** 2
        return of[inside], j[inside], vector[inside]

    # ---- components and slopes
    def batches(self, system: System, x: np.ndarray, kind: np.ndarray, rows: np.ndarray, slopes: bool, width: int = 0
                ) -> Iterator[Batch]:
        """These rows of all atoms, some at a time; `width` numbers will be made of the slopes of each pair."""
        of, neighbour, vector = self.neighbours(system, x, kind, rows)
        ends = np.searchsorted(of, np.arange(len(rows) + 1))
        most = int(np.diff(ends).max(initial=1)) * 24 * max(width, self.components) if slopes else 1
        step = max(1, min(self.scheme.most_atoms(), BATCH // most))
        for begin in range(0, len(rows), step):
            end = min(begin + step, len(rows))
            pairs = slice(ends[begin], ends[end])
            mine = Batch(rows[begin:end], np.zeros(0), of[pairs] - begin, neighbour[pairs], vector[pairs], np.zeros(0))
            self._lay(mine, kind, np.diff(ends[begin : end + 1]))
            chunk = self._describe(mine)
            if slopes:
                self._slopes(mine, chunk)
            yield mine

    def _lay(self, mine: Batch, kind: np.ndarray, counts: np.ndarray) -> None:
        """Atoms of a batch at zero, then their neighbours at their vectors."""
        atoms = self.laid.atoms
        n, pairs = len(mine.rows), len(mine.of)
        atoms.n, atoms.nghost = 0, 0
        atoms.reserve(n + pairs)
        atoms.n, atoms.nghost = n, pairs
        x, types = atoms.view("x", modify=True).array, atoms.view("type", modify=True).array
        x[:n], x[n : n + pairs, :3], x[atoms.capacity :] = 0.0, mine.vector, FAR
        types[:n], types[n : n + pairs], types[atoms.capacity :] = kind[mine.rows], kind[mine.neighbour], 0
        self.rows.fill(counts)

    def _describe(self, mine: Batch) -> Chunk:
        """Components B of the atoms of a batch."""
        do = self.scheme
        do.fill_rows()
        chunk = do.chunk(0, len(mine.rows))
        do.sum_neighbours(chunk)
        do.describe(chunk)
        mine.values = do.components(chunk)
        return chunk

    def _slopes(self, mine: Batch, chunk: Chunk) -> None:
        """Forces of the energy B_k on the neighbours, for every k."""
        do, atoms = self.scheme, self.laid.atoms
        mine.slopes = np.empty((len(mine.of), 3, self.components))
        for k in range(self.components):
            self.weights.put(np.tile((self.entries == k).sum(axis=1) * self.ratio, self.parameters.kinds))
            do.weigh(chunk, self.weights)
            do.multiply(chunk, self.products_of(k))
            do.fold(chunk)
            with do.forces() as force:
                do.pull(chunk, force)
            mine.slopes[:, :, k] = atoms.view("f").array[chunk.end : atoms.total]
