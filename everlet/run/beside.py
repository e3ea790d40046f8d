"""Forces, energies and virials between runs: whoever asks gets those of the present state (state/freshness.py).

They are those that a run of no steps would begin with, but nothing is noticed of it: atoms are copies, and so is what fixes
keep (`Fix.aside`); only fixes that act on forces are called, nothing is sorted, wrapped, written or drawn. What stays is f of
the atoms, the sums of the ledger, and terms for computes of single atoms. The loop of the last run waits untouched.

Lists and terms are kept from one question to the next (run/planning.py), and only those fields are copied that have changed: a
program that moves a few atoms and asks for their energy pays for little more than the kernels of pairs.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np

from everlet.comm.division import Division
from everlet.comm.serial import SerialComm
from everlet.io.thermo import lost_atoms
from everlet.run.asked import Asked
from everlet.run.checks import check_numbers
from everlet.run.outputs import Outputs
from everlet.run.parts import init_solver
from everlet.run.planning import Planner
from everlet.run.step import Timestep
from everlet.state.atoms import Atoms
from everlet.state.control import TOTAL
from everlet.state.packing import follow
from everlet.state.rows_of_ids import RowsOfIds
from everlet.state.special_lists import renew_special
from everlet.state.topology import BOND, has

if TYPE_CHECKING:  # it knows this file
    from everlet.run.engine import Engine

# of the System: what a question has copies of, or its own
LENT = ("atoms", "ranks", "subdomain", "division", "plan", "next_sort", "run_start", "run_stop", "continues", "lost", "paused")
MANY = 100_000  # atoms whose copies do not wait for the next question while a run goes on


class Beside:
    """Answers for one engine: atoms, a loop and what that is made with."""

    def __init__(self, engine: Engine):
        self.engine, self.system = engine, engine.system
        self.planner, self.outputs = Planner(engine, self), Outputs(engine)
        self._of_run: tuple[np.ndarray, dict[str, Any]] | None = None  # forces of the last run, and what its solver has chosen
        self.asked = Asked(self)
        self.forget()

    def forget(self) -> None:
        """Nothing is kept."""
        self.atoms, self.ids = Atoms(self.system.space), RowsOfIds(self.system)
        self.comm: SerialComm | None = None
        self.loop: Timestep | None = None
        self.asked_at = -1  # changes of the state when atoms were copied
        self._in_order = False  # they have been in the same order since then
        self.planner.forget()
        self.asked.forget()

    def rest(self) -> None:
        """A run begins, with a set-up."""
        self._of_run = None
        if self.loop is not None and self.system.atoms.n > MANY:
            self.forget()

    def put_back(self) -> None:
        """A run goes on without a set-up: forces and sums are as the last one has left them."""
        loop, system, of_run = self.engine.loop, self.system, self._of_run
        if loop is not None and of_run is not None:
            system.atoms.edit("f")[:], self._of_run = of_run[0], None
            if system.kspace is not None:
                system.kspace.init(of_run[1])
            loop.take()
            loop.call("post_neighbor")
            loop.evaluator.expect()

    def followed(self) -> bool:
        """Forces follow velocities, image flags or variables."""
        return self.system.carries_velocity or any(fix.acts for fix in self.system.fixes.values())

    def renew(self) -> None:
        """Make them."""
        if not self.asked.answer():
            self._renew()

    @np.errstate(all="ignore")
    def _renew(self) -> None:
        engine, system, fresh = self.engine, self.system, self.system.fresh
        if system.members is not None:
            engine.set_up_again()
            return
        self.asked.forget()
        system.need_box()
        system.check_masses()
        engine.division.gather()
        if has(system.atoms, BOND) and system.topology.stale:
            renew_special(system)
        acting = [fix for fix in system.fixes.values() if fix.acts]
        if self._of_run is None and engine.loop is not None:
            self._of_run = system.atoms.read("f").copy(), system.kspace.state() if system.kspace is not None else {}
        try:
            with fresh.making(), engine.log.silent(), self._lent(bool(acting)) as whole:
                if acting:
                    self._make_with(acting)
                else:
                    self._make()
                self._bring(whole)
            if self._noted:
                self.asked.note(whole)
        except BaseException:
            self.forget()
            system.ledger.forget()
            raise

    def _make_with(self, acting: list[Any]) -> None:
        """With fixes, whose formulas may draw random numbers that a run will draw again."""
        variables = self.system.variables
        streams = copy.deepcopy(variables.streams) if variables is not None else None
        with ExitStack() as stack:
            for fix in acting:
                stack.enter_context(fix.aside())
            for fix in acting:
                fix.init()
            self._make()
        if variables is not None:
            variables.streams = streams

    def _make(self) -> None:
        system = self.system
        init_solver(self.engine)  # without a word, as the log is silent: a run says it
        before, self.outputs.last = self.loop, system.step
        kept = self.planner.keeps()
        if not kept:
            self.comm, self.ids = system.division.comm(self.engine.pair_side), RowsOfIds(system)
        loop = self.planner.loop(kept)
        if loop is not before:
            self.planner.compile(loop)
            system.surroundings = {}
        notes = Asked.notes(loop)
        reused = loop.look(loop is before and self._in_order, *self.asked.places() if notes else ())
        check_numbers(system)
        self._noted = notes and reused

    @contextmanager
    def _lent(self, acting: bool) -> Iterator[Atoms]:
        """Inside, the System has copies of its atoms, divided among ranks. Gives those that it has otherwise."""
        engine, system, space = self.engine, self.system, self.system.space
        state, control = system.__dict__, int(space.read_control()[TOTAL])
        held, whole = [(name, state[name]) for name in LENT], system.atoms
        system.continues, system.lost, system.next_sort = False, [], 2**62
        system.run_start = system.run_stop = system.step
        try:
            if system.world.size > 1:
                system.division = Division(system)
                system.division.begin(engine.division.state() if engine.division.uneven else None)
            else:
                changed = system.fresh.since(self.asked_at)
                self._in_order = changed is not None and "atoms" not in changed
                if changed is None or acting or not self._in_order:  # fixes may have written to any field
                    changed = frozenset(whole.fields)
                follow(self.atoms, whole, changed.union(("x", "image")).intersection(whole.fields))
                system.atoms, self.asked_at = self.atoms, system.fresh.count
            yield whole
        finally:
            state.update(held)
            engine.planner.apply(system.plan)
            space.control[TOTAL] = control

    def _bring(self, whole: Atoms) -> None:
        """Forces to the atoms that they belong to."""
        system, mine = self.system, self.system.atoms
        if system.ranks.size == 1 and mine.n == whole.n:
            size = 3 * whole.n
            whole.view("f", modify=True).data[:size] = mine.view("f").data[:size]
            return
        ids = system.ranks.collect(np.ascontiguousarray(mine.read("id")), everywhere=True)
        forces = system.ranks.collect(np.ascontiguousarray(mine.read("f")), everywhere=True)
        if len(ids) != whole.n and self.engine.thermo.lost == "error":
            raise lost_atoms(system, whole.n, len(ids))
        order = np.argsort(whole.read("id"), kind="stable")
        whole.edit("f")[:] = 0.0
        whole.edit("f")[order[np.searchsorted(whole.read("id"), ids, sorter=order)]] = forces
