"""Ghost atoms on one rank: every periodic image within the ghost cutoff, several per atom in small boxes.

The interface that any communicator offers:

    exchange(system)         wrap positions into the box; find atoms that left a fixed box, or are not numbers
    borders(system, cut)     make the ghost atoms anew; `upper`: only half of them (see there)
    paired                   of several ranks: so many ghosts that were made with `upper` come first
    forward(system, *names)  fields of ghosts from their owners; without names: what ghosts have anew at every step
    reverse(system)          forces on ghosts to their owners
    forward_values(system, name, values), reverse_values(system, name, values)
                             the same for one number of each atom, which a style needs in the middle of its work
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from everlet.comm import kernels
from everlet.errors import RunError
from everlet.portable import Constants, Kernel, View, parallel_for
from everlet.portable.scan import Scan
from everlet.state.box import Box
from everlet.state.broken import UNSTABLE, name_atoms
from everlet.state.control import BROKEN, TOTAL, TROUBLE
from everlet.state.system import System

MOST_IMAGES, MANY_GHOSTS = 1000, 2e7  # a box with more images per atom, and more ghosts in all, is a mistake
FARTHEST = 1.0e6  # boxes
SPREAD = 1.05, 1.2  # room for ghosts; and where more of them may come before the host is told
INDICES = 2**31 - 1  # atoms and ghosts are counted in 32 bits

def _both(body: Any, *statics: tuple[str, Any]) -> tuple[Kernel, Kernel]:
    """A loop over all atoms, and over those that have images."""
    every, listed = (Kernel(body, statics=(("LISTED", some), *statics)) for some in (False, True))
    return every, listed


REVERSE, COPY = (_both(body) for body in (kernels.reverse_forces, kernels.copy_images))
PLACE, PLACE_MANY = (_both(kernels.place_images, ("MANY", many)) for many in (False, True))
LABELS = {np.dtype(np.int32): _both(kernels.label_images_i32), np.dtype(np.int64): _both(kernels.label_images_i64)}
WRAP = tuple(Kernel(body, statics=(("FARTHEST", FARTHEST), ("OPEN", False))) for body in (kernels.wrap, kernels.wrap_tilted))
HOMES = Kernel(kernels.own_homes)
VALUES = (_both(kernels.label_images_f64), _both(kernels.reverse_values))


class SerialComm:
    ranks = 1
    paired = 0
    many = False  # boxes of many systems (members.py)

    def __init__(self, system: System):
        space = system.space
        self.capacity = 0  # ghosts there is room for
        self.expected = 0  # ghosts, at the mean density
        self.shift = View((1, 3), np.int32, space)
        self.start = View(1, np.int32, space)
        self.count = View(0, np.int32, space)
        self.edge, self.edges = View(0, np.int32, space), -1  # atoms that have images; -1: they are not listed
        self.cut = Constants(3, space)
        self.scan = Scan(space)
        self.hooks: list[Callable[[], None]] = []

    @staticmethod
    @functools.cache
    def _counter(upper: bool, many: bool) -> Kernel:
        return Kernel(kernels.count_images, statics=(("UPPER", upper), ("MANY", many)))

    @staticmethod
    @functools.cache
    def _filler(upper: bool, many: bool) -> tuple[Kernel, Kernel]:
        return _both(kernels.fill_images, ("UPPER", upper), ("MANY", many))

    @property
    def _placing(self) -> tuple[Kernel, Kernel]:
        return PLACE_MANY if self.many else PLACE

    def member(self, system: System) -> View:
        """Of which system atoms are, if there are many; otherwise any numbers, which are not read."""
        return system.atoms.view("member" if self.many else "type")

    def basis(self, system: System) -> View:
        """Positions that ghosts and lists are made of: the present ones, or those that systems of a batch keep until it is
        their turn (members.py)."""
        return system.atoms.view("x", modify=True)

    def reach(self, system: System, cutoff: float) -> None:
        """How far ghosts reach, in fractions of the box."""
        box = system.need_box()
        reach = box.ghost_fraction(cutoff)
        images = float(np.prod(1.0 + 2.0 * reach * np.array(box.periodic)))
        self._refuse_too_many(system.atoms.n, images, cutoff, box)
        self.expected = int(system.atoms.n * (images - 1.0))
        self.cut.set(reach)

    def _loop(self, system: System, loop: tuple[Kernel, Kernel], *args: Any) -> None:
        """One over all atoms that have images."""
        if self.capacity or self._listed(system):
            self._over_atoms(system, loop, *args)

    def _listed(self, system: System) -> bool:
        return self.edges >= 0 and system.space.queue is None

    def _over_atoms(self, system: System, loop: tuple[Kernel, Kernel], *args: Any) -> None:
        listed, n = self._listed(system), system.atoms.n
        parallel_for(system.space, self.edges if listed else n, loop[listed], self.edge, n, *args)

    def _wrap(self, system: System) -> Kernel:
        return WRAP[system.need_box().triclinic]

    def exchange(self, system: System) -> None:
        """Let those act that want to before atoms change hands; then wrap atoms into the box."""
        for hook in self.hooks:
            hook()
        self.wrap(system)

    def wrap(self, system: System) -> None:
        """Wrap owned atoms into the box, shrink-wrap, remove atoms that left through a fixed face."""
        atoms, box, space = system.atoms, system.need_box(), system.space
        if space.queue is None:
            atoms.nghost = 0
        ranks = system.ranks
        if box.shrinks:
            box.fit(ranks.max(box.extent(atoms.read("x"))))
        system.put_box()
        carried = system.flow is not None and system.flow.carried
        before = atoms.read("image").copy() if carried else None
        x, image = atoms.view("x", modify=True), atoms.view("image", modify=True)
        parallel_for(space, atoms.n, self._wrap(system), x, image, system.box_view(), space.control)
        if space.queue is not None:
            return  # whoever replays this looks at the control words
        if system.flow is not None and before is not None:
            system.flow.carry(atoms, before)
        words = space.read_control()
        if words[TROUBLE]:
            space.reset_control()
        if ranks.any(bool(words[TROUBLE])):
            cause = next(filter(None, ranks.all_of(self._broken(system) if words[BROKEN] else "")), "")
            if cause:
                raise RunError(cause, UNSTABLE)
            self._remove_lost(system)

    def _broken(self, system: System) -> str:
        """What is wrong with atoms that have no usable position."""
        atoms, box = system.atoms, system.need_box()
        x = atoms.read("x")
        bad = np.flatnonzero(~np.isfinite(x).all(axis=1))
        what = "the position is not a finite number"
        if not len(bad):
            what = "atoms have flown many box lengths in one step"
            bad = np.flatnonzero((np.abs(box.to_fraction(x)) > FARTHEST).any(axis=1))
        return f"{what}: {name_atoms(system, bad)} at step {system.step}"

    def _remove_lost(self, system: System) -> None:
        atoms, box = system.atoms, system.need_box()
        x = atoms.read("x")
        at, lo, hi = (box.to_fraction(x), 0.0, 1.0) if box.triclinic else (x, box.lo, box.hi)
        gone = (((at < lo) | (at >= hi)) & ~np.asarray(box.periodic)).any(axis=1)
        lost = []
        for i in np.flatnonzero(gone):
            place = " ".join(f"{c:.6g}" for c in atoms.read("x")[i])
            lost.append(f"atom {atoms.read('id')[i]} at ({place}) at step {system.step}")
        system.lost += sum(system.ranks.all_of(lost), [])
        atoms.select(np.flatnonzero(~gone))

    def borders(self, system: System, cutoff: float, upper: bool = False, rest: bool = False) -> None:
        """Make all ghost atoms within `cutoff` of the box.

        `upper`: of every two opposite shifts of the box only one. A pair of an atom and an image then occurs once in
        the whole system, which is what a half list with newton on needs: half the ghosts, and no rule for ties. `rest` has a
        meaning on several ranks only, where the other half may be wanted too (`paired` ghosts come first).
        """
        atoms, space = system.atoms, system.space
        atoms.ghost_sets += 1
        n = atoms.n
        self.reach(system, cutoff)
        if self.count.shape[0] < n:
            self.count, self.start = View(n, np.int32, space), View(n + 1, np.int32, space)
        parallel_for(space, n, self._counter(upper, self.many), self.basis(system), self.member(system), system.box_view(),
                     self.cut.view, self.count)
        if n:
            self.scan(n, self.count, self.start)
        if space.queue is None:
            self._reserve(system, space.counted(self.start, n, self.expected) if n else 0)
        self._list_edge(system)
        room = self.room(system)
        self._over_atoms(system, self._filler(upper, self.many), self.basis(system), self.member(system), system.box_view(),
                         self.cut.view, self.start, self.shift, room, space.control)  # the last atom counts all, also if none
        for name in atoms.ghosts_have("borders"):
            label = self._label(system, name)
            if label:
                self._loop(system, label, atoms.view(name, modify=True), self.start, room)
            else:
                self._copy(system, name)
        self.forward(system)

    def _place(self, system: System, x: View) -> None:
        """Positions of ghosts from those of their atoms."""
        self._loop(system, self._placing, x, self.member(system), self.start, self.shift, system.box_view(), self.room(system))

    def _list_edge(self, system: System) -> None:
        """Which atoms have images, on CPUs. Launches that are collected make others later, which the host does not see."""
        space = system.space
        self.edges = -1
        if space.counts_on_device or space.queue is not None:
            return
        found = np.flatnonzero(self.count.data[: system.atoms.n])
        self.edges = len(found)
        if self.edge.shape[0] < self.edges:
            self.edge = View(int(1.1 * self.edges) + 16, np.int32, space)
        self.edge.data[: self.edges] = found
        space.control[TOTAL] = system.atoms.total

    def remade(self, system: System, ghosts: int) -> None:
        """A graph has made the ghosts anew, so many of them: which atoms have images is known to its kernels alone."""
        system.atoms.nghost, self.edges = ghosts, -1

    @staticmethod
    def _label(system: System, name: str) -> Any:
        """The loop for a field of one number, if there is one of its own."""
        view = system.atoms.fields[name].view.device
        return LABELS.get(view.dtype) if view.width == 1 else None

    @staticmethod
    def carried(system: System) -> list[str]:
        """Fields that ghosts get anew at every step, besides positions."""
        return system.atoms.ghosts_have("step", *(["velocity"] if system.carries_velocity else []))

    def _copy(self, system: System, name: str) -> None:
        atoms = system.atoms
        width, words = atoms.words(name)
        self._loop(system, COPY, width, words, self.start, self.room(system))

    def room(self, system: System) -> int:
        """Ghosts that arrays can hold."""
        return min(self.capacity, system.atoms.capacity - system.atoms.n)

    def _reserve(self, system: System, ghosts: int) -> None:
        """Room for so many ghosts, and for more where their number is not known on the host before they are made."""
        atoms, space = system.atoms, system.space
        many = space.many_threads
        if ghosts > self.capacity:
            self.capacity = int(ghosts * SPREAD[many]) + 16
            self.shift = View((self.capacity, 3), np.int32, space)
        atoms.reserve(atoms.n + (self.capacity if many else ghosts), ghosts // 20 + 16)
        atoms.nghost = ghosts

    @staticmethod
    def _refuse_too_many(n: int, images: float, cutoff: float, box: Box) -> None:
        """Stop before memory is exhausted by images of a box that is far smaller than the cutoff."""
        if n and ((images > MOST_IMAGES and n * images > MANY_GHOSTS) or n * images > INDICES):
            edges = " ".join(f"{edge:.6g}" for edge in box.lengths)
            raise RunError(f"the box is too small: its edges are {edges}, and each atom has about {images:.0f} images "
                           f"within the ghost cutoff of {cutoff:g}", "use a larger box, or shorter cutoffs")

    def forward(self, system: System, *names: str) -> None:
        """Ghost values from their owners: of these fields, or positions and all that ghosts have anew at every step."""
        atoms = system.atoms
        if not names or "x" in names:
            self._place(system, atoms.view("x", modify=True))
        for name in names or self.carried(system):
            if name != "x":
                self._copy(system, name)

    def reverse(self, system: System) -> None:
        """Forces and torques on ghosts to their owners."""
        for name in system.atoms.ghosts_have("home"):
            self._loop(system, REVERSE, system.atoms.view(name, modify=True), self.start)

    def use(self, cuts: Any) -> None:
        """How the box is divided among ranks: one of them has all of it."""

    def own_rows(self, system: System, home: View) -> None:
        """home[k]: the row of the atom that atom or ghost k is or is an image of; others' ghosts have rows of their own."""
        parallel_for(system.space, system.atoms.n, HOMES, system.atoms.n, self.start, self.room(system), home)

    def forward_values(self, system: System, name: str, values: View) -> None:
        """Values of ghosts from their owners; `values` is float64 and has as many rows as x. `name` tells it from others."""
        self._loop(system, VALUES[0], values, self.start, self.room(system))

    def reverse_values(self, system: System, name: str, values: View) -> None:
        """Values of ghosts are added to those of their owners."""
        self._loop(system, VALUES[1], values, self.start)
