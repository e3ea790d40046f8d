"""Steps of several lengths (run_style respa): forces that change fast are computed often, others seldom.

    step of level k:   v += h_k/2 F_k/m
                       n_(k-1) steps of level k - 1;  of level 1: x += h_1 v, and ghosts follow
                       F_k of the new positions
                       v += h_k/2 F_k/m

Which forces are of which level stands in state/levels.py. The step of the last level is that which STEP (phases.py) makes: the
recursion is its first half, and forces, fixes and output come as ever. Lists are made anew there alone.

Forces of each level stay in a field of atoms of their own; `f` is their sum when a step is done. Each level is computed for the
positions at the end of the step, the last time in it, and adds its energy and virial to the sums then.

Fixes take part as they say: `level_kick` of those that move atoms, `levels` of those that change forces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from everlet.comm.serial import SerialComm
from everlet.errors import InputError
from everlet.fixes.base import Fix
from everlet.forces.clearing import ADD, CLEAR, KEEP
from everlet.forces.terms import Term
from everlet.neighbor.lists import Neighbor
from everlet.portable import Kernel, parallel_for
from everlet.run.evaluator import Evaluator
from everlet.run.outputs import Outputs
from everlet.run.step import Hook, Timestep
from everlet.run.timers import Timers
from everlet.state.ledger import Tally
from everlet.state.levels import FIELD, Levels
from everlet.state.system import System


class LevelEvaluator(Evaluator):
    """Forces by level. `inner_done`: those of all levels but the last are there for the present positions; so are ghosts."""

    def __init__(self, system: System, comm: SerialComm, neighbor: Neighbor, terms: list[Term], timers: Timers, levels: Levels):
        super().__init__(system, comm, neighbor, terms, timers)
        self.levels, self.inner_done = levels, False
        self.groups: list[list[tuple[Term, Tally]]] = [[] for _ in levels.loops]
        for term, tally in zip(self.terms, self.tallies, strict=True):
            self.groups[term.level].append((term, tally))

    @property
    def apart(self) -> bool:
        """Levels take turns."""
        return False

    @contextmanager
    def instead(self, level: int) -> Iterator[None]:
        """Inside, the forces of this level are the forces."""
        atoms = self.system.atoms
        with atoms.instead("f", atoms.view(f"{FIELD}{level + 1}", modify=True)):
            yield

    def forward(self) -> None:
        if not self.inner_done:
            super().forward()

    def at(self, level: int, tally: bool) -> None:
        """Forces of one level; those on ghosts go home."""
        group, atoms, space = self.groups[level], self.system.atoms, self.system.space
        home = any(term.on_ghosts for term, _ in group)
        if not (group and group[0][0].sets):
            parallel_for(space, atoms.total if home else atoms.n, CLEAR, atoms.view("f", modify=True))
        for term, sums in group:
            with self.timers(term.phase):
                term.compute(sums if tally else None, self.comm)
        if home:
            with self.timers("Comm"):
                self.comm.reverse(self.system)
        parallel_for(space, atoms.n, KEEP, atoms.view("f"), atoms.view(f"{FIELD}{level + 1}", modify=True))

    def total(self) -> None:
        """f is the sum."""
        atoms, space = self.system.atoms, self.system.space
        parallel_for(space, atoms.n, CLEAR, atoms.view("f", modify=True))
        for level in range(len(self.groups)):
            parallel_for(space, atoms.n, ADD, atoms.view(f"{FIELD}{level + 1}"), atoms.view("f", modify=True))

    def _compute(self, tally: bool, energy: bool) -> None:
        """Of the last level, in a step; otherwise of all."""
        if not self.inner_done:
            self.sums.begin(tally, energy)
            for level in range(self.levels.top):
                self.at(level, tally)
        self.at(self.levels.top, tally)
        self.inner_done = False
        self.total()

    def _home(self) -> None:
        """They are there."""


class Multistep(Timestep):
    """Its first half is the steps of all levels but the last."""

    evaluator: LevelEvaluator

    def __init__(self, evaluator: LevelEvaluator, fixes: list[Fix], outputs: Outputs, levels: Levels, trial: bool, *,
                 twin: Callable[[], Timestep]):
        super().__init__(evaluator, fixes, outputs, trial=trial, twin=twin)
        self.levels, self.steady = levels, False
        _check(evaluator)
        check_fixes(self.acting)
        self.movers = [] if trial else [fix for fix in self.acting if fix.integrates]
        self.holders = [] if trial else [fix for fix in self.acting if fix.levels == "every"]
        top = levels.top
        self.hooks["setup"] = [(fix, self._at(top, function)) for fix, function in self.hooks["setup"]]

    def _at(self, level: int, function: Hook) -> Hook:
        """A function of a fix that takes the forces of a level for all."""

        def act() -> None:
            with self.evaluator.instead(level):
                function()

        return act

    def steady_between(self) -> bool:
        return False

    def first_half(self) -> list[Kernel]:
        """Loops of levels are not fused with others."""
        return []

    def setup(self, reuse: bool = False) -> None:
        super().setup(reuse)
        for level in range(self.levels.top):
            self._hold(level)
        self.evaluator.total()

    def call(self, hook: str) -> None:
        if hook == "initial_integrate":
            now = self.outputs.tally(self.system.step)
            self.evaluator.sums.begin(*now)
            self._steps(self.levels.top, now[0], self.levels.steps(self.system.dt))
            self.evaluator.inner_done = True
        elif hook in ("post_force", "final_integrate"):
            with self.evaluator.instead(self.levels.top):
                super().call(hook)
            if hook == "final_integrate":
                self.evaluator.total()
        else:
            super().call(hook)

    def _steps(self, level: int, tally: bool, lengths: list[float]) -> None:
        """Steps of a level within one of the level above; of the last level what comes before its forces. `tally`: its last
        forces are those at the end of the step, and are tallied."""
        last, count = level == self.levels.top, self.levels.loops[level]
        for turn in range(count):
            ends = tally and turn == count - 1
            with self.evaluator.instead(level):
                for fix in self.movers:
                    fix.level_kick(lengths[level], not level, last)
            if level:
                self._steps(level - 1, ends, lengths)
            else:
                with self.timers("Comm"):
                    self.evaluator.forward()
            if last:
                return
            self.evaluator.at(level, ends)
            self._hold(level)
            with self.evaluator.instead(level):
                for fix in self.movers:
                    fix.level_kick(lengths[level], False, False)

    def _hold(self, level: int) -> None:
        """Forces of a level below the last, as fixes want them that act on all."""
        with self.evaluator.instead(level):
            for fix in self.holders:
                fix.post_force_of(level)


def _check(evaluator: Evaluator) -> None:
    """Forces are all that moves atoms, and they are computed where atoms are."""
    where, atoms = evaluator.system, evaluator.system.atoms
    if atoms.ghosts_have("home") != ["f"] or where.carries_velocity:
        raise InputError("run_style respa is for atoms that have positions, velocities and charges alone",
                         "use run_style verlet with torques, and with forces that depend on velocities")
    if evaluator.neighbor.system.space is not where.space:
        raise InputError("run_style respa: pair forces are computed on the host beside the device", "use run_style verlet")


def check_fixes(fixes: Iterable[Fix]) -> None:
    """All of them know what to do in steps of several lengths."""
    for fix in fixes:
        moves = any(map(fix.overrides, ("initial_integrate", "final_integrate")))
        other = any(map(fix.overrides, ("post_integrate", "pre_force", "pre_reverse"))) or fix.changes_box
        if moves and not kicks(fix) or fix.overrides("post_force") and not fix.levels or other:
            raise InputError(f"run_style respa with fix {fix.id} ({fix.style}) is not available: it has steps of one length",
                             "use run_style verlet with it; nve, nvt, langevin, and fixes that add forces or act at the end of "
                             "a step are for both")


def kicks(fix: Any) -> bool:
    """Of a fix that moves atoms: its `level_kick` belongs to its own step, and not to that of a base class."""
    owners = [next(kind for kind in type(fix).__mro__ if name in vars(kind)) for name in ("initial_integrate", "level_kick")]
    return owners[0] is owners[1] and owners[0] is not Fix
