"""The landscape that minimisers walk on: the energy of the atoms (and of a box that may relax) and its slope, the forces.

Vectors have three numbers for each atom, which are fields of the atoms and go where these go, and a few more for the box if
a fix lets it relax (`fix box/relax`); those are on the host. Products and maxima are made where the atoms are: a number or two
come to the host, nothing else.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from everlet.portable import Constants, Kernel, View, parallel_for, parallel_reduce
from everlet.run.minimisers import loops
from everlet.run.phases import STILL, TO_FORCES, Now
from everlet.run.step import Timestep
from everlet.state.box import BOX

SHARES = 4096  # parts of the atoms that maxima are made of
FORCE, VELOCITY, WAY, BEFORE, START = "f", "v", "minimise.way", "minimise.before", "minimise.start"
LEAP, REST = "minimise.leap", "minimise.rest"
KEPT = "minimise.image"  # image flags at the start of a line search


class Landscape:
    """Energies and forces at the present positions of a loop's system.

    norm    energies and products are divided by the number of atoms (thermo_modify norm)
    box     the fix that lets the box relax, if there is one
    """

    def __init__(self, loop: Timestep, norm: bool):
        self.loop, self.system = loop, loop.system
        self.box: Any = next((fix for fix in loop.acting if fix.relaxes_box), None)
        self.per = 1.0 / max(self.system.natoms, 1) if norm else 1.0
        self.evaluations = 0
        self.extra = {name: np.zeros(0) for name in (FORCE, WAY, BEFORE, LEAP, REST)}
        self.origin = np.zeros(6)  # the shape of the box where a line search began
        self.before = Constants(BOX, self.system.space)  # the box that atoms are carried from
        self._shares = View(2 * SHARES, np.float64, self.system.space)

    def kernels(self) -> list[Kernel]:
        return [loops.PRODUCTS, loops.LARGEST]

    def add_vectors(self, *names: str) -> None:
        """Fields of the atoms that a minimiser needs."""
        for name in names:
            self.system.atoms.add_field(name, np.int32 if name == KEPT else np.float64, 3)

    def remove_vectors(self) -> None:
        for name in (WAY, BEFORE, START, KEPT, LEAP, REST):
            if name in self.system.atoms.fields:
                self.system.atoms.remove_field(name)

    # ---- the energy
    def energy(self, counted: bool = True) -> float:
        """New forces, and the energy; lists are made anew if an atom has moved too far."""
        loop, neighbor, timers = self.loop, self.loop.neighbor, self.loop.timers
        self.evaluations += counted
        with timers("Neigh"):
            due = neighbor.due()
            neighbor.mark_moved()
            rebuild = neighbor.moved() and due
        now = Now(rebuild=rebuild, tally=True, asked=loop.outputs.asked(self.system.step))
        loop.go(TO_FORCES, now)
        with timers("Modify"):
            loop.go(STILL, now)
        return self.value()

    def value(self) -> float:
        """The energy of the forces that are there."""
        energy = float(self.system.computes["thermo_pe"].now("scalar"))
        if self.box is not None:
            added, self.extra[FORCE] = self.box.energy_and_force()
            energy += added
        return energy * self.per

    # ---- vectors
    def view(self, name: str, modify: bool = False) -> View:
        return self.system.atoms.view(name, modify)

    def products(self, a: str, b: str, c: str) -> tuple[float, float]:
        """a·b and a·c, over all atoms and the box."""
        system = self.system
        here = parallel_reduce(system.space, system.atoms.n, loops.PRODUCTS, self.view(a), self.view(b), self.view(c))
        first, second = system.ranks.sum(here).tolist()
        extra = self.extra
        return first + float(extra[a] @ extra[b]), second + float(extra[a] @ extra[c])

    def powers(self) -> tuple[float, float, float]:
        """v·f, v·v and f·f."""
        system = self.system
        here = parallel_reduce(system.space, system.atoms.n, loops.POWERS, self.view(VELOCITY), self.view(FORCE))
        a, b, c = system.ranks.sum(here).tolist()
        return a, b, c

    def largest(self, name: str) -> tuple[float, float]:
        """The largest component of any atom, and the length of its longest vector."""
        system, n = self.system, self.system.atoms.n
        shares, here = min(n, SHARES), np.zeros(2)
        if n:
            parallel_for(system.space, shares, loops.LARGEST, n, shares, self.view(name), self._shares)
            here = system.space.to_host(self._shares.data[: 2 * shares]).reshape(-1, 2).max(axis=0)
        component, square = system.ranks.max(here).tolist()
        return component, math.sqrt(square)

    def fastest(self, name: str) -> float:
        """The largest component of any atom that goes the same way at the same pace."""
        return self.largest(name)[0]

    def agreed(self, done: bool) -> bool:
        """A minimisation may end."""
        return done

    def begun(self) -> None:
        """Forces are there, and the first iteration comes."""

    def largest_with_box(self, name: str) -> tuple[float, float]:
        most = float(np.abs(self.extra.get(name, np.zeros(0))).max(initial=0.0))
        component, length = self.largest(name)
        return max(component, most), max(length, most)

    def force_norm(self, norm: str) -> float:
        """How large forces are, as `min_modify norm` says: two, max (of atoms) or inf (of components)."""
        if norm == "two":
            return math.sqrt(self.products(FORCE, FORCE, FORCE)[0])
        component, length = self.largest_with_box(FORCE)
        return length if norm == "max" else component

    # ---- steps along a line
    def keep_start(self) -> None:
        system = self.system
        self.origin = system.need_box().h
        parallel_for(system.space, system.atoms.n, loops.KEEP_START, self.view("x"), self.view("image"), self.view(START, True),
                     self.view(KEPT, True))
        if self.box is not None:
            self.box.keep_start()

    def go(self, alpha: float) -> float:
        """The energy at start + alpha way."""
        system, box = self.system, self.box
        if box is None:
            self._go(alpha)
            return self.energy()
        box.reshape(0.0, self.extra[WAY])
        self._go(0.0)
        if alpha > 0.0:
            self.before.set(system.need_box().params())
            box.reshape(alpha, self.extra[WAY])
            system.put_box()
            parallel_for(system.space, system.atoms.n, loops.CARRY, self.view("x", True), self.view("mask"), box.carried,
                         self.view(WAY), alpha, self.before.view, system.box_view())
        self.loop.neighbor.system.put_box()
        return self.energy()

    def _go(self, alpha: float) -> None:
        system = self.system
        parallel_for(system.space, system.atoms.n, loops.GO_ALONG, self.view("x", True), self.view("image"), self.view(START),
                     self.view(KEPT), self.view(WAY), alpha, *self.origin.tolist())

    def turn(self, beta: float) -> None:
        """The next direction is the force and beta times the last one; forces are kept."""
        system, extra = self.system, self.extra
        parallel_for(system.space, system.atoms.n, loops.TURN, self.view(FORCE), self.view(BEFORE, True), self.view(WAY, True),
                     beta)
        extra[BEFORE] = extra[FORCE].copy()
        extra[WAY] = extra[FORCE] + (beta * extra[WAY] if beta else 0.0)

    def blend(self, to: str, a: str, p: float, b: str, q: float) -> None:
        """to = p a + q b, of the atoms."""
        parallel_for(self.system.space, self.system.atoms.n, loops.BLEND, self.view(to, True), self.view(a), p, self.view(b), q)
