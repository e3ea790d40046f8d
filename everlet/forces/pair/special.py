"""The term of special pairs: pair forces between atoms one, two or three bonds apart, times the factors of special_bonds.

Neighbour lists leave such pairs out (neighbor/exclusions.py). There are few of them, so a small loop of their own costs less
than a test in the loop over all pairs. Cut Coulomb energies of special pairs are multiplied by their weight w; of those that
stand for all images of a charge (long, dsf, wolf) the part 1 - w of the bare C q_i q_j / r is taken away.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.pair import special_loops as loops
from everlet.forces.pair.parameters import Parameters
from everlet.forces.terms import Term
from everlet.neighbor.exclusions import Rules, Table, left_out
from everlet.portable import Constants, Kernel, View, parallel_for, parallel_team
from everlet.state.control import TOTAL
from everlet.state.ledger import Sums, Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings

FIND = Kernel(loops.find_special)
ATOMS, SEGMENT = 64, 512  # of the loop for CPUs: atoms that an item does, and pairs that are listed at a time
LANES = 8  # a long chain of results that wait for each other: several registers at a time


class Scaled:
    """What one pair style does with special pairs: its numbers, the factor of hybrid/scaled, the weights of its two parts."""

    def __init__(self, name: str, numbers: Parameters, factor: float, many: bool):
        self.name, self.numbers, self.given, self.many = f"{name} special", numbers, factor, many
        lj, coul = numbers.weights["lj"], numbers.weights["coul"]
        self.weights = Constants(8, numbers.table.space)
        self.weights.set([1.0, *lj, 1.0, *coul])
        # weight 0 means no force, unless charges stand for all their images: then the bare energy is taken away
        self.charges_alone = numbers.charged and not any(lj) and not numbers.rest
        always = numbers.rest or (numbers.for_images and not numbers.leaves_out)
        self.counts = [bool(w or (numbers.charged and (v or always))) for w, v in zip(lj, coul, strict=True)]

    @property
    def factor(self) -> float:
        """That of its pairs, whose term goes before this."""
        return self.numbers.factor if self.numbers.follows else self.given

    def _statics(self, tally: bool, **more: Any) -> tuple[tuple[str, Any], ...]:
        numbers = self.numbers
        formula = dict(numbers.plain)["pair"]
        if numbers.charged:
            formula = numbers.weighted_charges if self.charges_alone else numbers.weighted
        return (("pair", formula), ("NP", len(numbers.fields)), ("COUL", numbers.charged), ("EV", tally),
                ("CLOSE", numbers.closest), ("MANY", self.many), *more.items())

    def block(self, tally: bool, energy: bool = True) -> Kernel:
        """The loop for CPUs, in double precision: several atoms at a time."""
        alike = self.charges_alone and self.numbers.alike
        statics = self._statics(tally, ENERGY=tally and energy, ALIKE=alike, ATOMS=ATOMS, SEGMENT=SEGMENT)
        sums = (self.numbers.sums if energy else 6) if tally else 0
        return Kernel(loops.special_block, sums, fields=self.numbers.fields, statics=statics, league=True, width=LANES)

    def loop(self, tally: bool, peratom: bool = False) -> Kernel:
        numbers, statics = self.numbers, self._statics(tally, PERATOM=peratom)
        return Kernel(loops.special_loop, numbers.sums if tally else 0, fields=numbers.fields, statics=statics,
                      precision=numbers.precision)


class SpecialTerm(Term):
    """Scaled pairs of one pair style, or of each sub-style of a hybrid: `styles` are their names in the ledger, parameters and
    factors. `exclude`: rules of neigh_modify; pairs that they name have no force at all."""

    def __init__(self, system: System, name: str, styles: list[tuple[str, Parameters, float]], rows: RowsOfIds,
                 exclude: Rules | None = None):
        self.system, self.name, self.rows = system, f"{name} special", rows
        self.partner = View(0, np.int32, system.space)
        self.none, self.no_force, self.no_virial = (View(shape, np.float64, system.space) for shape in (1, (1, 3), (1, 6)))
        self.rules = Table(system.space, exclude.rows if exclude is not None else ())
        many = system.members is not None
        self.styles = [Scaled(name, numbers, factor, many) for name, numbers, factor in styles if numbers.of_distance]
        self.levels = [dropped and any(style.counts[level - 1] for style in self.styles)
                       for level, dropped in enumerate(left_out(system))]
        self.others = [numbers.name for _, numbers, _ in styles if not numbers.of_distance]
        self.scaled = Constants(4, system.space, np.int64)
        self.scaled.set([int(scaled) for scaled in self.levels])

    @property
    def needed(self) -> bool:
        """There are pairs that lists leave out and that have a force nevertheless."""
        special = self.system.topology.special
        if self.others and any(w not in (0.0, 1.0) for w in special.lj):
            raise InputError(f"special_bonds lj {' '.join(f'{w:g}' for w in special.lj)}: forces of {self.others[0]} cannot"
                             " be multiplied by a factor", "use factors 0 and 1")
        return any(self.levels)

    @property
    def by_atom(self) -> bool:  # type: ignore[override]
        return not self.blocks

    @property
    def blocks(self) -> bool:
        """Pairs of several atoms are put on lanes; not on GPUs, which have a thread for each atom."""
        system, fields = self.system, self.system.atoms.fields
        return (system.members is None and system.space.simd and system.precision == "double" and "special" in fields
                and system.atoms.view("special").width <= SEGMENT)

    def rebuilt(self) -> None:
        self.rows.update()
        self.partner = self._find(self.system, self.rows, self.partner)
        if self.system.space.queue is None:
            self._check()

    def _find(self, where: System, rows: RowsOfIds, partner: View) -> View:
        """Rows of special partners in `where`, whose ghosts need not be those of the run."""
        atoms, space = where.atoms, where.space
        special = atoms.view("special")
        if partner.shape[0] < atoms.capacity * special.width:
            partner = View(atoms.capacity * special.width, np.int32, space)
        parallel_for(space, atoms.n, FIND, special.width, special.data, self.scaled.view, rows.view,
                     *self.rules.arguments(atoms), partner, space.control)
        return partner

    def _check(self) -> None:
        self.system.need_found("an atom that few bonds link to another one",
                               "ghosts must reach as far as three bonds: comm_modify cutoff makes that longer")

    def _arguments(self, style: Scaled, where: System, box: View, partner: View) -> tuple[Any, ...]:
        atoms, numbers = where.atoms, style.numbers
        width, q = atoms.view("special").width, atoms.charges() if numbers.charged else self.none
        member = atoms.view("member" if style.many else "type")
        return (self.places(where), box, member, atoms.view("type"), q, width, partner, style.weights.view, numbers.table,
                numbers.data, numbers.kinds, style.factor)

    def places(self, where: System) -> View:
        """Positions that distances are between."""
        return where.atoms.view("x")

    def target(self) -> View:
        """Forces that it adds to."""
        return self.system.atoms.view("f", modify=True)

    def enter(self, sums: Sums) -> Tally:
        return sums.together(self.name, tuple(sums.tally(style.name, style.numbers.energies, factor=style.factor)
                                              for style in self.styles))

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space = self.system.atoms, self.system.space
        for k, style in enumerate(self.styles):
            arguments = (*self._arguments(style, self.system, self.system.box_view(), self.partner), self.target(), self.none,
                         self.no_virial)
            into = tally.parts[k] if tally is not None and tally.parts else tally
            if into is not None and style.numbers.follows:
                into.factor = style.factor
            items, kernel, at = atoms.n, style.loop(tally is not None), 0
            if self.blocks:
                kernel, arguments = style.block(tally is not None, tally is not None and tally.energy), (atoms.n, *arguments)
                items, at = -(-items // ATOMS), int(tally is not None and not tally.energy)
            if into is not None:
                into.reduce(space, items, kernel, *arguments, at=at)
            else:
                (parallel_team if kernel.league else parallel_for)(space, items, kernel, *arguments)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        space, where = near.system.space, near.system
        rows = rows_near(near)
        partner = self._find(where, rows, View(0, np.int32, space))
        self._check()
        for style in self.styles:
            parallel_for(space, near.n, style.loop(False, True), *self._arguments(style, where, where.box_view(), partner),
                         self.no_force, energy, virial)


def rows_near(near: Surroundings) -> RowsOfIds:
    """Rows of ids among the atoms and ghosts of surroundings, made once."""
    if "rows of ids" not in near.kept:
        space, rows = near.system.space, RowsOfIds(near.system)
        of_the_run = space.read_control()[TOTAL]
        space.control[TOTAL] = near.system.atoms.total
        rows.update()
        space.control[TOTAL] = of_the_run
        near.kept["rows of ids"] = rows
    return near.kept["rows of ids"]
