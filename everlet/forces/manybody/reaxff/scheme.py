"""How ReaxFF does its work: bonds, orders, energies of bonds and atoms, packed angles, torsions and hydrogen bonds, and back.

    rows            when lists are new: partners that may be bound before the next build, pairs each of which is visited once
    bonds           of each atom, packed (bond_loops.py)
    orders          uncorrected, their sums to ghosts, corrected, their sums to ghosts
    terms           energies of bonds and atoms (atom_loops.py)
    angles, torsions, hydrogen bonds: found, packed, computed; van der Waals and Coulomb: one loop over pairs
    slopes          with sums of orders home, the chain of orders backward, forces along bonds (slope_loops.py)

Energies and virials of all loops stand side by side in `parts`; what the tally gets is their sum.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.errors import RunError
from everlet.forces.manybody.reaxff import angle_loops, bond_loops, slope_loops, torsion_loops
from everlet.forces.manybody.reaxff.kernels import COUNT_GHOST, FILL_GHOST, PARTS, ReaxKernels, made
from everlet.forces.pair.schemes.base import Scheme
from everlet.portable import parallel_for, parallel_reduce
from everlet.portable.scatter_view import ScatterView
from everlet.registry import Registry
from everlet.state.ledger import Tally

reaxff_scheme: Registry[type[Scheme]] = Registry("scheme of reaxff")
MANY, MOST = 1_000_000, 2**31 - 1  # atoms, and entries of lists, which are counted in 32 bits


@reaxff_scheme("full")
class ReaxScheme(ReaxKernels):
    def part_energies(self) -> np.ndarray:
        """Of the terms, in the order of `compute pair`: bonds, coordination, lone pairs, molecule, angles, penalties,
        coalition, hydrogen bonds, torsions, conjugation, van der Waals, Coulomb, field, polarisation. This rank's, of the
        last tally."""
        p = self.parts.get()
        return np.array([p[0], p[3], p[1] + p[2], 0.0, p[5], p[6], p[7], p[22], p[14], p[15], p[29], p[30], 0.0, p[4]])

    # ---- lists
    def _lists(self, comm: SerialComm) -> None:
        """Partners of atoms, pairs, and homes of ghosts: when neighbours are new, or if there was no room for them."""
        near, par, space = self.neighbor, self.parameters, self.system.space
        atoms, n = self.system.atoms, self.system.atoms.n
        if not self.stale and space.queue is None and n:
            self.stale = (int(self.near.start.data[self.rows]) > self.near.room
                          or int(self.visits.start.data[n * par.kinds]) > self.visits.room)
        if not self.stale:
            return
        self.stale, self.rows = False, n if comm.ranks == 1 else atoms.total
        if n > MANY and int(near.count.data[:n].sum()) > MOST:
            raise RunError(f"{n} atoms have too many neighbours for one rank", "use more ranks, or fewer atoms")
        self.near.items(self.rows)
        self.visits.items(n * par.kinds)
        reading = (atoms.view("x"), atoms.view("type"), atoms.view("id"), near.neigh, near.count, near.first, near.si, near.sk,
                   par.views["reach"], par.kinds, near.skin)
        parallel_for(space, n, self._listing[0], *reading, self.near.count, self.visits.count)
        comm.own_rows(self.system, self.home)
        if comm.ranks > 1:
            parallel_for(space, self.rows - n, COUNT_GHOST, *self._of_ghosts(), self.home, self.near.count)
        self.near.add_up(self.rows)
        self.visits.add_up(n * par.kinds)
        parallel_for(space, n, self._listing[1], n, *reading, self.rows, self.near.start,
                     self.visits.start, self.near.room, self.visits.room, space.place + 1, space.control, self.near["partner"],
                     self.visits.count, self.visits["visit"])
        if comm.ranks > 1:
            parallel_for(space, self.rows - n, FILL_GHOST, *self._of_ghosts(), self.near.start, self.near["partner"])

    # ---- work
    def share(self, out: ScatterView) -> None:
        super().share(out)
        n = self.system.atoms.n
        out.view.data[6 : 9 * n : 9] += self.of_atoms["each"].data[:n]

    def _before_forces(self, tally: Tally | None, comm: SerialComm) -> None:
        """Orders, what bonds and atoms have by themselves, and tables."""
        self._reserve()
        self._lists(comm)
        self._orders(comm)
        self._launch("bonds", tally, -(-self.bonds.used() // self.chunk), *self._bond_arguments())
        self._launch("atoms", tally, self.system.atoms.n, *self._atom_arguments())
        self._find()

    def _forces(self, tally: Tally | None, comm: SerialComm, force: ScatterView) -> None:
        total, flat, of, space = self._total, -(-self.bonds.used() // self.chunk), self.of_atoms, self.system.space
        rows, n, start = self.rows, self.system.atoms.n, self.bonds.start
        beta, beta_p = self._scatter_of("beta"), self._scatter_of("beta_p")
        C, csbo, D = (self._scatter_of(name) for name in ("C", "csbo", "D"))
        for one in (beta, beta_p):
            one.begin(self.bonds.used())
        for one in (C, csbo, D):
            one.reset(total)
        self._launch("pairs", tally, n, *self._pair_arguments(), force)
        self._bonded(tally, beta, beta_p, C, csbo, force)
        parallel_for(space, flat, self._flat(slope_loops.spread_under), rows, n, start, *self._of_bonds("bi bj"), of["k2"],
                     self.bonds["cw"], C)
        for one in (beta, beta_p):
            one.end(self.bonds.used())
        for one in (C, csbo):
            one.collect(total)
        comm.reverse_values(self.system, f"slopes{self.label}", of["C"])
        parallel_for(space, flat, self._flat(slope_loops.chain, tallies=True), rows, n, start,
                     *self._of_bonds("bi bj s sp spp B A f1 X Yi Yj Zi Zj beta beta_p beta_pp single w"), of["C"], of["C0"],
                     of["k1"], of["k2"], of["csbo"], of["py"], of["ot"], *self._of_bonds("es ep epp"), D)
        D.collect(total)
        comm.reverse_values(self.system, f"orders{self.label}", of["D"])
        for name in self._ways:
            P = self._scatter_of(name)
            P.reset(total)
            parallel_for(space, flat, self._flat(slope_loops.lean), rows, start, *self._of_bonds(f"bi bj d{name[1]} Yi Yj"), P)
            P.collect(total)
            comm.reverse_values(self.system, f"{name}{self.label}", of[name])
        self._launch("orders", tally, flat, rows, n, start, *self._of_bonds("bi bj dx dy dz r ds dp dpp es ep epp"), of["D"],
                     *(of[name] for name in self._ways or "DDD"), force)

    def _pair_arguments(self) -> tuple[Any, ...]:
        atoms, par = self.system.atoms, self.parameters
        return (atoms.view("x"), atoms.view("type"), atoms.view("q"), self.visits.start, self.visits["visit"], par.table,
                par.kinds, par.views["general"], par.table if par.octaves is None else par.octaves,
                atoms.view(self.potential or "q"))

    def _launch(self, name: str, tally: Tally | None, items: int, *arguments: Any) -> None:
        """A loop whose sums have a place among the parts."""
        kernel, space = self._summed(name, tally is not None), self.system.space
        if tally is None:
            parallel_for(space, items, kernel, *arguments)
        else:
            parallel_reduce(space, items, kernel, *arguments, into=self.parts, at=PARTS[name][0])

    def _orders(self, comm: SerialComm) -> None:
        """Bonds and their orders, uncorrected and corrected."""
        system, space, par, bonds, of = self.system, self.system.space, self.parameters, self.bonds, self.of_atoms
        atoms, n, rows = system.atoms, system.atoms.n, self.rows
        reading = (atoms.view("x"), atoms.view("type"), self.near.start, self.near["partner"], par.views["reach"], par.kinds)
        bonds.items(rows)
        parallel_for(space, rows, self._bonding[0], *reading, bonds.count)
        bonds.add_up(rows)
        parallel_for(space, rows, self._bonding[1], rows, *reading, bonds.start, bonds.room, space.place + 1,
                     space.control, bonds["bi"], bonds["bj"])
        flat = -(-bonds.used() // self.chunk)
        parallel_for(space, flat, self._flat(bond_loops.bond_orders, "BOND"), rows, bonds.start, atoms.view("x"),
                     atoms.view("type"), *self._of_bonds("bi bj"), par.views["bonds"], par.kinds, par.views["general"],
                     *self._of_bonds("dx dy dz r s sp spp ds dp dpp"))
        parallel_for(space, n, made(bond_loops.sum_rows), bonds.start, bonds["s"], of["primed"])
        comm.forward_values(system, f"primed{self.label}", of["primed"])
        parallel_for(space, flat, self._flat(bond_loops.correct, "BOND"), rows, bonds.start, atoms.view("type"),
                     *self._of_bonds("bi bj"), par.views["bonds"], par.kinds, par.views["general"], par.views["elements"],
                     of["primed"], *self._of_bonds("s sp spp B Bp Bpp A f1 X Yi Yj Zi Zj"))
        parallel_for(space, n, made(bond_loops.sum_rows), bonds.start, bonds["B"], of["T"])
        comm.forward_values(system, f"orders{self.label}", of["T"])

    def _bond_arguments(self) -> tuple[Any, ...]:
        atoms, par, of = self.system.atoms, self.parameters, self.of_atoms
        return (self.rows, atoms.n, self.bonds.start, atoms.view("type"), *self._of_bonds("bi bj"), par.views["bonds"],
                par.kinds, par.views["general"], par.views["elements"], of["T"],
                *self._of_bonds("B Bp Bpp beta beta_p beta_pp single w cw own half"))

    def _atom_arguments(self) -> tuple[Any, ...]:
        atoms, par, of = self.system.atoms, self.parameters, self.of_atoms
        return (self.bonds.start, atoms.view("type"), par.views["general"], par.views["elements"], atoms.view("q"),
                atoms.view(self.potential or "q"), of["T"], *self._of_bonds("B Bp Bpp single w own"), of["C0"], of["k1"],
                of["k2"], of["py"], of["ot"], of["centre"], of["more"], self.bonds["half"], of["each"])

    def _find(self) -> None:
        """Packed tables of angles, torsions and hydrogen bonds."""
        par, bonds, near, atoms, n = self.parameters, self.bonds, self.neighbor, self.system.atoms, self.system.atoms.n
        general, kind = par.views["general"], atoms.view("type")
        common: tuple[Any, ...] = bonds.start, kind, bonds["bj"], bonds["B"], general, par.views["angle_sets"], par.kinds
        self.angles.pack(n, made(angle_loops.count_angles), made(angle_loops.fill_angles), common)
        common = (self.rows, n, bonds.start, atoms.view("x"), atoms.view("id"), kind, self.home,
                  *self._of_bonds("bi bj dx dy dz B"), general, par.views["torsion_sets"], par.kinds)
        self.torsions.pack(bonds.used(), made(torsion_loops.count_torsions), made(torsion_loops.fill_torsions), common)
        if par.hydrogens:
            common = (atoms.view("x"), kind, atoms.view("id"), near.neigh, near.count, near.first, near.si, near.sk,
                      bonds.start, bonds["bj"], bonds["B"], general, par.views["elements"], par.views["hbond_sets"], par.kinds)
            self.hbonds.pack(n, *self._hydrogens, common)

    def _bonded(self, tally: Tally | None, beta: ScatterView, beta_p: ScatterView, C: ScatterView, csbo: ScatterView,
                force: ScatterView) -> None:
        par, of, atoms, bonds = self.parameters, self.of_atoms, self.system.atoms, self.bonds
        general, elements, kind, n = par.views["general"], par.views["elements"], atoms.view("type"), atoms.n
        places = self._of_bonds("bi bj dx dy dz r B")
        self._launch("angles", tally, -(-self.angles.used() // self.chunk), n, self.angles.start, *self.angles.columns.values(),
                     par.views["angles"], general, elements, kind, *places, of["T"], of["centre"], of["more"], beta, C, csbo,
                     force)
        self._launch("torsions", tally, -(-self.torsions.used() // self.chunk), bonds.used(), self.torsions.start,
                     *self.torsions.columns.values(), par.views["torsions"], general, elements, kind, *places, bonds["Bp"],
                     of["T"], beta, beta_p, C, force)
        if par.hydrogens:
            self._launch("hbonds", tally, -(-self.hbonds.used() // self.chunk), n, self.hbonds.start,
                         *self.hbonds.columns.values(), par.views["hbonds"], atoms.view("x"), *places, beta, force)
