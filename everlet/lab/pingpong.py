"""What messages take here: a program for several ranks, which `everlet measure network` starts with mpiexec.

Ranks 2k and 2k + 1 send a message there and back, all pairs at the same time, so that what they share is in the numbers. Half
of the round trip is T(B). The overhead is the time in which a call that starts a small message returns. The noise is the
spread of T above its median. Rank 0 prints JSON.
"""

from __future__ import annotations

import json
import statistics
import time
from typing import Any

import numpy as np

SIZES = [8 * 4**k for k in range(10)] + [4 << 20]  # bytes: 8 … 2 M, 4 MiB
ROUNDS = 200
LARGE = 65536  # beyond, fewer rounds


def main() -> None:
    from mpi4py import MPI

    comm = MPI.COMM_WORLD
    rank, ranks = comm.Get_rank(), comm.Get_size()
    partner = rank ^ 1
    points, noise = [], []
    for size in SIZES:
        rounds = ROUNDS if size <= LARGE else max(10, ROUNDS * LARGE // size)
        found = comm.gather(_there_and_back(comm, rank, partner, ranks, size, rounds), 0)
        if found is not None:  # on rank 0
            mine = sorted(time for times in found for time in times)
            middle = statistics.median(mine)
            above = [time - middle for time in mine[: int(0.99 * len(mine))] if time > middle]  # one in a hundred: other work
            points.append([size, middle])
            noise.append([size, float(np.sqrt(np.mean(np.square(above)))) if above else 0.0])
    overhead = _start(comm, rank, partner, ranks)
    sums = _sums(comm)
    if rank == 0:
        print(json.dumps({"ranks": ranks, "points": points, "noise": noise, "overhead": overhead, "allreduce": sums}))


def _there_and_back(comm: Any, rank: int, partner: int, ranks: int, size: int, rounds: int) -> list[float]:
    buffer, times = np.zeros(size, np.uint8), []
    comm.Barrier()
    if partner >= ranks:
        return []
    for number in range(rounds + 5):
        begin = time.perf_counter()
        if rank < partner:
            comm.Send(buffer, partner)
            comm.Recv(buffer, partner)
        else:
            comm.Recv(buffer, partner)
            comm.Send(buffer, partner)
        if number >= 5:
            times.append(0.5 * (time.perf_counter() - begin))
    return times if rank < partner else []


def _start(comm: Any, rank: int, partner: int, ranks: int) -> float:
    """Seconds until a call that starts a message of 8 bytes returns."""
    out, into, times = np.zeros(8, np.uint8), np.zeros(8, np.uint8), []
    comm.Barrier()
    for _ in range(ROUNDS if partner < ranks else 0):
        waits = comm.Irecv(into, partner)
        begin = time.perf_counter()
        starts = comm.Isend(out, partner)
        times.append(time.perf_counter() - begin)
        starts.Wait()
        waits.Wait()
    return statistics.median(times) if times else 0.0


def _sums(comm: Any) -> float:
    """Seconds of a sum of one number over all ranks."""
    one, all_of, times = np.zeros(1), np.zeros(1), []
    for _ in range(ROUNDS):
        comm.Barrier()
        begin = time.perf_counter()
        comm.Allreduce(one, all_of)
        times.append(time.perf_counter() - begin)
    return statistics.median(times)


if __name__ == "__main__":
    main()
