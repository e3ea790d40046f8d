"""How bond-order potentials of hydrocarbons do their work.

    rows        when lists are new: partners that may be bound before the next build
    bonds       of each atom, packed: ways, weights (edge_loops.py)
    numbers     of neighbours, then conjugation, to ghosts
    orders      energies of bonds and torsions, slopes with an atom's own bonds (order_loops.py)
    distant     pairs that bonds do not join (distant_loops.py)
    slopes      with numbers of neighbours of partners home, forces along bonds

An atom needs the bonds of its partners, which may be images: of an image those of its home, which lie the same way; ghosts of
other ranks have rows of their own.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.manybody.reaxff import bond_loops, ghost_loops
from everlet.forces.manybody.reaxff.kernels import made
from everlet.forces.manybody.reaxff.partners import PartnerScheme
from everlet.forces.manybody.rebo import distant_loops, edge_loops, order_loops
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import Kernel, View, parallel_for, parallel_reduce
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally

rebo_scheme: Registry[type[Scheme]] = Registry("scheme of rebo")
REAL = "dx dy dz r w dw wp dwp gx gy gz ew ac"
ATOMS = "carbons hydrogens chain by_carbons by_hydrogens pull lean".split()
PARTS = {"orders": (0, 2), "slopes": (2, 6), "distant": (8, 7)}  # of each loop: where its sums are, and how many
SUMS = 15
MOST = 2**31 - 1  # entries of lists, which are counted in 32 bits


@rebo_scheme("full")
class ReboScheme(PartnerScheme):
    parameters: Any  # rebo.py
    styles, numbers_of_bonds, sums = "pair styles rebo and airebo add", REAL, SUMS
    collect = Kernel(edge_loops.collect, 7)

    def part_energies(self) -> np.ndarray:
        """Bonds, pairs at a distance, torsions: this rank's, of the last tally."""
        p = self.parts.get()
        return np.array([p[0], p[8], p[1]])

    # ---- lists
    def _lists(self, comm: SerialComm) -> None:
        """Partners of atoms, and homes of ghosts: when neighbours are new, or if there was no room for them."""
        near, par, space = self.neighbor, self.parameters, self.system.space
        atoms, n = self.system.atoms, self.system.atoms.n
        if not self.stale and space.queue is None and n:
            self.stale = int(self.near.start.data[self.rows]) > self.near.room
        if not self.stale:
            return
        self.stale, self.rows = False, n if comm.ranks == 1 else atoms.total
        self.near.items(self.rows)
        reading = (atoms.view("x"), atoms.view("type"), near.neigh, near.count, near.first, near.si, near.sk,
                   par.views["reach"], par.kinds, near.skin)
        dense = (("DENSE", near.dense),)
        parallel_for(space, n, made(edge_loops.count_near, statics=dense), *reading, self.near.count)
        comm.own_rows(self.system, self.home)
        ghosts = (("ALL", par.pairs_at_distance),)
        if comm.ranks > 1:
            parallel_for(space, self.rows - n, made(ghost_loops.count_ghost, statics=ghosts), *self._of_ghosts(), self.home,
                         self.near.count)
        self.near.add_up(self.rows)
        parallel_for(space, n, made(edge_loops.fill_near, statics=dense), n, *reading, self.rows, self.near.start,
                     self.near.room, space.place + 1, space.control, self.near["partner"])
        if comm.ranks > 1:
            parallel_for(space, self.rows - n, made(ghost_loops.fill_ghost, statics=ghosts), *self._of_ghosts(),
                         self.near.start, self.near["partner"])

    # ---- work
    def _before_forces(self, tally: Tally | None, comm: SerialComm) -> None:
        self._reserve()
        self._lists(comm)
        self._measure(comm)

    def _forces(self, tally: Tally | None, comm: SerialComm, out: ScatterView) -> None:
        atoms, par, near, of = self.system.atoms, self.parameters, self.neighbor, self.of_atoms
        kind, element, pairs, general = atoms.view("type"), par.views["element"], par.views["pairs"], par.views["general"]
        table, start = par.views["table"], self.bonds.start
        lengths = self._of_bonds("dx dy dz r w dw wp dwp")
        found = of["carbons"], of["hydrogens"], of["chain"]
        slopes = (*self._of_bonds("gx gy gz ew ac"), of["by_carbons"], of["by_hydrogens"], of["pull"])
        self._run("orders", tally, start, self.home, self.bonds["bj"], kind, element, *lengths, *found, pairs, par.kinds,
                  general, table, *slopes, out)
        if par.pairs_at_distance:
            self._run("distant", tally, atoms.view("x"), kind, near.neigh, near.count, near.first, near.si, near.sk, start,
                      self.home, self.bonds["bj"], element, *lengths, *found, pairs, par.kinds, general, table, *slopes, out)
        space, n, lean = self.system.space, atoms.n, self.lean
        total = atoms.capacity if space.counts_on_device else atoms.total
        lean.reset(total)
        parallel_for(space, n, made(edge_loops.spread), start, self.bonds["bj"], kind, element, self.bonds["w"],
                     of["carbons"], of["hydrogens"], general, of["pull"], self.bonds["ac"], self.bonds["ew"], lean)
        lean.collect(total)
        comm.reverse_values(self.system, f"lean{self.label}", of["lean"])
        self._run("slopes", tally, start, self.bonds["bj"], kind, element, *self._of_bonds("dx dy dz r dw gx gy gz ew"),
                  of["by_carbons"], of["by_hydrogens"], of["lean"], out)

    def _measure(self, comm: SerialComm) -> None:
        """Bonds with their weights, numbers of neighbours, conjugation."""
        system, space, par, bonds, of = self.system, self.system.space, self.parameters, self.bonds, self.of_atoms
        atoms, n, rows = system.atoms, system.atoms.n, self.rows
        reading = (atoms.view("x"), atoms.view("type"), self.near.start, self.near["partner"], par.views["reach"], par.kinds)
        one = (("TEAMS", False),)
        bonds.items(rows)
        parallel_for(space, rows, made(bond_loops.count_bonds, statics=one), *reading, bonds.count)
        bonds.add_up(rows)
        parallel_for(space, rows, made(bond_loops.fill_bonds, statics=one), rows, *reading, bonds.start, bonds.room,
                     space.place + 1, space.control, bonds["bi"], bonds["bj"])
        parallel_for(space, bonds.used(), made(edge_loops.measure), rows, bonds.start, atoms.view("x"), atoms.view("type"),
                     *self._of_bonds("bi bj"), par.views["pairs"], par.kinds, *self._of_bonds(REAL))
        common = bonds.start, bonds["bj"], atoms.view("type"), par.views["element"], bonds["w"], of["carbons"], of["hydrogens"]
        parallel_for(space, n, made(edge_loops.count_neighbours), *common)
        comm.forward_values(system, f"carbons{self.label}", of["carbons"])
        comm.forward_values(system, f"hydrogens{self.label}", of["hydrogens"])
        parallel_for(space, n, made(edge_loops.conjugate), *common, par.views["general"], of["chain"])
        comm.forward_values(system, f"chain{self.label}", of["chain"])

    def _run(self, name: str, tally: Tally | None, *arguments: Any) -> None:
        """A loop over atoms whose sums have a place among the parts."""
        space, n, par = self.system.space, self.system.atoms.n, self.parameters
        at, sums = PARTS[name]
        statics: tuple[tuple[str, Any], ...] = (("EV", tally is not None), ("SHARES", self.near_by is not None))
        if name != "slopes":
            statics += (("TORSIONS", par.torsions),)
        if name == "distant":
            statics += (("IS_MORSE", par.morse), ("DENSE", self.neighbor.dense))
        body = {"orders": order_loops.order_terms, "distant": distant_loops.distant, "slopes": edge_loops.bond_forces}[name]
        if tally is None:
            parallel_for(space, n, made(body, statics=statics), *arguments)
        else:
            parallel_reduce(space, n, made(body, sums, statics=statics), *arguments, into=self.parts, at=at)

    # ---- room
    def _reserve(self) -> None:
        """Arrays of atoms have as many rows as positions."""
        atoms, space = self.system.atoms, self.system.space
        rows = atoms.view("x").shape[0]
        if not self.of_atoms or self.of_atoms["chain"].shape[0] != rows:
            self.of_atoms = {name: View(rows, np.float64, space) for name in ATOMS}
            self.lean = ScatterView(self.of_atoms["lean"])  # many add to slopes with numbers of neighbours
            self.home = View(rows, np.int32, space)
