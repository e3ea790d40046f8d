"""Contacts of grains: rows of those that are near, and what each contact remembers.

Grains have two fields: ids of partners, and what contacts with them remember. They are sorted, migrate and go into restart
files with their grain. After every build of lists rows are made anew, and what was remembered is put into their order.
"""

from __future__ import annotations

import numpy as np

from everlet.forces.granular import loops
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.views import DualView
from everlet.state.atoms import PARTNER, Atoms
from everlet.state.control import TROUBLE
from everlet.state.system import System

STEP = 8  # rows grow by so many places
SPILL = 8  # places after a row, which the last step of lanes may write
OTHER, SHEAR = "contact{}" + PARTNER, "contact{}_shear"


def declare(atoms: Atoms, label: str, history: int) -> tuple[str, str]:
    """The two fields of a style; numbers of contacts stand one after the other, `history` of each."""
    names = OTHER.format(label), SHEAR.format(label)
    if names[0] not in atoms.fields:
        atoms.add_field(names[0], np.int64, STEP)
        atoms.add_field(names[1], np.float64, history * STEP)
    return names


def drop(atoms: Atoms, label: str) -> None:
    """Contacts remember nothing any more."""
    for name in (OTHER.format(label), SHEAR.format(label)):
        if name in atoms.fields:
            atoms.remove_field(name)


def widen(atoms: Atoms, name: str, numbers: int, depth: int) -> None:
    """More places for contacts of so many numbers each."""
    field = atoms.fields[name]
    before = field.view.read()
    after = DualView((len(before), numbers * depth), before.dtype, atoms.space)
    after.edit()[:, : before.shape[1]] = before
    field.view, field.shown = after, numbers * depth


class Contacts:
    """Of one style and one run. `history`: numbers of each contact; 0: contacts remember nothing. Grains touch while their
    surfaces are nearer than `near_by`."""

    def __init__(self, system: System, neighbor: Neighbor, label: str, history: int, near_by: float):
        self.system, self.neighbor, self.label, self.history, self.near_by = system, neighbor, label, history, near_by
        self.depth, self.capacity = STEP, 0
        self.near, self.count = View(0, np.int32, system.space), View(0, np.int32, system.space)
        self.partner, self.shear = View(0, np.int64, system.space), View(1, np.float64, system.space)

    @property
    def pitch(self) -> int:
        return self.depth + SPILL

    def _reserve(self) -> None:
        atoms, space = self.system.atoms, self.system.space
        if self.history:
            names = declare(atoms, self.label, self.history)
            width = atoms.fields[names[0]].view.device.width
            if width < self.depth:
                widen(atoms, names[0], 1, self.depth)
                widen(atoms, names[1], self.history, self.depth)
            self.depth = max(self.depth, width)
        rows = atoms.capacity + 1
        if self.capacity < rows or self.near.shape[0] < rows * self.pitch:
            self.capacity = rows
            self.near, self.count = View(rows * self.pitch, np.int32, space), View(rows, np.int32, space)
            if self.history:
                self.partner = View(rows * self.depth, np.int64, space)
                self.shear = View(rows * self.depth * self.history, np.float64, space)

    def rebuild(self) -> None:
        """Rows of the new list, with what contacts remember."""
        system, near, statics = self.system, self.neighbor, (("DENSE", self.neighbor.dense),)
        atoms, space = system.atoms, system.space
        while True:
            if space.queue is None:
                self._reserve()
            parallel_for(space, atoms.n, Kernel(loops.find_near, statics=statics), atoms.view("x"), atoms.view("radius"),
                         near.skin + self.near_by, near.neigh, near.count, near.first, near.si, near.sk,
                         self.depth, self.pitch, space.control, self.near, self.count)
            if space.queue is not None:
                break
            trouble = bool(space.read_control()[TROUBLE])
            if not system.ranks.any(trouble):
                break
            if trouble:
                space.reset_control()
            most = int(np.max(space.to_host(self.count.data[: atoms.n]), initial=0))
            self.depth = -(-int(system.ranks.max([float(most)])[0]) // STEP) * STEP
        if self.history:
            names = declare(atoms, self.label, self.history)
            partner, shear = (atoms.view(name, modify=True).flat() for name in names)
            parallel_for(space, atoms.n, Kernel(loops.match, statics=(("HISTORY", self.history),)), atoms.view("id"), self.near,
                         self.count, self.depth, self.pitch, partner, shear, self.partner, self.shear)

    def remembered(self) -> View:
        """What contacts remember, for the loop over them."""
        if not self.history:
            return self.shear
        return self.system.atoms.view(SHEAR.format(self.label), modify=True).flat()
