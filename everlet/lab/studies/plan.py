"""everlet study plan: predictions beside runs."""

from __future__ import annotations

import re
import statistics
import tempfile
from itertools import product
from pathlib import Path
from typing import Any

from everlet.errors import EverletError, InputError
from everlet.lab import costs
from everlet.lab.machine import load
from everlet.lab.reading import job_of
from everlet.lab.results import Outcome, plot, study
from everlet.lab.starting import started
from everlet.perf import options, record
from everlet.perf.known import SYSTEMS
from everlet.perf.runs import WARM, Case, everlet, prepared, repeated
from everlet.portable import HOST, choose

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "systems": (options.many(options.one_of(*SYSTEMS)), ["lj", "chain", "eam", "rhodo", "snap"]),
    "ranks": (options.many(options.positive), [1]), "device": (options.one_of("cpu", "cuda"), "cpu"),
    "atoms": (options.many(options.positive), [0]), "repeat": (options.positive, 2), "out": (options.word, "study"),
}


@study("plan")
def plan(words: list[str]) -> Outcome:
    """everlet study plan [--systems lj,chain,eam,rhodo,snap] [--ranks 1,2] [--device cpu|cuda] [--atoms N,…] [--repeat 2]

    Steps and memory that everlet plan predicts for the systems of everlet bench (as measured by everlet measure md and
    network), beside those of runs: CPU time on one rank, the wall clock on several and on a GPU."""
    given = options.parse(words, KNOWN, "everlet study plan [--systems lj,eam] …; see everlet study --help")
    on_gpu = given["device"] == "cuda"
    machine = load("here-gpu" if on_gpu else "here")
    rows, left = [], []
    for system in given["systems"]:
        for atoms, ranks in product(given["atoms"], [1] if on_gpu else given["ranks"]):
            try:
                rows.append(_row(system, atoms, ranks, given, machine))
            except EverletError as error:
                left.append(f"not run: {system}, {ranks} ranks: {error.cause.splitlines()[0]}")
    if not rows:
        raise InputError("no system could be run", "\n     ".join(left))
    lines = [[row["system"], str(row["atoms"]), str(row["ranks"]), f"{1e3 * row['predicted']:.4g}",
              f"{1e3 * row['measured']:.4g}", f"{100 * row['time_off']:+.0f} %", f"{row['megabytes_predicted']:.1f}",
              f"{row['megabytes']:.1f}", f"{100 * row['memory_off']:+.0f} %"] for row in rows]
    table = record.table(["system", "atoms", "ranks", "ms said", "ms taken", "off", "MB said", "MB taken", "off"], lines)
    mean = statistics.fmean(abs(row["time_off"]) for row in rows)
    room = statistics.fmean(abs(row["memory_off"]) for row in rows)
    said = f"times are {100 * mean:.0f} % off in the mean, memory {100 * room:.0f} %"
    content = {**record.stamp(choose("cuda") if on_gpu else HOST), "rows": rows, "conclusion": said}
    return given["out"], "plan-gpu" if on_gpu else "plan", content, "\n".join([table, said, *left])


def _row(system: str, atoms: int, ranks: int, given: dict[str, Any], machine: Any) -> dict[str, Any]:
    known, on_gpu = SYSTEMS[system], given["device"] == "cuda"
    atoms = atoms or known.atoms
    case = Case(atoms, 0.0, 0 if on_gpu else known.steps_for(atoms), device=given["device"], system=system)
    job = job_of(prepared(Case(atoms, device="serial", system=system)), case.steps)
    if on_gpu:
        found = costs.on_gpu(job, machine)
        case, runs = repeated(case, given["repeat"], count=False)
        seconds, megabytes = min(one.seconds for one in runs) / case.steps, runs[0].megabytes
    elif ranks == 1:
        found = costs.on_core(job, machine)
        made = [everlet(case) for _ in range(given["repeat"])]
        seconds, megabytes = min(one.cpu for one in made) / case.steps, made[0].megabytes
    else:
        found = costs.on_core(job, machine, ranks)
        tries = [on_ranks(case, ranks) for _ in range(given["repeat"])]
        seconds, megabytes = min(one[0] for one in tries), tries[0][1]
    said = sum(found.bytes.values()) / 2**20
    return {"system": system, "atoms": job.atoms, "ranks": ranks, "predicted": found.total, "measured": seconds,
            "time_off": found.total / seconds - 1.0, "megabytes_predicted": said, "megabytes": megabytes,
            "memory_off": said / megabytes - 1.0, "parts": found.parts, "error": found.error}


def on_ranks(case: Case, ranks: int) -> tuple[float, float]:
    """Seconds of a step, and megabytes of a rank, by the log of a run."""
    with tempfile.TemporaryDirectory() as folder, case.sample.at_hand():
        script, log = Path(folder) / "in.case", Path(folder) / "log"
        script.write_text(case.script() + f"run {WARM}\nrun {case.steps} pre no\n")
        started(ranks, "-m", "everlet", "run", str(script), "--threads", "1", "--device", "cpu", "--no-tune",
                "--log", str(log), "--screen", "none")
        text = log.read_text()
    loops = re.findall(r"Loop time of (\S+) on .* for (\d+) steps", text)
    memory = re.findall(r"memory allocation \(min/avg/max\) = (\S+) \| (\S+) \| (\S+)", text)
    return float(loops[-1][0]) / int(loops[-1][1]), float(memory[-1][1]) if memory else float("nan")


@plot("plan")
def draw(figure: Any, rows: list[dict[str, Any]]) -> None:
    """Predicted over measured, with the interval that plan says."""
    panel = figure.subplots()
    for name in dict.fromkeys((row["system"], row["ranks"]) for row in rows):
        mine = [row for row in rows if (row["system"], row["ranks"]) == name]
        measured, predicted = ([row[key] * 1e3 for row in mine] for key in ("measured", "predicted"))
        panel.errorbar(measured, predicted, yerr=[row["error"] * row["predicted"] * 1e3 for row in mine], fmt="o",
                       label=f"{name[0]}, {name[1]} rank{'s' if name[1] > 1 else ''}")
    ends = [min(row["measured"] for row in rows) * 1e3, max(row["measured"] for row in rows) * 1e3]
    panel.plot(ends, ends, color="grey")
    panel.set(xscale="log", yscale="log", xlabel="milliseconds of a step, measured", ylabel="predicted")
    panel.grid(alpha=0.3)
    panel.legend(fontsize="small")
