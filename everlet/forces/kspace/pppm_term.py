"""The term of PPPM: its work of a step, on any space and any number of ranks, which may divide the mesh (mesh.py)."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.forces.kspace import fourier_loops as fourier
from everlet.forces.kspace import pppm_loops as loops
from everlet.forces.kspace import stencil
from everlet.forces.kspace.ewald_loops import own_energies
from everlet.forces.kspace.mesh import LARGE, Divided, Mesh
from everlet.forces.kspace.slab import Slab
from everlet.forces.kspace.summands import Summand
from everlet.forces.terms import Term
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.kernels import register_lanes
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.forces.kspace.pppm import Pppm
    from everlet.neighbor.surroundings import Surroundings

TEAM = 8  # GPU threads of an atom: one for each point of a row
SHIFT = Kernel(loops.shift_box)
SMALL = 1e-7  # aliases whose part of the influence function is smaller are left out
VIRIAL = 6


class PppmTerm(Term):
    """Mesh and g stay as they were chosen; the influence function follows the box."""

    phase = "Kspace"
    part = "kspace"
    energies = ("long",)

    def __init__(self, solver: Pppm, exact: bool = False, summand: Summand | None = None):
        self.solver, self.system, self.name, self.exact = solver, solver.system, solver.name, exact
        self.summand = summand or Summand(solver)
        space, order = self.system.space, solver.order
        self.ik, self.tilted = solver.settings.diff == "ik", self.system.need_box().triclinic

        def filled(tables: list[np.ndarray]) -> View:
            values = np.concatenate([table.ravel() for table in tables])
            view = View(values.size, np.float64, space)
            view.put(values)
            return view

        self.coef = filled([stencil.coefficients(order)])
        aliases = (stencil.all_aliases, stencil.alternating_aliases)[: 2 if solver.staggered else 1]
        self.aliases = filled([sums(order, n) for sums in aliases for n in solver.mesh])
        self.shifted = View(len(self.system.need_box().params()), np.float64, space)
        self.windows = filled([stencil.transform(order, n) ** 2 for n in solver.mesh])
        self.overlaps = filled([overlaps(order, n) for n in solver.mesh])
        self.own = View(6, np.float64, space)
        self.slab = Slab(solver) if solver.settings.slabs and not self.summand.disperses else None
        self.meshes: dict[bool, Mesh] = {}
        self._kernels(order)

    @property
    def divided(self) -> bool:
        """Ranks have parts of the mesh."""
        return self.system.ranks.size > 1 and math.prod(self.solver.mesh) >= LARGE

    @property
    def mesh(self) -> Mesh:
        """Of the present ranks: between runs each of them has all atoms."""
        found = self.meshes.get(self.divided)
        if found is None:
            kind = Divided if self.divided else Mesh
            found = self.meshes[self.divided] = kind(self.solver, 3 if self.ik else 1, self.exact, self.summand)
        return found

    def rebuilt(self) -> None:
        self.mesh.follow()

    def _kernels(self, order: int) -> None:
        space = self.system.space
        width = min(register_lanes(np.float64), stencil.PITCH) if space.simd else 0
        lanes: dict[str, Any] = {"width": width, "team": space.shared(TEAM)}
        shape = (("P", order),)
        points = (*shape, ("ODD", order % 2 == 1), ("PITCH", stencil.PITCH))
        self.spread = {part: Kernel(loops.spread, statics=(*points, ("PART", part), ("EXACT", self.exact)), **lanes)
                       for part in (False, True)}
        kind = ("DISPERSION", self.summand.disperses), ("slope_of", self.summand.spectrum)
        self.influence = Kernel(fourier.influence, statics=(*shape, ("TILTED", self.tilted), kind[0],
                                                           ("STAGGERED", self.solver.staggered)))
        self.solve = {tally: Kernel(fourier.solve, 7 if tally else 0,
                                    statics=(("IK", self.ik), ("EV", tally), ("TILTED", self.tilted), kind[1]))
                      for tally in (False, True)}
        self.interpolate = Kernel(loops.interpolate, statics=(*points, ("IK", self.ik)), **lanes)
        self.self_forces = Kernel(fourier.self_forces, 6)
        self.component = Kernel(fourier.component, statics=(("TILTED", self.tilted), kind[1]))
        self.read_off, self.own_energies = Kernel(loops.read_off, statics=points, **lanes), Kernel(own_energies)

    @property
    def repeatable(self) -> bool:  # type: ignore[override]
        return self.exact or not self.system.space.atomics

    @property
    def steady(self) -> bool:  # type: ignore[override]
        """Ranks send numbers of meshes, and the slab correction adds up its sums on the host."""
        return self.system.ranks.size == 1 and self.slab is None

    # ---- a step
    @property
    def weight(self) -> float:
        """Of each mesh in the sum."""
        return 0.5 if self.solver.staggered else 1.0

    def boxes(self, box: View) -> Iterator[View]:
        """The box as the meshes see it, one after the other: the second of two begins half a cell before it."""
        yield box
        if self.solver.staggered:
            parallel_for(self.system.space, 1, SHIFT, box, self.solver.settings.slab, *self.solver.mesh, self.shifted)
            yield self.shifted

    def places(self) -> View:
        """Where charges are."""
        return self.system.atoms.view("x")

    def target(self) -> View:
        """Forces on charges are added here."""
        return self.system.atoms.view("f", modify=True)

    def _renew(self, mesh: Mesh, box: View) -> None:
        """The influence function for the present box; of one that changes, by kernels, at every step."""
        solver, space = self.solver, self.system.space
        settings, now = solver.settings, self.system.need_box().params().tobytes() + np.float64(self._factor()).tobytes()
        if now == mesh.made and not any(fix.changes_box for fix in self.system.fixes.values()):
            return
        mesh.made = now
        parallel_for(space, mesh.vectors, self.influence, box, settings.slab, self._factor(), solver.g, *solver.mesh,
                     *mesh.place, *self._reach(), self.aliases, self.windows, mesh.green, mesh.odd)
        if not self.ik:
            parallel_reduce(space, mesh.vectors, self.self_forces, *solver.mesh, *mesh.place, mesh.green, self.overlaps,
                            into=self.own)
            if mesh.part:
                self.own.data[:] = space.from_host(self.system.ranks.sum(self.own.get()))

    def _factor(self) -> float:
        """What the influence function is multiplied by."""
        part = self.summand
        return self.weight * (part.constant if part.disperses else self.solver.four_pi * part.constant)

    def _reach(self) -> tuple[int, int, int]:
        """Aliases of each sign along the axes that the influence function needs."""
        if not self.ik or self.summand.disperses:
            return 0, 0, 0
        a, b, c = (self.solver.g / (math.pi * n) * (-math.log(SMALL)) ** 0.25 for n in self.solver.mesh)
        lx, ly, lz, yz, xz, xy = np.abs(self.system.need_box().h)
        return int(lx * a), int(xy * a + ly * b), int(xz * a + yz * b + lz * self.solver.settings.slab * c)

    def _density(self, box: View) -> Mesh:
        """Charges on the mesh, and their spectrum."""
        atoms, space, mesh = self.system.atoms, self.system.space, self.mesh
        while True:
            mesh.scattered.reset(mesh.size)
            parallel_for(space, atoms.n, self.spread[mesh.part], self.places(), self.summand.values(), box,
                         self.solver.settings.slab, *mesh.cell, self.coef, mesh.scale, space.control, mesh.scattered)
            mesh.scattered.collect(mesh.size)
            if mesh.fits():
                break
        self._renew(mesh, box)
        mesh.density()
        return mesh

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        solver, atoms, space, box = self.solver, self.system.atoms, self.system.space, self.system.box_view()
        settings = solver.settings
        if not settings.compute:
            return
        for seen in self.boxes(box):
            mesh = self._density(seen)
            arguments = (box, settings.slab, solver.g, *(self.weight * one for one in self.summand.constants()), *solver.mesh,
                         *mesh.place, mesh.green, mesh.odd, mesh.spectrum, mesh.waves)
            if tally is not None and mesh.shares and mesh.vectors:
                tally.reduce(space, mesh.vectors, self.solve[True], *arguments)
            else:
                parallel_for(space, mesh.vectors, self.solve[False], *arguments)
            mesh.fields(mesh.batch)
            parallel_for(space, atoms.n, self.interpolate, self.places(), self.summand.values(), seen, settings.slab,
                         0.0 if settings.nozforce else 1.0, *mesh.cell, self.coef, mesh.brick, self.own, self.target())
        if self.slab:
            energy = self.slab.compute(self.places(), self.target())
            if tally is not None and self.system.ranks.rank == 0:
                tally.add([energy])

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        """The potential at each atom, and what the virial has in its place, one after the other."""
        solver, atoms, space, box = self.solver, self.system.atoms, self.system.space, near.system.box_view()
        slab, volume = solver.settings.slab, float(np.prod(solver.lengths))
        for seen in self.boxes(box):
            mesh = self._density(seen)
            for which in range(VIRIAL + 1):
                parallel_for(space, mesh.vectors, self.component, which, box, slab, solver.g, *solver.mesh, *mesh.place,
                             mesh.green, mesh.odd, mesh.spectrum, mesh.waves)
                mesh.fields(1)
                parallel_for(space, atoms.n, self.read_off, self.places(), self.summand.values(), seen, slab, *mesh.cell,
                             self.coef, mesh.brick,
                             *((1, 0, energy.data) if which == 0 else (VIRIAL, which - 1, virial.data)))
        parallel_for(space, atoms.n, self.own_energies, *self.summand.of_each(volume), energy, virial)
        if self.slab:
            self.slab.peratom(self.places(), energy)


def overlaps(order: int, n: int) -> np.ndarray:
    """Sums over aliases m of U(i + m) U(i + m + r) for r = 0, 1, 2 and each mesh index i: (3, n)."""
    reach = 2
    u = {m: stencil.transform(order, n, m) for m in range(-reach, reach + 3)}
    return np.array([sum(u[m] * u[m + r] for m in range(-reach, reach + 1)) for r in range(3)])
