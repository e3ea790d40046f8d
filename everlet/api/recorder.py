"""The flight recorder: keeps what it takes to find out why a run broke, and at most half a percent of its time.

At the beginning of each run, and then every so many steps, the state is copied, as a restart file has it. If a run fails,
the steps behind the last copy are made again, one by one (autopsy.py). Nothing that it does changes a bit of the run.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from everlet.api.record import Record
from everlet.api.snapshots import Snapshot, definitions
from everlet.io.restart import contents
from everlet.run.outputs import Visit
from everlet.script.registry import command
from everlet.session import Session

EVERY = 1000  # steps between looks
SHARE = 0.005  # of the time that copies may take


class Watched(Record):
    """Lines that were run; the recorder hears of runs before they begin."""

    def __init__(self, recorder: Recorder):
        super().__init__()
        self.recorder = recorder

    def run(self, name: str, args: list[str], act: Callable[[], Any]) -> None:
        if not command.says(name).runs or self._busy:
            super().run(name, args, act)
            return
        recorder = self.recorder
        recorder.look()
        recorder.running = True
        super().run(name, args, act)
        recorder.running = False


@dataclass
class Copy:
    """A state, and when it was taken: after so many lines, in a run up to a step, with ramps between two."""

    state: Snapshot
    lines: int
    until: int
    ramp: tuple[int, int]


class Recorder:
    """Of one session on one rank. states: copies, the older one first; running: a run has begun and did not end."""

    def __init__(self, session: Session):
        self.session, self.states, self.running = session, list[Copy](), False
        self.cost, self.last = 0.0, 0.0  # seconds that a copy takes; when the last one was made
        session.script.record = self.record = Watched(self)
        session.outputs.visits.append(Visit(0, EVERY, self.look, energy=False, changes=False))

    def look(self) -> None:
        """Copy the state, unless copies take too long, or there are no atoms yet."""
        begin, system = time.perf_counter(), self.session.system
        if system.box is None or not system.natoms or self.record.too_much:
            return
        if self.states and begin - self.last < self.cost / SHARE:
            return
        header, arrays = contents(system)
        lines = [entry for entry in self.record.entries if isinstance(entry, str)]
        before, after = definitions(lines)
        state = Snapshot(copy.deepcopy(header), {name: array.copy() for name, array in arrays.items()}, tuple(before),
                         tuple(after), [], None, ())
        until = self.session.outputs.last if self.running else system.step
        self.states = [*self.states[-1:], Copy(state, len(self.record.entries), until, (system.run_start, system.run_stop))]
        self.last = time.perf_counter()
        self.cost = self.last - begin

    def before(self, step: int) -> tuple[Copy, list[str]]:
        """The last copy from before a step, or the first that there is, and the lines that were run behind it."""
        found = next((one for one in reversed(self.states) if one.state.step < step), self.states[0])
        return found, [line for line in self.record.entries[found.lines :] if isinstance(line, str)]
