"""How SNAP does its work: rows by channel, then chunk by chunk sums of neighbours, products, forces.

One atom is on each lane of a CPU. On a GPU a thread is an atom and some of its numbers, or one neighbour of an atom.

    fill_rows        neighbours within the cutoff, of all atoms
    sum_neighbours   u of the atoms of a chunk, from their neighbours
    describe, spread components B from u, and back from the slopes of the energy with them, which a model gives; or
    weigh            the same for energies that are linear in B
    multiply, fold   what forces are made of, from products of u
    pull             forces, from that and the neighbours

`compute` is all of them; environments.py takes those it needs.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.scattered import Chunk
from everlet.forces.manybody.snap import atom_loops as snap_atom_loops
from everlet.forces.manybody.snap import team_loops as snap_team_loops
from everlet.forces.manybody.snap.kernels import SnapKernels
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import PERCENT, Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Space, View, parallel_for, parallel_team
from everlet.portable.language.dtypes import dtype
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import MEMBERS, WIDEST, powers
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

snap_scheme: Registry[type[Scheme]] = Registry("scheme of snap")
# with many threads:
TILE = WIDEST  # atoms side by side
TEAM = WIDEST  # threads that share the neighbours of an atom
FORCE_TEAM, MANY = (16, 8), 16384  # the same in the loop of forces, which adds nothing up: for few and for many atoms
PARTS = 64  # threads that share the numbers of an atom
BLOCK = MEMBERS  # threads that share the products of a tile: one block at a time has the cache of a processor
AHEAD = 4  # products whose factors are read before any is used
EXACT_THREADS = 16  # that chunks are made for where their sums must not depend on the threads
NEAR_ATOMS = 128  # of one CPU thread in a chunk: their numbers stay in its caches


class Products(NamedTuple):
    """Which products of u are made (snap_index.Index)."""

    sections: View
    ranges: View
    out: View


@snap_scheme("full")
class SnapFull(SnapKernels):
    precisions = ("double",)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.short = self.ends = View(0, np.int32, system.space)
        self.room = 0
        self.tables: dict[str, View] = {}

    @property
    def describes(self) -> bool:
        """Components of atoms are made."""
        return self.shares or not self.parameters.model.straight

    @classmethod
    def on(cls, space: Space) -> type[Scheme]:
        return SnapInTeams if space.many_threads else cls

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self.fill_rows()
        with self.forces() as force:
            for chunk in self.chunks():
                self.sum_neighbours(chunk)
                if self.parameters.model.straight:
                    self.weigh(chunk)
                    self.multiply(chunk)
                    self.fold(chunk, tally)
                else:
                    self.describe(chunk)
                    self.spread(chunk, tally)
                    self.multiply(chunk)
                    self.fold(chunk)
                self.pull(chunk, force, tally)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py). That of an atom's energy belongs to both atoms of a pair,
        the energy to this atom alone: it follows from its components."""
        self.fill_rows()
        for chunk in self.chunks():
            self.sum_neighbours(chunk)
            self.describe(chunk)
            self.spread(chunk)
            out.view.data[9 * chunk.begin + 6 : 9 * chunk.end : 9] += self.answers.energy.data[: chunk.end - chunk.begin]
            self.multiply(chunk)
            self.fold(chunk)
            self.pull(chunk, out)

    def most_atoms(self) -> int:
        """Atoms of one pass, a whole number of blocks."""
        space = self.system.space
        most = self.parameters.chunk if space.many_threads else min(self.parameters.chunk, NEAR_ATOMS * (
            EXACT_THREADS if self.exact else space.threads))
        return max(most // self.tile, 1) * self.tile

    def fill_rows(self) -> None:
        """The neighbours within the cutoff, by channel, at every step anew."""
        near, atoms, par, space = self.neighbor, self.system.atoms, self.parameters, self.system.space
        pitch = near.count.shape[0]
        if self.short.shape[0] != near.neigh.shape[0]:
            self.short = View(near.neigh.shape[0], np.int32, space)
        if self.ends.shape[0] != pitch * par.channels:
            self.ends = View(pitch * par.channels, np.int32, space)
        parallel_for(space, atoms.n, self._rows, atoms.view("x"), atoms.view("type"), par.views["channel"], near.neigh,
                     near.count, near.first, near.si, near.sk, par.table, par.kinds, self.short, pitch, self.ends)

    def _reserve(self, blocks: int) -> None:
        """Tables for the atoms of a chunk."""
        par, size = self.parameters, self.parameters.index
        atoms = -(-blocks * self.width // self.tile) * self.tile
        if atoms <= self.room:
            return
        self.room = min(max(atoms, int(1.1 * atoms) // self.tile * self.tile), self.most_atoms())
        each = {"work": 0 if self.across else 4 * (size.twojmax + 2), "total": 2 * size.half * par.channels,
                "u": 2 * size.full * par.channels, "y": 2 * size.half * par.channels,
                "sums": 8 * size.half * par.channels, "weights": par.entries,
                "components": par.components if self.describes else 0}
        real = dtype("real", self.system.precision)
        self.tables = {name: View(max(count * self.room, 1), real, self.system.space) for name, count in each.items()}
        if self.describes:
            self.answers.reserve(self.room)

    def _reading(self, chunk: Chunk) -> tuple[Any, ...]:
        near, atoms, par = self.neighbor, self.system.atoms, self.parameters
        return (chunk.begin, chunk.end, atoms.view("x"), atoms.view("type"), self.short, near.first, near.si, near.sk,
                near.filler, near.count.shape[0], self.ends, par.table, par.kinds, *self._work())

    def _work(self) -> tuple[View, ...]:
        """Where loops over neighbours keep the rows at work, if not in memory of each lane."""
        return (self.tables["work"],)

    def sum_neighbours(self, chunk: Chunk) -> None:
        """u of the atoms of a chunk."""
        space, own, kind = self.system.space, self.tables, self.system.atoms.view("type")
        parallel_for(space, self._items(chunk), self._neighbours, *self._reading(chunk), own["total"])
        parallel_for(space, chunk.blocks * self.parts, self._unfold, chunk.blocks, chunk.begin, kind,
                     *self._views("channel unfold_from unfold_scale unfold_one"), own["total"], own["u"])

    def describe(self, chunk: Chunk) -> None:
        """Components of the atoms of a chunk."""
        own, kind = self.tables, self.system.atoms.view("type")
        parallel_for(self.system.space, chunk.blocks, self._describe, chunk.begin, kind,
                     *self._views("sections ranges out pairs coefficients mirrored fold_full label norm zeros"),
                     own["u"], own["components"])

    def components(self, chunk: Chunk) -> np.ndarray:
        """What `describe` has found, on the host: (atoms, components)."""
        n, count, tiles = chunk.end - chunk.begin, self.parameters.components, -(-(chunk.end - chunk.begin) // self.tile)
        values = self.tables["components"].get()[: tiles * count * self.tile].reshape(tiles, count, self.tile)
        return values.transpose(0, 2, 1).reshape(tiles * self.tile, count)[:n].copy()

    def spread(self, chunk: Chunk, tally: Tally | None = None) -> None:
        """How much each product of u counts, from components; the energy, if asked for."""
        own = self.tables
        self.answers.make(chunk.begin, chunk.end, self.system.atoms.view("type"), own["components"], tally)
        parallel_for(self.system.space, chunk.blocks, self._spread, *self._views("entries ratio"), self.answers.slopes,
                     own["weights"])

    def weigh(self, chunk: Chunk, weights: View | None = None) -> None:
        """The same for linear energies: what the potential says for each type, or other weights."""
        given = self.parameters.views["weights"] if weights is None else weights
        parallel_for(self.system.space, chunk.blocks * self.parts, self._weigh, chunk.blocks, chunk.begin,
                     self.system.atoms.view("type"), given, self.tables["weights"])

    def multiply(self, chunk: Chunk, products: Products | None = None) -> None:
        """Sums of products of u, each as much as it counts: of all products, or of some."""
        own = self.tables
        if products:
            own["y"].data[:] = 0.0  # of places that have none of them
        self._products(chunk, *(products or self._views("sections ranges out")), *self._views("pairs coefficients"), own["u"],
                       own["weights"], own["y"])

    def _products(self, chunk: Chunk, *tables: View) -> None:
        parallel_for(self.system.space, chunk.blocks * self.parameters.index.places, self._multiply, *tables)

    def fold(self, chunk: Chunk, tally: Tally | None = None) -> None:
        """What forces are made of, from `multiply`; the energy if it is linear and asked for."""
        space, own, kind = self.system.space, self.tables, self.system.atoms.view("type")
        given = (chunk.blocks, chunk.begin, chunk.end, kind,
                 *self._views("channel energies fold_from fold_scale fold_step fold_one"), own["total"], own["y"], own["sums"])
        if tally is not None:
            tally.reduce(space, chunk.blocks * self.parts, self._fold(True), *given)
        else:
            parallel_for(space, chunk.blocks * self.parts, self._fold(False), *given)

    def pull(self, chunk: Chunk, force: ScatterView, tally: Tally | None = None) -> None:
        """Forces on the atoms of a chunk and on their neighbours; 0 and the virial, if asked for."""
        given = *self._reading(chunk), self.tables["sums"], force
        if tally is not None:
            tally.reduce(self.system.space, self._items(chunk), self._forces(True), *given)
        else:
            parallel_for(self.system.space, self._items(chunk), self._forces(False), *given)


class SnapInTeams(SnapFull):
    """A team of threads for the neighbours of each atom, several threads for its numbers; nothing is asked of the host."""

    steady = True
    knobs: ClassVar = {"team": powers(WIDEST), "ahead": powers(8), "carveout": PERCENT}
    parts = PARTS
    ahead = AHEAD
    across = True

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.tile = TILE

    @classmethod
    def to_try(cls, system: System) -> dict[str, list[Any]]:
        return {"team": [TEAM, 16, 8], "ahead": [AHEAD, 2, 8]}

    def _team(self, body: Any, names: str, team: int, sums: int = 0) -> Kernel:
        kernel = self._kernel(body, names, sums, width=0)
        return replace(kernel, team=self.team or team, carveout=self.carveout)

    @property
    def _rows(self) -> Kernel:  # type: ignore[override]
        return replace(super()._rows, team=self.system.space.team(self.system.atoms.n, self.neighbor.pad))

    @property
    def _neighbours(self) -> Kernel:  # type: ignore[override]
        return self._team(snap_team_loops.team_neighbours, "T J HALF CHANNELS MANY NP DENSE SWITCH INNER", TEAM)

    def _forces(self, tally: bool) -> Kernel:
        team = FORCE_TEAM[self._atoms >= MANY]
        return self._team(snap_team_loops.team_forces, self.force_statics, team, 7 * tally)

    def _work(self) -> tuple[View, ...]:
        return ()

    @property
    def _atoms(self) -> int:
        """Of a whole chunk."""
        return min(self.system.atoms.n, self.most_atoms())

    @property
    def _processors(self) -> int:
        """As many blocks keep all of them busy."""
        return self.system.space.processors

    @property
    def _split(self) -> int:
        """Blocks that share a tile, of all chunks alike: more where there are few tiles."""
        tiles = -(-self._atoms // self.tile)
        return 4 if 4 * tiles <= self._processors else 2 if 2 * tiles <= self._processors else 1

    @property
    def _multiply(self) -> Kernel:  # type: ignore[override]
        places, abreast = self.parameters.index.places, BLOCK // TILE if self.system.space.many_threads else 1
        kernel = self._kernel(snap_atom_loops.multiply_tile, "T HALF FULL CHANNELS MOST PLACES PRODUCTS ENTRIES AHEAD")
        own = (("SPLIT", self._split), ("ABREAST", abreast), ("ROUNDS", -(-places // (self._split * abreast))))
        return replace(kernel, statics=kernel.statics + own, team=BLOCK, league=True)

    def _products(self, chunk: Chunk, *tables: View) -> None:
        atoms = chunk.end - chunk.begin
        parallel_team(self.system.space, -(-atoms // self.tile) * self._split, self._multiply, atoms, *tables)
