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

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.mpi import AT_HOME
from everlet.comm.serial import HOMES, SerialComm
from everlet.errors import InputError, RunError
from everlet.forces.manybody.reaxff import (
    angle_loops,
    atom_loops,
    bond_loops,
    ghost_loops,
    hbond_loops,
    nonbonded_loops,
    slope_loops,
    torsion_loops,
)
from everlet.forces.manybody.reaxff.tables import Packed
from everlet.forces.manybody.scattered import ScatteredScheme
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.schemes.base import Scheme
from everlet.neighbor.lists import Neighbor
from everlet.neighbor.surroundings import Surroundings
from everlet.portable import Kernel, Portable, Space, View, parallel_for, parallel_reduce
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import WIDEST
from everlet.registry import Registry
from everlet.state.ledger import Tally
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.reaxff.numbers import ReaxParameters

reaxff_scheme: Registry[type[Scheme]] = Registry("scheme of reaxff")
MANY, MOST = 1_000_000, 2**31 - 1  # atoms, and entries of lists, which are counted in 32 bits
CHUNK = 64  # entries of an item of flat loops on a CPU
REAL = ("dx dy dz r s sp spp ds dp dpp B Bp Bpp A f1 X Yi Yj Zi Zj beta beta_p beta_pp single w cw own half es ep epp").split()
PARTS = {"bonds": (0, 2), "atoms": (2, 3), "angles": (5, 9), "torsions": (14, 8), "hbonds": (22, 7), "pairs": (29, 8),
         "orders": (37, 6)}  # of each loop: where its sums are, and how many
SUMS = 43
COUNT_GHOST, FILL_GHOST = Kernel(ghost_loops.count_ghost), Kernel(ghost_loops.fill_ghost)
COLLECT = Kernel(slope_loops.collect, 8)
ATOMS, WAYS = "primed T C0 C k1 k2 csbo py ot D each", ("Px", "Py", "Pz")


@functools.lru_cache(256)
def made(body: Portable, sums: int = 0, fields: tuple[str, ...] = (), team: int = 1,
         statics: tuple[tuple[str, Any], ...] = ()) -> Kernel:
    """Always the same object, which knows its program."""
    return Kernel(body, sums, fields=fields, team=team, statics=statics)


@reaxff_scheme("full")
class ReaxScheme(ScatteredScheme):
    steady = communicates = True
    precisions = ("double",)
    parameters: ReaxParameters
    near_by: Surroundings | None = None  # where energies and virials of atoms are wanted, not forces

    @property
    def virial_of_forces(self) -> bool:
        """No: forces of torsions may be on other images of an atom than the one that takes part."""
        return False

    @classmethod
    def repeatable(cls, space: Space, options: dict[str, Any]) -> dict[str, Any]:
        if space.many_threads or space.threads > 1:
            raise InputError("pair style reaxff adds up slopes of many atoms in an order that depends on threads",
                             "use one thread, or leave out 'deterministic on'")
        return options

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.near, self.visits = Packed(space, partner=np.int32), Packed(space, visit=np.int32)
        self.bonds = Packed(space, bi=np.int32, bj=np.int32, **dict.fromkeys(REAL, np.float64))
        self.angles = Packed(space, first=np.int32, second=np.int32, par=np.int32)
        self.torsions = Packed(space, arm=np.int32, mid=np.int32, end=np.int32, par=np.int32)
        self.hbonds = Packed(space, bond=np.int32, acceptor=np.int32, par=np.int32)
        self.of_atoms: dict[str, View] = {}
        self.home = View(1, np.int32, space)
        self.parts = View(SUMS, np.float64, space)
        self.scatters: dict[str, ScatterView] = {}
        self.stale, self.rows = True, 0

    @property
    def potential(self) -> str:
        """The field of potentials, which fix acks2/reaxff makes; empty without it."""
        return next((fix.potential for fix in self.system.fixes.values() if fix.potential), "")

    # ---- kernels
    @property
    def chunk(self) -> int:
        return 1 if self.system.space.many_threads else CHUNK

    def _flat(self, body: Any, fields: str = "", sums: int = 0, tallies: bool = False) -> Kernel:
        """A loop over chunks of entries."""
        statics: tuple[tuple[str, Any], ...] = (("CHUNK", self.chunk),)
        if tallies:
            statics += (("EV", sums > 0), ("SHARES", self.near_by is not None))
        par = self.parameters
        if fields:
            statics += (("NP", par.sizes[fields]),)
        return made(body, sums, fields=par.field_names[fields] if fields else (), statics=statics)

    def _shared(self, body: Any, *statics: tuple[str, Any], team: int = 8) -> Kernel:
        """A loop over rows that threads of a GPU share."""
        teams = self.system.space.many_threads
        return made(body, team=team if teams else 1, statics=(*statics, ("TEAMS", teams)))

    @property
    def _listing(self) -> tuple[Kernel, Kernel]:
        dense = "DENSE", self.neighbor.dense
        count, fill = (self._shared(body, dense, team=WIDEST) for body in (bond_loops.count_rows, bond_loops.fill_rows))
        return count, fill

    @property
    def _hydrogens(self) -> tuple[Kernel, Kernel]:
        dense = "DENSE", self.neighbor.dense
        count, fill = (self._shared(body, dense, team=WIDEST) for body in (hbond_loops.count_hbonds, hbond_loops.fill_hbonds))
        return count, fill

    @property
    def _bonding(self) -> tuple[Kernel, Kernel]:
        return self._shared(bond_loops.count_bonds), self._shared(bond_loops.fill_bonds)

    def _summed(self, name: str, tally: bool) -> Kernel:
        sums = PARTS[name][1] if tally else 0
        if name == "atoms":
            return made(atom_loops.atom_terms, sums, statics=(("EV", tally), ("SHARES", self.near_by is not None),
                                                              ("POTENTIALS", bool(self.potential))))
        if name == "pairs":
            par = self.parameters
            shares = self.near_by is not None
            looks_up = par.octaves is not None and not tally and not shares
            statics = (("EV", tally), ("SHARES", shares), ("NP", len(par.fields)), ("LOOKUP", looks_up),
                       ("POTENTIALS", bool(self.potential)), *par.kind_of_vdw.items())
            team = self.system.space.team(self.system.atoms.n, WIDEST)
            return made(nonbonded_loops.nonbonded_loop, sums, fields=par.fields, team=max(team, 8 if team > 1 else 1),
                        statics=statics)
        body, fields = {"bonds": (atom_loops.bond_terms, "BOND"), "angles": (angle_loops.angle_loop, "ANGLE"),
                        "torsions": (torsion_loops.torsion_loop, "TORSION"), "hbonds": (hbond_loops.hbond_loop, "HBOND"),
                        "orders": (slope_loops.order_forces, "")}[name]
        return self._flat(body, fields, sums, tallies=True)

    def _kernels(self, tallies: tuple[bool, ...]) -> list[Kernel]:
        plain = [HOMES, *(Kernel(body) for body in (bond_loops.sum_rows, angle_loops.count_angles, angle_loops.fill_angles,
                                                    torsion_loops.count_torsions, torsion_loops.fill_torsions))]
        rows = [*self._listing, *self._bonding]
        flat = [self._flat(bond_loops.bond_orders, "BOND"), self._flat(bond_loops.correct, "BOND"),
                self._flat(slope_loops.spread_under), self._flat(slope_loops.chain, tallies=True)]
        flat += [self._flat(slope_loops.lean)] if self._ways else []
        names = [name for name in PARTS if name != "hbonds" or self.parameters.hydrogens]
        summed = [self._summed(name, tally) for name in names for tally in tallies]
        ghosts = [COUNT_GHOST, FILL_GHOST, AT_HOME] if self.system.ranks.size > 1 else []
        adding = self._scatter_of("C")
        return [*plain, *rows, *ghosts, *(self._hydrogens if self.parameters.hydrogens else []), *flat, *summed, COLLECT,
                *adding.adding_kernels(), *adding.kernels()]

    def kernels(self) -> list[Kernel]:
        return [*self._kernels((False, True)), *self.scatter_kernels()]

    def sharing_kernels(self) -> list[Kernel]:
        return self._kernels((False,))

    # ---- room
    def _reserve(self) -> None:
        """Arrays of atoms have as many rows as positions."""
        atoms, space = self.system.atoms, self.system.space
        rows = atoms.view("x").shape[0]
        if not self.of_atoms or self.of_atoms["T"].shape[0] != rows:
            self.of_atoms = {name: View(rows, np.float64, space) for name in (*ATOMS.split(), *self._ways)}
            self.of_atoms |= {name: View((rows, 4), np.float64, space) for name in ("centre", "more")}
            self.home = View(rows, np.int32, space)

    def _scatter_of(self, name: str) -> ScatterView:
        """Where many add to numbers of atoms, or of bonds."""
        self._reserve()
        target = self.of_atoms[name] if name in self.of_atoms else self.bonds[name]
        found = self.scatters.get(name)
        if found is None or found.target is not target:
            found = self.scatters[name] = ScatterView(target)
        return found

    @property
    def _ways(self) -> tuple[str, ...]:
        """Sums that only virials of atoms need."""
        return WAYS if self.near_by is not None else ()

    @property
    def _total(self) -> int:
        """Rows of atoms and ghosts."""
        atoms = self.system.atoms
        return atoms.capacity if self.system.space.counts_on_device else atoms.total

    def part_energies(self) -> np.ndarray:
        """Of the terms, in the order of `compute pair`: bonds, coordination, lone pairs, molecule, angles, penalties,
        coalition, hydrogen bonds, torsions, conjugation, van der Waals, Coulomb, field, polarisation. This rank's, of the
        last tally."""
        p = self.parts.get()
        return np.array([p[0], p[3], p[1] + p[2], 0.0, p[5], p[6], p[7], p[22], p[14], p[15], p[29], p[30], 0.0, p[4]])

    # ---- lists
    def rebuilt(self) -> None:
        self.stale = True

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

    def _of_ghosts(self) -> tuple[Any, ...]:
        """What is read to find partners of ghosts."""
        near, par, atoms, bins = self.neighbor, self.parameters, self.system.atoms, self.neighbor.bins
        return (atoms.n, atoms.view("x"), atoms.view("type"), bins.order, bins.start, bins.parameters.view, bins.shape.view,
                par.farthest + near.skin, par.views["reach"], par.kinds, near.skin)

    # ---- work
    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self._before_forces(tally, comm)
        with self.forces() as force:
            self._forces(tally, comm, force)
        if tally is not None:
            tally.reduce(self.system.space, 1, COLLECT, self.parts)

    def share(self, out: ScatterView) -> None:
        """Energies and virials of single atoms (manybody/shares.py)."""
        assert self.near_by is not None
        comm, n = self.near_by.comm, self.system.atoms.n
        self.stale = True
        self._before_forces(None, comm)
        self._forces(None, comm, out)
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

    def _of_bonds(self, names: str) -> list[View]:
        return [self.bonds[name] for name in names.split()]

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
