"""Forces that positions and velocities do not tell: a run that goes on from a restart file begins with those of the file."""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.fixes.base import Fix


class KeepsForces(Fix):
    """Base of fixes that move atoms after forces were computed, or whose forces are those of velocities within a step.

    A file that is written in the middle of a run has the forces that the next step begins with; a new set-up would give others.
    """

    resumed = -1  # the step of such a file
    _kept_forces: tuple[np.ndarray, np.ndarray] | None = None  # ids in order, and forces

    def init(self) -> None:
        self._kept_forces = None
        if self.resumed == self.system.step:
            atoms = self.system.atoms
            order = np.argsort(atoms.read("id"))
            self._kept_forces = atoms.read("id")[order], atoms.read("f")[order].copy()
        self.resumed = -1

    def begin(self) -> None:
        if self._kept_forces is not None:
            ids, forces = self._kept_forces
            atoms = self.system.atoms
            atoms.edit("f")[:] = forces[np.searchsorted(ids, atoms.read("id"))]
        self._kept_forces = None

    def state(self) -> dict[str, Any]:
        return {"inside": self.system.step if self.system.run_stop != self.system.run_start else -1}

    def restore(self, state: dict[str, Any]) -> None:
        self.resumed = state["inside"]
