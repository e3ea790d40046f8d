"""Runs that end before their last step: a signal has come, or the time limit of `timer timeout` has passed.

A signal is noted when it comes and obeyed where nothing is half done: between steps, and between the lines of a script.
Ranks agree on it there, a few times a second, so that all of them end at the same step.
"""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import threading
import time
from collections.abc import Iterator

from everlet.errors import InputError, unknown
from everlet.io.files import numbered
from everlet.state.ranks import SingleRank

HEARD = (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1)  # from a keyboard, from the system, from schedulers
GAP = 0.3  # seconds: a launcher may pass on a signal that has come by another way too; that is still the first one
PACE = 0.2  # seconds between two looks of several ranks
EVERY = 10  # a time limit ends a run at a multiple of so many steps
FILE = "stopped.restart"


class Interrupted(KeyboardInterrupt):
    """A signal ends the program; the text is what the user is told."""

    def __init__(self, number: int, text: str = ""):
        super().__init__(f"{signal.Signals(number).name}: {text or 'interrupted'}")
        self.status = 128 + number


class Signals:
    """Signals that this process has got. The command line listens to them; a Python program has its own ways."""

    def __init__(self) -> None:
        self.on = False
        self.number = 0  # the first one that has come
        self.noted = False  # do not interrupt what is done now, note it only

    @contextlib.contextmanager
    def listening(self, gently: bool) -> Iterator[None]:
        """Listen inside the block. Unless `gently`, a signal outside runs ends at once what is being done."""
        if threading.current_thread() is not threading.main_thread():
            yield  # only the main thread may ask for signals
            return

        def come(number: int, frame: object) -> None:
            self.number = self.number or number
            if not self.noted:
                raise Interrupted(number)

        self.on, self.number, self.noted = True, 0, gently
        heard = [number for number in HEARD if signal.getsignal(number) is not signal.SIG_IGN]
        before = {number: signal.signal(number, come) for number in heard}
        here, there = socket.socketpair()
        there.setblocking(False)
        former = signal.set_wakeup_fd(there.fileno(), warn_on_full_buffer=False)
        watcher = threading.Thread(target=self._watch, args=(here,), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            signal.set_wakeup_fd(former)
            for number, handler in before.items():
                signal.signal(number, handler)
            there.close()
            watcher.join()
            here.close()
            self.on = False

    def _watch(self, inbox: socket.socket) -> None:
        """A second signal ends the process, also when the main thread waits for other ranks and sees no signals."""
        first = 0.0
        while came := inbox.recv(1):
            if came[0] not in HEARD:
                continue
            self.number = self.number or came[0]
            now = time.monotonic()
            if not first:
                first = now
            elif now - first > GAP:
                os._exit(128 + came[0])

    @contextlib.contextmanager
    def only_noted(self) -> Iterator[None]:
        """Nothing inside the block is interrupted: it looks for itself."""
        before, self.noted = self.noted, True
        try:
            yield
        finally:
            self.noted = before


SIGNALS = Signals()


class Stopping:
    """Says when a run ends. All ranks ask at the same steps and get the same answer."""

    def __init__(self, world: SingleRank, signals: Signals = SIGNALS):
        self.world, self.signals = world, signals
        self.way = ""  # what a signal does: stop, restart (stop and write a file), or end at once
        self.file = FILE
        self.number = 0  # the signal that all ranks know of
        self.held = False  # worlds that go together end together: where they meet
        self.no_limit()
        self._first = self._next = 0
        self._stride, self._looked = 1, 0.0

    def on_signal(self, text: str) -> None:
        """restart, restart=FILE or stop."""
        way, _, file = text.partition("=")
        if way not in ("restart", "stop") or (way == "stop" and file):
            raise unknown("way to stop", text, ("restart", "restart=FILE", "stop"))
        self.way, self.file = way, file or FILE
        folder = os.path.dirname(numbered(self.file, 0))
        if way == "restart" and not os.access(folder or ".", os.W_OK):
            raise InputError(f"--on-signal {text}: the folder '{folder or '.'}' cannot be written to",
                             "choose a writable place for the file")

    # ---- the time limit
    def no_limit(self) -> None:
        self.limit = math.inf  # seconds that runs may take, from
        self.since = 0.0
        self.every = EVERY

    def set_limit(self, seconds: float) -> None:
        """Runs must end so many seconds from now; infinity: no limit."""
        self.limit, self.since = seconds, time.monotonic()

    def remaining(self) -> float:
        """Seconds left, the same on all ranks; below 0 when the time is over, 0 without a limit."""
        if math.isinf(self.limit):
            return 0.0
        return float(self.world.from_first(self.since + self.limit - time.monotonic()))

    def over(self) -> bool:
        """The time limit has passed: nothing more is run."""
        return not math.isinf(self.limit) and self.remaining() <= 0.0

    # ---- looking
    def begin(self, step: int) -> None:
        """A run begins at this step."""
        self._first = self._next = step
        self._stride, self._looked = 1, time.monotonic()

    def last(self, step: int, planned: int) -> int:
        """The last step of the run after this one: as planned, or an earlier one."""
        if self.held or step < self._next or not (self.signals.on or self.limit < math.inf):
            return planned
        late = self._look(step)
        if self.number:
            if not self.way:
                raise Interrupted(self.number, f"interrupted at step {step}")
            return min(planned, step + 1)
        if late:
            return min(planned, step + self.every - (step - self._first) % self.every)
        return planned

    def _look(self, step: int) -> bool:
        """Agree on signals and time; whether the time is over. Ranks choose their next look by the time since the last."""
        now = time.monotonic()
        late = now - self.since > self.limit
        if self.world.size == 1:
            self.number = self.signals.number
            return late
        number, over, seconds = self.world.max([self.signals.number, late, now - self._looked])
        self.number, self._looked = int(number), now
        self._stride = max(1, min(2 * self._stride, int(self._stride * PACE / max(seconds, 1e-9))))
        self._next = step + self._stride
        return bool(over)

    @contextlib.contextmanager
    def together(self) -> Iterator[None]:
        """Inside the block runs end only where worlds have met and agreed."""
        self.held = True
        try:
            yield
        finally:
            self.held = False

    def mine(self) -> tuple[int, bool]:
        """What this world would end for: a signal, and the time limit."""
        return self.signals.number, self.over()

    def agree(self, known: list[tuple[int, bool]]) -> None:
        """Worlds have met: what one of them would end for, all end for, at the same step."""
        number, late = max(one for one, _ in known), any(over for _, over in known)
        self.signals.number = self.signals.number or number
        if late:
            self.set_limit(0.0)
        self.held = not (number or late)

    def between(self) -> bool:
        """Between runs, on all ranks: a signal has come. On several ranks all have come here when this is answered."""
        self.number = self.signals.number
        if self.world.size > 1:
            self.number = int(self.world.max([self.number])[0])
        return self.number != 0

    def wants_file(self) -> bool:
        """A restart file is to be written at the step that is the last one."""
        return self.number != 0 and self.way == "restart"

    def leave(self, step: int, written: str = "") -> None:
        """End the program if a signal has come."""
        if self.number and not self.way:
            raise Interrupted(self.number, f"interrupted at step {step}")
        if self.number:
            raise Interrupted(self.number, f"stopped at step {step}" + (f", restart file {written}" if written else ""))
