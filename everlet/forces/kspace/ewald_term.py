"""The term of the Ewald sum: its work of a step, on any space and any number of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.forces.kspace import ewald_loops as loops
from everlet.forces.kspace.slab import Slab
from everlet.forces.kspace.summands import SPECTRA, Summand
from everlet.forces.terms import Term
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import lane_width
from everlet.portable.traits import WIDEST
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.forces.kspace.ewald import Ewald
    from everlet.neighbor.surroundings import Surroundings

TILE = WIDEST  # atoms whose tables are side by side
CHUNK = 1024  # atoms of one sum


class EwaldTerm(Term):
    """Tables of phases are kept from the structure factors to the forces."""

    phase = "Kspace"
    part = "kspace"
    name = "ewald"
    energies = ("long",)

    def __init__(self, solver: Ewald):
        self.solver, self.system = solver, solver.system
        space = self.system.space
        many = space.many_threads
        self.lanes = lane_width(space.target, "double")
        self.rows, self.columns, self.vectors = (4, 4, 1) if many else (1, 4, 2)
        statics: dict[str, Any] = {"T": TILE, "R": self.rows, "U": self.columns}
        fixed = tuple(statics.items())
        self.make_tables = Kernel(loops.axis_tables, statics=(("T", TILE),))
        self.sum_up = Kernel(loops.structure_factors, team=WIDEST, statics=(*fixed, ("CHUNK", CHUNK)))
        blocks = ("R", self.rows), ("U", self.columns)
        self.weigh = {(of, tally): Kernel(loops.weights, 7 if tally else 0, statics=(*blocks, ("EV", tally), ("spectrum", of)))
                      for of in SPECTRA for tally in (False, True)}
        self.push = Kernel(loops.forces, statics=(*fixed, ("V", self.vectors)))
        self.atoms_own = {of: Kernel(loops.of_atoms, statics=(*fixed, ("spectrum", of))) for of in SPECTRA}
        self.add_up, self.own = Kernel(loops.add_chunks), Kernel(loops.own_energies)
        self.table = self.sums = self.pull = View(0, np.float64, space)
        self.group_of = self.groups = View(0, np.int32, space)
        self._listed: tuple[Any, ...] = ()
        self.slab = Slab(solver) if solver.settings.slabs else None
        self.parts = solver.parts()

    @property
    def steady(self) -> bool:  # type: ignore[override]
        """Vectors are chosen anew when the box changes, by the host; ranks add up their sums there."""
        changes = any(fix.changes_box for fix in self.system.fixes.values())
        return not changes and self.system.ranks.size == 1 and self.slab is None

    # ---- vectors
    def _list(self, box: np.ndarray) -> None:
        """Groups of blocks that hold all vectors of the sum."""
        key = (box.tobytes(), self.solver.g)
        if key == self._listed:
            return
        first = not self._listed
        self._listed = key
        if not first:
            self.solver.vectors()
        self.x, self.y, self.z = self.solver.reach
        inside = self.solver.inside()
        both = inside[:, :, self.z :] | inside[:, :, self.z :: -1]
        longest = np.where(both.any(2), both.shape[2] - np.argmax(both[:, :, ::-1], 2), 0)  # columns of each row
        longest = np.pad(longest, ((0, 0), (0, -longest.shape[1] % self.rows)))
        heights = -(-longest.reshape(self.x + 1, -1, self.rows).max(2) // self.columns)
        nx, ny = np.nonzero(heights)
        counts = heights[nx, ny]
        starts = np.concatenate([[0], np.cumsum(counts)])
        self.blocks, self.groups_n = int(starts[-1]), len(nx)
        groups = np.stack([nx, ny * self.rows - self.y, starts[:-1], counts], 1)
        self.groups = self._filled(self.groups, groups.ravel())
        self.group_of = self._filled(self.group_of, np.repeat(np.arange(len(nx)), counts))
        self.sizes = (self.x + 1, self.y, 2 * self.y + 1 + self.rows, self.z + 1 + self.columns)

    def _filled(self, view: View, values: np.ndarray) -> View:
        found = self._room(view, len(values))
        found.data[: len(values)] = self.system.space.from_host(values.astype(view.dtype))
        return found

    def _room(self, view: View, size: int) -> View:
        return view if view.shape[0] >= size else View(size + size // 8, view.dtype, self.system.space)

    # ---- a step
    def _structure(self, part: Summand, box: View, tally: Tally | None) -> None:
        """Tables of phases, structure factors, and what forces need of them; with tally energy and virial."""
        system, solver, atoms, space = self.system, self.solver, self.system.atoms, self.system.space
        self._list(system.need_box().params())
        n, size = atoms.n, self.blocks * self.rows * self.columns
        tiles = max(1, -(-n // TILE))
        chunks = -(-tiles * TILE // CHUNK)
        nx, _, ny, nz = self.sizes
        self.table = self._room(self.table, tiles * TILE * 2 * (nx + ny + nz))
        self.sums, self.pull = self._room(self.sums, chunks * 4 * size), self._room(self.pull, 4 * size)
        parallel_for(space, tiles * TILE // self.lanes, self.make_tables, n, atoms.view("x"), part.values(), box,
                     solver.settings.slab, *self.sizes, self.table)
        parallel_for(space, chunks * self.blocks, self.sum_up, tiles * TILE, self.blocks, self.group_of, self.groups,
                     *self.sizes, self.table, self.sums)
        parallel_for(space, 4 * size, self.add_up, chunks, 4 * size, self.sums)
        if system.ranks.size > 1:
            total = system.ranks.sum(space.to_host(self.sums.data[: 4 * size]))
            self.sums.data[: 4 * size] = space.from_host(total)
        arguments = (part.constant, solver.g, solver.k2max, solver.settings.slab, *solver.kmax, solver.longest, box,
                     self.group_of, self.groups, self.sums, self.pull)
        if tally is not None and system.ranks.rank == 0:  # every rank has the sums of all
            tally.reduce(space, size, self.weigh[part.spectrum, True], *arguments)
        else:
            parallel_for(space, size, self.weigh[part.spectrum, False], *arguments)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        if not self.solver.settings.compute:
            return
        atoms, space, solver = self.system.atoms, self.system.space, self.solver
        box = self.system.box_view()
        tiles, volume = max(1, -(-atoms.n // TILE)), float(np.prod(solver.lengths))
        for part in self.parts:
            self._structure(part, box, tally)
            parallel_for(space, tiles * TILE // (self.lanes * self.vectors), self.push, atoms.n, self.groups_n, self.groups,
                         box, solver.settings.slab, 0.0 if solver.settings.nozforce else 1.0, *self.sizes, self.table,
                         self.pull, atoms.view("f", modify=True))
        slab = self.slab.compute(atoms.view("x"), atoms.view("f", modify=True)) if self.slab else 0.0
        if tally is not None and self.system.ranks.rank == 0:
            own = np.sum([part.own(volume) for part in self.parts], axis=0)
            tally.add([own[0] + own[1] + slab, *[own[2]] * 3])

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        atoms, space, solver = self.system.atoms, self.system.space, self.solver
        box = near.system.box_view()
        for part in self.parts:
            self._structure(part, box, None)
            parallel_for(space, atoms.n, self.atoms_own[part.spectrum], self.groups_n, self.groups, box, solver.settings.slab,
                         solver.g, *self.sizes, self.table, self.pull, energy, virial)
            parallel_for(space, atoms.n, self.own, *part.of_each(float(np.prod(solver.lengths))), energy, virial)
        if self.slab:
            self.slab.peratom(atoms.view("x"), energy)
