"""What cores lose when they work at the same time, and what it costs to divide a box among ranks.

crowd      The same small run in 1, 2, 4 … processes that know nothing of each other: they share caches, memory and the clock
           rate of the chip. How much longer it takes than alone is `crowd`.
division   A melt on ranks, of two sizes, with rare and with frequent rebuilds. What the model of one core, slowed down by the
           crowd, and messages do not explain is shared by

               step + ghosts "ghost" + (rebuild + ghosts "new ghost") / steps between rebuilds

           in seconds: packing and unpacking, the way through Python and the MPI library, finding of ghosts, atoms that move.
           Least squares with positive coefficients.

A worker of the crowd is this file as a program: it gets ready, says so, and for each of two programs waits for a line, works
for some seconds, and prints the seconds of one turn.
"""

from __future__ import annotations

import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from everlet import settings
from everlet.errors import InputError
from everlet.lab import costs
from everlet.lab.machine import Machine
from everlet.lab.reading import job_of
from everlet.lab.starting import started
from everlet.perf.runs import WARM, Case, prepared
from everlet.portable import choose

PROGRAMS = ("md", "lu")
ATOMS, SECONDS, TURN = 16000, 1.5, 20  # of a worker: atoms, time, steps of a turn
SMALL, LARGE = 2000, 16000  # atoms of a rank
RARE, OFTEN = (20, 100), (2, 60)  # steps between rebuilds, steps
KEYS = ("step", "ghost", "rebuild", "new ghost")


def crowd(counts: list[int]) -> dict[str, list[tuple[int, float]]]:
    """Processes at work, and how much longer each of them takes than one alone, by program."""
    times = [(count, _at_once(count)) for count in counts]
    return {program: [(count, found[k] / times[0][1][k]) for count, found in times] for k, program in enumerate(PROGRAMS)}


def _at_once(count: int) -> list[float]:
    """Seconds of a turn of each program."""
    workers = [subprocess.Popen([*settings.PYTHON, "-m", "everlet.lab.together"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                text=True, env=settings.environment()) for _ in range(count)]
    try:
        found = [_answers(workers)]
        for _ in PROGRAMS:
            for worker in workers:
                assert worker.stdin is not None
                worker.stdin.write("go\n")
                worker.stdin.flush()
            found.append(_answers(workers))
        return [statistics.fmean(map(float, answers)) for answers in found[1:]]
    finally:
        for worker in workers:
            worker.kill()
            worker.communicate()


def _answers(workers: list[subprocess.Popen[str]]) -> list[str]:
    lines = [worker.stdout.readline().strip() if worker.stdout else "" for worker in workers]
    if not all(lines):
        raise InputError("a process that was to keep a core busy has ended", "try it by hand: python -m everlet.lab.together")
    return lines


def work() -> None:
    """A worker."""
    turns = [_melt(), _sweeps()]
    for turn in turns:
        turn()
    print("ready", flush=True)
    for turn in turns:
        sys.stdin.readline()
        begin = time.perf_counter()
        times: list[float] = []
        while not times or time.perf_counter() - begin < SECONDS:
            before = time.perf_counter()
            turn()
            times.append(time.perf_counter() - before)
        print(statistics.median(times), flush=True)


def _melt() -> Callable[[], object]:
    sim = prepared(Case(ATOMS, device="serial"))
    sim.run(WARM, post=False)
    return lambda: sim.run(TURN, pre=False, post=False)


def _sweeps() -> Callable[[], object]:
    from everlet.lu.problem import CLASSES
    from everlet.lu.solver import Choice, Solver

    solver = Solver(Choice(CLASSES["W"], "blocked", kblock=8), choose("serial"))
    return lambda: solver.run(5)


def division(machine: Machine, ranks: int) -> tuple[dict[str, float], list[tuple[int, int, float, float]]]:
    """Coefficients, and for each run: atoms, steps between rebuilds, seconds of a step, seconds by the model without them."""
    rows, found = [], []
    for atoms, seconds in zip((SMALL * ranks, LARGE * ranks), _melts(ranks), strict=True):
        for (every, _), taken in zip((RARE, OFTEN), seconds, strict=True):
            job = job_of(prepared(Case(atoms, device="serial")), 0)
            job.rebuild, job.checked = float(every), False
            known = costs.on_core(job, machine, ranks, divided=False)
            outer = costs.outer(job, ranks)
            rows.append(np.array([1.0, outer, 1.0 / every, outer / every]) / taken)
            found.append((job.atoms, every, taken, known.total))
    from scipy.optimize import nnls

    rest = np.array([(taken - known) / taken for *_, taken, known in found])
    return dict(zip(KEYS, map(float, nnls(np.stack(rows), rest)[0]), strict=True)), found


def _melts(ranks: int) -> list[list[float]]:
    """Seconds of a step: for both sizes, with rare and with frequent rebuilds."""
    script = ""
    for each in (SMALL, LARGE):
        script += ("clear\n" if script else "") + Case(each * ranks).script()
        for every, steps in (RARE, OFTEN):
            script += f"neigh_modify delay 0 every {every} check no\nrun {WARM}\nrun {steps} pre no\n"
    with tempfile.TemporaryDirectory() as folder:
        path, log = Path(folder) / "in.melt", Path(folder) / "log"
        path.write_text(script)
        started(ranks, "-m", "everlet", "run", str(path), "--threads", "1", "--device", "cpu", "--no-tune", "--log",
                str(log), "--screen", "none")
        loops = re.findall(r"Loop time of (\S+) on .* for (\d+) steps", log.read_text())
    times = [float(seconds) / int(steps) for seconds, steps in loops[1::2]]
    return [times[:2], times[2:]]


if __name__ == "__main__":
    work()
