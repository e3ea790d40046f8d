"""How an expansion does its work: rows by species, then chunk by chunk sums, outputs, energies, weights, forces.

One atom is on each lane of a CPU. On a GPU a team of threads shares the neighbours of an atom, and a thread is an atom and some
of its products.

    fill_rows        neighbours within the cutoff, of all atoms, by species; fill_slots: atoms by species
    sum_neighbours   A and direct sums of the atoms of a chunk
    evaluate         outputs, from products of A
    bend             energies and their slopes with the outputs: what a style or a model adds
    weigh            their slopes with A
    pull             forces, from that and the neighbours

Styles derive from this, give `bend` and its kernels, and parameters with `expansion` and its `views` (pace.py, mliap).
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody import tile_loops
from everlet.forces.manybody.ace import embed_loops, lane_loops, product_loops, team_loops
from everlet.forces.manybody.scattered import Chunk, ChunkedScheme
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import register_lanes
from everlet.portable.language.dtypes import dtype
from everlet.portable.scan import Scan
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import WIDEST
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.ace.parameters import ExpansionParameters

# with many threads:
TILE = TEAM = WIDEST  # atoms side by side; threads that share the neighbours of an atom
PARTS = 64  # threads that share the products of an atom
CHUNK = 32768  # atoms of one pass
NEAR_ATOMS = 128  # of one CPU thread in a chunk: their numbers stay in its caches
EXACT_THREADS = 16  # that chunks are made for where sums must not depend on the threads


class ExpansionScheme(ChunkedScheme):
    parameters: ExpansionParameters
    precisions = ("double",)
    steady = True
    shares = False  # energies and virials of atoms are wanted, not forces

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.across = self.on_many_threads
        self.width = register_lanes(dtype("real", system.precision), 32) if space.simd and not self.across else 1
        self.tile = TILE if self.across else self.width
        self.short = self.ends = self.order = self.tiles = self.marks = self.starts = View(1, np.int32, space)
        self.scan, self.room = Scan(space), 0
        self.tables: dict[str, View] = {}

    @property
    def on_many_threads(self) -> bool:
        return self.system.space.many_threads

    @property
    def parts(self) -> int:
        return min(PARTS, self.parameters.expansion.sections) if self.across else 1

    @property
    def switched(self) -> bool:
        """One neighbour of each atom has a slope of its own (embed_loops.py)."""
        return False

    # ---- kernels
    def _kernel(self, body: Any, names: str, sums: int = 0, width: int = -1, **more: Any) -> Kernel:
        par, near = self.parameters, self.neighbor
        found = {**par.expansion.statics, **self.rounding, "T": self.tile, "PARTS": self.parts, "EV": sums > 0,
                 "DENSE": near.dense, "PAD": near.pad if self.across else 1, "SHARES": self.shares, "LISTED": par.ordered,
                 "SCALED": par.scaled and not self.shares, "MANY": par.kinds > 2, "NP": len(par.fields),
                 "OUTPUTS": self._outputs, "SWITCHED": self.switched, "CHANNELS": par.expansion.species,
                 "SINGLY": par.expansion.species > 1 and not self.across, **more}
        statics = tuple((name, found[name]) for name in names.split())
        return Kernel(body, sums, self.system.precision, par.fields, statics=statics,
                      width=self.width if width < 0 else width)

    SUMS = "T L SPECIES NUMBERS CHANNEL RADIAL FUNCTIONS DIRECT SIZE PIECES LISTED DENSE"
    PULL = f"{SUMS} EV SHARES SWITCHED SCALED EXACT STEPS NP"

    @property
    def _rows(self) -> Kernel:
        kernel = self._kernel(tile_loops.by_channel, "MANY NP DENSE CHANNELS PAD SINGLY", width=0)
        return replace(kernel, team=self.system.space.team(self.system.atoms.n, self.neighbor.pad)) if self.across else kernel

    def _team(self, kernel: Kernel) -> Kernel:
        return replace(kernel, team=self.team or TEAM, carveout=self.carveout) if self.across else kernel

    @property
    def _sums(self) -> Kernel:
        return self._team(self._kernel(team_loops.team_sums if self.across else lane_loops.sums, self.SUMS))

    @property
    def _evaluate(self) -> Kernel:
        return self._kernel(product_loops.evaluate,
                            "T SPECIES NUMBERS DIRECT SIZE LISTED DENSITIES WIDTH OUTPUTS SECTIONS PARTS")

    @property
    def _weigh(self) -> Kernel:
        return self._kernel(product_loops.weigh, "T SPECIES NUMBERS DIRECT SIZE LISTED DENSITIES WIDTH SLOPES PARTS",
                            PARTS=self._weighing)

    def _forces(self, tally: bool) -> Kernel:
        body = team_loops.team_forces if self.across else lane_loops.forces
        return self._team(self._kernel(body, self.PULL, sums=7 * tally))

    @property
    def _slots(self) -> list[Kernel]:
        return [self._kernel(tile_loops.clear_slots, "T", width=0), self._kernel(tile_loops.mark_species, "SPECIES", width=0),
                self._kernel(tile_loops.fill_slots, "T", width=0)]

    @property
    def _share(self) -> Kernel:
        return self._kernel(embed_loops.share_energies, "T LISTED", width=0)

    # ---- work
    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self.fill_rows()
        with self.forces() as force:
            for chunk in self.chunks():
                self.sum_neighbours(chunk)
                self.evaluate_products(chunk)
                self.bend(chunk, tally)
                self.weigh(chunk)
                self.pull(chunk, force, tally)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py)."""
        self.fill_rows()
        for chunk in self.chunks():
            self.sum_neighbours(chunk)
            self.evaluate_products(chunk)
            self.bend(chunk, None)
            self.weigh(chunk)
            self.pull(chunk, out)
            parallel_for(self.system.space, chunk.end - chunk.begin, self._share, chunk.begin, self.system.atoms.n, self.order,
                         self.tables["energies"], out.view.data)

    def bend(self, chunk: Chunk, tally: Tally | None) -> None:
        """Energies of atoms from `outputs`, into `energies`, and their slopes, into `slopes`; summed, if asked for."""
        raise NotImplementedError

    @property
    def slots(self) -> int:
        """Slots of all atoms: those of each species begin a tile."""
        n, par = self.system.atoms.n, self.parameters
        return -(-n // self.tile + -par.expansion.species) * self.tile if par.ordered else n

    def most_atoms(self) -> int:
        """Slots of one pass, a whole number of tiles."""
        space, asked = self.system.space, self.parameters.chunk
        most = (asked or CHUNK) if self.across else NEAR_ATOMS * (EXACT_THREADS if self.exact else space.threads)
        most = min(asked, most) if asked else most
        return max(most // self.tile, 1) * self.tile

    def fill_rows(self) -> None:
        """The neighbours within the cutoff, by species, and atoms by species, at every step anew."""
        near, atoms, par, space = self.neighbor, self.system.atoms, self.parameters, self.system.space
        pitch, kind = near.count.shape[0], atoms.view("type")
        if self.short.shape[0] != near.neigh.shape[0]:
            self.short = View(near.neigh.shape[0], np.int32, space)
        if self.ends.shape[0] != pitch * par.expansion.species:
            self.ends = View(pitch * par.expansion.species, np.int32, space)
        parallel_for(space, atoms.n, self._rows, atoms.view("x"), kind, par.views["species"], near.neigh, near.count,
                     near.first, near.si, near.sk, par.table, par.kinds, self.short, pitch, self.ends)
        if par.ordered:
            self._fill_slots(kind)

    def _fill_slots(self, kind: View) -> None:
        n, par, space, slots = self.system.atoms.n, self.parameters, self.system.space, self.slots
        if self.order.shape[0] < slots or self.marks.shape[0] < par.expansion.species * n:
            room = int(1.1 * slots) // self.tile * self.tile + 2 * self.tile
            self.order, self.tiles = View(room, np.int32, space), View(room // self.tile, np.int32, space)
            self.marks = View(par.expansion.species * room, np.int32, space)
            self.starts = View(par.expansion.species * room + 1, np.int32, space)
        clear, mark, fill = self._slots
        parallel_for(space, slots, clear, self.order, self.tiles)
        parallel_for(space, n, mark, n, kind, par.views["species"], self.marks)
        self.scan(par.expansion.species * n, self.marks, self.starts)
        parallel_for(space, n, fill, n, kind, par.views["species"], self.starts, self.order, self.tiles)

    @property
    def _outputs(self) -> int:
        """Numbers that `evaluate` leaves for each atom."""
        of = self.parameters.expansion
        return of.densities * self.parts if of.densities else of.outputs

    @property
    def more_tables(self) -> dict[str, int]:
        """Numbers of each atom of a chunk that a style keeps besides."""
        return {}

    @property
    def _weighing(self) -> int:
        """Items of an atom in `weigh`."""
        return self.parameters.expansion.layout.count if self.across else 1

    def _reserve(self, blocks: int) -> None:
        """Tables for the atoms of a chunk."""
        of = self.parameters.expansion
        atoms = -(-blocks * self.width // self.tile) * self.tile
        if atoms <= self.room:
            return
        self.room = min(max(atoms, int(1.1 * atoms) // self.tile * self.tile), self.most_atoms())
        each = {"total": of.size, "weights": of.size, "outputs": self._outputs, "slopes": of.outputs, "energies": 1,
                "nearest": 3 if self.switched else 1, "work": 0 if self.across else 2 * of.table.functions,
                **self.more_tables}
        self.tables = {name: View(max(count * self.room, 1), np.float64, self.system.space) for name, count in each.items()}

    def _slot_views(self, chunk: Chunk) -> tuple[Any, ...]:
        return chunk.begin, self.system.atoms.n, self.order, self.tiles

    def _reading(self, chunk: Chunk) -> tuple[Any, ...]:
        near, atoms = self.neighbor, self.system.atoms
        return (chunk.begin, atoms.n, atoms.view("x"), self.order, self.tiles, self.short, near.first, near.si, near.sk,
                near.filler, near.count.shape[0], self.ends, *self._views("channels pieces rows shells legendre"),
                *([] if self.across else [self.tables["work"]]))

    def sum_neighbours(self, chunk: Chunk) -> None:
        parallel_for(self.system.space, self._items(chunk), self._sums, *self._reading(chunk), self.tables["total"])

    def evaluate_products(self, chunk: Chunk) -> None:
        own = self.tables
        groups = self._views(" ".join(f"forward_{key}" for key in ("ranges", "groups", "factors", "entries", "coefficients")))
        parallel_for(self.system.space, chunk.blocks * self.parts, self._evaluate, chunk.blocks, chunk.begin, self.tiles,
                     *groups, *self._views("direct"), own["total"], own["outputs"])

    def weigh(self, chunk: Chunk) -> None:
        own, keys = self.tables, ("ranges", "groups", "factors", "entries", "outputs", "coefficients")
        groups = self._views(" ".join(f"backward_{key}" for key in keys))
        parallel_for(self.system.space, chunk.blocks * self._weighing, self._weigh, chunk.blocks, chunk.begin, self.tiles,
                     *groups, *self._views("direct"), own["total"], own["slopes"], own["weights"])

    def pull(self, chunk: Chunk, force: ScatterView, tally: Tally | None = None) -> None:
        """Forces on the atoms of a chunk and on their neighbours; 0 and the virial, if asked for."""
        par = self.parameters
        given = (*self._reading(chunk), self.tables["weights"], self.tables["nearest"], par.table, par.kinds, force)
        if tally is not None:
            tally.reduce(self.system.space, self._items(chunk), self._forces(True), *given)
        else:
            parallel_for(self.system.space, self._items(chunk), self._forces(False), *given)
