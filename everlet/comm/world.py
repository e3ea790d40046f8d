"""The ranks of a job: processes that run one simulation together, started by mpiexec.

`SingleRank` (state/ranks.py) is a job of one rank, and mpi4py is never imported for it. `Mpi` is a job of several.
Sums and maxima are taken in the order of ranks, so all ranks get the same bits, and the same ones every time.
"""

from __future__ import annotations

import ctypes
import functools
import os
import signal
import sys
import time
from typing import Any

import numpy as np

from everlet import settings
from everlet.errors import DeviceError
from everlet.portable.devices import of_target
from everlet.portable.spaces import Space, cores, default_threads
from everlet.state.ranks import Channel, SingleRank

SIZES = ("PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS")  # what launchers say
PATIENCE = 1.0  # seconds that a rank with an error waits for the others
ENDING = 15  # seconds after which a rank that has failed is gone in any case


class Links(Channel):
    """A channel over MPI: requests that are made once and started again and again."""

    def __init__(self, requests: list[Any], starter: Any, waiter: Any, tester: Any):
        self.requests, self.starter, self.waiter, self.tester = requests, starter, waiter, tester

    def start(self) -> None:
        self.starter(self.requests)

    def wait(self) -> None:
        self.waiter(self.requests)

    def push(self) -> bool:
        return bool(self.tester(self.requests))

    def close(self) -> None:
        for request in self.requests:
            request.Free()
        self.requests = []


class Job:
    """All ranks that were started together, through mpi4py."""

    def __init__(self) -> None:
        from mpi4py import MPI

        self.mpi = MPI
        self.comm = MPI.COMM_WORLD.Dup()
        self.rank, self.size = self.comm.Get_rank(), self.comm.Get_size()
        node = self.comm.Split_type(MPI.COMM_TYPE_SHARED)
        self.node_rank, self.node_ranks = node.Get_rank(), node.Get_size()
        mine = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else list(range(cores()))
        self.sharing = sum(bool(set(mine) & set(other)) for other in node.allgather(mine))


class Member(SingleRank):
    """A rank of a job that works alone, as the only one of its world."""

    def __init__(self, job: Job, comm: Any):
        self.job, self.mpi, self.comm = job, job.mpi, comm
        self.rank, self.size = comm.Get_rank(), comm.Get_size()
        self.node_rank, self.node_ranks, self.sharing = job.node_rank, job.node_ranks, job.sharing
        self.job_rank, self.job_size, self.reports = job.rank, job.size, job.rank == 0
        self._ending: list[Any] = []  # barriers of ranks that fail: of this world, and of the job
        self._hook, sys.excepthook = sys.excepthook, self._uncaught

    def _uncaught(self, *error: Any) -> None:
        """A program ends on this rank by an exception: the others must not wait for it for ever."""
        self._hook(*error)
        self.leave(1)

    def _all_come(self, which: int, seconds: float) -> bool:
        """All ranks of this world (0) or of the job (1) fail too."""
        self._ending = self._ending or [self.comm.Ibarrier(), self.job.comm.Ibarrier()]
        limit = time.monotonic() + seconds
        while not self._ending[which].Test():
            if time.monotonic() > limit:
                return False
            time.sleep(0.01)
        return True

    def alone_with(self, seconds: float) -> bool:
        return not self._all_come(1, seconds) and (self.first or not self._all_come(0, 0.0))

    def leave(self, status: int) -> None:
        if not self._all_come(1, PATIENCE):
            sys.stdout.flush()
            sys.stderr.flush()
            self.job.comm.Abort(status)

    def deadline(self, seconds: int) -> None:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)  # no Python: MPI may wait for messages that nobody will send
        signal.alarm(seconds)

    def threads(self) -> int:
        return default_threads(self.sharing)


class Mpi(Member):
    """Several ranks of a job: all of them, or those of one world."""

    @functools.cached_property
    def _library(self) -> Any:
        """The MPI library that mpi4py is linked with."""
        return ctypes.CDLL(self.mpi.__file__)

    def reads_device_memory(self, space: Space) -> bool:
        """That of a space: as EVERLET_DIRECT says (on or off), else the library itself."""
        said = settings.given("EVERLET_DIRECT")
        if said not in ("", "on", "off"):
            raise DeviceError(f"EVERLET_DIRECT={said}", "use on or off, or leave it out")
        if said:
            return said == "on"
        return of_target(space.target).read_by(self._library)

    def _all(self, values: Any) -> np.ndarray:
        mine = np.asarray(values, np.float64, order="C")
        found = np.empty((self.size, *mine.shape))
        self.comm.Allgather(mine, found)
        return found

    def sum(self, values: Any) -> np.ndarray:
        return self._all(values).sum(axis=0)

    def total(self, counts: np.ndarray) -> np.ndarray:
        found = np.array(counts, np.int64, order="C")
        self.comm.Allreduce(self.mpi.IN_PLACE, found, self.mpi.SUM)
        return found

    def max(self, values: Any) -> np.ndarray:
        return self._all(values).max(axis=0)

    def any(self, flag: bool) -> bool:
        found = np.array([flag], np.int32)
        self.comm.Allreduce(self.mpi.IN_PLACE, found, self.mpi.MAX)
        return bool(found[0])

    def all_of(self, item: Any) -> list[Any]:
        return self.comm.allgather(item)

    def from_first(self, item: Any) -> Any:
        return self.comm.bcast(item, 0)

    def swap(self, rows: np.ndarray, counts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        out, into = np.ascontiguousarray(counts, np.int64), np.empty(self.size, np.int64)
        self.comm.Alltoall(out, into)
        kind, rows = self._row(rows)
        found = np.empty((int(into.sum()), *rows.shape[1:]), rows.dtype)
        self.comm.Alltoallv([rows, (out, _starts(out)), kind], [found, (into, _starts(into)), kind])
        kind.Free()
        return found, into

    def collect(self, rows: np.ndarray, everywhere: bool) -> np.ndarray:
        counts = np.array(self.comm.allgather(len(rows)), np.int64)
        kind, rows = self._row(rows)
        wanted = int(counts.sum()) if everywhere or self.first else 0
        found = np.empty((wanted, *rows.shape[1:]), rows.dtype)
        target = [found, (counts, _starts(counts)), kind]
        if everywhere:
            self.comm.Allgatherv([rows, len(rows), kind], target)
        else:
            self.comm.Gatherv([rows, len(rows), kind], target if self.first else None, 0)
        kind.Free()
        return found

    def _row(self, rows: np.ndarray) -> tuple[Any, np.ndarray]:
        """The MPI type of one row, so that counts of rows, not of bytes, must fit into 32 bits."""
        rows = np.ascontiguousarray(rows)
        width = rows.itemsize * int(np.prod(rows.shape[1:]))
        return self.mpi.BYTE.Create_contiguous(width).Commit(), rows

    def channel(self, sends: dict[int, np.ndarray], receives: dict[int, np.ndarray]) -> Channel:
        requests = [self.comm.Recv_init(array, source) for source, array in receives.items()]
        requests += [self.comm.Send_init(array, target) for target, array in sends.items()]
        return Links(requests, self.mpi.Prequest.Startall, self.mpi.Request.Waitall, self.mpi.Request.Testall)

    def barrier(self) -> None:
        self.comm.Barrier()


def _starts(counts: np.ndarray) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)


def launched() -> int:
    """How many ranks the launcher of this process says there are; 1 without one."""
    given = [settings.given(name) for name in SIZES]
    return max([int(text) for text in given if text.isdecimal()], default=1)


_joined: SingleRank | None = None


def writes() -> bool:
    """This process writes files and the screen: it is alone, or the first of its job."""
    return _joined is None or _joined.first


def joined() -> SingleRank:
    """The job as far as it has been joined; alone if not."""
    return _joined or SingleRank()


def join() -> SingleRank:
    """The job this process belongs to."""
    global _joined
    if _joined is None:
        _joined = _start(launched())
    return _joined


def _start(ranks: int) -> SingleRank:
    if ranks == 1:
        return SingleRank()
    try:
        job = Job()
    except ImportError as error:
        raise DeviceError(f"started as {ranks} MPI ranks, but mpi4py cannot be used: {error}",
                          "pip install 'everlet[mpi]', or start it without mpiexec") from None
    except RuntimeError as error:  # mpi4py finds no MPI library
        raise DeviceError(f"started as {ranks} MPI ranks, but there is no MPI library: {str(error).splitlines()[0]}",
                          "pip install 'everlet[mpi]', or load the module of your MPI library") from None
    if job.size == 1:
        raise DeviceError(f"mpiexec started {ranks} ranks, but mpi4py sees one: it uses another MPI library",
                          "use the mpiexec that belongs to mpi4py, or install mpi4py for this one")
    return Mpi(job, job.comm)


def divide(sizes: list[int]) -> tuple[SingleRank, int, Any, str]:
    """Divide the ranks of the job among worlds of these sizes, in their order. The world of this rank, its number, those that
    talk for their worlds (an MPI communicator, on first ranks), and a name that no other job has."""
    global _joined
    whole = join()
    assert isinstance(whole, Mpi)
    sys.excepthook = whole._hook
    number = int(np.searchsorted(np.cumsum(sizes), whole.rank, side="right"))
    comm = whole.comm.Split(number, whole.rank)
    _joined = Mpi(whole.job, comm) if sizes[number] > 1 else Member(whole.job, comm)
    leaders = whole.comm.Split(0 if _joined.first else whole.mpi.UNDEFINED, whole.rank)
    return _joined, number, leaders, whole.from_first(f"{os.getpid()}.{time.time_ns() % 10**9}")
