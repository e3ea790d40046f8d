"""Studies by name, one file each in everlet/lab/studies, and what they have in common: a table with the source's numbers
beside ours, and a sentence that says whether its conclusion holds here.

    plot("padding")(lines_over("bits", "bits of a register", {"atoms": "lanes along atoms"}, "percent of lanes added"))

    @study("padding")
    def padding(words: list[str]) -> Outcome:
        \"\"\"everlet study padding [--out FOLDER]: what it asks, in a few lines; `everlet study --help` shows this text.\"\"\"
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from everlet.perf import options, plots, record
from everlet.portable import HOST, Space
from everlet.registry import Registry

Outcome = tuple[str, str, dict[str, Any], str]  # folder, name, content of the JSON file, table
study: Registry[Callable[[list[str]], Outcome]] = Registry("study", "everlet.lab.studies")
plot: Registry[plots.Plot] = Registry("plot", "everlet.lab.studies")  # of each study, from the rows of its JSON file alone

Row = dict[str, Any]
OUT: dict[str, tuple[options.Reader, Any]] = {"out": (options.word, "study")}


def outcome(given: dict[str, Any], name: str, rows: list[Row], columns: dict[str, str], conclusion: str, space: Space = HOST
            ) -> Outcome:
    """columns: keys of rows with the headings of the table. The conclusion says whether the source's holds here."""
    lines = [[shown(row.get(key)) for key in columns] for row in rows]
    table = f"{record.table(list(columns.values()), lines)}\n{conclusion}"
    return given["out"], name, {**record.stamp(space), "rows": rows, "conclusion": conclusion}, table


def clock_of(space: Space) -> Callable[[], float]:
    """CPU time where one thread works alone, for others may use the machine; else the wall clock."""
    return time.process_time if space.threads == 1 and not space.asynchronous else time.perf_counter


def shown(value: Any) -> str:
    """A value in a table."""
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def lines_over(x: str, title: str, values: dict[str, str], ylabel: str, log: bool = False, by: str = "") -> plots.Plot:
    """A plot of some keys of rows over another; values: keys with their labels; a line for each value of `by`."""

    def draw(figure: Any, rows: list[Row]) -> None:
        panel = figure.subplots()
        kinds = list(dict.fromkeys(row.get(by) for row in rows))
        for key, label in values.items():
            for kind in kinds:
                points = [(row[x], row[key]) for row in rows if row.get(by) == kind and row.get(key) is not None]
                if points:
                    named = f"{label}, {by} {kind}" if len(kinds) > 1 else label
                    panel.plot(*zip(*points, strict=True), marker="o", label=named)
        panel.set(xlabel=title, ylabel=ylabel)
        if log:
            panel.set(xscale="log", yscale="log")
        panel.grid(alpha=0.3)
        panel.legend(fontsize="small")

    return draw


def bars(name: str, values: dict[str, str], ylabel: str, log: bool = False) -> plots.Plot:
    """Groups of bars: one group for each row, one bar for each key."""

    def draw(figure: Any, rows: list[Row]) -> None:
        panel = figure.subplots()
        width = 0.8 / len(values)
        for k, (key, label) in enumerate(values.items()):
            heights = [row.get(key) or 0.0 for row in rows]
            panel.bar([i + k * width for i in range(len(rows))], heights, width, label=label)
        panel.set_xticks([i + 0.4 - 0.5 * width for i in range(len(rows))], labels=[str(row[name]) for row in rows])
        panel.tick_params(axis="x", labelrotation=15, labelsize="small")
        panel.set_ylabel(ylabel)
        if log:
            panel.set_yscale("log")
        panel.grid(alpha=0.3, axis="y")
        panel.set_axisbelow(True)
        panel.legend(fontsize="small")

    return draw
