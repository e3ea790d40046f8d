"""Ranks of a job and worlds of a universe, as every room sees them: here are those of a simulation that is alone.

Every method answers at once. Jobs of several ranks (comm/world.py) and several worlds (comm/universe.py) have the same methods.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from everlet.errors import InputError
from everlet.portable.spaces import Space, default_threads


class Channel:
    """Messages of fixed size to and from the same ranks, sent many times."""

    def go(self) -> None:
        """Send all, and wait until all have come."""
        self.start()
        self.wait()

    def start(self) -> None:
        """Begin to send all; arrays may not be touched until `wait`."""

    def wait(self) -> None:
        """Until all that `start` has begun is done."""

    def push(self) -> bool:
        """True if all that `start` has begun is done. MPI libraries move long messages only while the sender is inside one of
        their functions: a sender that has other work calls this now and then."""
        return True

    def close(self) -> None: ...


class SingleRank:
    """One rank. All arrays given to collective methods are small, but for `swap` and `collect`."""

    rank, size = 0, 1
    reports = True  # of the ranks of a job that all fail, this one says why
    job_rank, job_size = 0, 1  # this rank among all that were started together
    node_rank, node_ranks = 0, 1  # this rank among those of the same machine
    sharing = 1  # ranks that run on the same cores

    @property
    def first(self) -> bool:
        """This rank writes files and the screen."""
        return self.rank == 0

    def sum(self, values: Any) -> np.ndarray:
        return np.asarray(values)

    def total(self, counts: np.ndarray) -> np.ndarray:
        """The sum of whole numbers (int64), which is exact in any order; for larger arrays than `sum`."""
        return counts

    def max(self, values: Any) -> np.ndarray:
        return np.asarray(values)

    def any(self, flag: bool) -> bool:
        return bool(flag)

    def all_of(self, item: Any) -> list[Any]:
        """The items of all ranks, on all ranks."""
        return [item]

    def from_first(self, item: Any) -> Any:
        """The item of the first rank, on all ranks."""
        return item

    def swap(self, rows: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Send counts[r] rows to each rank r, in the order of ranks; get what all have sent to this one, and how many."""
        return rows, np.asarray(counts)

    def collect(self, rows: np.ndarray, everywhere: bool) -> np.ndarray:
        """The rows of all ranks one after the other: on all ranks, or on the first one only."""
        return rows

    def channel(self, sends: dict[int, np.ndarray], receives: dict[int, np.ndarray]) -> Channel:
        return Channel()

    def reads_device_memory(self, space: Space) -> bool:
        """Messages may be in the memory of a space that is a GPU."""
        return False

    def barrier(self) -> None: ...

    def leave(self, status: int) -> None:
        """End the job after an error on this rank, on all ranks if they do not end by themselves."""

    def alone_with(self, seconds: float) -> bool:
        """Wait for the other ranks to fail too; True if they have not and this one must report its error."""
        return False

    def deadline(self, seconds: int) -> None:
        """End this process if it is still there so many seconds from now."""

    def threads(self) -> int:
        """Threads for this rank, such that the ranks of a machine share its cores."""
        return default_threads()

    @property
    def alone(self) -> bool:
        """No other process was started with this one."""
        return max(self.size, self.job_size) == 1


class Sink(Protocol):
    def write(self, text: str) -> None: ...

    def flush(self) -> None: ...


class Universe:
    """One world: its simulation is alone."""

    number, worlds = 0, 1
    rank, size = 0, 1  # of all ranks of all worlds, if there are several worlds
    shares_folder = False  # other worlds are threads of the same process, and in the same folder as this one
    log: Sink | None = None  # of the universe, where it is written

    def all_of(self, what: str, item: Any) -> list[Any]:
        """The items of all worlds. what: in the words of the user, what they meet for."""
        return [item]

    def beside(self, what: str, item: Any) -> tuple[Any, Any]:
        """The items of the worlds before and after this one; None where there is none. All worlds must come here."""
        return None, None

    def claim(self, key: str, first: int) -> int:
        """The next number of a counter that begins at `first`, if there are several worlds."""
        raise NotImplementedError

    def check(self) -> None:
        """Leave if another world has failed."""

    def write(self, text: str) -> None:
        """A line of the universe's log; of several worlds and ranks one writes it."""
        if self.log is not None:
            self.log.write(text)
            self.log.flush()

    def need(self, what: str) -> None:
        """Refuse a command that works on several worlds."""
        if self.worlds < 2:
            raise InputError(f"{what} works on several replicas, but there is one partition",
                             f"start Everlet with partitions, for example: everlet run FILE --partition 4x1; {what} "
                             "runs one replica on each (docs/replicas.md)")

    def finish(self) -> None:
        """This world has come to the end of its script: wait for the others."""
