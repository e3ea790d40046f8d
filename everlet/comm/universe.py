"""The universe: several simulations (worlds, partitions) that were started together and know of each other.

    here()                        the universe of this thread; `Universe` (state/ranks.py) is one with a single world
    universe.number, worlds       which world this is, from 0, and how many there are
    universe.all_of("temper", e)  what each world has given, in the order of worlds; all worlds must come here
    universe.claim("x", 4)        numbers from 4 on that are given away once, to whoever comes first
    universe.write(text)          for the log of the universe

Worlds are groups of MPI ranks (`MpiUniverse`) or threads of one process (`Threads`). A world that fails ends all others, and
one that waits for another that has come to its end says so: nobody waits for ever.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import shutil
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from everlet.errors import InputError, RunError, integer
from everlet.state.ranks import SingleRank, Sink, Universe

MOST_WORLDS = 100_000
CLONE_FS = 0x200  # of Linux
END = "the end of its script"


class WorldStopped(RunError):
    """This world ends because another one has failed, which has been reported there."""


def sizes_of(words: list[str], flag: str = "-partition") -> list[int]:
    """4x1 2 …: so many worlds of so many ranks, or one of so many."""
    if not words:
        raise InputError(f"{flag} needs sizes of partitions", f"for example: {flag} 4x1")
    sizes: list[int] = []
    for word in words:
        count, times, size = word.partition("x")
        if not times:
            count, size = "1", word
        many, ranks = integer(count, f"partitions of {flag}"), integer(size, f"ranks of a partition of {flag}")
        if not (1 <= many <= MOST_WORLDS and ranks >= 1):
            raise InputError(f"{flag} {word} is not a number of partitions and their ranks", f"for example: {flag} 4x1")
        sizes += [ranks] * many
    return sizes


def _met(number: int, given: list[tuple[str, Any]]) -> list[Any]:
    """The items, if all worlds have come for the same."""
    what = given[number][0]
    for other, (theirs, _) in enumerate(given):
        if theirs != what and what != END:
            raise InputError(f"partition {number} waits for all others in {what}, but partition {other} has come to {theirs}",
                             "all partitions must run the same commands that replicas share, the same number of times")
    return [item for _, item in given]


def _neighbours(number: int, items: list[Any]) -> tuple[Any, Any]:
    return items[number - 1] if number else None, items[number + 1] if number + 1 < len(items) else None


# ---- threads of one process
@dataclass
class Meeting:
    """Where threads meet."""

    worlds: int
    change: threading.Condition = field(default_factory=threading.Condition)
    given: dict[int, tuple[str, Any]] = field(default_factory=dict)
    found: list[tuple[str, Any]] = field(default_factory=list)
    rounds: int = 0
    failed: int | None = None  # the world that failed first
    left: int | None = None  # one that a signal has ended: the others see that by themselves, unless they wait
    counters: dict[str, int] = field(default_factory=dict)


class Threads(Universe):
    """A world that is a thread."""

    def __init__(self, meeting: Meeting, number: int, log: Sink | None = None):
        self.meeting, self.number, self.worlds = meeting, number, meeting.worlds
        self.rank, self.size = number, meeting.worlds
        self.log = log if number == 0 else None

    def check(self) -> None:
        failed = self.meeting.failed
        if failed is not None and failed != self.number:
            raise WorldStopped(f"partition {failed} has failed", "see its message and its log")

    def leave(self) -> None:
        """A signal has ended this world."""
        with self.meeting.change:
            self.meeting.left = self.number
            self.meeting.change.notify_all()

    def fail(self) -> None:
        """Let all others end."""
        with self.meeting.change:
            if self.meeting.failed is None:
                self.meeting.failed = self.number
            self.meeting.change.notify_all()

    def all_of(self, what: str, item: Any) -> list[Any]:
        meeting = self.meeting
        with meeting.change:
            self.check()
            meeting.given[self.number] = (what, item)
            turn = meeting.rounds
            if len(meeting.given) == meeting.worlds:
                meeting.found = [meeting.given[k] for k in range(meeting.worlds)]
                meeting.given = {}
                meeting.rounds += 1
                meeting.change.notify_all()
            while meeting.rounds == turn:
                meeting.change.wait()
                if meeting.rounds == turn:
                    self.check()
                    if meeting.left is not None:
                        raise WorldStopped(f"partition {meeting.left}, for which this one waits, was interrupted",
                                           "start it again")
            found = meeting.found
        return _met(self.number, found)

    def beside(self, what: str, item: Any) -> tuple[Any, Any]:
        return _neighbours(self.number, self.all_of(what, item))

    def claim(self, key: str, first: int) -> int:
        with self.meeting.change:
            self.meeting.counters[key] = self.meeting.counters.get(key, first - 1) + 1
            return self.meeting.counters[key]

    def finish(self) -> None:
        self.all_of(END, None)


# ---- groups of ranks
class MpiUniverse(Universe):
    """A world that is a group of ranks; the first ones of all worlds talk to each other.

    Counters are files that only one can create, in a folder of this job: MPI has no counter that moves on while the rank that
    keeps it computes."""

    def __init__(self, world: SingleRank, leaders: Any, number: int, worlds: int, token: str, log: Sink | None = None):
        self.world, self.leaders, self.number, self.worlds, self.log = world, leaders, number, worlds, log
        self.rank, self.size = world.job_rank, world.job_size
        self.folder = os.path.abspath(f".everlet.claims.{token}")
        self.last: dict[str, int] = {}

    def all_of(self, what: str, item: Any) -> list[Any]:
        given = self.leaders.allgather((what, item)) if self.world.first else None
        return _met(self.number, self.world.from_first(given))

    def beside(self, what: str, item: Any) -> tuple[Any, Any]:
        """All meet first, so that nobody sends to one that is elsewhere; items go to neighbours alone."""
        self.all_of(what, None)
        found: Any = None
        if self.world.first:
            others = [other if 0 <= other < self.worlds else None for other in (self.number - 1, self.number + 1)]
            sent = [self.leaders.isend(item, other) for other in others if other is not None]
            found = [self.leaders.recv(source=other) if other is not None else None for other in others]
            for one in sent:
                one.wait()
        before, after = self.world.from_first(found)
        return before, after

    def claim(self, key: str, first: int) -> int:
        mine: Any = None
        if self.world.first:
            try:
                mine = self._claim(key, first)
            except OSError as error:
                mine = error
        mine = self.world.from_first(mine)
        if isinstance(mine, OSError):
            raise InputError(f"partitions share a counter by files in '{self.folder}': {mine.strerror}",
                             "start them in a folder that all of them can write to")
        return int(mine)

    def _claim(self, key: str, first: int) -> int:
        os.makedirs(self.folder, exist_ok=True)
        mine = self.last.get(key, first - 1)
        while True:
            mine += 1
            with contextlib.suppress(FileExistsError):
                os.close(os.open(os.path.join(self.folder, f"{key}.{mine}"), os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                self.last[key] = mine
                return mine

    def finish(self) -> None:
        self.all_of(END, None)
        if self.world.first and self.number == 0:
            shutil.rmtree(self.folder, ignore_errors=True)


class FirstOf(Universe):
    """The first of several worlds, for who reads a script and runs nothing: the others would say the same."""

    def __init__(self, worlds: int):
        self.worlds = self.size = worlds
        self._claimed: dict[str, int] = {}

    def all_of(self, what: str, item: Any) -> list[Any]:
        return [item] * self.worlds

    def claim(self, key: str, first: int) -> int:
        self._claimed[key] = self._claimed.get(key, first - 1) + 1
        return self._claimed[key]


# ---- which one
_of_process = Universe()
_of_thread = threading.local()


def here() -> Universe:
    """The universe that simulations made now belong to."""
    return getattr(_of_thread, "universe", _of_process)


def enter(universe: Universe) -> None:
    """All simulations of this process are in this universe from now on."""
    global _of_process
    _of_process = universe


@contextlib.contextmanager
def inside(universe: Universe) -> Iterator[None]:
    """Those that this thread makes are, inside the block."""
    _of_thread.universe = universe
    try:
        yield
    finally:
        del _of_thread.universe


def _own_folder() -> bool:
    """Give this thread a current folder of its own, so that `shell cd` moves nobody else; Linux can do so."""
    unshare = getattr(ctypes.CDLL(None), "unshare", None) if sys.platform == "linux" else None
    return unshare is not None and unshare(CLONE_FS) == 0


def in_threads(worlds: int, work: Callable[[Universe], Any], log: Sink | None = None) -> list[Any]:
    """What `work` gives for each world, each in a thread of its own. The first error of any of them ends all and is raised,
    with the number of the world."""
    meeting, results, errors = Meeting(worlds), [None] * worlds, dict[int, BaseException]()

    def one(number: int) -> None:
        universe = Threads(meeting, number, log)
        try:
            universe.shares_folder = not _own_folder()
            with inside(universe):
                results[number] = work(universe)
                universe.finish()
        except KeyboardInterrupt as stop:
            errors[number] = stop
            universe.leave()
        except BaseException as error:
            errors[number] = error
            universe.fail()

    threads = [threading.Thread(target=one, args=(number,), name=f"partition {number}") for number in range(worlds)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        first = min([number for number, error in errors.items() if not isinstance(error, WorldStopped)] or errors)
        errors[first].partition = first  # type: ignore[attr-defined]
        raise errors[first]
    return results
