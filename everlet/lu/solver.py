"""LU: iterations, their sections, and whether the answer is right.

An iteration makes two sweeps over the residual, adds the result to u, and computes the residual anew. Sections:

    rearrange   w and the residual are put into the order of sweeps (layout skewed only)
    lower       the sweep from the first corner to the last    upper   the sweep back
    update      u and w                                        halo    what neighbours have (several ranks only)
    residual    of the new u
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from everlet.comm.world import joined
from everlet.errors import InputError
from everlet.lu import loops
from everlet.lu.fields import Fields
from everlet.lu.problem import CLASSES, OMEGA, TOLERANCE, Norms, Problem, exact, surface_integral
from everlet.lu.ranks import Around, Passed, arranged
from everlet.lu.schedule import Planes, Receive, Send, Step, Strips, schedule, turned
from everlet.portable import Space, kernels
from everlet.portable.batch import collected
from everlet.portable.graphs import Graph
from everlet.portable.programs import register_lanes
from everlet.state.ranks import SingleRank

PUSHED = 8  # planes between looks at messages that are under way
SECTIONS = ("rearrange", "lower", "upper", "update", "halo", "residual")


@dataclass(frozen=True)
class Choice:
    """How a problem is solved. 0 and '' stand for what is best here."""

    problem: Problem = CLASSES["S"]
    algorithm: str = ""
    blocking: str = "old"
    kblock: int = 0
    layout: str = "skewed"
    precision: str = "double"
    ranks: tuple[int, int, int] | None = None
    width: int = 0  # SIMD lanes


@dataclass
class Outcome:
    """What came out of a run."""

    iterations: int
    seconds: float
    cpu: float  # seconds of CPU time of all threads, the most of all ranks
    sections: dict[str, float]
    norms: Norms
    deviation: float  # of the norms; infinite if there is nothing to compare with
    operations: float
    bytes: int
    choice: Choice

    @property
    def verified(self) -> bool:
        return self.deviation <= TOLERANCE

    @property
    def mops(self) -> float:
        return 1e-6 * self.operations / self.seconds


class Clock:
    """Seconds by section: by events of a GPU; CPU time where one thread works alone, for others may use the machine; else by
    the wall clock."""

    def __init__(self, space: Space, alone: bool):
        self.now = time.process_time if alone and space.threads == 1 else time.perf_counter
        self.space, self.spent = space, dict.fromkeys(SECTIONS, 0.0)
        self.marks: list[tuple[str, Any]] = []

    def begin(self) -> None:
        self.spent, self.marks = dict.fromkeys(SECTIONS, 0.0), []
        self.mark("")

    def mark(self, section: str) -> None:
        """The section ends here."""
        if self.space.asynchronous:
            self.marks.append((section, self.space.gpu.mark()))
        else:
            self.marks.append((section, self.now()))

    def sections(self) -> dict[str, float]:
        for (_, before), (section, now) in zip(self.marks, self.marks[1:], strict=False):
            if self.space.asynchronous:
                self.spent[section] += self.space.gpu.seconds(before, now)
            else:
                self.spent[section] += now - before
        return self.spent


class Solver:
    """A block of the problem with all that its iterations need."""

    def __init__(self, choice: Choice, space: Space, world: SingleRank | None = None):
        self.world = world or joined()
        self.choice = choice = settled(choice, space, self.world)
        self.space, self.problem = space, choice.problem
        self.ranks = arranged(self.world.size, choice.ranks, choice.problem)
        lanes = choice.width or register_lanes(np.float32 if choice.precision == "single" else np.float64)
        block = self.ranks.block(choice.problem, self.world.rank)
        self.fields = Fields(block, space, choice.layout, choice.precision, lanes)
        self.kernels = loops.kernels(choice.precision, lanes if self.fields.places.step == 1 else 1,
                                     lanes if self.fields.swept.lanes else 1, choice.layout)
        self.around = Around(self.fields, self.ranks, self.world)
        self.forced = False  # f is known
        self.clock = Clock(space, self.world.size == 1)
        used = [kernel for name, kernel in self.kernels.items() if name in self._used()]
        kernels.warm(space, used)
        self.sections: dict[str, Callable[[], None]] = {}
        if self.fields.layout == "skewed":
            self.sections["rearrange"] = self._replayed(self.rearrange)
        self.passed: list[Passed] = []
        for name, way in (("lower", 1), ("upper", -1)):
            self.sections[name] = self._sweep(way)
        self.sections["update"] = self._replayed(self.update)
        if self.world.size > 1:
            self.sections["halo"] = self.around.exchange
        self.sections["residual"] = self._replayed(self.residual)

    def _used(self) -> list[str]:
        return ["strips" if self.choice.algorithm == "pipeline" else "planes", "residual", "update",
                *(["skew"] if self.choice.layout == "skewed" else [])]

    # ---- loops
    def _pieces(self, n: int) -> tuple[int, int]:
        """Into how many pieces a row is cut, and how long they are: points on a GPU, rows elsewhere."""
        return (n, 1) if self.space.many_threads else (1, n)

    def _rows(self) -> tuple[int, tuple[int, ...]]:
        """How many pieces of rows there are, and where: along i, or in diagonal layout along j, one for each i + j."""
        places, (nx, ny, nz) = self.fields.places, self.fields.block.size
        diagonal = self.fields.layout == "diagonal"
        rows, (pieces, piece) = (nx + ny - 1, self._pieces(ny)) if diagonal else (ny, self._pieces(nx))
        return nz * rows * pieces, (nx, ny, rows, pieces, piece, places.first, places.pk, places.pd, places.pj, places.step,
                                    places.apart)

    def _replayed(self, launches: Callable[[], None]) -> Callable[[], None]:
        if not self.space.replays:
            return launches
        with collected(self.space) as found:
            launches()
        return Graph(self.space, found).replay

    def rearrange(self) -> None:
        f, places, swept = self.fields, self.fields.places, self.fields.swept
        for lowest, x, y in ((-1, f.w, f.w_swept), (0, f.r, f.r_swept)):
            nx, ny, nz = (n - 2 * lowest for n in f.block.size)
            pieces, piece = self._pieces(ny)
            rows = nx + ny - 1
            kernels.parallel_for(self.space, nz * rows * pieces, self.kernels["skew"], lowest, nx + lowest, ny + lowest, rows,
                                 pieces, piece, places.first, places.row, places.pk, places.apart, swept.first, swept.pk,
                                 swept.pd, swept.apart, x, y)

    def residual(self) -> None:
        f = self.fields
        items, rows = self._rows()
        kernels.parallel_for(self.space, items, self.kernels["residual"], *rows, f.long, f.of_residual, f.walls, f.u, f.w, f.f,
                             f.r)

    def update(self) -> None:
        f, swept = self.fields, self.fields.swept
        items, rows = self._rows()
        by = 1 / (OMEGA * (2 - OMEGA))
        kernels.parallel_for(self.space, items, self.kernels["update"], *rows, by, swept.first, swept.pk, swept.pd, swept.pj,
                             swept.apart, f.r_swept, f.u, f.w)

    # ---- sweeps
    def _sweep(self, way: int) -> Callable[[], None]:
        """The steps of a sweep; launches between messages are one graph on a GPU."""
        size, choice = self.fields.block.size, self.choice
        steps = schedule(choice.algorithm, choice.blocking, *size, choice.kblock)
        if way < 0:
            steps = [turned(step, *size) for step in steps]
        blocks = [(step.low, step.high) for step in steps if isinstance(step, Receive)]
        passed = Passed(self.fields, self.ranks, self.world, way, blocks)
        self.passed.append(passed)
        actions: list[Callable[[], None]] = []
        waiting: list[Step] = []

        def flush() -> None:
            if waiting:
                actions.append(self._replayed(functools.partial(self._launch_all, list(waiting), way, passed)))
                waiting.clear()

        for step in steps:
            if isinstance(step, (Planes, Strips)):
                waiting.append(step)
            elif self.world.size > 1:
                flush()
                actions.append(self._message(passed, step))
        flush()

        def run() -> None:
            passed.begin()
            for action in actions:
                action()
            passed.end()

        return run

    def _message(self, passed: Passed, step: Step) -> Callable[[], None]:
        assert isinstance(step, (Receive, Send))
        block = step.low, step.high
        return (lambda: passed.receive(block)) if isinstance(step, Receive) else (lambda: passed.send(block))

    def _launch_all(self, steps: list[Step], way: int, passed: Passed) -> None:
        for step in steps:
            self._launch(step, way, passed)

    def _launch(self, step: Step, way: int, passed: Passed) -> None:
        f, swept, (nx, ny, _) = self.fields, self.fields.swept, self.fields.block.size
        where = (swept.first, swept.pk, swept.pd, swept.pj, swept.step, swept.apart, way)
        arrays = (f.of_sweeps[0 if way > 0 else 1], f.w_swept, f.r_swept)
        if isinstance(step, Planes):
            pieces, piece = self._pieces(ny)
            for number, (plane, low, high) in enumerate(step.planes):
                if passed.waiting and number % PUSHED == 0:
                    passed.push()
                kernels.parallel_for(self.space, (high - low) * pieces, self.kernels["planes"], plane, low, nx, ny, pieces,
                                     piece, *where, *arrays)
        elif isinstance(step, Strips):
            strips = min(self.strips, ny)
            kernels.call(self.space, f.done.data.fill, 0)
            kernels.parallel_team(self.space, strips, self.kernels["strips"], strips, step.high - step.low, step.low, nx, ny,
                                  *where, f.done, *arrays)

    @property
    def strips(self) -> int:
        """Strips that wait for each other: threads, or on a GPU teams of 32 columns."""
        return max(1, self.fields.block.size[1] // 32) if self.space.many_threads else self.space.threads

    # ---- the whole
    def begin(self) -> None:
        """The forcing, which is L of the exact solution, once; and u as it starts, with its residual."""
        if not self.forced:
            self._fill("exact")
            self.fields.f.data[:] = self.fields.r.data / self.fields.dtype(self.problem.dt)
            self.forced = True
        self._fill("start")

    def _fill(self, what: str) -> None:
        """u and its residual. Copies from the host are none of our launches: neither may overtake the other."""
        self.space.synchronize()
        self.fields.fill(what)
        self.space.synchronize()
        self.sections["residual"]()
        self.space.synchronize()

    def iterate(self) -> None:
        for name, work in self.sections.items():
            work()
            self.clock.mark(name)

    def run(self, iterations: int = 0) -> Outcome:
        """Solve; the first iteration, which is not timed, is thrown away."""
        wanted = iterations or self.problem.iterations
        self.begin()
        self.clock.begin()
        self.iterate()
        self.begin()
        self.space.synchronize()
        self.world.barrier()
        self.clock.begin()
        begin, cpu = time.perf_counter(), time.process_time()
        for _ in range(wanted):
            self.iterate()
        self.space.synchronize()
        seconds, cpu = self.world.max([time.perf_counter() - begin, time.process_time() - cpu]).tolist()
        sections = self.world.max(list(self.clock.sections().values()))
        norms = self.norms()
        deviation = norms.deviation(self.problem) if wanted == self.problem.iterations else float("inf")
        return Outcome(wanted, seconds, cpu, dict(zip(SECTIONS, sections.tolist(), strict=True)), norms, deviation,
                       self.problem.operations(wanted), self.fields.bytes, self.choice)

    def norms(self) -> Norms:
        """Root mean squares of the residual and of the error, and the surface integral; on all ranks."""
        n, f = self.problem.n, self.fields
        u, r = f.inner(f.u), f.inner(f.r) / self.problem.dt
        wrong = exact(*f.coordinates(0)) - u
        sums = self.world.sum(np.stack([(values**2).sum(axis=(1, 2, 3)) for values in (r, wrong)]))
        residuals, errors = np.sqrt(sums / (n - 2) ** 3).tolist()
        parts = self.world.all_of((f.block.low, u)) if self.world.size > 1 else [(f.block.low, u)]
        everywhere = np.ones((5, n, n, n))
        for (x, y, z), values in parts:
            _, nz, ny, nx = values.shape
            everywhere[:, z : z + nz, y : y + ny, x : x + nx] = values
        return Norms(residuals, errors, surface_integral(everywhere, self.problem.h))

    def close(self) -> None:
        self.around.close()
        for one in self.passed:
            one.close()


def settled(choice: Choice, space: Space, world: SingleRank) -> Choice:
    """The choice with everything that was left open, or why it cannot be."""
    algorithm = choice.algorithm or ("hyperplane" if space.many_threads else "pipeline")
    if not space.tensors:
        raise InputError(f"LU looks at its arrays by strides of NumPy and CuPy, which those of {space} do not have",
                         "use --device cpu, or cuda")
    if choice.kblock and algorithm == "hyperplane":
        raise InputError("--kblock has no meaning for --algorithm hyperplane, which has one block", "use --algorithm blocked")
    if choice.blocking != "old" and algorithm != "blocked":
        raise InputError(f"--blocking {choice.blocking} has no meaning for --algorithm {algorithm}", "use --algorithm blocked")
    shape = arranged(world.size, choice.ranks, choice.problem).shape
    nz = (choice.problem.n - 2) // shape[2]
    usual = nz if world.size == 1 or space.many_threads else max(1, min(nz, 8))
    return replace(choice, algorithm=algorithm, kblock=min(choice.kblock or usual, nz), ranks=shape)


