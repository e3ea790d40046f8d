"""everlet measure md: what parts of a step take on one core, or whole steps on a GPU, learnt from short runs.

On a CPU a step is a sum over its phases, each a coefficient times a count that reading.py finds in a script:

    Pair    atoms (a + b entries)      a, b: pair styles; entries of a row
    Neigh   atoms (a + b entries) / steps between rebuilds
    Comm    ghosts c      Modify  atoms Σ fixes      Bond  Σ links weight c      Kspace  atoms c + points log2 points d
    start   what does not depend on the number of atoms

Cases are run in an order in which each of them has one new thing at most in every phase; what the known ones do not explain is
the new one's. On a GPU launches are replayed and phases mean little: whole steps of some sizes, between which lines are drawn;
start, rate and surface (md.py) are fitted for other GPUs.
"""

from __future__ import annotations

import math
import subprocess
import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from everlet.errors import EverletError, InputError, unknown
from everlet.lab import memory
from everlet.lab.reading import Job, enlarged, job_of
from everlet.perf import about, record, roofline
from everlet.perf.runs import WARM, Case, prepared, repeated, timed
from everlet.portable import choose

WEIGHTS = {"bond": 1.0, "angle": 2.0, "dihedral": 5.0, "improper": 5.0}  # work of a link
CASES = {  # name: system, atoms, cutoff, steps
    "tiny": ("lj", 108, 0.0, 400), "lj": ("lj", 32000, 0.0, 60), "short": ("lj", 32000, 1.12, 100),
    "eam": ("eam", 16384, 0.0, 40), "sw": ("sw", 8000, 0.0, 40), "snap": ("snap", 250, 0.0, 10),
    "chain": ("chain", 32000, 0.0, 60), "water": ("water", 12288, 0.0, 20), "rhodo": ("rhodo", 32000, 0.0, 20),
    "reaxff": ("reaxff", 2432, 0.0, 20),
}
CASE_OF = {"eam": "eam", "sw": "sw", "snap+zbl": "snap", "lj/cut+links": "chain", "lj/cut/coul/long+links": "water",
           "lj/charmm/coul/long+links": "rhodo", "reaxff": "reaxff"}  # the case that tells what a pair style takes
GPU_SIZES = {"lj": (4000, 32000, 256000, 2048000), "eam": (4000, 32000, 256000, 2048000), "sw": (4096, 32768, 262144),
             "snap": (432, 2000, 16000, 65536), "chain": (32000, 128000, 512000, 2048000), "water": (12288, 31944, 98304),
             "rhodo": (32000, 64000, 256000), "reaxff": (2432, 9728, 38912)}
ROW, ROW_RUNS, ROW_EVERY = "thermo row", ((4000, 4000), (256000, 1000)), 50  # atoms and steps
IN_CHUNKS, OF_GHOSTS = ("snap",), ("reaxff",)  # atoms take turns in arrays of the style; ghosts have places in them, too
FEWEST = 1e-13  # seconds: coefficients are positive


@dataclass
class Trial:
    """A short run: what it had to do, and seconds of a step by phase."""

    name: str
    job: Job
    atoms: int
    ghosts: int
    listed: float  # entries of a row
    builds: float  # per step
    phases: dict[str, float] = field(default_factory=dict)
    total: float = 0.0
    megabytes: float = 0.0


@dataclass
class Costs:
    """Coefficients by name; a pair style has `pair` and `build` per entry of a row, `extra` bytes per atom, or
    `rows` per atom and ghost, or `fixed` in all."""

    md: dict[str, dict[str, float]] = field(default_factory=dict)

    def of(self, name: str, key: str, default: float = 0.0) -> float:
        return self.md.get(name, {}).get(key, default)

    def put(self, name: str, **values: float) -> None:
        self.md.setdefault(name, {}).update(values)


def measure(only: list[str], device: str) -> tuple[dict[str, Any], str]:
    """What is to be kept of this machine, and a table."""
    for name in only:
        if name not in CASES:
            raise unknown("case", name, CASES)
    if device == "cuda":
        return _on_gpu(only)
    costs, lines, left = Costs(), [], []
    for name in CASES:
        if only and name not in only and name not in ("tiny", "lj", "short"):
            continue
        try:
            trial = run(name)
        except EverletError as error:
            left.append(f"not measured: {name}: {error.cause.splitlines()[0]}")
            continue
        learn(costs, trial)
        lines.append([name, trial.job.pair, str(trial.atoms), f"{trial.listed:.1f}",
                      *(f"{1e9 * trial.phases.get(phase, 0.0) / trial.atoms:.1f}" for phase in PHASES),
                      f"{1e9 * trial.total / trial.atoms:.1f}", f"{trial.megabytes:.1f}"])
    head = ["case", "pair style", "atoms", "entries", *PHASES, "ns/atom", "MB"]
    return {"md": costs.md}, "\n".join([f"one core, nanoseconds of an atom and step\n{record.table(head, lines)}", *left])


def missing(jobs: list[Job], known: dict[str, Any]) -> list[str]:
    """Cases that would tell what some jobs take on a core and is not known yet.

    >>> missing([Job(1, pair="sw")], {}), missing([Job(1, pair="sw")], {"step": {}, "lj/cut": {"pair": 1e-8}})
    (['tiny', 'lj', 'short', 'sw'], ['sw'])
    """
    found = [] if "step" in known and "pair" in known.get("lj/cut", {}) else ["tiny", "lj", "short"]
    found += [CASE_OF[name] for name in dict.fromkeys(map(cpu_name, jobs)) if name in CASE_OF and name not in known]
    return found


def complete(jobs: list[Job], known: dict[str, Any]) -> dict[str, Any]:
    """What is known, with what short runs tell about some jobs."""
    costs = Costs({name: dict(values) for name, values in known.items()})
    for name in missing(jobs, known):
        try:
            learn(costs, run(name))
        except EverletError:
            continue  # its files are not here: a style like it must do
    return costs.md


PHASES = ("Pair", "Neigh", "Comm", "Modify", "Bond", "Kspace")


def run(name: str, threads: int = 1) -> Trial:
    """One case on one core, in CPU seconds."""
    system, atoms, cutoff, steps = CASES[name]
    case = Case(atoms, cutoff, steps, system=system, threads=threads)
    sim = prepared(case)
    job = job_of(sim, steps)
    sim.run(WARM, post=False)
    assert sim.lists is not None
    before = sim.lists.decision.builds
    result = timed(sim, case)
    builds = (sim.lists.decision.builds - before) / steps
    phases = {phase: seconds / steps for phase, seconds in result.phases.items()}
    return Trial(name, job, result.atoms, sim.system.atoms.nghost, result.listed / result.atoms, builds, phases,
                 result.cpu / steps, result.megabytes)


def learn(costs: Costs, trial: Trial) -> None:
    """Add what a trial says beyond what is known."""
    job, n, phases = trial.job, trial.atoms, trial.phases
    entries = entries_of(job)  # not those of the list: special pairs are missing there, and a crystal has melted
    if trial.name == "tiny":
        costs.put("step", start=trial.total, **{f"start {phase}": seconds for phase, seconds in phases.items()})
        return
    for phase in PHASES:  # without what they take with hardly any atoms
        if phase in phases:
            phases = {**phases, phase: max(0.0, phases[phase] - costs.of("step", f"start {phase}"))}
    if trial.name == "lj":
        costs.put("step", ghost=max(FEWEST, phases.get("Comm", 0.0) / max(trial.ghosts, 1)))
    pair, build = phases.get("Pair", 0.0) / n, phases.get("Neigh", 0.0) / n / max(trial.builds, 1e-3)
    if trial.name == "short":  # two cutoffs: what atoms and what entries take
        known = costs.md["lj/cut"]
        slope = max(FEWEST, (known["whole"] - pair) / (known["entries"] - entries))
        building = max(FEWEST, (known["whole build"] - build) / (known["entries"] - entries))
        costs.put("step", atom=max(0.0, pair - slope * entries), built=max(0.0, build - building * entries))
        costs.put("lj/cut", pair=slope, build=building)
    else:
        costs.put(cpu_name(job), pair=max(FEWEST, (pair - costs.of("step", "atom")) / entries),
                  build=max(FEWEST, (build - costs.of("step", "built")) / entries), entries=entries,
                  rebuild=min(3.0, max(0.3, 1.0 / max(trial.builds, 1e-3) / job.rebuild)) if job.checked else 1.0)
        if trial.name == "lj":
            costs.md["lj/cut"].update({"whole": pair, "whole build": build})
    _fixes(costs, job, phases.get("Modify", 0.0) / n)
    if trial.name != "water":  # where all links are rigid
        _links(costs, job, phases.get("Bond", 0.0))
    if job.points and "Kspace" in phases:
        _mesh(costs, job, n, phases["Kspace"])
    if trial.name != "short":
        rest = max(0.0, trial.megabytes * 2**20 - sum(memory.bytes_of(job).values()))
        kind = "fixed" if trial.name in IN_CHUNKS else "rows" if trial.name in OF_GHOSTS else "extra"
        share = {"fixed": 1.0, "rows": memory.rows_of(job), "extra": float(n)}
        costs.put(cpu_name(job), **{one: rest / size if one == kind else 0.0 for one, size in share.items()},
                  start=costs.of("step", "start"), rate=n / trial.total)


def _fixes(costs: Costs, job: Job, seconds: float) -> None:
    """Of an atom: what no fix explains is shared by the new ones."""
    new = [name for name in job.fixes if f"fix {name}" not in costs.md]
    rest = seconds - sum(costs.of(f"fix {name}", "atom") for name in job.fixes)
    for name in new:
        costs.put(f"fix {name}", atom=max(FEWEST, rest / len(new)))


def _links(costs: Costs, job: Job, seconds: float) -> None:
    new = {name: WEIGHTS[name] * count for name, count in job.links.items() if name not in costs.md}
    rest = seconds - sum(costs.of(name, "link") * count for name, count in job.links.items())
    for name in new:
        costs.put(name, link=max(FEWEST, rest * WEIGHTS[name] / sum(new.values())))


def _mesh(costs: Costs, job: Job, n: int, seconds: float) -> None:
    """The first trial gives all to atoms and points by the usual ratio; a second one, with another mesh, tells them apart."""
    work = job.points * math.log2(job.points)
    if "mesh" not in costs.md:
        costs.put("mesh", atom=0.7 * seconds / n, point=0.3 * seconds / work, atoms=n, work=work, seconds=seconds)
        return
    known = costs.md["mesh"]
    square = n * known["work"] - known["atoms"] * work
    if abs(square) < 0.05 * n * known["work"]:
        return
    atom = (seconds * known["work"] - known["seconds"] * work) / square
    point = (n * known["seconds"] - known["atoms"] * seconds) / square
    if atom > 0 and point > 0:
        costs.put("mesh", atom=atom, point=point)


# ---- on a GPU
def _on_gpu(only: list[str]) -> tuple[dict[str, Any], str]:
    """Start and rate of whole steps."""
    md: dict[str, dict[str, Any]] = {}
    lines, left = [], []
    for name in only or GPU_SIZES:
        if name not in GPU_SIZES:
            raise InputError(f"'{name}' is for one core", f"on a GPU: {', '.join(GPU_SIZES)}")
        points: list[tuple[int, float, float]] = []
        job: Job | None = None
        for atoms in GPU_SIZES[name]:
            try:
                case = Case(atoms, 0.0, 0, device="cuda", system=name)
                job = job or job_of(prepared(Case(atoms, system=name, device="serial")), 0)
                case, runs = repeated(case, 2, count=False)
                least = min(runs, key=lambda one: one.seconds)
            except EverletError as error:
                left.append(f"not measured: {name}: {error.cause.splitlines()[0]}")
                break
            points.append((least.atoms, least.seconds / case.steps, least.megabytes))
            lines.append([name, job.pair, str(least.atoms), f"{1e6 * points[-1][1]:.1f}", f"{least.megabytes:.1f}"])
        if len(points) > 1 and job is not None:
            md[gpu_name(job)] = learnt(job, points)
        if name == "lj" and points:
            md[ROW] = _row_cost()
    table = record.table(["case", "pair style", "atoms", "us/step", "MB"], lines)
    return {"gpu": {"device": _card(), "md": md, "watts": _watts()}}, "\n".join([f"whole steps on the GPU\n{table}", *left])


def _row_cost() -> dict[str, float]:
    """Seconds that a row of thermo output adds to its step, whose loops are not replayed: to begin with, and of an atom."""
    found = []
    for atoms, steps in ROW_RUNS:
        sim, times = prepared(Case(atoms, device="cuda")), []
        sim.run(5 * WARM, post=False)
        for every in (0, ROW_EVERY):
            sim.commands(f"thermo {every}")
            sim.run(5 * WARM, post=False)
            begin = time.perf_counter()
            sim.run(steps, pre=False, post=False)
            sim.space.synchronize()
            times.append((time.perf_counter() - begin) / steps)
        found.append((atoms, ROW_EVERY * max(0.0, times[1] - times[0])))
    (n1, t1), (n2, t2) = found
    each = max(0.0, (t2 - t1) / (n2 - n1))
    return {"start": max(0.0, t1 - each * n1), "atom": each}


def _card() -> dict[str, Any]:
    facts = about.device(choose("cuda"))
    peaks = roofline.peaks(choose("cuda"))
    return {"name": facts["name"], "kind": "gpu", "units": facts["multiprocessors"], "memory": facts["memory_gb"] * 1e9,
            "bandwidth": peaks.copy, "f64": peaks.double, "f32": peaks.single}


def _watts() -> dict[str, float]:
    """What the driver says: the limit of the card, and what it draws right after work."""
    command = ["nvidia-smi", "--query-gpu=power.limit,power.draw", "--format=csv,noheader,nounits"]
    try:
        limit, draw = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0].split(",")
        return {"tdp": float(limit), "measured": float(draw)}
    except (OSError, subprocess.CalledProcessError, ValueError, IndexError):
        return {}


def learnt(job: Job, points: list[tuple[int, float, float]]) -> dict[str, Any]:
    """What atoms, seconds and megabytes of some sizes say: the points themselves, start, rate and surface through them (least
    relative squares, none below 0), and bytes beyond what memory.py counts."""
    from scipy.optimize import nnls

    n, seconds = np.array([one[0] for one in points], float), np.array([one[1] for one in points])
    start, each, surface = nnls(np.stack([np.ones_like(n), n, n ** (2.0 / 3.0)], axis=1) / seconds[:, None], np.ones_like(n))[0]
    counted = [sum(memory.bytes_of(enlarged(job, one[0] / job.atoms), gpu=True).values()) for one in points]
    return {"start": max(1e-6, float(start)), "rate": 1.0 / max(float(each), 1e-15), "surface": float(surface),
            "entries": 2.0 * job.listed, "thermo": job.thermo, "points": [[one[0], one[1]] for one in points],
            "beyond": [[one[0], one[2] * 2**20 - plain] for one, plain in zip(points, counted, strict=True)]}


def entries_of(job: Job) -> float:
    """Of a row of a CPU's list, by what was read before the run: coefficients are learnt and used with the same count."""
    return max(job.listed * (2.0 if job.full else 1.0), 1e-3)


def cpu_name(job: Job) -> str:
    """What coefficients are for: the pair style, with links if pairs are taken out of its rows."""
    return f"{job.pair}+links" if job.links else job.pair


def gpu_name(job: Job) -> str:
    """What a GPU's rate is for: the pair style, with links and mesh, since these are most of its launches."""
    return "+".join([job.pair, *(["links"] if job.links else []), *([job.kspace] if job.kspace else [])])
