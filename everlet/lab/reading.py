"""Read a script without running it: set-up commands work as always, runs are noted, files are not written (kept.py).

Each `run` becomes a Job: what a step has to do. A command that Everlet does not have, or that fails, is noted with its line,
and reading goes on. What depends on results of a run (a variable of the temperature after it) has the value of before.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from everlet.comm.universe import FirstOf, inside
from everlet.errors import EverletError, InputError, arguments, integer
from everlet.forces.pair.driver import default_scheme
from everlet.forces.pair.schemes.base import scheme_on
from everlet.lab.kept import Kept
from everlet.portable import HOST
from everlet.run.levels import check_fixes
from everlet.script.commands.replicas import neb_words, temper_words
from everlet.script.commands.rerun import rerun_words
from everlet.script.parser import Script
from everlet.script.registry import command
from everlet.script.words import substitute, without_comment, without_files
from everlet.session import Session
from everlet.state.topology import KINDS, count_links

SAMPLED = 400  # atoms whose neighbours are counted
DUMPS = 1000  # steps between frames, where a variable or a time says it
MOST_RUNS = 10000
MOST_NOTES, MOST_LINES = 12, 200_000


@dataclass
class Job:
    """What a run has to do. Lengths and times are in the units of the script."""

    steps: int
    place: str = ""
    atoms: int = 0
    edges: tuple[float, float, float] = (1.0, 1.0, 1.0)
    volume: float = 1.0
    periodic: tuple[bool, ...] = (True, True, True)
    dimension: int = 3
    units: str = "lj"
    dt: float = 0.005
    femtosecond: float = 0.0  # 0: the units have none
    pair: str = ""
    cutoff: float = 0.0
    skin: float = 0.0
    newton: bool = True
    listed: float = 0.0  # entries of a row of a half list
    full: bool = False  # the list has both sides of a pair, on one CPU core
    rebuild: float = 20.0  # steps between rebuilds
    checked: bool = True  # they depend on how far atoms move
    links: dict[str, int] = field(default_factory=dict)
    special: bool = False  # pairs are taken out of rows
    kspace: str = ""
    mesh: tuple[int, int, int] = (0, 0, 0)
    fixes: list[str] = field(default_factory=list)
    thermo: int = 0
    dumps: list[tuple[str, int]] = field(default_factory=list)
    row_bytes: int = 0  # of the fields of an atom
    widths: dict[str, int] = field(default_factory=dict)  # links an atom has room for, by kind
    kind: str = "run"

    @property
    def reach(self) -> float:
        return self.cutoff + self.skin

    @property
    def points(self) -> int:
        return math.prod(self.mesh)


def enlarged(job: Job, times: float) -> Job:
    """So many times the atoms at the same density."""
    if times == 1:
        return job
    edge = times ** (1.0 / 3.0)
    a, b, c = (edge * one for one in job.edges)
    x, y, z = (round(edge * one) for one in job.mesh)
    return replace(job, atoms=round(job.atoms * times), edges=(a, b, c), volume=job.volume * times, mesh=(x, y, z),
                   links={name: round(count * times) for name, count in job.links.items()})


@dataclass
class Found:
    """All that a script holds."""

    jobs: list[Job] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)  # what is not supported or could not be followed


class Dry(Script):
    """A script reader that notes runs."""

    def __init__(self, sim: Any, found: Found):
        super().__init__(sim)
        self.found, self.lines, self.kept = found, 0, Kept()

    def one(self, line: str) -> None:
        """A line whose formulas need results of a run is noted, and passed over."""
        self.lines += 1
        if self.lines > MOST_LINES:
            raise InputError(f"more than {MOST_LINES} lines were read: a loop seems to have no end without results of runs",
                             "plan a part of the script")
        seeking = bool(self.frames) and bool(self.frames[-1].label)
        if not seeking and "$" in line:
            try:
                substitute(without_comment(line), self.variables)
            except InputError as error:
                self._note(error)
                return
        super().one(line)

    def execute(self, name: str, args: list[str]) -> None:
        if name == "write_restart":
            self.kept.write(self.sim.system, args)
        if self.passed(name, args):
            return
        try:
            if command.says(name).runs:
                self._note_run(name, args)
                return
            if name == "dump":
                self.kept.dumps.update(args[4:5])
            own = {"fix": without_files, "read_restart": self.kept.found}.get(name)
            super().execute(name, own(args) if own else args)
        except InputError as error:
            self._note(error)

    def passed(self, name: str, args: list[str]) -> bool:
        """It is not tried: it writes files, says nothing of a run, or reads frames of this script's runs."""
        return command.says(name).unplanned or name == "read_dump" and bool(self.kept.dumps.intersection(args[:1]))

    def unplanned(self, what: str) -> None:
        """A run that is not planned."""
        self.found.notes.append(f"{self.place()}: {what}")

    def _note(self, error: EverletError) -> None:
        text = f"{self.place()}: {error.cause.splitlines()[0]}"
        if text not in self.found.notes and len(self.found.notes) < MOST_NOTES:
            self.found.notes.append(text)

    def place(self) -> str:
        if not self.frames:
            return "?"
        frame = self.frames[-1]
        return f"{frame.name}:{frame.lines[max(frame.position - 1, 0)][0]}"

    def _note_run(self, name: str, args: list[str]) -> None:
        system = self.sim.system
        system.need_box()
        if not args:
            raise InputError(f"{name} needs a number", "see docs/scripts.md")
        if name == "rerun":
            rerun_words(args)
            self.unplanned("rerun is not planned: how many frames there are is in its files")
            return
        if name == "minimize":
            arguments(args, 4, 4, "minimize etol ftol maxiter maxeval")
        if name == "temper":
            steps = temper_words(self.sim, args).steps
        elif name == "neb":
            given = neb_words(self.sim, args)
            steps = given.first + given.second
        else:
            steps = integer(args[0], "a number of steps") if name == "run" else integer(args[2], "a number of iterations")
        if steps < 0:
            raise InputError(f"{name} {steps}: a number of steps cannot be negative", "see docs/scripts.md")
        if not system.natoms:
            raise InputError(f"{name}: there are no atoms, so that it is not planned", "see docs/scripts.md")
        if name == "run" and system.levels is not None:
            check_fixes(system.fixes.values())
        if name == "run" and "upto" in args:
            steps = max(0, steps - system.step)
        if len(self.found.jobs) >= MOST_RUNS:
            raise InputError(f"the script has more than {MOST_RUNS} runs", "plan a part of it")
        job = job_of(self.sim, steps, self.found.notes)
        job.place, job.kind = self.place(), {"temper": "run", "neb": "minimize"}.get(name, name)
        self.found.jobs.append(job)
        if job.kind == "run":
            system.step += steps


def read(path: str, variables: list[tuple[str, list[str]]] | None = None, plugins: list[str] | None = None,
         found: Found | None = None, reader: type[Dry] = Dry, partitions: int = 1) -> Found:
    """The jobs of a script; of the first of several partitions."""
    found = found or Found()
    if partitions > 1:
        with inside(FirstOf(partitions)):
            return _read(path, variables, plugins, found, reader)
    return _read(path, variables, plugins, found, reader)


def _read(path: str, variables: list[tuple[str, list[str]]] | None, plugins: list[str] | None, found: Found, reader: type[Dry]
          ) -> Found:
    sim = Session(device="serial", tune=False)
    script = reader(sim, found)
    try:
        for name, values in variables or []:
            sim.variables.set_index(name, values)
        for plugin in plugins or []:
            sim.load_plugin(plugin)
        script.file(path)
    except EverletError as error:
        found.notes.append(f"{error.where or path}: reading ends here: {error.cause.splitlines()[0]}")
    finally:
        script.kept.close()
        sim.close(False)
    return found


def job_of(sim: Any, steps: int, notes: list[str] | None = None) -> Job:
    """What a step of a simulation has to do, as it is set up now. With notes, a pair style or solver that is not complete is
    noted there and left out."""
    system, settings = sim.system, sim.neighbor
    box, atoms = system.need_box(), system.atoms
    skin = settings.skin if settings.skin >= 0 else settings.tuned_skin or system.units.skin
    lx, ly, lz = (float(length) for length in box.lengths)
    job = Job(steps, atoms=system.natoms, edges=(lx, ly, lz), volume=float(box.volume),
              periodic=tuple(bool(one) for one in box.periodic), dimension=system.dimension, units=system.units.name,
              dt=float(system.dt), skin=float(skin), newton=bool(system.newton), thermo=sim.thermo.every,
              femtosecond=system.units.femtosecond if system.units.name not in ("lj", "si", "cgs") else 0.0)
    try:
        _forces(job, sim)
    except InputError as error:
        if notes is None:
            raise
        notes.append(f"{error.cause.splitlines()[0]}: there are no forces between atoms in this plan")
    job.links = {name: count for name, kind in KINDS.items() if (count := count_links(atoms, kind)) and system.bonded.get(name)}
    job.special = bool(job.links.get("bond")) or bool(settings.exclude.rows)
    job.fixes = [fix.style or type(fix).__name__.lower() for fix in system.fixes.values()]
    job.dumps = [(type(dump).__name__.lower(), dump.timing.every or DUMPS) for dump in system.dumps.values()]
    job.row_bytes = sum(one.view.device.width * one.view.device.dtype.itemsize for one in atoms.fields.values())
    job.widths = {name: max(atoms.fields[kind.type].view.device.width, 1) for name, kind in KINDS.items()
                  if kind.type in atoms.fields}
    job.checked = bool(settings.check)
    job.rebuild = interval(settings, job.skin, np.asarray(atoms.read("v")), job.dt) if atoms.n else 1.0
    return job


def _forces(job: Job, sim: Any) -> None:
    """Pair style and solver, with neighbours."""
    system = sim.system
    box, atoms = system.need_box(), system.atoms
    if system.pair is None:
        return
    if system.kspace is not None:
        system.kspace.init()
        job.kspace = system.kspace.name
        job.mesh = tuple(getattr(system.kspace, "mesh", (0, 0, 0)))
    system.pair.ready()
    usual, kinds = default_scheme(HOST, system.pair.costly), system.pair.schemes
    job.full = scheme_on(usual if usual in kinds else next(iter(kinds)), HOST, system.pair).pairs == "full"
    job.cutoff, job.pair = float(system.pair.max_cutoff), pair_name(system.pair)
    x = box.to_fraction(np.asarray(atoms.read("x"), float)) if atoms.n else np.zeros((0, 3))
    job.listed = 0.5 * neighbours(x, np.asarray(box.lengths, float), job.periodic, job.reach, job.volume, job.dimension)


def pair_name(style: Any) -> str:
    """The name of a pair style; of a hybrid one its sub-styles.

    Parts of hybrids that cost next to nothing beside others are named as well: rates are for the whole.
    """
    return "+".join(sorted(one.name for one in style.sub_styles or [style]))


def neighbours(x: np.ndarray, edges: np.ndarray, periodic: tuple[bool, ...], reach: float, volume: float, dimension: int
               ) -> float:
    """Neighbours of an atom within reach, on the average; x are fractions of the edges.

    Counted for some atoms where the box has room for it, else by the mean density.
    """
    n = len(x)
    ball = math.pi * reach**2 * edges[2] if dimension == 2 else 4.0 / 3.0 * math.pi * reach**3
    if n < 2 or any(2.0 * reach >= edge for edge, wraps in zip(edges, periodic, strict=True) if wraps):
        return n / volume * ball
    from scipy.spatial import cKDTree

    place = (x - np.floor(x)) * edges if all(periodic) else x * edges
    sizes = np.where(periodic, edges, 0.0)
    place = np.where(periodic, np.mod(place, np.where(periodic, edges, 1.0)), place)
    place = np.where(np.array(periodic) & (place >= edges), 0.0, place)
    tree = cKDTree(place, boxsize=sizes)
    picked = place[np.linspace(0, n - 1, min(n, SAMPLED)).astype(int)]
    return float(np.mean(tree.query_ball_point(picked, reach, return_length=True)) - 1.0)


SLACKENS = 1.2  # atoms go farther than their first velocity says: they turn around, and crystals cool as they melt


def interval(settings: Any, skin: float, v: np.ndarray, dt: float) -> float:
    """Steps between rebuilds: as often as allowed, or when the fastest atom has gone half the skin."""
    least = max(settings.delay, settings.every, 1)
    if settings.once:
        return math.inf
    if not settings.check:
        return float(least)
    fastest = float(np.sqrt((v[:, :3] ** 2).sum(axis=1).max(initial=0.0)))
    if fastest <= 0.0 or dt <= 0.0:
        return max(20.0, least)
    steps = SLACKENS * 0.5 * skin / (fastest * dt)
    return float(max(least, settings.every * math.ceil(steps / settings.every)))
