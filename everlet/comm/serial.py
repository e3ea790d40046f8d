"""Ghost atoms on one rank: every periodic image within the ghost cutoff, several per atom in small boxes.

The interface that any communicator offers:

    exchange(system)         wrap positions into the box; find atoms that left a fixed box, or are not numbers
    borders(system, cut)     make the ghost atoms anew
    forward(system)          ghost positions from their owners
    reverse(system)          forces on ghosts to their owners
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm import kernels
from everlet.errors import RunError
from everlet.portable import Kernel, View, parallel_for, parallel_reduce, parallel_scan
from everlet.state.system import System


class SerialComm:
    ranks = 1

    def __init__(self, system: System):
        space = system.space
        self.capacity = 0
        self.owner = View(1, np.int32, space)
        self.shift = View((1, 3), np.int32, space)
        self.upper = View(1, np.int32, space)
        self.start = View(1, np.int32, space)
        self.count = View(0, np.int32, space)
        self.box = View(18, np.float64, space)
        self.cut = View(3, np.float64, space)

    def kernels(self, system: System) -> list[Kernel]:
        """What this part compiles, for compiling ahead."""
        bodies = [kernels.count_images, kernels.fill_images, kernels.forward_positions, kernels.forward_i32, kernels.forward_i64]
        bodies += [kernels.reverse_forces] if system.newton else []
        return [self._wrap(system), *(Kernel(body) for body in bodies)]

    def _wrap(self, system: System) -> Kernel:
        return Kernel(kernels.wrap, sums=2, statics=(("TILTED", int(system.need_box().triclinic)),))

    def exchange(self, system: System) -> None:
        """Wrap owned atoms into the box, shrink-wrap, remove atoms that left through a fixed face."""
        atoms, box = system.atoms, system.need_box()
        atoms.nghost = 0
        if box.shrinks and atoms.n:
            box.shrink(atoms.read("x"))
        self.box.put(box.params())
        x, image = atoms.view("x", modify=True), atoms.view("image", modify=True)
        outside, broken = parallel_reduce(system.space, atoms.n, self._wrap(system), x, image, self.box)
        if broken:
            raise self._not_a_number(system)
        if outside:
            self._remove_lost(system)

    def _not_a_number(self, system: System) -> RunError:
        atoms = system.atoms
        bad = np.flatnonzero(~np.isfinite(atoms.read("x")).all(axis=1))
        ids = ", ".join(str(k) for k in atoms.read("id")[bad[:5]])
        return RunError(f"the position of atom {ids}{' …' if len(bad) > 5 else ''} is not a number at step {system.step}",
                        "atoms overlap or the timestep is too large: check the start configuration, use a smaller timestep")

    def _remove_lost(self, system: System) -> None:
        atoms, box = system.atoms, system.need_box()
        fraction = box.to_fraction(atoms.read("x"))
        gone = (((fraction < 0) | (fraction >= 1)) & ~np.asarray(box.periodic)).any(axis=1)
        for i in np.flatnonzero(gone):
            place = " ".join(f"{c:.6g}" for c in atoms.read("x")[i])
            system.lost.append(f"atom {atoms.read('id')[i]} at ({place}) at step {system.step}")
        atoms.select(np.flatnonzero(~gone))

    def borders(self, system: System, cutoff: float) -> None:
        """Make all ghost atoms within `cutoff` of the box."""
        atoms, box, space = system.atoms, system.need_box(), system.space
        n = atoms.n
        self.cut.put(box.ghost_fraction(cutoff))
        if self.count.shape[0] < n:
            self.count, self.start = View(atoms.capacity, np.int32, space), View(atoms.capacity + 1, np.int32, space)
        x = atoms.view("x")
        parallel_for(space, n, kernels.count_images, x, self.box, self.cut, self.count)
        total = parallel_scan(space, self.count.data[:n], self.start) if n else 0
        if total > self.capacity:
            self.capacity = int(total * 1.2) + 16
            self.owner = View(self.capacity, np.int32, space)
            self.shift = View((self.capacity, 3), np.int32, space)
            self.upper = View(self.capacity, np.int32, space)
        atoms.reserve(n + total)
        parallel_for(space, n, kernels.fill_images, x, self.box, self.cut, self.start, self.owner, self.shift, self.upper)
        atoms.nghost = total
        for name, field in atoms.fields.items():
            if field.ghost and name != "x":
                self._forward_field(system, name, field.view.device.dtype)
        self.forward(system)

    def _forward_field(self, system: System, name: str, dtype: Any) -> None:
        body = {np.dtype(np.int32): kernels.forward_i32, np.dtype(np.int64): kernels.forward_i64}[dtype]
        atoms = system.atoms
        parallel_for(system.space, atoms.nghost, body, atoms.n, atoms.view(name, modify=True), self.owner)

    def forward(self, system: System) -> None:
        """Ghost positions from their owners."""
        atoms = system.atoms
        parallel_for(system.space, atoms.nghost, kernels.forward_positions, atoms.n, atoms.view("x", modify=True),
                     self.owner, self.shift, self.box)

    def reverse(self, system: System) -> None:
        """Forces on ghosts to their owners."""
        atoms = system.atoms
        parallel_for(system.space, atoms.n if atoms.nghost else 0, kernels.reverse_forces, atoms.n,
                     atoms.view("f", modify=True), self.start)

    def bytes(self) -> int:
        return sum(view.data.nbytes for view in (self.owner, self.shift, self.upper, self.start, self.count))
