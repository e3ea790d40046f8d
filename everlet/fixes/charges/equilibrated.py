"""Fixes that equilibrate charges before forces are computed: Rappé, Goddard, J. Phys. Chem. 95, 3358 (1991), by the way of
Nakano, Comput. Phys. Commun. 104, 59 (1997); Aktulga et al., Parallel Comput. 38, 245 (2012).

With H_ii = eta_i and H_ij the coupling of two charges within the cutoff: H s = -chi, H t = -1, q = s - t sum(s)/sum(t).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.errors import InputError, RunError
from everlet.fixes.base import Fix
from everlet.fixes.charges import matrix_loops
from everlet.fixes.charges.iterations import Iterations
from everlet.fixes.charges.matrix import Matrix
from everlet.fixes.charges.parameters import check
from everlet.fixes.charges.solver import Solver
from everlet.portable import Kernel
from everlet.state.atom_styles import need_field
from everlet.state.operation import INTENSIVE, Gives
from everlet.state.system import System

NEUTRAL = 1e-5  # a net charge above that is worth a warning


class Equilibrated(Fix):
    """f_ID: products of matrix and vector of the last time, the mean of both systems. Solutions of earlier steps, from which
    the next are guessed, are fields of atoms and go into restart files."""

    gives = Gives(scalar=INTENSIVE)
    minimizes = True
    reads, writes = ("x", "type", "mask"), ("q",)
    coupling: Any = staticmethod(matrix_loops.tapered)
    shielded = True
    whole_mean = True  # the mean is rounded down
    from_charges = True  # the first guesses are the charges that atoms have
    solver: Iterations
    put_back = ("_known", "warns")

    def __init__(self, system: System, id: str, group: str, args: list[str]):
        super().__init__(system, id, group, args)
        need_field(system.atoms, "q", f"fix {id}")
        if system.ntypes == 0:
            raise InputError(f"fix {id} needs atom types", "create a box, or read a data file, before it")
        self.warns = True
        for name, width in self.histories.items():
            if not self.add_field(name, width=width) and self.from_charges:
                system.atoms.edit(self.field(name))[:] = system.atoms.read("q")[:, None]
        self.add_field("home", np.int32)

    @property
    def histories(self) -> dict[str, int]:
        """Solutions that are remembered, and of how many steps."""
        return {"s": 4, "t": 3}

    def prepare(self, period: int, low: float, high: float, tolerance: float, most: int) -> None:
        """What the arguments have said; called when a fix is made."""
        for bad, cause, remedy in ((period < 1, f"it acts every {period} steps", "use 1 or more"),
                                   (not 0.0 <= low < high, f"radii {low:g} and {high:g}", "0 <= inner < outer radius"),
                                   (not tolerance > 0.0, f"the tolerance is {tolerance:g}", "it is above zero, such as 1e-6"),
                                   (most < 1, f"at most {most} iterations", "use 1 or more, such as 200")):
            if bad:
                raise InputError(f"fix {self.id}: {cause}", remedy)
        self.period, self.full_rows = period, high
        self.steady = period == 1
        self.matrix = Matrix(self.system, int(self.bit), self.coupling, high, (low, 1.0 / (high - low)))
        self.solver = self.make_solver(tolerance, most)

    def make_solver(self, tolerance: float, most: int) -> Iterations:
        return Solver(self.system, self.matrix, tolerance, most)

    def parameters(self) -> np.ndarray:
        """(types + 1, 3 or more): chi, eta, gamma, …"""
        raise NotImplementedError

    # ---- a run
    def init(self) -> None:
        system, found = self.system, self.parameters()
        meant = (system.atoms.read("mask") & self.bit) != 0
        used = np.bincount(system.atoms.read("type")[meant], minlength=len(found))
        check(found, np.flatnonzero(system.ranks.sum(used)), self.style, self.shielded)
        with np.errstate(invalid="ignore", divide="ignore"):
            shield = np.outer(found[:, 2], found[:, 2]) ** -1.5 if self.shielded else np.zeros((len(found), len(found)))
        self.matrix.use(np.nan_to_num(shield, nan=1.0, posinf=1.0))
        self.solver.chi.set(np.nan_to_num(found[:, 0]))
        self.solver.eta.set(np.where(found[:, 1] > 0.0, found[:, 1], 1.0))
        self.steady = self.period == 1 and system.kspace is None  # solvers ask the host for sums of charges
        others = [fix.id for fix in system.fixes.values() if isinstance(fix, Equilibrated) and fix is not self]
        if others:
            raise InputError(f"fix {self.id} and fix {others[0]} equilibrate charges", "use one of them")
        if not system.ranks.any(bool(meant.any())):
            raise InputError(f"fix {self.id}: group '{self.group}' has no atoms", "name a group with atoms")
        net = float(system.ranks.sum(float(system.atoms.read("q")[meant].sum())))
        if abs(net) > NEUTRAL:
            self.notes.append(f"WARNING: fix {self.id}: the charges of group {self.group} add up to {net:.8g}; those that it "
                              "makes add up to zero")

    def kernels(self) -> list[Kernel]:
        return [*(kernel for matrix in self.solver.matrices() for kernel in matrix.kernels()), *self.solver.kernels()]

    def post_neighbor(self) -> None:
        self.matrix.home = self.system.atoms.view(self.field("home"), modify=True)
        self.solver.others.update(self.system.evaluator.comm, self.matrix.home)
        for matrix in self.solver.matrices():
            matrix.home = self.matrix.home

    def pre_force(self) -> None:
        system = self.system
        if system.space.queue is None and self.period > 1 and system.step % self.period and self._known:
            return
        self._known = True
        if system.continues:
            return  # charges and histories are those of the step that has been made
        atoms = system.atoms
        histories = [atoms.view(self.field(name), modify=True) for name in self.histories]
        for matrix in self.solver.matrices():
            matrix.build()
        left = self.solver.solve(self.matrix.bit, *histories)
        if system.space.queue is None:
            self._judge(left)
        self.solver.settle(self.matrix.bit, *histories)
        system.evaluator.comm.forward(system, "q", *([self.potential] if self.potential else []))
        if system.kspace is not None:
            system.kspace.use_charges()

    _known = False

    def _judge(self, left: np.ndarray) -> None:
        """Say so if residuals are too large; the run goes on with what there is, if it is a number."""
        tolerance = self.solver.tolerance
        if (left <= tolerance).all():
            return
        system = self.system
        which = int(np.argmax(np.where(np.isnan(left), np.inf, left)))
        found = np.abs(self.solver.residual(which))
        found = np.where(np.isnan(found), np.inf, found)
        worst = int(found.argmax()) if len(found) else 0
        named = max(system.ranks.all_of((float(found[worst]), int(system.atoms.read("id")[worst])) if len(found) else (0.0, 0)))
        text = (f"fix {self.id}: charges have not converged at step {system.step}: after "
                f"{int(self.solver.iterations().max()) + 1} of at most {self.solver.most} iterations the residual is "
                f"{left[which]:.3g}, the tolerance {tolerance:g}; it is largest at atom {named[1]}")
        if np.isnan(left).any() or np.isinf(left).any():
            raise RunError(text, "atoms may be too close to each other, or parameters wrong: look at the positions, and "
                           "minimise with a smaller step")
        if self.warns:
            self.notes.append(f"WARNING: {text}; allow more iterations, or a larger tolerance")

    @property
    def variant(self) -> int:
        """Iterations of a graph."""
        return self.solver.planned

    def replayed(self) -> None:
        self.solver.plan(int(self.solver.iterations().max()))

    def scalar(self) -> float:
        products = self.solver.iterations() + 1.0
        return float(products.sum() // 2 if self.whole_mean else products.mean())
