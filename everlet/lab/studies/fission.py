"""Study fission: a CPU as one device, or divided into parts that send each other messages."""

from __future__ import annotations

from typing import Any

from everlet.errors import InputError
from everlet.lab.results import Outcome, plot, study
from everlet.lu.jobs import row_of
from everlet.lu.problem import CLASSES
from everlet.perf import options, record
from everlet.portable import choose
from everlet.portable.spaces import cores

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "class": (options.one_of(*CLASSES), "W"), "parts": (options.many(options.positive), []), "steps": (options.positive, 5),
    "repeat": (options.positive, 3),    "kblock": (options.many(options.positive), []), "out": (options.word, "study"),
}
USAGE = "everlet study fission [--class W] [--parts 1,2,4] [--kblock 1,31] ..."
SOURCE = {1: {2: (2.0, 2.0), 4: (2.9, 2.9)}, 0: {2: (0.96, 0.71), 4: (0.96, 0.71)}}  # gain by planes of a block (0: all), parts


@study("fission")
def fission(words: list[str]) -> Outcome:
    """everlet study fission [--class W] [--parts 1,2,4] [--kblock 1,31] [--steps 5] [--repeat 3]
                          [--out FOLDER]
    LU by hyperplanes in blocks on all cores: as one device with all threads, or as 2 and 4 parts (ranks) with their share of
    the threads; small and large blocks. The gain over one device, beside that of OpenCL's device fission."""
    given = options.parse(words, KNOWN, USAGE)
    problem = CLASSES[given["class"]]
    nz = problem.n - 2
    parts = given["parts"] or [n for n in (1, 2, 4) if n <= cores()]
    if 1 not in parts or max(parts) > cores():
        raise InputError(f"--parts {','.join(map(str, parts))} on {cores()} cores", "give 1, and others up to all cores")
    rows: list[dict[str, Any]] = []
    for kblock in given["kblock"] or [1, nz]:
        for number in parts:
            row = row_of(number, ["--class", problem.name, "--algorithm", "blocked", "--kblock", str(kblock), "--steps",
                                  str(given["steps"]), "--repeat", str(given["repeat"]), "--threads",
                                  str(max(1, cores() // number))])
            row["parts"] = number
            first = next((one for one in rows if one["kblock"] == row["kblock"] and one["parts"] == 1), row)
            row["gain"] = first["seconds"] / row["seconds"]
            rows.append(row)
    table, said = _text(rows, nz)
    content = {**record.stamp(choose("cpu")), "source": {str(key): value for key, value in SOURCE.items()}, "rows": rows,
               "conclusion": said}
    return given["out"], "fission", content, f"{table}\n{said}"


def _text(rows: list[dict[str, Any]], nz: int) -> tuple[str, str]:
    """The table, and what it says."""
    lines = []
    for row in rows:
        source = SOURCE[0 if row["kblock"] == nz else 1].get(row["parts"]) if row["kblock"] in (1, nz) else None
        shown = "" if source is None else f"{source[0]:g}" if source[0] == source[1] else f"{source[0]:g} to {source[1]:g}"
        lines.append([f"blocks of {row['kblock']}, {row['parts']} x {row['threads']} threads",
                      f"{1e3 * row['seconds'] / row['iterations']:.2f}", f"{row['gain']:.2f}", shown])
    table = record.table(["class " + rows[0]["class"], "ms of an iteration", "gain", "source"], lines)
    small = [row["gain"] for row in rows if row["kblock"] == 1 and row["parts"] > 1]
    large = [row["gain"] for row in rows if row["kblock"] == nz and row["parts"] > 1]
    if not small or not large:
        return table, "One part only, or blocks other than 1 and all: nothing to compare with the source."
    holds = min(small) > 1.2, max(large) < 1.0
    verdict = {(True, True): "holds", (False, True): "holds for large blocks only",
               (True, False): "holds for small blocks only", (False, False): "does not hold"}[holds]
    return table, (f"Source: parts help where blocks are small, since each launch is then too small for all cores, and hurt "
            f"where blocks are large, since parts wait for each other. Here {max(small):.2f} and {max(large):.2f} at best: the "
            f"conclusion {verdict}.")


@plot("fission")
def _plot(figure: Any, rows: list[dict[str, Any]]) -> None:
    panel = figure.subplots()
    for kblock in dict.fromkeys(row["kblock"] for row in rows):
        points = [(row["parts"], row["gain"]) for row in rows if row["kblock"] == kblock]
        panel.plot(*zip(*points, strict=True), marker="o", label=f"blocks of {kblock}")
    panel.axhline(1.0, color="grey", linewidth=0.5)
    panel.set(xlabel="parts of the CPU", ylabel="gain over one device")
    panel.legend()
