"""What ReaxFF works with: loops, as kernels of this machine, and arrays of atoms, bonds and packed tables."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

import numpy as np

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
from everlet.forces.manybody.reaxff.partners import PartnerScheme
from everlet.forces.manybody.reaxff.tables import Packed
from everlet.forces.pair.parameters import Parameters
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, Portable, View
from everlet.portable.scatter_view import ScatterView
from everlet.portable.traits import WIDEST
from everlet.state.system import System

if TYPE_CHECKING:  # it knows this file
    from everlet.forces.manybody.reaxff.numbers import ReaxParameters

CHUNK = 64  # entries of an item of flat loops on a CPU
REAL = "dx dy dz r s sp spp ds dp dpp B Bp Bpp A f1 X Yi Yj Zi Zj beta beta_p beta_pp single w cw own half es ep epp"
PARTS = {"bonds": (0, 2), "atoms": (2, 3), "angles": (5, 9), "torsions": (14, 8), "hbonds": (22, 7), "pairs": (29, 8),
         "orders": (37, 6)}  # of each loop: where its sums are, and how many
SUMS = 43
COUNT_GHOST, FILL_GHOST = (Kernel(body, statics=(("ALL", False),)) for body in (ghost_loops.count_ghost,
                                                                                  ghost_loops.fill_ghost))
ATOMS, WAYS = "primed T C0 C k1 k2 csbo py ot D each", ("Px", "Py", "Pz")


@functools.lru_cache(256)
def made(body: Portable, sums: int = 0, fields: tuple[str, ...] = (), team: int = 1,
         statics: tuple[tuple[str, Any], ...] = ()) -> Kernel:
    """Always the same object, which knows its program."""
    return Kernel(body, sums, fields=fields, team=team, statics=statics)


class ReaxKernels(PartnerScheme):
    """Loops and arrays of a ReaxScheme."""

    parameters: ReaxParameters
    styles, numbers_of_bonds, sums = "pair style reaxff adds", REAL, SUMS
    collect = Kernel(slope_loops.collect, 8)

    def __init__(self, system: System, neighbor: Neighbor, parameters: Parameters):
        super().__init__(system, neighbor, parameters)
        space = system.space
        self.visits = Packed(space, visit=np.int32)
        self.angles = Packed(space, first=np.int32, second=np.int32, par=np.int32)
        self.torsions = Packed(space, arm=np.int32, mid=np.int32, end=np.int32, par=np.int32)
        self.hbonds = Packed(space, bond=np.int32, acceptor=np.int32, par=np.int32)
        self.scatters: dict[str, ScatterView] = {}

    @property
    def potential(self) -> str:
        """The field of potentials, which fix acks2/reaxff makes; empty without it."""
        return next((fix.potential for fix in self.system.fixes.values() if fix.potential), "")

    # ---- kernels
    @property
    def chunk(self) -> int:
        return self.system.space.in_turn(CHUNK)

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
        team = self.system.space.shared(team)
        return made(body, team=team, statics=(*statics, ("TEAMS", team > 1)))

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
