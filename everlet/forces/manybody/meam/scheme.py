"""How MEAM does its work: rows, screening, densities, forces. Rows are those of full lists, so that nothing is sent to ghosts
in between: an atom's own energy, with half of its pairs, gives its forces.

    rows        neighbours that are in the cutoff, or near enough to screen one that is
    screen      those in the cutoff of which something is left between the others
    densities   energies of atoms, and what their slopes are made of
    forces      along pairs; then those on the atoms in between
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.eam.schemes import ShortRows
from everlet.forces.manybody.meam import density_loops, force_loops, screening_loops
from everlet.forces.manybody.meam.physics import SET
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.kernels import register_lanes
from everlet.portable.language.dtypes import dtype
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import WIDEST, powers
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

meam_scheme: Registry[type[Scheme]] = Registry("scheme of meam")


@meam_scheme("full")
class MeamScheme(ScatteredScheme):
    steady = True
    precisions = ("double",)
    knobs: ClassVar = {"team": powers(WIDEST)}
    parameters: Any  # MeamParameters, which know this file
    shares = False  # energies and virials of atoms are wanted, not forces

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        self.rows = ShortRows(system, neighbor, parameters)
        self.short = self.count = View(0, np.int32, system.space)
        self.left = self.pull = self.numbers = View(0, np.float64, system.space)
        self.none = View(1, np.float64, system.space)
        self.width = register_lanes(dtype("real", system.precision)) if system.space.simd else 0

    # ---- kernels
    def _kernel(self, body: Any, sums: int, names: str, fields: tuple[str, ...]) -> Kernel:
        par, space = self.parameters, self.system.space
        found = {**par.settings, **self.rounding, "EV": sums > 0, "DENSE": self.neighbor.dense, "SHARES": self.shares,
                 "SCALED": par.scaled and not self.shares, "MANY": par.kinds > 2, "NP": len(fields)}
        team = self.team or space.team(self.system.atoms.n, self.neighbor.pad)
        statics = tuple((name, found[name]) for name in names.split())
        return Kernel(body, sums, self.system.precision, fields, team, statics=statics, width=self.width)

    @property
    def _screen(self) -> Kernel:
        return self._kernel(screening_loops.screen, 0, "MANY NP DENSE", self.parameters.triple_fields)

    def _densities(self, tally: bool) -> Kernel:
        return self._kernel(density_loops.density_loop, int(tally), "MANY NP DENSE AVERAGE MINUS MIXED SHARES EV",
                            self.parameters.fields)

    def _forces(self, tally: bool) -> Kernel:
        return self._kernel(force_loops.force_loop, 7 * tally, "MANY NP DENSE AVERAGE MINUS SHARES EV SCALED EXACT STEPS",
                            self.parameters.fields)

    def _between(self, tally: bool) -> Kernel:
        return self._kernel(screening_loops.screening_forces, 6 * tally, "MANY NP DENSE SHARES EV SCALED EXACT STEPS",
                            self.parameters.triple_fields)

    # ---- work
    def _reserve(self) -> None:
        near, space, par, n = self.neighbor, self.system.space, self.parameters, self.system.atoms.n
        if self.short.shape[0] != near.neigh.shape[0]:
            self.short = View(near.neigh.shape[0], np.int32, space)
            self.left, self.pull = (View(near.neigh.shape[0], np.float64, space) for _ in range(2))
        if self.count.shape[0] != near.count.shape[0]:
            self.count = View(near.count.shape[0], np.int32, space)
        self.size = density_loops.SETS + SET * par.sets
        if self.numbers.shape[0] < n * self.size:
            self.numbers = View(int(1.1 * n + 8) * self.size, np.float64, space)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        with self.forces() as force:
            self._launch(tally, force, self.none)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py): of those of pairs both atoms have half, of those of
        three a third."""
        self._launch(None, out, out.view.data)

    def _launch(self, tally: Tally | None, force: ScatterView, own: Any) -> None:
        near, atoms, par = self.neighbor, self.system.atoms, self.parameters
        self._reserve()
        self.rows.fill()
        x, kind, n = atoms.view("x"), atoms.view("type"), atoms.n
        limits = par.triples, par.kinds, par.highest
        rows = x, kind, self.rows.neigh, self.rows.count, near.first, near.si, near.sk, near.filler, *limits
        packed = x, kind, self.short, self.count, near.first, near.si, near.sk, near.filler, self.left, par.table, par.kinds
        side_by_side = self.system.space.many_threads
        numbers = (1, self.numbers.shape[0] // self.size) if side_by_side else (self.size, 1)
        ends = par.cut, 1.0 / par.fade
        parallel_for(self.system.space, n, self._screen, *rows, par.cut**2, self.short, self.count, self.left)
        self._run(tally, 0, self._densities, *packed, *ends, par.elements, *numbers, self.numbers, own)
        self._run(tally, 0, self._forces, *packed, *ends, par.data, *par.grid, *numbers, self.numbers, self.pull, force)
        self._run(tally, 1, self._between, *rows, self.short, self.count, self.pull, force)

    def _run(self, tally: Tally | None, at: int, kernel: Any, *given: Any) -> None:
        """A loop whose sums are part of the tally, from number `at` on."""
        if tally is None:
            parallel_for(self.system.space, self.system.atoms.n, kernel(False), *given)
        else:
            tally.reduce(self.system.space, self.system.atoms.n, kernel(True), *given, at=at)
