"""What a log says, as data: the JSON-lines log of Everlet, or the text of a log (also that of the reference).

    history = read_log("log.everlet")
    history.runs[-1].columns["temp"], history.warnings, history.setup["styles"]
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from everlet.errors import InputError
from everlet.inputs import open_text
from everlet.io.keywords import QUANTITIES, keywords
from everlet.state.units import UNITS, Units

LINES = ".jsonl"
LOOP = re.compile(r"Loop time of (\S+) on \d+ procs for (\d+) steps with (\d+) atoms")
SECTION = re.compile(r"^(\w+) +\| +\S+ +\| +(\S+) +\| +\S+ +\|")
COUNTS = {"Nghost:": "ghosts", "Total # of neighbors =": "neighbors", "Neighbor list builds =": "builds",
          "Dangerous builds =": "dangerous"}


@dataclass
class Run:
    """One run or minimisation: rows of thermo output, and how it went (`summary` is empty while it runs)."""

    begin: dict[str, Any] = field(default_factory=dict)  # step, steps, timestep, atoms …
    rows: list[dict[str, Any]] = field(default_factory=list)
    summary: dict[str, Any] = field(default_factory=dict)

    @property
    def columns(self) -> dict[str, np.ndarray]:
        """By word of thermo_style; what is no number is NaN."""
        words = dict.fromkeys(word for row in self.rows for word in row)
        return {word: np.array([_number(row.get(word)) for row in self.rows]) for word in words}

    @property
    def last(self) -> int:
        """The last step that it will make."""
        return int(self.begin.get("step", 0)) + int(self.begin.get("steps", 0))


@dataclass
class History:
    """All of a log. `script`: its text; `start`: versions and device; `setup`: styles, masses, dumps."""

    path: Path
    start: dict[str, Any] = field(default_factory=dict)
    script: dict[str, Any] = field(default_factory=dict)
    setup: dict[str, Any] = field(default_factory=dict)
    runs: list[Run] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    others: list[dict[str, Any]] = field(default_factory=list)  # events of other kinds
    units_name: str = ""

    @property
    def units(self) -> Units | None:
        return Units.named(self.units_name) if self.units_name in UNITS else None

    def unit(self, word: str) -> str:
        """The unit of a thermo word, as far as it is known."""
        units = self.units
        if units is None or word not in QUANTITIES:
            return ""
        return units.label(QUANTITIES[word]) + ("/atom" if units.name == "lj" and keywords[word].extensive else "")

    def heading(self, word: str) -> str:
        found = keywords.get(word)
        return found.heading if found is not None else word

    def series(self) -> list[int]:
        """Runs that follow each other without a step that goes back; of several such series the one with most rows."""
        found: list[list[int]] = [[]]
        for number, run in enumerate(self.runs):
            before = self.runs[found[-1][-1]] if found[-1] else None
            if before is not None and run.rows and before.rows and run.rows[0].get("step", 0) < before.rows[-1].get("step", 0):
                found.append([])
            found[-1].append(number)
        return max(found, key=lambda series: sum(len(self.runs[number].rows) for number in series))

    @property
    def folder(self) -> Path:
        return self.path.parent

    def take(self, event: dict[str, Any]) -> None:
        """One more event."""
        kind = event.pop("event", "")
        if kind in ("start", "script", "setup"):
            setattr(self, kind, event)
        elif kind == "begin":
            self.units_name = str(event.get("units", ""))
            self.runs.append(Run(event))
        elif kind == "thermo":
            self._run().rows.append(event)
        elif kind == "run":
            self._run().summary = event
        elif kind in ("warning", "error"):
            (self.warnings if kind == "warning" else self.errors).append(str(event.get("text", "")))
        else:
            self.others.append({"event": kind, **event})

    def _run(self) -> Run:
        if not self.runs:
            self.runs.append(Run())
        return self.runs[-1]


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) else math.nan


def lines_of(path: str | Path) -> Path:
    """LOG.jsonl of LOG, which may itself be called something.jsonl, and which may be given instead."""
    path = Path(path)
    beside = path.with_name(path.name + LINES)
    return path if path.suffix == LINES and not beside.is_file() else beside


def read_log(path: str | Path) -> History:
    """The history that a log tells; of LOG and LOG.jsonl the latter is read if it is there."""
    path, lines = Path(path), lines_of(path)
    found = lines if lines.is_file() else path
    history = History(found)
    try:
        with open_text(found, errors="replace") as file:
            for event in events(file) if found.suffix == LINES else text_events(file):
                history.take(event)
    except OSError as error:
        raise InputError(f"cannot read the log '{path}': {error.strerror or error}", "check the path") from None
    if not history.start and not history.runs:
        raise InputError(f"'{path}' is no log of a run", "give log.everlet, its .jsonl, or log.lammps")
    return history


def events(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """Of the lines of a .jsonl file; a line that is being written is left out."""
    for line in lines:
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def text_events(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The same of the text of a log, as far as it says it."""
    heads: list[str] = []
    words_of = {one.heading: name for name, one in ((name, keywords[name]) for name in keywords)}
    units, timestep, summary = "lj", 0.0, dict[str, Any]()
    for number, line in enumerate(lines):
        words = line.split()
        if not number:
            yield {"event": "start", "version": line.strip()}
        if words[:1] == ["Step"] and len(words) > 1:
            heads = [words_of.get(word, word) for word in words]
            yield {"event": "begin", "units": units, "timestep": timestep}
        elif found := LOOP.match(line):
            seconds, steps, atoms = found.groups()
            heads, summary = [], {"seconds": float(seconds), "steps": int(steps), "atoms": int(atoms), "sections": {}}
        elif heads and len(words) == len(heads) and (row := _row(words)):
            yield {"event": "thermo", **dict(zip(heads, row, strict=True))}
        elif summary and (found := SECTION.match(line)):
            summary["sections"][found[1]] = float(found[2])
        elif summary and (key := next((key for key in COUNTS if line.startswith(key)), "")):
            summary[COUNTS[key]] = float(line[len(key):].split()[0])
            if key == "Dangerous builds =":
                yield {"event": "run", **summary}
                summary = {}
        elif line.startswith(("WARNING", "ERROR")):
            kind, _, text = line.partition(":")
            yield {"event": kind.split()[0].lower(), "text": text.strip()}
        elif words[:2] == ["Unit", "style"] or words[:1] == ["units"] and len(words) == 2 and words[1] in UNITS:
            units = words[-1]
        elif words[:2] == ["Time", "step"]:
            timestep = float(words[-1])


def _row(words: list[str]) -> list[float]:
    try:
        return [float(word) for word in words]
    except ValueError:
        return []
