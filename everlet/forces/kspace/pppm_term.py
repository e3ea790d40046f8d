"""The term of PPPM: its work of a step, on any space and any number of ranks. Ranks add up their meshes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.forces.kspace import fourier_loops as fourier
from everlet.forces.kspace import pppm_loops as loops
from everlet.forces.kspace import stencil
from everlet.forces.kspace.ewald_loops import own_energies
from everlet.forces.kspace.pppm import Pppm
from everlet.forces.kspace.slab import Slab
from everlet.forces.terms import Term
from everlet.portable import Kernel, ScatterView, View, parallel_for, parallel_reduce
from everlet.portable.fft import RealTransform
from everlet.portable.kernels import register_lanes
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings

TEAM = 8  # GPU threads of an atom: one for each point of a row
SMALL = 1e-7  # aliases whose part of the influence function is smaller are left out
VIRIAL = 6
FOUR_PI = {"ik": 12.5663706, "ad": 4.0 * math.pi}  # the digits of the reference, which its forces show in the ninth place


class PppmTerm(Term):
    """Mesh and g stay as they were chosen; the influence function follows the box."""

    phase = "Kspace"
    part = "kspace"
    energies = ("long",)

    def __init__(self, solver: Pppm):
        self.solver, self.system, self.name = solver, solver.system, solver.name
        space, order, (x, y, z) = self.system.space, solver.order, solver.mesh
        self.ik, self.tilted = solver.settings.diff == "ik", self.system.need_box().triclinic
        self.pitch = z + order + 1 + stencil.PITCH
        self.brick_size = (x + order + 1) * (y + order + 1) * self.pitch
        self.fields = 3 if self.ik else 1
        self.transform = RealTransform(space, solver.mesh, self.fields)
        points, vectors = self.transform.points, self.transform.vectors

        def room(size: int) -> View:
            return View(size, np.float64, space)

        def filled(values: np.ndarray) -> View:
            view = room(values.size)
            view.put(values.ravel())
            return view

        self.coef = filled(stencil.coefficients(order))
        self.aliases = filled(np.concatenate([stencil.all_aliases(order, n) for n in solver.mesh]))
        self.overlaps = filled(np.concatenate([overlaps(order, n).ravel() for n in solver.mesh]))
        self.charges, self.brick = room(self.brick_size), room(self.fields * self.brick_size)
        self.scattered = ScatterView(self.charges)
        self.mesh, self.spectrum = room(self.fields * points), room(2 * vectors)
        self.waves, self.green = room(2 * self.fields * vectors), room(vectors)
        self.odd, self.own = room(vectors if self.tilted else 1), room(6)
        self.slab = Slab(solver) if solver.settings.slabs else None
        self._kernels(order)
        self._made: Any = None  # the box that the influence function was made for

    def _kernels(self, order: int) -> None:
        space = self.system.space
        width = min(register_lanes(np.float64), stencil.PITCH) if space.target == "cpu" else 0
        lanes: dict[str, Any] = {"width": width, "team": TEAM if space.many_threads else 1}
        shape = (("P", order),)
        points = (*shape, ("ODD", order % 2 == 1), ("PITCH", stencil.PITCH))
        self.spread = Kernel(loops.spread, statics=points, **lanes)
        self.fold, self.fill = Kernel(loops.fold, statics=shape), Kernel(loops.fill, statics=shape)
        self.influence = Kernel(fourier.influence, statics=(*shape, ("TILTED", self.tilted)))
        self.solve = {tally: Kernel(fourier.solve, 7 if tally else 0,
                                    statics=(("IK", self.ik), ("EV", tally), ("TILTED", self.tilted)))
                      for tally in (False, True)}
        self.interpolate = Kernel(loops.interpolate, statics=(*points, ("IK", self.ik)), **lanes)
        self.self_forces = Kernel(fourier.self_forces, 6)
        self.component = Kernel(fourier.component, statics=(("TILTED", self.tilted),))
        self.read_off, self.own_energies = Kernel(loops.read_off, statics=points, **lanes), Kernel(own_energies)

    @property
    def repeatable(self) -> bool:  # type: ignore[override]
        return not self.system.space.atomics

    @property
    def steady(self) -> bool:  # type: ignore[override]
        """Ranks add up meshes, and the slab correction its sums, on the host."""
        return self.system.ranks.size == 1 and self.slab is None

    def kernels(self) -> list[Kernel]:
        found = [self.spread, self.fold, self.fill, self.influence, *self.solve.values(), self.interpolate,
                 *self.scattered.kernels()]
        return found + ([] if self.ik else [self.self_forces]) + (self.slab.kernels() if self.slab else [])

    def peratom_kernels(self, near: Surroundings) -> list[Kernel]:
        return [self.component, self.read_off, self.own_energies]

    # ---- a step
    def places(self) -> View:
        """Where charges are."""
        return self.system.atoms.view("x")

    def target(self) -> View:
        """Forces on charges are added here."""
        return self.system.atoms.view("f", modify=True)

    @property
    def _cell(self) -> tuple[Any, ...]:
        return *self.solver.mesh, self.pitch

    def _renew(self, box: View) -> None:
        """The influence function for the present box; of one that changes, by kernels, at every step."""
        solver, space = self.solver, self.system.space
        settings, now = solver.settings, self.system.need_box().params().tobytes()
        if now == self._made and not any(fix.changes_box for fix in self.system.fixes.values()):
            return
        self._made = now
        parallel_for(space, self.transform.vectors, self.influence, box, settings.slab,
                     FOUR_PI[settings.diff] * solver.constant, solver.g, *solver.mesh, *self._reach(),
                     self.aliases, self.green, self.odd)
        if not self.ik:
            parallel_reduce(space, self.transform.vectors, self.self_forces, *solver.mesh, self.green, self.overlaps,
                            into=self.own)

    def _reach(self) -> tuple[int, int, int]:
        """Aliases of each sign along the axes that the influence function needs."""
        if not self.ik:
            return 0, 0, 0
        a, b, c = (self.solver.g / (math.pi * n) * (-math.log(SMALL)) ** 0.25 for n in self.solver.mesh)
        lx, ly, lz, yz, xz, xy = np.abs(self.system.need_box().h)
        return int(lx * a), int(xy * a + ly * b), int(xz * a + yz * b + lz * self.solver.settings.slab * c)

    def _density(self, box: View) -> None:
        """Charges on the mesh, and their spectrum."""
        atoms, space, ranks = self.system.atoms, self.system.space, self.system.ranks
        self._renew(box)
        self.scattered.reset(self.brick_size)
        parallel_for(space, atoms.n, self.spread, self.places(), atoms.view("q"), box, self.solver.settings.slab, *self._cell,
                     self.coef, self.scattered)
        self.scattered.collect(self.brick_size)
        parallel_for(space, self.transform.points, self.fold, *self._cell, self.charges, self.mesh)
        if ranks.size > 1:
            points = self.transform.points
            self.mesh.data[:points] = space.from_host(ranks.sum(space.to_host(self.mesh.data[:points])))
        self.transform.forward(self.mesh, self.spectrum)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        solver, atoms, space, box = self.solver, self.system.atoms, self.system.space, comm.box.view
        settings = solver.settings
        if not settings.compute:
            return
        self._density(box)
        arguments = (box, settings.slab, solver.constant, solver.g, solver.qsum, solver.qsqsum, *solver.mesh, self.green,
                     self.odd, self.spectrum, self.waves)
        mine = tally if self.system.ranks.rank == 0 else None  # every rank has the mesh of all
        if mine is not None:
            mine.reduce(space, self.transform.vectors, self.solve[True], *arguments)
        else:
            parallel_for(space, self.transform.vectors, self.solve[False], *arguments)
        self.transform.backward(self.waves, self.mesh, self.fields)
        parallel_for(space, self.brick_size, self.fill, *self._cell, self.fields, self.mesh, self.brick)
        parallel_for(space, atoms.n, self.interpolate, self.places(), atoms.view("q"), box, settings.slab,
                     0.0 if settings.nozforce else 1.0, *self._cell, self.coef, self.brick, self.own, self.target())
        if self.slab:
            energy = self.slab.compute(self.places(), self.target())
            if mine is not None:
                mine.add([energy])

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        """The potential at each atom, and what the virial has in its place, one after the other."""
        solver, atoms, space, box = self.solver, self.system.atoms, self.system.space, near.comm.box.view
        slab, volume = solver.settings.slab, float(np.prod(solver.lengths))
        self._density(box)
        for which in range(VIRIAL + 1):
            parallel_for(space, self.transform.vectors, self.component, which, box, slab, solver.g, *solver.mesh, self.green,
                         self.odd, self.spectrum, self.waves)
            self.transform.backward(self.waves, self.mesh)
            parallel_for(space, self.brick_size, self.fill, *self._cell, 1, self.mesh, self.brick)
            parallel_for(space, atoms.n, self.read_off, self.places(), atoms.view("q"), box, slab, *self._cell, self.coef,
                         self.brick, *((1, 0, energy.data) if which == 0 else (VIRIAL, which - 1, virial.data)))
        parallel_for(space, atoms.n, self.own_energies, solver.constant * solver.g / math.sqrt(math.pi), atoms.view("q"),
                     solver.constant * math.pi * solver.qsum / (2.0 * solver.g**2 * volume), energy)
        if self.slab:
            self.slab.peratom(self.places(), energy)

    def bytes(self) -> int:
        views = (self.charges, self.brick, self.mesh, self.spectrum, self.waves, self.green, self.odd)
        return sum(view.data.nbytes for view in views)


def overlaps(order: int, n: int) -> np.ndarray:
    """Sums over aliases m of U(i + m) U(i + m + r) for r = 0, 1, 2 and each mesh index i: (3, n)."""
    reach = 2
    u = {m: stencil.transform(order, n, m) for m in range(-reach, reach + 3)}
    return np.array([sum(u[m] * u[m + r] for m in range(-reach, reach + 1)) for r in range(3)])
