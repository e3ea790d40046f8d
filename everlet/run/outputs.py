"""Outputs of a run: on which steps something is written or measured, and writing it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from everlet.computes.words.references import needs
from everlet.io.files import agreed
from everlet.io.restart import write_restart
from everlet.state.mid_run import MidRun
from everlet.state.operation import ENERGY, TALLY


@dataclass
class Visit:
    """Someone looks at the system every so many steps from `first` on, after all output of the step, and may change it."""

    first: int
    every: int
    act: Callable[[], None]
    energy: bool = True  # energy and virial must be there
    changes: bool = True  # it may change what launches go by

    def due(self, step: int) -> bool:
        return step > self.first and (step - self.first) % self.every == 0

    def next(self, step: int) -> int:
        return step + self.every - (step - self.first) % self.every


class Outputs:
    """What a run of an engine writes."""

    def __init__(self, engine: Any):
        self.engine = engine
        self.last = self.planned = -1  # the last step of the run, and the one that was meant when it began
        self.written = ""  # the restart file that a signal has asked for
        self.visits: list[Visit] = []
        self.said = False  # in this run, what restart files do not have

    def begin(self, last: int) -> None:
        self.last, self.planned, self.written, self.said = last, last, "", False
        for dump in self.engine.system.dumps.values():
            dump.timing.begin(self.engine.system.step)
        if self.engine.restart is not None:
            self.engine.restart.ask(self.engine.system, self.engine.system.step)

    def until(self, step: int) -> int:
        """The last step of the run, which may come nearer while it goes on."""
        engine = self.engine
        engine.universe.check()
        if engine.system.halted:
            self.last = step
            return step
        self.last = engine.thermo.last = engine.stopping.last(step, self.last)
        return self.last

    def tally(self, step: int) -> tuple[bool, bool]:
        """Energy or virial are needed, and energy is. Those of single atoms are made when they are asked for, from positions
        alone."""
        # restart steps too: a continued run begins with tallied forces, which threads may sum in another order
        system = self.engine.system
        wanted = self.engine.thermo.due(step) or self.last == step or self.restarts(step)
        wanted = wanted or any(visit.energy and visit.due(step) for visit in self.visits)
        words = (word for dump in system.dumps.values() if dump.due(step) for word in dump.words())
        asked = (*(needs(system, word, step) for word in words), *(fix.needs(step) for fix in system.fixes.values()))
        needed = {need for one in asked for need in one}
        return wanted or not needed.isdisjoint(TALLY), wanted or ENERGY in needed

    def asked(self, step: int) -> frozenset[tuple[str, str]]:
        """Numbers of atoms that pair styles must give besides forces: style and name."""
        return frozenset(one for fix in self.engine.system.fixes.values() for one in fix.asks(step))

    def looks(self, step: int) -> bool:
        """Someone may ask for values of atoms: rows, frames, fixes that act now."""
        system = self.engine.system
        acting = (fix.every and step % fix.every == 0 and fix.overrides("end_of_step") and not fix.moves_last
                  for fix in system.fixes.values())
        frames = (dump.due(step) for dump in system.dumps.values())
        visits = (visit.due(step) for visit in self.visits)
        return self.engine.thermo.due(step) or self.last == step or any(frames) or any(acting) or any(visits)

    def restarts(self, step: int) -> bool:
        """A restart file is written."""
        restart = self.engine.restart
        return restart is not None and restart.due(step) or self.on_signal(step)

    def rebuild_on(self, step: int) -> bool:
        """Lists are made anew: restart files are written right after that, so that a run continued from one repeats this
        one exactly; and fixes may ask for it."""
        asked = any(fix.next_rebuild(step - 1) == step for fix in self.engine.system.fixes.values())
        return self.restarts(step) or asked

    def on_signal(self, step: int) -> bool:
        """This is the last step because of a signal, and it wants a restart file."""
        return step == self.last and self.engine.stopping.wants_file()

    def next_event(self, step: int) -> int:
        """The first step after this one that has an output or needs energy and virial."""
        restart = self.engine.restart
        row = self.engine.thermo.next_row(step)
        fixes = self.engine.system.fixes.values()
        intervals = [fix.every for fix in fixes if fix.every > 1 and fix.overrides("end_of_step")]
        due = [step + every - step % every for every in intervals if every > 0]
        due += [plan.next(step) for plan in restart.plans.values()] if restart is not None else []
        due += [fix.next_rebuild(step) for fix in fixes]
        due += [visit.next(step) for visit in self.visits]
        due += [dump.timing.next(step) for dump in self.engine.system.dumps.values()]
        return min([self.last, *due, *([row] if row > step else [])])

    def write(self, restart: bool, everything: bool = False) -> None:
        """Dumps, and restart files if asked for, that are due now, or all. If the first rank cannot, all get its error."""
        engine, step = self.engine, self.engine.system.step
        due = [dump for dump in engine.system.dumps.values() if dump.due(step) or everything and dump.last != step]
        planned = restart and engine.restart is not None and (everything or engine.restart.due(step))
        asked = restart and self.on_signal(step)
        frames = due
        for dump in due:
            dump.prepare()
            if dump.wants_row and engine.thermo.due(step):
                dump.row = engine.thermo.headed_row()
            if dump.parted:
                with agreed(engine.world):
                    dump.write()
        due = [dump for dump in due if not dump.parted]
        inside = self._inside() if planned or asked else None
        if due or planned or asked:
            with agreed(engine.world), self._for_the_first(due), engine.division.first_has_all():
                for dump in due:
                    dump.write()
                if planned:
                    engine.restart.write(engine, inside)
                if asked:
                    self.written = write_restart(engine.system, engine.stopping.file, inside)
        if planned and engine.restart is not None:
            engine.restart.ask(engine.system, step)
        for dump in frames:
            dump.settle()
            if step == self.last:
                dump.finish()

    def _inside(self) -> dict[str, Any] | None:
        """What a restart file has beside the state of atoms and fixes if steps come after it; all ranks must ask."""
        engine, system = self.engine, self.engine.system
        exceptions = [f"fix {fix.id} ({fix.style}): {fix.forgets}" for fix in system.fixes.values() if fix.forgets]
        exceptions += ["the search of the minimisation, which begins anew"] if engine.planner.minimiser else []
        if exceptions and not self.said:
            self.said = True
            engine.log.write(f"Restart file at step {system.step}: a run that goes on from it need not repeat this one, as the "
                             f"file does not have {'; '.join(exceptions)}")
        if engine.planner.minimiser or system.step >= self.planned:
            return None
        for fix in system.fixes.values():
            fix.before_file()
        return MidRun.kept(system, system.evaluator.whole_sums())

    @contextmanager
    def _for_the_first(self, dumps: list[Any]) -> Iterator[None]:
        """Values that dumps will ask for are made by all ranks, those per atom each for its own, before the first has all."""
        system = self.engine.system
        with ExitStack() as stack:
            if system.ranks.size > 1:
                words = sorted({word for dump in dumps for word in dump.words() if word.startswith("c_")})
                for id in dict.fromkeys(word[2:].partition("[")[0] for word in words):
                    compute = system.computes[id]
                    if compute.gives.local is not None:
                        stack.enter_context(compute.as_given("local", np.concatenate(system.ranks.all_of(compute.local()))))
                        continue
                    if compute.gives.columns is None:
                        stack.enter_context(compute.as_given("scalar", compute.scalar()))
                        continue
                    values = system.ranks.collect(np.ascontiguousarray(compute.peratom()), everywhere=False)
                    stack.enter_context(compute.as_given("peratom", values))
            yield

    def step_done(self, everything: bool = False) -> None:
        """All output of the present step; everything: as if all of it were due."""
        engine, step = self.engine, self.engine.system.step
        self.write(True, everything)
        engine.tell()
        if engine.thermo.due(step):
            with engine.system.still:
                engine.measure()
                engine.thermo.output(engine.log)
        engine.progress.update(step)
        for visit in self.visits:
            if visit.due(step) or everything:
                visit.act()
