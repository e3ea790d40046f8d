"""Going on in the middle of a run: what a restart file that was written there has beside the state of atoms and fixes.

A run that is set up makes lists, forces and whatever fixes derive from them anew. If the file was written inside of a run, and
nothing has changed since it was read, the next run is not set up so: it goes on. Lists and terms are made as ever (the run
that wrote the file has made its lists anew at that step, too), but

    fixes        are called at `resume` in place of `setup`, and have the state of the file; charges stay as they are
    solvers      have the splitting parameter and the mesh that the run had chosen in the box of its beginning
    ranks        have the parts of the box that they had
    forces, sums of energies and virials   are those of the file in the end: constraints, noise and drag of velocities in the
                 middle of a step cannot be computed again from velocities at its end

`System.continues` is True meanwhile, up to the first step. A file that is written at the last step of a run, or between runs,
has nothing of this: a run that follows in the same script is set up, and so is one that reads the file.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from everlet.state.system import System

WRAPPED = 1e-12  # of an edge: atoms that were put into the box may be so far off by rounding
COMPARED = ("id", "type", "v", "q")  # of atoms: whoever changes them wants another run than that of the file


def _plain(word: str) -> str | float:
    """Numbers may be written in several ways."""
    try:
        return float(word)
    except ValueError:
        return word


def made_of(system: System) -> dict[str, Any]:
    """What forces and motion follow from, by names that users know, as plain values that JSON keeps."""
    solver, special = system.kspace, system.topology.special
    found: dict[str, Any] = {
        "run_style": None if system.levels is None else system.levels.words,
        "the timestep": system.dt, "the box": system.need_box().params().tolist(), "masses": system.masses.tolist(),
        "the pair style": None if system.pair is None else system.pair.state(),
        "special_bonds": [special.lj, special.coul, special.angle, special.dihedral],
        "kspace_style": None if solver is None else [solver.name, solver.args, asdict(solver.settings)],
    }
    found |= {f"the {name} style": style.state() for name, style in system.bonded.items() if style is not None}
    moving = [fix for fix in system.fixes.values() if fix.writes or fix.changes_box]
    found |= {f"fix {fix.id}": [fix.style, fix.group, *map(_plain, fix.args)] for fix in moving}
    plain: dict[str, Any] = json.loads(json.dumps(found))
    return plain


@dataclass
class MidRun:
    """Of a file that was written inside of a run, until that goes on."""

    step: int
    parts: dict[str, Any]  # as `made_of` gives them
    solver: dict[str, Any]
    sums: dict[str, list[float]]  # of each contributor, over all ranks
    cuts: dict[str, Any] | None
    atoms: dict[str, np.ndarray]  # fields, of all atoms

    @staticmethod
    def kept(system: System, sums: dict[str, list[float]]) -> dict[str, Any]:
        """What the header of a file has of it."""
        return {"parts": made_of(system), "solver": {} if system.kspace is None else system.kspace.state(), "sums": sums}

    def differs(self, system: System) -> str:
        """What is not as it was; empty: a run can go on."""
        now = made_of(system)
        if names := [name for name in (*self.parts, *now) if self.parts.get(name) != now.get(name)]:
            return names[0]
        return "the order of fixes" if list(now) != list(self.parts) else ""

    def moved(self, system: System) -> str:
        """What of atoms is not as it was, while every rank has all of them."""
        for name in COMPARED:
            if name in self.atoms and not np.array_equal(self.atoms[name], system.atoms.read(name)):
                return f"{name} of atoms"
        box = system.need_box()
        before, now = (box.to_fraction(x) + image for x, image in ((self.atoms["x"], self.atoms["image"]),
                                                                  (system.atoms.read("x"), system.atoms.read("image"))))
        return "x of atoms" if np.abs(before - now).max(initial=0.0) > WRAPPED else ""

    def put_back(self, system: System) -> None:
        """Forces and sums, when all is set up: those of atoms that this rank has."""
        ids = self.atoms["id"]
        order = np.argsort(ids, kind="stable")
        atoms = system.atoms
        for name in atoms.ghosts_have("home"):
            atoms.edit(name)[:] = self.atoms[name][order[np.searchsorted(ids, atoms.read("id"), sorter=order)]]
        system.evaluator.put_sums(self.sums)
