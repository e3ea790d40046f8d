"""Bonds that break, and the pair forces that they take away as long as they hold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.errors import InputError
from everlet.forces.bonded.breaking_loops import CUT_LINK, CUT_OWN, FIND_HELD
from everlet.forces.bonded.driver import LinkTerm
from everlet.forces.pair.parameters import Parameters
from everlet.forces.pair.special import SpecialTerm, rows_near
from everlet.neighbor.exclusions import left_out
from everlet.portable import View, parallel_for
from everlet.state.ledger import Tally
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.system import System
from everlet.state.topology import BOND

if TYPE_CHECKING:
    from everlet.comm.serial import SerialComm
    from everlet.neighbor.surroundings import Surroundings

TAKEN = [1.0, -1.0, 1.0, 1.0] * 2  # factors by level: the pair force of a bond is taken away


def squares(system: System, found: dict[int, float]) -> View:
    """By bond type: the square of the length at which bonds break, 0: never."""
    values = np.zeros(system.topology.types["bond"] + 1)
    for type, length in found.items():
        values[type] = length * length
    view = View(len(values), np.float64, system.space)
    view.put(values)
    return view


class BreakingTerm(LinkTerm):
    """Bonds of a style that `breaks`: those that are too long break before forces are computed."""

    def __init__(self, *arguments: Any):
        super().__init__(*arguments)
        types = [type for type, own in enumerate(self.links.mine.now) if own]
        self.longest = squares(self.system, self.style.longest(types))
        others = [name for name in ("angle", "dihedral", "improper") if self.system.bonded.get(name) is not None]
        if others:
            raise InputError(f"bond style {self.style.name} breaks bonds, and there is {others[0]}_style", "use bonds alone: "
                             "angles and the like would outlive them")
        if any(left_out(self.system)):
            raise InputError(f"bond style {self.style.name} needs pair forces between all atoms, to take away those of whole "
                             "bonds", "use special_bonds lj/coul 1 1 1")

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        atoms, space, box, links = self.system.atoms, self.system.space, self.system.box_view(), self.links
        type = atoms.view(BOND.type, modify=True)
        parallel_for(space, atoms.n, CUT_OWN, type.width, type.data, atoms.view(BOND.atoms).data, self.rows.view,
                     atoms.view("x"), box, self.longest)
        parallel_for(space, links.items, CUT_LINK, links.count, links.room, links.links, atoms.view("x"), box, self.longest)
        super().compute(tally, comm)


class HeldPairs(SpecialTerm):
    """Takes away the pair forces between atoms of bonds that may break and have not."""

    def __init__(self, system: System, name: str, styles: list[tuple[str, Parameters, float]], rows: RowsOfIds,
                 longest: dict[int, float]):
        super().__init__(system, name, styles, rows)
        self.name, self.longest = f"{name} held", squares(system, longest)
        bad = [numbers.name for _, numbers, _ in styles if not numbers.of_distance or numbers.charged and numbers.for_images]
        if bad:
            raise InputError(f"bonds that break take pair forces away, which cannot be done with pair style {bad[0]}",
                             "use a style of distances, without long-range charges")
        for style in self.styles:
            style.name = style.name.replace("special", "held")
            style.weights.set(TAKEN)

    @classmethod
    def of(cls, system: System, name: str, styles: list[tuple[str, Parameters, float]], rows: RowsOfIds) -> list[HeldPairs]:
        """The term, if some style of bonds breaks."""
        style = system.bonded["bond"]
        longest: dict[int, float] = {}
        for member, types in style.members() if style is not None else ():
            if member.breaks:
                longest |= member.longest(types)
        return [cls(system, name, styles, rows, longest)] if longest else []

    @property
    def needed(self) -> bool:
        return True

    @property
    def blocks(self) -> bool:
        return False

    def rebuilt(self) -> None:
        """Partners are found at every step."""

    def _look(self, where: System, rows: RowsOfIds) -> None:
        atoms, space = where.atoms, where.space
        type = atoms.view(BOND.type)
        if self.partner.shape[0] < atoms.capacity * type.width:
            self.partner = View(atoms.capacity * type.width, np.int32, space)
        parallel_for(space, atoms.n, FIND_HELD, type.width, type.data, atoms.view(BOND.atoms).data, atoms.view("id"), rows.view,
                     self.longest, self.partner)

    def _arguments(self, style: Any, where: System, box: View, partner: View) -> tuple[Any, ...]:
        atoms, numbers = where.atoms, style.numbers
        q = atoms.view("q") if numbers.charged else self.none
        kind = atoms.view("type")  # also in place of `member`: batches have no such bonds
        return (self.places(where), box, kind, kind, q, atoms.view(BOND.type).width, partner, style.weights.view, numbers.table,
                numbers.data, numbers.kinds, style.factor)

    def compute(self, tally: Tally | None, comm: SerialComm) -> None:
        self._look(self.system, self.rows)
        super().compute(tally, comm)

    def peratom(self, near: Surroundings, energy: View, virial: View) -> None:
        self._look(near.system, rows_near(near))
        for style in self.styles:
            parallel_for(near.system.space, near.n, style.loop(False, True),
                         *self._arguments(style, near.system, near.system.box_view(), self.partner), self.no_force, energy,
                         virial)
