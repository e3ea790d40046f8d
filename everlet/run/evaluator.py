"""The evaluator: ghosts, lists and forces for the present positions, once for everybody who needs forces.

The ordinary step, replayed graphs, tuning and `run 0` all go through it, so that the order of terms stands here alone:

    clear, unless the first term sets forces -> terms in order -> forces on ghosts home

Where a GPU replays steps, the terms after the first run beside it, and their forces are added in the end: loops over links and
meshes are short and leave most of a GPU idle.

With tally each term adds its energies and virial to its part of `sums`, an array of the space, where they stay until
somebody on the host asks the ledger for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from everlet.comm.serial import SerialComm
from everlet.forces.clearing import ADD, CLEAR
from everlet.forces.terms import Term
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, View, parallel_for
from everlet.portable.batch import aside, met
from everlet.portable.dry import dry
from everlet.run.timers import Timers
from everlet.state.ledger import SECOND, Sums, Tally
from everlet.state.system import System

if TYPE_CHECKING:
    from collections.abc import Callable


def _label(tally: Tally) -> str:
    """What tells contributors apart."""
    return f"{'fix ' * tally.fix}{tally.name} {tally.place}"


class Evaluator:
    """Forces of a list of terms. `before_reverse` is called when forces on ghosts have not been sent home yet."""

    def __init__(self, system: System, comm: SerialComm, neighbor: Neighbor, terms: list[Term], timers: Timers):
        self.system, self.comm, self.neighbor, self.timers = system, comm, neighbor, timers
        self.terms = sorted(terms, key=lambda term: not term.sets)
        self.clears = not (self.terms and self.terms[0].sets)
        self.before_reverse: Callable[[], None] = lambda: None
        self.sums = Sums(system.space, system.members.rows if system.members is not None else None)
        self.sums.changed = self.expect
        self.atoms = system.atoms  # whose forces were computed last
        self.tallies = [term.enter(self.sums) for term in self.terms]
        self.current = False  # ghosts and rows are those of the present positions: between forces and the end of a step
        self.answered = -1  # the step whose forces came with what fixes asked for
        self.beside = View((1, 3), np.float64, system.space)  # forces of terms that run beside the first

    @property
    def on_ghosts(self) -> bool:
        return any(term.on_ghosts for term in self.terms)

    @property
    def steady(self) -> bool:
        return all(term.steady for term in self.terms)

    def dry(self, virials: bool) -> list[Kernel]:
        """All kernels that lists and forces launch: also what `virials` without energies take. All ranks come here together."""
        atoms = self.system.atoms
        before = atoms.n, atoms.nghost
        self.sums.changed = lambda: None
        try:
            with dry(self.neighbor.system.space) as notes:
                self.rebuild(count=False)
                self.forward()
                for tally, energy in ((True, True), (False, False), *([(True, False)] if virials else [])):
                    self._compute(tally, energy)
                    self._home()
        finally:
            atoms.n, atoms.nghost = before
            self.sums.changed = self.expect
        return notes.kernels()

    def drop(self) -> None:
        """The same for all terms, and lists: parts refer to each other."""
        for term in self.terms:
            term.drop()
        for part in (self.neighbor, self.sums, self):
            vars(part).clear()

    def rebuild(self, count: bool = True) -> None:
        """New ghosts and lists."""
        self.neighbor.rebuild(self.comm, count)
        rows = self.system.atoms.view("f").shape[0]
        if self.apart and self.beside.shape[0] != rows:
            self.beside = View((rows, 3), np.float64, self.system.space)
        for term in self.terms:
            term.rebuilt()

    def forward(self) -> None:
        """Ghosts where their atoms are now."""
        self.comm.forward(self.neighbor.system)

    def compute(self, tally: bool, energy: bool = True, asked: frozenset[tuple[str, str]] = frozenset()) -> None:
        """Forces on owned atoms; with `tally` virials in `sums`, and energies unless these are not asked for. `asked`: what
        pair styles give besides."""
        self.system.fresh.made()
        self.atoms, self.system.force_ranks = self.system.atoms, self.system.ranks
        self.answered = self.system.step if asked else -1
        for term in self.terms:
            term.asked = asked
        self._compute(tally, energy)
        self.before_reverse()
        self._home()
        if tally:
            self.expect()

    def _compute(self, tally: bool, energy: bool) -> None:
        """Forces on owned atoms and ghosts."""
        self.sums.begin(tally, energy)
        for name in self.neighbor.system.atoms.ghosts_have("home"):
            if name != "f" or self.clears:
                self._clear(name)
        if self.apart and self.system.space.queue is not None:
            self._beside(tally)
        else:
            self._terms(slice(None), tally)

    def _home(self) -> None:
        """Forces on ghosts to their owners."""
        if self.on_ghosts:
            with self.timers("Comm"):
                self.comm.reverse(self.neighbor.system)

    def _terms(self, which: slice, tally: bool) -> None:
        for term, sums in zip(self.terms[which], self.tallies[which], strict=True):
            with self.timers(term.phase):
                term.compute(sums if tally and (self.system.members is None or term.by_atom) else None, self.comm)

    @property
    def apart(self) -> bool:
        """Terms can run beside each other."""
        alone = self.system.atoms.ghosts_have("home") == ["f"]  # torques are added to in place
        return (self.system.space.replays and alone and not self.clears and len(self.terms) > 1 and not self.on_ghosts
                and not any(term.outside for term in self.terms))

    def _beside(self, tally: bool) -> None:
        """All terms but the first add to an array of their own, meanwhile."""
        atoms, space = self.system.atoms, self.system.space
        with aside(space), atoms.instead("f", self.beside):
            parallel_for(space, atoms.n, CLEAR, self.beside)
            self._terms(slice(1, None), tally)
        self._terms(slice(1), tally)
        met(space)
        parallel_for(space, atoms.n, ADD, self.beside, atoms.view("f", modify=True))

    def _clear(self, name: str) -> None:
        where = self.neighbor.system
        atoms, space = where.atoms, where.space
        rows = atoms.n if not self.on_ghosts else atoms.capacity if space.counts_on_device else atoms.total
        parallel_for(space, rows, CLEAR, atoms.view(name, modify=True))

    def expect(self) -> None:
        """The ledger has numbers of this step, which it reads when it is asked."""
        if self.sums.space.queue is None:
            self.system.ledger.expect(self.system.step, self._read, self.sums.energy)

    def made_again(self) -> None:
        """Forces with energies and virials were made by the launches of the last time."""
        self.system.fresh.made()
        self.sums.wanted = self.sums.energy = True
        self.expect()

    def replayed(self) -> None:
        """A GPU has computed forces with virials alone; the ledger may have those of the last step."""
        self.sums.wanted, self.sums.energy = True, False
        self.expect()

    def _read(self) -> None:
        """Sum over ranks, all numbers in one message."""
        system, numbers = self.system, self.sums.get()
        if system.ranks.size > 1:
            numbers = system.ranks.sum(numbers)
        tail = system.pair.etail / system.need_box().volume if system.pair is not None else 0.0
        system.ledger.fill(self.sums.tallies, numbers, tail)

    def energies_of(self, phases: tuple[str, ...]) -> float:
        """The energy of the terms of these phases, of all ranks, with coefficients, charges and box as they are now and without
        tail. Forces and sums stay as they were: for who asks, in the middle of a step, what another state would have."""
        atoms, changed, asked = self.neighbor.system.atoms, self.sums.changed, [term.asked for term in self.terms]
        forces = {name: atoms.view(name).data.copy() for name in atoms.ghosts_have("home")}
        sums, wanted, energy = self.sums.view.data.copy(), self.sums.wanted, self.sums.energy
        self.sums.changed = lambda: None
        try:
            self.sums.begin(True)
            for term, tally in zip(self.terms, self.tallies, strict=True):
                if term.phase in phases:
                    term.asked = frozenset()
                    term.compute(tally, self.comm)
            self.sums.finish()
            rows = self.system.ranks.sum(self.sums.get())
        finally:
            for name, values in forces.items():
                atoms.view(name, modify=True).data[:] = values
            self.sums.view.data[:] = sums
            self.sums.wanted, self.sums.energy, self.sums.changed = wanted, energy, changed
            for term, values in zip(self.terms, asked, strict=True):
                term.asked = values
        return float(sum(tally.factor * row[:: SECOND][: len(tally.energies)].sum()
                         for tally, row in zip(self.sums.tallies, rows, strict=True) if not tally.fix))

    def whole_sums(self) -> dict[str, list[float]]:
        """Of each contributor to the present step, over all ranks, for restart files."""
        numbers = self.system.ranks.sum(self.sums.get())
        return {_label(tally): row.tolist() for tally, row in zip(self.sums.tallies, numbers, strict=True)}

    def put_sums(self, sums: dict[str, list[float]]) -> None:
        """The first rank has them all."""
        rows = [sums.get(_label(tally)) for tally in self.sums.tallies]
        if None not in rows:
            self.sums.put(np.array(rows) * (self.system.ranks.rank == 0))
            self.expect()

    def settle(self) -> None:
        """All contributions to this step are there. Several ranks sum them now: all of them are sure to come here."""
        self.sums.finish()
        if self.sums.wanted and self.system.ranks.size > 1:
            self.system.ledger.read()
