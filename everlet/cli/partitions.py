"""Scripts on several partitions (-partition 4x1): one simulation on each, all in one universe (docs/replicas.md).

Started by mpiexec the ranks are divided, in their order. Without it partitions of one rank are threads of this process.
Partition N writes log.everlet.N and screen.N; what belongs to all of them goes to log.everlet and the screen.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from everlet.cli.request import Request
from everlet.comm.universe import MpiUniverse, WorldStopped, enter, in_threads
from everlet.comm.world import divide, join
from everlet.errors import EverletError, InputError
from everlet.io.log import Log
from everlet.portable.devices import find
from everlet.portable.spaces import cores
from everlet.run.headings import banner
from everlet.run.stopping import FILE, SIGNALS
from everlet.state.ranks import Universe
from everlet.version import __version__

LEAVING = 10.0  # seconds that partitions have to write restart files after the first one has ended by a signal
Work = Callable[[Request], int]


def run_partitions(request: Request, work: Work) -> int:
    """Run `work` in every world; the largest exit status."""
    if not request.script:
        raise InputError("several partitions cannot share a script on standard input", "name a file: -in FILE")
    sizes, world = request.partition, join()
    if world.size > 1:
        return _on_ranks(request, work, world.size)
    if max(sizes) > 1:
        raise InputError(f"-partition {_words(sizes)} asks for {sum(sizes)} ranks, but there is one",
                         f"start it with mpiexec -n {sum(sizes)}; or without it, with partitions of one rank: "
                         f"-partition {len(sizes)}x1 --threads {max(sizes)}")
    device, _ = find(request.device) or (None, None)
    if device is not None and device.traits.many_threads:
        raise InputError(f"partitions that are threads of one process cannot share a {device.traits.kind}",
                         f"start it with mpiexec -n {len(sizes)}, or use --device cpu")
    threads = request.threads or max(1, cores() // len(sizes))

    def one(here: Universe) -> int:
        return work(replace(_of_world(request, here.number), threads=threads))

    log = _universe_log(request, sizes, f"each a thread of this process with {threads} of its own")
    try:
        with SIGNALS.listening(gently=True):  # worlds look for signals themselves
            return max(in_threads(len(sizes), one, log))
    except EverletError as error:
        raise _placed(error, getattr(error, "partition", 0), request) from None
    finally:
        log.close()


def _on_ranks(request: Request, work: Work, ranks: int) -> int:
    sizes = request.partition
    if sum(sizes) != ranks:
        raise InputError(f"-partition {_words(sizes)} asks for {sum(sizes)} ranks, but mpiexec has started {ranks}",
                         f"use mpiexec -n {sum(sizes)}, or partitions for {ranks} ranks, such as -partition {ranks}x1")
    world, number, leaders, token = divide(sizes)
    log = _universe_log(request, sizes, "") if world.first and number == 0 else None
    here: Universe = MpiUniverse(world, leaders, number, len(sizes), token, log)
    enter(here)
    try:
        status = work(_of_world(request, number))
        here.finish()
        return status
    except EverletError as error:
        raise _placed(error, number, request) from None
    except KeyboardInterrupt:
        world.alone_with(LEAVING)
        raise
    finally:
        if log is not None:
            log.close()


def _words(sizes: list[int]) -> str:
    """Sizes as the user gives them."""
    found: list[list[int]] = []
    for size in sizes:
        if found and found[-1][1] == size:
            found[-1][0] += 1
        else:
            found.append([1, size])
    return " ".join(f"{count}x{size}" for count, size in found)


def _universe_log(request: Request, sizes: list[int], how: str) -> Log:
    """With the table of partitions."""
    log = Log(request.screen)
    log.open(request.log)
    log.write(banner(__version__))
    log.write(f"Running on {len(sizes)} partitions of processors" + (f", {how}" if how else ""))
    log.event("partitions", sizes=sizes)
    if not how:
        first = 0
        for number, size in enumerate(sizes):
            more = f"s {first} to {first + size - 1}" if size > 1 else f" {first}"
            log.write(f"  partition {number}: rank{more}")
            first += size
    log.flush()
    return log


def _of_world(request: Request, number: int) -> Request:
    """What a world is asked for: the same, with files of its own."""
    def named(own: str, base: str) -> str:
        base = own or base
        return base if base == "none" else f"{base}.{number}"

    screen = "screen" if request.screen == "stdout" else request.screen
    way, _, file = request.on_signal.partition("=")
    stops = f"restart={file or FILE}.{number}" if way == "restart" else request.on_signal
    return replace(request, partition=[], log=named(request.plog, request.log), screen=named(request.pscreen, screen),
                   on_signal=stops)


def _placed(error: EverletError, number: int, request: Request) -> EverletError:
    """The error with its partition."""
    if not isinstance(error, WorldStopped):
        error.where = f"partition {number}{f': {error.where}' if error.where else ''}"
    return error
