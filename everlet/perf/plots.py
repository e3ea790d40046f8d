"""Plots of studies, if matplotlib is installed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Rows = list[dict[str, Any]]
Plot = Callable[[Any, Rows], None]  # draws rows into a figure of matplotlib


def draw(path: str, rows: Rows, plot: Plot) -> list[str]:
    """Write PATH.png and PATH.svg; gives the names, none without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return []
    figure = Figure(figsize=(10, 6), layout="constrained")
    plot(figure, rows)
    names = [f"{path}.png", f"{path}.svg"]
    for name in names:
        figure.savefig(name, dpi=150)
    return names


def schemes(figure: Any, rows: Rows) -> None:
    """Rate over size; one panel for each cutoff, one line for each scheme, precision and number of threads."""
    cutoffs = sorted({row["cutoff"] for row in rows})
    panels = figure.subplots(1, len(cutoffs), sharey=True, squeeze=False)[0]
    names = dict.fromkeys(line(row) for row in rows)
    for panel, cutoff in zip(panels, cutoffs, strict=True):
        for number, name in enumerate(names):
            mine = sorted((row["atoms"], speed(row)) for row in rows if line(row) == name and row["cutoff"] == cutoff)
            if mine:
                panel.plot(*zip(*mine, strict=True), marker="os^vD"[number % 5], color=f"C{number % 10}", label=name)
        panel.set(xscale="log", yscale="log", xlabel="atoms", title=f"cutoff {cutoff:g} sigma")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("million atom-steps per second")
    panels[-1].legend(fontsize="small")


def line(row: dict[str, Any]) -> str:
    """The line of the plot that a row belongs to."""
    if row["who"] != "everlet":
        return str(row["who"])
    return f"{row['scheme']} {row['precision']}" + (f" x{row['threads']}" if row["threads"] > 1 else "")


def speed(row: dict[str, Any]) -> float:
    """Million atom-steps per CPU second for one CPU thread, else by the wall clock."""
    alone = row["threads"] == 1 and row["device"] in ("cpu", "serial", "reference")
    return float(row["rate_cpu" if alone else "rate"]) / 1e6


def precision(figure: Any, rows: Rows) -> None:
    """Change of the total energy over a run."""
    panel = figure.subplots()
    for row in rows:
        panel.plot(row["step"], [energy - row["energy"][0] for energy in row["energy"]], label=row["precision"])
    panel.set(xlabel="step", ylabel="change of the total energy per atom (epsilon)")
    panel.grid(alpha=0.3)
    panel.legend()
