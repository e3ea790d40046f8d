"""The terms of pairs of the first and the last atom of links: bonded styles have the weights, the pair style the formula.

Weighted pairs of atoms 1 and 4 of dihedrals count as pairs: their energies are evdwl and ecoul. Those of atoms 1 and 3 of
angles count as angles in the SPICA force field, where they repel each other, and as evdwl in MOF-FF.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded import one_four_loops as loops
from everlet.forces.bonded.driver import CHUNK, adding, rows_near
from everlet.forces.bonded.links import LinkTable
from everlet.forces.pair.one_four import OneFour
from everlet.forces.terms import Term
from everlet.neighbor.exclusions import left_out
from everlet.portable import Kernel, ScatterView, View, parallel_for
from everlet.state.ledger import Tally
from everlet.state.system import System
from everlet.state.topology import ANGLE

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings


class EndsTerm(Term):
    """`weights` are those of types of links; `links` is the table of the bonded style `name`, whose term goes before this."""

    phase = "Bond"
    coulomb: ClassVar[bool] = False

    def __init__(self, system: System, name: str, weights: np.ndarray, links: LinkTable, repeatable: bool = False):
        formula = self.formula_of(system, name)
        self.system, self.links, self.repeatable, self.formula = system, links, repeatable, formula
        self.many, self.by_atom = system.members is not None, repeatable
        self.name = f"{links.kind.name} {name} 1-{links.kind.size}"
        self.kinds = formula.numbers.shape[0]
        self.weights, self.table, self.data = (self._view(one) for one in (weights, formula.numbers, formula.data))
        self._scatter: ScatterView | None = None

    def formula_of(self, system: System, name: str) -> OneFour:
        raise NotImplementedError

    def _view(self, numbers: np.ndarray) -> View:
        view = View(numbers.size, np.float64, self.system.space)
        view.put(numbers.ravel())
        return view

    def _charges(self, near: System | None = None) -> View:
        return (near or self.system).atoms.view("q") if self.coulomb else self.weights

    @property
    def chunk(self) -> int:
        return self.system.space.in_turn(CHUNK)

    def _statics(self, **more: Any) -> tuple[tuple[str, Any], ...]:
        return (("pair14", self.formula.function), ("NP", len(self.formula.fields)), ("SIZE", self.links.kind.size),
                ("COUL", self.coulomb), *more.items())

    def _loop(self, tally: bool) -> Kernel:
        sums, fields = (7 + self.coulomb) * tally, self.formula.fields
        if self.repeatable:
            statics = self._statics(FORCE=True, PERATOM=False, EV=tally, MANY=self.many)
            return Kernel(loops.own_pairs, sums, fields=fields, statics=statics)
        return Kernel(loops.one_four_loop, sums, fields=fields, statics=self._statics(EV=tally, CHUNK=self.chunk))

    def _each(self) -> Kernel:
        return Kernel(loops.own_pairs, fields=self.formula.fields, statics=self._statics(FORCE=False, PERATOM=True, EV=False,
                                                                                         MANY=self.many))

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space, links = self.system.atoms, self.system.space, self.links
        parameters = (self.weights, atoms.view("type"), self._charges(), self.table, self.data, self.kinds)
        arguments: tuple[Any, ...]
        if self.repeatable:
            items = atoms.n
            arguments = (*links.of_atoms(self.system, links.rows), atoms.view("x"), self.system.box_view(),
                         comm.member(self.system), *parameters, atoms.view("f", modify=True).data, self.table, self.table)
        else:
            self._scatter = adding(self._scatter, atoms.view("f", modify=True))
            self._scatter.begin(atoms.n)
            items = -(-links.items // self.chunk)
            arguments = (links.count, links.room, atoms.view("x"), self.system.box_view(), atoms.n, links.links, *parameters,
                         self._scatter)
        if tally is None:
            parallel_for(space, items, self._loop(False), *arguments)
        else:
            tally.reduce(space, items, self._loop(True), *arguments)
        if self._scatter is not None:
            self._scatter.end(atoms.n)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        atoms = near.system.atoms
        parallel_for(self.system.space, near.n, self._each(), *self.links.of_atoms(near.system, rows_near(near)),
                     atoms.view("x"), near.system.box_view(), near.comm.member(near.system), self.weights, atoms.view("type"),
                     self._charges(near.system), self.table, self.data, self.kinds, self.table, energy, virial.data)


class OneFourTerm(EndsTerm):
    """Of dihedrals."""

    energies = ("vdwl", "coul")
    coulomb = True

    def formula_of(self, system: System, name: str) -> OneFour:
        formula = system.pair.one_four() if system.pair is not None else None
        if formula is None or "q" not in system.atoms.fields:
            raise InputError(f"dihedral style {name} with weights above 0 computes pairs of atoms 1 and 4, and the pair style "
                             "has no formula for them", "use a pair style lj/charmm…, or weights of 0")
        if formula.dihedral != name and not system.pair.sub_styles:
            raise InputError(f"dihedral style {name} does not fit pair style {system.pair.name}",
                             f"use dihedral style {formula.dihedral}")
        if not left_out(system, "gone")[3]:
            raise InputError(f"dihedral style {name} with weights above 0 computes pairs three bonds apart, and so does the "
                             "pair style with the present factors", "use special_bonds charmm")
        return formula


class OneThreeTerm(EndsTerm):
    """Of angles."""

    part = ANGLE.name
    remedies: ClassVar[dict[str, str]] = {"cosine/buck6d": "buck6d/coul/gauss/…, or angle style cosine/periodic"}

    def formula_of(self, system: System, name: str) -> OneFour:
        formula = system.pair.one_three() if system.pair is not None else None
        if formula is None or name not in formula.angles:
            remedy = self.remedies.get(name, "lj/spica…, or angle style harmonic")
            raise InputError(f"angle style {name} computes the repulsion of atoms 1 and 3, and the pair style has no "
                             "formula for it", f"use a pair style {remedy}")
        self.energies = (formula.counts,)
        return formula
