"""The term of multilevel summation. Each rank has all meshes; charges on the finest are summed over ranks."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.forces.kspace import msm_loops, pppm_loops, splitting, stencil
from everlet.forces.kspace.ewald_loops import own_energies
from everlet.forces.kspace.mesh import FOLD, PICK, Mesh
from everlet.forces.kspace.msm_levels import Level, levels, made_by_charges
from everlet.forces.kspace.summands import Summand
from everlet.forces.terms import Term
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.portable.fft import RealTransform
from everlet.portable.kernels import register_lanes
from everlet.state.ledger import Tally

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings

PITCH, TEAM, FIELDS = 16, 8, 7
COPY, MULTIPLY, DIRECTLY, TOTALS = (Kernel(msm_loops.copy), Kernel(msm_loops.multiply), Kernel(msm_loops.directly),
                                    Kernel(msm_loops.totals, 7))
OWN = Kernel(own_energies)


class LevelMesh:
    """The numbers of one level in a space."""

    def __init__(self, level: Level, space: Any):
        self.level, self.space, self.count = level, space, level.count
        self.charges, self.values = View(self.count, np.float64, space), View(self.count, np.float64, space)
        self.transform = RealTransform(space, level.size) if min(level.size) > 1 else None
        self.entries = self.count if self.transform is None else self.transform.vectors
        self.green = View(FIELDS * self.entries, np.float64, space)
        if self.transform is not None:
            self.work, self.waves = View(self.count, np.float64, space), View(2 * self.entries, np.float64, space)

    def put(self, made: np.ndarray) -> None:
        """What charges make, (7, *size)."""
        if self.transform is not None:
            made = np.fft.rfftn(made, axes=(1, 2, 3)).real / self.count
        self.green.put(np.ascontiguousarray(made).reshape(-1))

    def solve(self, which: int) -> None:
        """Potentials, or a part of the virial, at the points from charges there."""
        if self.transform is None:
            parallel_for(self.space, self.count, DIRECTLY, *self.level.size, self.green, which * self.entries, self.charges,
                         self.values)
            return
        parallel_for(self.space, self.count, COPY, self.charges, 0, self.work)
        self.transform.forward(self.work, self.waves)
        parallel_for(self.space, self.entries, MULTIPLY, self.green, which * self.entries, self.waves)
        self.transform.backward(self.waves, self.values)


class MsmTerm(Term):
    """Meshes stay as they were chosen; what charges make follows the box."""

    phase = "Kspace"
    part = "kspace"
    energies = ("long",)

    def __init__(self, solver: Any, exact: bool = False):
        self.solver, self.system, self.name, self.exact = solver, solver.system, solver.name, exact
        space, box = self.system.space, self.system.need_box()
        self.periodic = np.array(box.periodic, bool)
        found = levels(solver.mesh, self.periodic, np.array(box.lengths), solver.order, solver.cut)
        self.levels = [LevelMesh(level, space) for level in found]
        self.made, self.box = b"", Constants(len(box.params()), space)
        self.summand = Summand(solver)
        self.mesh = Mesh(SimpleNamespace(system=self.system, order=solver.order, mesh=found[0].size),  # type: ignore[arg-type]
                         1, exact, self.summand)
        coef = stencil.coefficients(solver.order, splitting.weights(solver.order), PITCH)
        self.coef, self.half = View(coef.size, np.float64, space), View(solver.order, np.float64, space)
        self.coef.put(coef)
        self.half.put(splitting.halves(solver.order))
        self.own = View(6, np.float64, space)  # the correction of other stencils, which these do not need
        self.fields = View(FIELDS * self.levels[0].count, np.float64, space)
        most = max(a.count * 8 for a in self.levels)
        self.between = [View(most, np.float64, space) for _ in range(2)]
        self._kernels(solver.order)

    def _kernels(self, order: int) -> None:
        space = self.system.space
        lanes: dict[str, Any] = {"width": register_lanes(np.float64) if space.simd else 0, "team": space.shared(TEAM)}
        points = (("P", order), ("ODD", False), ("PITCH", PITCH))
        self.spread = Kernel(pppm_loops.spread, statics=(*points, ("PART", False), ("EXACT", self.exact)), **lanes)
        self.interpolate = Kernel(pppm_loops.interpolate, statics=(*points, ("IK", False)), **lanes)
        self.read_off = Kernel(pppm_loops.read_off, statics=points, **lanes)
        self.resample = {(back, add): Kernel(msm_loops.resample, statics=(("P", order), ("BACK", back), ("ADD", add)))
                         for back, add in ((False, False), (True, False), (True, True))}

    @property
    def repeatable(self) -> bool:  # type: ignore[override]
        return self.exact or not self.system.space.atomics

    @property
    def steady(self) -> bool:  # type: ignore[override]
        """Ranks send numbers of meshes, and what charges make in another box is found on the host."""
        return self.system.ranks.size == 1 and all(self.system.need_box().periodic) and not any(
            fix.changes_box for fix in self.system.fixes.values())

    def rebuilt(self) -> None:
        """Nothing depends on ghosts."""

    # ---- a step
    def _follow_box(self) -> None:
        box, solver = self.system.need_box(), self.solver
        params = box.params()
        now = params.tobytes() + np.float64(solver.scale).tobytes()
        if now == self.made:
            return
        self.made = now
        found = levels(solver.mesh, self.periodic, np.array(box.lengths), solver.order, solver.cut)
        for mesh, level in zip(self.levels, found, strict=True):
            mesh.level = level
            mesh.put(made_by_charges(level, solver.order, solver.constant, self.periodic))
        longer = params.copy()  # as long as the numbers of the finest mesh
        longer[9:12] *= np.array(solver.mesh) / np.array(found[0].size)
        self.box.set(longer)

    def _between(self, fine: LevelMesh, coarse: LevelMesh, back: bool) -> None:
        """Charges to the coarser mesh, or potentials back, which are added; one axis after the other."""
        axes = [axis for axis in range(3) if fine.level.n[axis] > 1]  # along which the levels differ
        one, other = (coarse.level, fine.level) if back else (fine.level, coarse.level)
        now, target = (coarse.values, fine.values) if back else (fine.charges, coarse.charges)
        size = list(one.size)
        for step, axis in enumerate(axes):
            last = step == len(axes) - 1
            size[axis] = other.size[axis]
            to = target if last else self.between[step % 2]
            numbers = [int(number) for level in (one, other) for number in (level.size[axis], level.lo[axis], level.hi[axis])]
            parallel_for(self.system.space, int(np.prod(size)), self.resample[back, back and last],
                         int(np.prod(size[axis + 1 :])), *numbers, int(not self.periodic[axis]), self.half, now, to)
            now = to

    def _charges(self) -> None:
        """On all meshes."""
        atoms, space, mesh, ranks = self.system.atoms, self.system.space, self.mesh, self.system.ranks
        fine = self.levels[0]
        mesh.scattered.reset(mesh.size)
        parallel_for(space, atoms.n, self.spread, atoms.view("x"), self.summand.values(), self.box.view, 1.0, *mesh.cell,
                     self.coef, mesh.scale, space.control, mesh.scattered)
        mesh.scattered.collect(mesh.size)
        parallel_for(space, fine.count, FOLD, 1.0 / mesh.scale, mesh.starts, mesh.entries, mesh.charges, fine.charges)
        if ranks.size > 1:
            fine.charges.data[: fine.count] = space.from_host(ranks.sum(space.to_host(fine.charges.data[: fine.count])))
        for one, other in zip(self.levels, self.levels[1:], strict=False):
            self._between(one, other, back=False)

    def _solve(self, which: int) -> None:
        """Potentials on the finest mesh, or a part of the virial."""
        for mesh in self.levels:
            mesh.solve(which)
        for k in range(len(self.levels) - 1, 0, -1):
            self._between(self.levels[k - 1], self.levels[k], back=True)

    def _to_brick(self) -> None:
        mesh, fine = self.mesh, self.levels[0]
        parallel_for(self.system.space, mesh.size, PICK, 1, mesh.index, fine.count, 1, fine.values, mesh.size, 1, mesh.brick)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space, solver, mesh, fine = self.system.atoms, self.system.space, self.solver, self.mesh, self.levels[0]
        if not solver.settings.compute:
            return
        self._follow_box()
        self._charges()
        if tally is not None and mesh.shares:
            for which in range(FIELDS):
                self._solve(which)
                parallel_for(space, fine.count, COPY, fine.values, which * fine.count, self.fields)
            tally.reduce(space, fine.count, TOTALS, -solver.own * solver.qsqsum, fine.count, fine.charges, self.fields)
        self._solve(0)
        self._to_brick()
        parallel_for(space, atoms.n, self.interpolate, atoms.view("x"), self.summand.values(), self.box.view, 1.0, 1.0,
                     *mesh.cell, self.coef, mesh.brick, self.own, atoms.view("f", modify=True))

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        """The potential at each atom, and what the virial has in its place, one after the other."""
        atoms, space, mesh = self.system.atoms, self.system.space, self.mesh
        self._follow_box()
        self._charges()
        for which in range(FIELDS):
            self._solve(which)
            self._to_brick()
            parallel_for(space, atoms.n, self.read_off, atoms.view("x"), self.summand.values(), self.box.view, 1.0, *mesh.cell,
                         self.coef, mesh.brick, *((1, 0, energy.data) if which == 0 else (6, which - 1, virial.data)))
        parallel_for(space, atoms.n, OWN, self.solver.own, self.summand.values(), 0.0, 0.0, energy, virial)
