"""Bispectrum components of atoms and their slopes with each neighbour: SNAP without a potential, for fitting one.

Nothing is computed here: sums, products and slopes are the loops of pair style snap. A linear potential whose only
coefficient is 1, of component k, has forces that are minus the slopes of B_k. So that they come out for each pair, every
neighbour of every atom gets a row of its own, behind those of the atoms (a ghost that no other atom sees).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.snap import Snap, SnapParameters
from everlet.forces.manybody.snap_files import Coefficients, Settings, check_inner
from everlet.forces.manybody.snap_index import labels
from everlet.forces.manybody.snap_scheme import SnapFull
from everlet.neighbor.decide import NeighborSettings
from everlet.neighbor.lists import FAR, Neighbor
from everlet.portable import Kernel, Serial, View, parallel_for
from everlet.portable.kernels import lane_width
from everlet.state.system import System

MANY = 10**9  # no limit on neighbours
LISTS = ("sections", "ranges", "out")
BATCH = 64 * 2**20  # bytes of slopes that are kept at a time


class Described(Snap):
    """What loops must know about types: an element for each, with coefficients that are set later, one by one."""

    def __init__(self, system: System, radius: list[float], weight: list[float], settings: Settings, channels: list[int],
                 count: int):
        super().__init__(system, [])
        names = [str(k + 1) for k in range(len(radius))]
        size = len(labels(settings.whole["twojmax"])) * count**3
        none = np.zeros(size + 1)
        self.coefficients = Coefficients(settings.path, names, dict(zip(names, radius, strict=True)),
                                         dict(zip(names, weight, strict=True)), dict.fromkeys(names, none))
        self.settings_of, self.used, self.names = settings, names, dict(enumerate(names, 1))
        self.of_type, self.count = channels, count
        self.components = size

    def channel_count(self) -> int:
        return self.count

    def channel_of(self, kind: int) -> int:
        return self.of_type[kind - 1]


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


@dataclass
class Batch:
    """Some atoms: their rows among all atoms, components (atoms, K); and their pairs: which atom of the batch, the row of the
    neighbour among all atoms, the vector to it, and minus the slopes with its position (pairs, 3, K)."""

    rows: np.ndarray
    values: np.ndarray
    of: np.ndarray
    neighbour: np.ndarray
    vector: np.ndarray
    slopes: np.ndarray


class Environments:
    """The loops of SNAP on atoms that are laid out by pairs."""

    def __init__(self, system: System, radius: list[float], weight: list[float], settings: Settings, channels: list[int],
                 count: int):
        # loops run on the host, in double precision, whatever the rest does
        self.space = Serial() if system.space.target == "cuda" else system.space
        self.types = len(radius)
        self.laid = self._system(system)
        style = Described(self.laid, radius, weight, settings, channels, count)
        check_inner(settings)
        self.parameters = SnapParameters(style, self.space, "double")
        self.parameters.quadratic = True  # room for components
        self.style, self.rows = style, Rows(self.laid)
        self.scheme: Any = SnapFull(self.laid, self.rows, self.parameters)  # type: ignore[arg-type]
        table = style.tables()
        self.entries, self.ratio = table["entries"], table["ratio"]
        self.every = {name: self.parameters.views[name] for name in LISTS}
        self.of_component: dict[int, dict[str, View]] = {}

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
        do = self.scheme
        found = [do._rows, do._neighbours, do._unfold, do._describe]
        return found + [do._weigh, do._multiply, do._fold(False), do._forces(False), *do.scatter_kernels()] if slopes else found

    def products_of(self, k: int) -> dict[str, View]:
        """Lists of those sections (snap_index.Index) that have products which component k is made of."""
        if k not in self.of_component:
            size = self.parameters.index
            made = (self.entries.reshape(self.style.count**3, -1, 3) == k).any(axis=(0, 2))
            sections = size.sections.reshape(-1, 4)
            matrices = np.repeat(np.arange(len(size.ranges) - 1) % size.most + 1, np.diff(size.ranges))
            before = np.concatenate([[0], np.cumsum(made)])
            kept = before[sections[:, 3] + matrices] > before[sections[:, 3]]
            lists = (sections[kept], np.concatenate([[0], np.cumsum(kept)])[size.ranges], size.out.reshape(-1, size.most)[kept])
            found = {}
            for name, values in zip(LISTS, lists, strict=True):
                found[name] = View(max(values.size, 1), np.int32, self.space)
                found[name].put(np.resize(values.astype(np.int32), max(values.size, 1)))
            self.of_component[k] = found
        return self.of_component[k]

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
        step = max(1, min(self.scheme.chunk(), BATCH // most))
        for begin in range(0, len(rows), step):
            end = min(begin + step, len(rows))
            pairs = slice(ends[begin], ends[end])
            mine = Batch(rows[begin:end], np.zeros(0), of[pairs] - begin, neighbour[pairs], vector[pairs], np.zeros(0))
            self._lay(mine, kind, np.diff(ends[begin : end + 1]))
            blocks = self._describe(mine)
            if slopes:
                self._slopes(mine, blocks)
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

    def _describe(self, mine: Batch) -> int:
        """Components B of the atoms of a batch."""
        do, views, n = self.scheme, self.parameters.views, len(mine.rows)
        blocks = -(-n // do.width)
        do.fill_rows()
        do.reserve(blocks)
        do.sum_neighbours(0, n, blocks)
        own = do.tables
        parallel_for(self.space, blocks, do._describe, 0, self.laid.atoms.view("type"), *do._lists(), views["mirrored"],
                     views["fold_full"], views["label"], views["norm"], views["zeros"], own["u"], own["components"])
        tiles = -(-n // do.tile)
        values = own["components"].get()[: tiles * self.components * do.tile].reshape(tiles, self.components, do.tile)
        mine.values = values.transpose(0, 2, 1).reshape(tiles * do.tile, self.components)[:n].copy()
        return blocks

    def _slopes(self, mine: Batch, blocks: int) -> None:
        """Forces of the energy B_k on the neighbours, for every k."""
        do, atoms, n, own = self.scheme, self.laid.atoms, len(mine.rows), self.scheme.tables
        mine.slopes = np.empty((len(mine.of), 3, self.components))
        self.parameters.quadratic = False
        for k in range(self.components):
            weights = (self.entries == k).sum(axis=1) * self.ratio
            self.parameters.views["weights"].put(np.tile(weights, self.parameters.kinds))
            self.parameters.views |= self.products_of(k)
            own["y"].data[:] = 0.0  # of places without products
            do._slopes(0, n, blocks, False)
            with do.forces() as force:
                parallel_for(self.space, blocks, do._forces(False), *do._reading(0, n), *do._work(), own["sums"], force)
            mine.slopes[:, :, k] = atoms.view("f").array[n : atoms.total]
        self.parameters.quadratic = True
        self.parameters.views |= self.every
