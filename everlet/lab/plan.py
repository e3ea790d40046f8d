"""everlet plan SCRIPT: what a run will take, before it runs.

    everlet plan SCRIPT [--machine here] [--nodes 1,2,4,…] [--threads N] [--precision double] [--times 1] [--weak no]
                        [--var NAME=VALUE,…] [--plugin FILE.py,…] [--json FILE]

The script is read, not run: atoms are made, styles and lists are counted, each run is noted. Shown are memory of a rank, steps
per second with their error, time to the end, nanoseconds (or tau) per day, energy, where the time goes, the number of nodes
from which on more of them hardly help, and what the script has that Everlet does not.

--machine    here: the cores of this machine, measured when first asked for (everlet measure md; messages between ranks only by
             everlet measure network); here-gpu: its GPU; a name (everlet model machines); a file. Several with commas
--nodes      default: 1, 2, 4 … of a machine with several; on one node of cores, ranks instead
--threads    threads of each rank, on machines of cores; default: 1, and on one node also those that fill it with fewer ranks
--times N    N times the atoms of the script at the same density: a system that this machine has no room to read
--weak yes   as many atoms on each node as the script has
--var        values of index variables of the script; --plugin: files with styles of your own

± is the interval that should hold 95 % of runs: 15 % for what was measured on the same machine, more for what was measured on
another or is like something measured. TDP: by the data sheets of processors; measured: by the site or a meter. Runs of 500
steps and more tune themselves and may be faster.
"""

from __future__ import annotations

import math
import os
from dataclasses import asdict, dataclass
from typing import Any

from everlet.errors import InputError
from everlet.lab import calibrate, costs
from everlet.lab.costs import Estimate
from everlet.lab.machine import HERE, Machine, load, measured
from everlet.lab.measure import keep
from everlet.lab.model import powers
from everlet.lab.reading import Found, Job, enlarged, job_of, read
from everlet.perf import options, record
from everlet.portable import HOST
from everlet.portable.spaces import cores
from everlet.state.room import memory as host_memory

USAGE = "everlet plan SCRIPT [--machine NAME] [--nodes 1,2] …; see everlet plan --help"
KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "machine": (options.many(options.word), ["here"]), "nodes": (options.many(options.positive), []),
    "threads": (options.positive, 0), "precision": (options.one_of("double", "mixed", "single"), "double"),
    "times": (options.positive, 1), "weak": (options.one_of("yes", "no"), "no"), "var": (options.many(options.word), []),
    "plugin": (options.many(options.word), []), "json": (options.word, ""),
}
DAY = 86400.0
WORTH = 0.5  # more nodes hardly help when less than this part of them is of use
Row = dict[str, Any]


def main(words: list[str]) -> int:
    """The command `everlet plan`."""
    if not words or {"-h", "--help", "help"} & set(words):
        print(str(__doc__).strip())
        return 0 if words else 1
    scripts = [word for k, word in enumerate(words) if not word.startswith("--") and (not k or not _takes(words[k - 1]))]
    if len(scripts) != 1:
        raise InputError("one script is needed" if not scripts else f"several scripts: {' '.join(scripts)}", f"usage: {USAGE}")
    script = scripts[0]
    if not os.path.isfile(script):
        raise InputError(f"there is no script '{script}'", "check the path")
    words = [word for word in words if word is not script]
    given = options.parse(words, KNOWN, USAGE)
    found = read(script, [variable(one) for one in given["var"]], given["plugin"])
    if not found.jobs:
        raise InputError(f"'{script}' has no run that could be planned", "\n     ".join(found.notes) or "add: run N")
    found.jobs = [enlarged(job, given["times"]) for job in found.jobs]
    if HERE in given["machine"]:
        measure_here(found.jobs)
    machines = [load(name) for name in given["machine"]]
    if given["threads"] and all(machine.device.kind == "gpu" for machine in machines):
        raise InputError("--threads has no meaning for GPUs, which have one rank each", "leave it out")
    rows = [row for machine in machines for row in plan(found.jobs, machine, given)]
    print(text(script, found, rows))
    if given["json"]:
        record.write(given["json"], {"command": ["plan", script, *words], "jobs": [asdict(job) for job in found.jobs],
                                     "notes": found.notes, "rows": rows})
        print(f"written: {given['json']}")
    return 0


@dataclass(frozen=True)
class Forecast:
    """What a run of a simulation will take: `rows` for programs, one for each number of ranks and threads; printed as text."""

    text: str
    rows: list[Row]

    def __str__(self) -> str:
        return self.text

    __repr__ = __str__


def forecast(session: Any, steps: int, machine: str = HERE) -> Forecast:
    """Of a simulation as it is now."""
    given = {name: value for name, (_, value) in KNOWN.items()} | {"precision": session.precision}
    found = Found()
    found.jobs.append(job_of(session, steps, found.notes))
    if machine == HERE:
        measure_here(found.jobs)
    rows = plan(found.jobs, load(machine), given)
    return Forecast(text("this simulation", found, rows), rows)


def measure_here(jobs: list[Job]) -> None:
    """Measure what is not known of this machine, once."""
    known = measured().get("md", {})
    cases = calibrate.missing(jobs, known)
    if cases:
        print(f"this machine is measured first, and remembered ({', '.join(cases)}): everlet measure md", flush=True)
        keep(md=calibrate.complete(jobs, known))
    if "device" not in measured():
        keep(device={"name": HOST.machine(), "kind": "cpu", "units": cores(), "memory": host_memory()})


def _takes(word: str) -> bool:
    return word.startswith("--") and "=" not in word


def variable(word: str) -> tuple[str, list[str]]:
    name, equals, value = word.partition("=")
    if not equals:
        raise InputError(f"--var {word}", "write --var NAME=VALUE")
    return name, [value]


def plan(jobs: list[Job], machine: Machine, given: dict[str, Any]) -> list[Row]:
    """A row for each number of nodes, or of ranks on one node of cores."""
    rows = []
    for nodes, ranks, threads in _sizes(machine, given):
        times = nodes if given["weak"] == "yes" else 1
        work = [enlarged(job, times) for job in jobs]
        each = [_one(job, machine, ranks, threads, given) for job in work]
        rows.append(summary(work, each, machine, nodes, ranks, given))
    for row in rows:
        alone = rows[0]
        ideal = 1.0 if given["weak"] == "yes" else row["ranks"] * row["threads"] / alone["ranks"] / alone["threads"]
        row["efficiency"] = alone["step_seconds"] / row["step_seconds"] / ideal
    return rows


def _sizes(machine: Machine, given: dict[str, Any]) -> list[tuple[int, int, int]]:
    """Nodes, ranks, and threads of each."""
    for nodes in given["nodes"]:
        if nodes > machine.nodes:
            raise InputError(f"{machine.name} has {machine.nodes} nodes, not {nodes}", "ask for fewer, or for another machine")
    if machine.device.kind == "gpu":
        many = given["nodes"] or powers(machine.nodes)
        return [(nodes, nodes * machine.devices, 1) for nodes in many]
    cores, threads = machine.device.units * machine.devices, given["threads"] or 1
    if threads > cores:
        raise InputError(f"a node of {machine.name} has {cores} cores, fewer than {threads} threads", "ask for fewer")
    if machine.nodes > 1:
        return [(nodes, nodes * (cores // threads), threads) for nodes in given["nodes"] or powers(machine.nodes)]
    full = [many for many in powers(cores) if many > 1 and not cores % many] if not given["threads"] else []
    return [*((1, ranks, threads) for ranks in powers(cores // threads)), *((1, cores // many, many) for many in full)]


def _one(job: Job, machine: Machine, ranks: int, threads: int, given: dict[str, Any]) -> Estimate:
    if machine.device.kind == "gpu":
        return costs.on_gpu(job, machine, ranks, given["precision"])
    found = costs.on_core(job, machine, ranks, threads)
    if given["precision"] != "double":
        found.notes.append(f"precision {given['precision']} was not measured on cores: times are those of double")
    return found


def summary(jobs: list[Job], each: list[Estimate], machine: Machine, nodes: int, ranks: int, given: dict[str, Any]) -> Row:
    """All runs of a script together."""
    steps = sum(job.steps for job in jobs)
    times = [job.steps if steps else 1 for job in jobs]  # runs of no steps: as if each had one
    spent = sum(many * one.total for many, one in zip(times, each, strict=True))
    parts: dict[str, float] = {}
    for many, one in zip(times, each, strict=True):
        for name, value in one.parts.items():
            parts[name] = parts.get(name, 0.0) + value * many / spent
    step, seconds = spent / sum(times), spent if steps else 0.0
    error = sum(many * one.total * one.error for many, one in zip(times, each, strict=True)) / spent
    largest = max(each, key=lambda one: sum(one.bytes.values()))
    last = jobs[-1]
    simulated = sum(job.steps * job.dt for job in jobs) / steps if steps else last.dt
    per_day = DAY * simulated / max(step, 1e-30)
    sharing = ranks / nodes / machine.devices  # ranks that have the memory of a device
    unit = "tau" if last.units == "lj" else "ns" if last.femtosecond else "time units"
    row: Row = {"machine": machine.name, "nodes": nodes, "ranks": ranks, "threads": each[-1].threads, "atoms": last.atoms,
                "megabytes_per_rank": sum(largest.bytes.values()) / 2**20,
                "memory_parts": {name: size / 2**20 for name, size in largest.bytes.items()},
                "step_seconds": step, "error": error, "steps_per_second": 1.0 / max(step, 1e-30), "steps": steps,
                "seconds": seconds, "parts": parts,
                "per_day": per_day / last.femtosecond * 1e-6 if last.femtosecond else per_day, "per_day_unit": unit,
                "fits": not machine.device.memory or sum(largest.bytes.values()) * sharing < machine.device.memory,
                "notes": list(dict.fromkeys(note for one in each for note in one.notes))}
    for kind in ("tdp", "measured"):
        watts = machine.power(kind)
        row[f"joule_{kind}"] = watts * nodes * seconds if watts else None
    return row


def best(rows: list[Row]) -> str:
    """The fastest, and the largest that still makes good use of its nodes."""
    usable = [row for row in rows if row["fits"]] or rows
    fastest = min(usable, key=lambda row: row["step_seconds"])
    good = [row for row in usable if row["efficiency"] >= WORTH]
    wise = max(good, key=lambda row: (row["ranks"] * row["threads"], -row["step_seconds"])) if good else usable[0]

    def size(row: Row) -> str:
        many = f"{row['nodes']} node{'s' * (row['nodes'] > 1)}, " if rows[-1]["nodes"] > 1 else ""
        threads = f" of {row['threads']} threads" if row["threads"] > 1 else ""
        return f"{many}{row['ranks']} rank{'s' * (row['ranks'] > 1)}{threads}"

    said = f"{rows[0]['machine']}: fastest on {size(fastest)}"
    return said if wise is fastest else f"{said}; at least half of the nodes' worth up to {size(wise)}"


def duration(seconds: float) -> str:
    """Seconds in words.

    >>> duration(0.003), duration(0.5), duration(90.0), duration(9000.0), duration(200000.0)
    ('3.0 ms', '0.50 s', '1.5 min', '2.5 h', '2.3 days')
    """
    for unit, size in (("days", DAY), ("h", 3600.0), ("min", 60.0)):
        if seconds >= (size if unit != "days" else 2 * size):
            return f"{seconds / size:.1f} {unit}"
    return f"{seconds:.2f} s" if seconds >= 0.1 or not seconds else f"{1e3 * seconds:.1f} ms"


def _energy(joule: float | None) -> str:
    return "" if joule is None else f"{joule / 3.6e6:.3g}" if joule >= 3.6e4 else f"{joule / 3.6e6:.2g}"


def text(script: str, found: Found, rows: list[Row]) -> str:
    """The tables for people."""
    job, lines = found.jobs[-1], []
    for row in rows:
        threads = f" x {row['threads']}" if row["threads"] > 1 else ""
        lines.append([row["machine"], str(row["nodes"]), f"{row['ranks']}{threads}",
                      f"{row['megabytes_per_rank']:.1f}" + ("" if row["fits"] else " !"), _step(row["step_seconds"]),
                      f"{row['steps_per_second']:.4g} ± {100 * row['error']:.0f} %", f"{100 * row['efficiency']:.0f} %",
                      duration(row["seconds"]), f"{row['per_day']:.4g}", _energy(row["joule_tdp"]),
                      _energy(row["joule_measured"])])
    head = ["machine", "nodes", "ranks", "MB/rank", "step", "steps/s", "efficiency", "to the end",
            f"{rows[0]['per_day_unit']}/day", "kWh TDP", "kWh measured"]
    said = [about(script, found, job), "", record.table(head, lines), ""]
    machines = list(dict.fromkeys(row["machine"] for row in rows))
    for name in machines:
        mine = [row for row in rows if row["machine"] == name]
        said.append(best(mine))
        shown = mine[0]
        shares = sorted(shown["parts"].items(), key=lambda one: -one[1])
        named = ", ".join(f"{part} {100 * share:.0f} %" for part, share in shares if share >= 0.005)
        said.append(f"  time on the first row: {named}")
        most = sorted(shown["memory_parts"].items(), key=lambda one: -one[1])
        named = ", ".join(f"{part} {size:.1f} MB" for part, size in most if size >= 0.05)
        said.append(f"  memory: {named or 'next to none'}")
        said += [f"  {note}" for note in dict.fromkeys(note for row in mine for note in row["notes"])]
        if not all(row["fits"] for row in mine):
            said.append("  ! more memory than a device has")
    said += ["", *(f"not supported, or not followed: {note}" for note in found.notes)] if found.notes else []
    return "\n".join(said).rstrip()


def _step(seconds: float) -> str:
    return f"{1e3 * seconds:.3g} ms" if seconds >= 1e-3 else f"{1e6 * seconds:.3g} us"


def about(script: str, found: Found, job: Job) -> str:
    """What the script holds, by its last run."""
    runs, steps = len(found.jobs), sum(one.steps for one in found.jobs)
    lines = [f"{script}: {runs} run{'s' * (runs > 1)}, {steps} steps, {job.atoms} atoms, units {job.units}, "
             f"timestep {job.dt:g}"]
    if job.pair:
        every = "never" if math.isinf(job.rebuild) else f"about every {job.rebuild:.0f} steps"
        lines.append(f"  pair {job.pair}, cutoff {job.cutoff:g}, skin {job.skin:g}, {2 * job.listed:.1f} neighbours, "
                     f"lists new {every}")
    if job.links:
        lines.append("  " + ", ".join(f"{count} {kind}s" for kind, count in job.links.items()))
    if job.kspace:
        lines.append(f"  {job.kspace}" + (f", mesh {'x'.join(map(str, job.mesh))}" if job.points else ""))
    if job.fixes:
        lines.append(f"  fixes {', '.join(job.fixes)}")
    return "\n".join(lines)
