"""Plots of studies, if matplotlib is installed."""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence
from typing import Any

Rows = list[dict[str, Any]]
Plot = Callable[[Any, Rows], None]  # draws rows into a figure of matplotlib
# blue, orange, green, pink, dark blue, yellow, grey …: also told apart by those who see fewer colours
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#332288", "#E69F00", "#7F7F7F", "#56B4E9", "#882255", "#117733")
STYLE = {"font.size": 11, "axes.spines.top": False, "axes.spines.right": False, "axes.titlesize": 12,
         "axes.titleweight": "bold", "axes.labelcolor": "#333333", "xtick.color": "#333333", "ytick.color": "#333333",
         "axes.edgecolor": "#888888", "axes.axisbelow": True, "legend.frameon": False, "lines.linewidth": 1.8,
         "lines.markersize": 5, "grid.color": "#BBBBBB", "svg.fonttype": "none"}
BAR, LETTER = 0.2, 0.085  # inches of a named bar, of a letter of a name


def draw(path: str, rows: Rows, plot: Plot) -> list[str]:
    """Write PATH.png and PATH.svg; gives the names, none without matplotlib."""
    names = [f"{path}.png", f"{path}.svg"]
    return names if _save(names, rows, plot) else []


def svg(rows: Rows, plot: Plot) -> str:
    """The same as text of an .svg file; '' without matplotlib."""
    text = io.StringIO()
    return text.getvalue() if _save([text], rows, plot) else ""


def _save(places: Sequence[str | io.StringIO], rows: Rows, plot: Plot) -> bool:
    try:
        from cycler import cycler
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError:
        return False
    with rc_context({**STYLE, "axes.prop_cycle": cycler(color=COLOURS)}):
        figure = Figure(figsize=(10, 5.6), layout="constrained")
        plot(figure, rows)
        settle(figure)
        for place in places:
            figure.savefig(place, dpi=150, format=None if isinstance(place, str) else "svg")
    return True


def settle(figure: Any) -> None:
    """Names of curves beside the data, each once; room for the names of bars; ticks that do not run into each other."""
    from matplotlib.ticker import NullFormatter

    named: dict[str, Any] = {}
    for panel in figure.axes:
        if panel.get_legend() is not None:
            panel.get_legend().remove()
            named = {name: handle for handle, name in zip(*panel.get_legend_handles_labels(), strict=True)} | named
        for axis in (panel.xaxis, panel.yaxis):
            if _fixed(axis):
                axis.set_minor_formatter(NullFormatter())
    if named:
        figure.legend(named.values(), named.keys(), loc="outside right upper", fontsize="small")
    bars = max((len(_fixed(panel.yaxis)) for panel in figure.axes), default=0)
    if BAR * bars > figure.get_figheight():
        figure.set_figheight(BAR * bars)
    beside = max((panel.get_subplotspec().get_gridspec().ncols for panel in figure.axes), default=1)
    room = (figure.get_figwidth() - (LETTER * max(map(len, named)) + 1.0 if named else 0.5)) / beside
    for panel in figure.axes:
        names = [line for name in _fixed(panel.xaxis) for line in name.splitlines()[:1]]
        if names and LETTER * len(names) * (max(map(len, names)) + 1) > room:
            steep = BAR * len(names) > room
            panel.tick_params(axis="x", labelrotation=90 if steep else 40, labelsize="x-small" if steep else "small")
            for text in panel.get_xticklabels():
                text.set(ha="center" if steep else "right", rotation_mode="default" if steep else "anchor")


def _fixed(axis: Any) -> list[str]:
    """Names of ticks that are not numbers of a scale."""
    from matplotlib.category import StrCategoryFormatter
    from matplotlib.ticker import FixedFormatter, FuncFormatter

    formatter = axis.get_major_formatter()
    named = isinstance(formatter, FixedFormatter | FuncFormatter | StrCategoryFormatter)
    return [formatter(value, place) for place, value in enumerate(axis.get_majorticklocs())] if named else []


def rates(figure: Any, rows: Rows) -> None:
    """What `everlet bench` found: a bar for each row, Everlet and others in colours of their own."""
    panel = figure.subplots()
    who = list(dict.fromkeys(row["who"] for row in rows))
    reach = [f", cutoff {row['cutoff']:g}" if row.get("cutoff") else "" for row in rows]
    names = [f"{row.get('system', 'lj')} {row['atoms']}, {line(row)}{more}" for row, more in zip(rows, reach, strict=True)]
    for number, one in enumerate(who):
        mine = [k for k, row in enumerate(rows) if row["who"] == one]
        panel.barh(mine, [speed(rows[k]) for k in mine], color=f"C{number % 10}", label=one)
    panel.set_yticks(range(len(rows)), labels=names)
    panel.invert_yaxis()
    found = [speed(row) for row in rows]
    panel.set(xscale="log" if max(found) > 30.0 * min(found) else "linear", xlabel=quantity(rows))
    panel.tick_params(axis="y", labelsize="small")
    panel.legend(fontsize="small")


def operations(figure: Any, rows: Rows) -> None:
    """What `everlet lu` and benchmarks/lu.py found: a bar for each row."""
    panel = figure.subplots()
    names = [str(row.get("who") or f"class {row['class']}, {row['layout']}, {row['precision']}") for row in rows]
    panel.barh(range(len(rows)), [row["mops"] / 1e3 for row in rows])
    panel.set_yticks(range(len(rows)), labels=names)
    panel.invert_yaxis()
    panel.set_xlabel("thousand Mop/s")


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
    panels[0].set_ylabel(quantity(rows))
    panels[-1].legend(fontsize="small")


def saturation(figure: Any, rows: Rows) -> None:
    """Rate over size, one line for each precision and cutoff."""
    panel = figure.subplots()
    for name in dict.fromkeys(map(curve, rows)):
        mine = sorted((row["atoms"], speed(row)) for row in rows if curve(row) == name)
        panel.plot(*zip(*mine, strict=True), marker="o", label=name)
    panel.set(xscale="log", yscale="log", xlabel="atoms", ylabel=quantity(rows))
    panel.grid(alpha=0.3)
    panel.legend()


def neighbours(figure: Any, rows: Rows) -> None:
    """Rate over the team, one line for each list, newton, precision, size and cutoff."""
    _over(figure, rows, "team", "threads per atom", lambda row: f"{line(row)} newton {'on' if row['newton'] else 'off'}")


def carveout(figure: Any, rows: Rows) -> None:
    """Rate over the carve-out; what the driver chooses is at -1."""
    _over(figure, rows, "carveout", "percent of the L1 cache for shared memory (-1: the driver's choice)", line)


def _over(figure: Any, rows: Rows, key: str, title: str, name: Callable[[dict[str, Any]], str]) -> None:
    panel = figure.subplots()
    groups: dict[str, list[tuple[int, float]]] = {}
    for row in rows:
        reach = f", cutoff {row['cutoff']:g}" if row["cutoff"] else f", {row['system']}"
        groups.setdefault(f"{name(row)}, {row['atoms']} atoms{reach}", []).append((row[key], speed(row)))
    for label, points in groups.items():
        panel.plot(*zip(*sorted(points), strict=True), marker="o", label=label)
    panel.set(xlabel=title, ylabel=quantity(rows))
    panel.set_ylim(bottom=0)
    panel.grid(alpha=0.3)
    panel.legend(fontsize="small")


def profile(figure: Any, rows: Rows) -> None:
    """Microseconds of a rebuild cycle by kernel, one panel for each precision."""
    precisions = list(dict.fromkeys(row["precision"] for row in rows))
    panels = figure.subplots(1, len(precisions), squeeze=False)[0]
    for panel, precision in zip(panels, precisions, strict=True):
        mine = [row for row in reversed(rows) if row["precision"] == precision]
        panel.barh([row["kernel"][:40] for row in mine], [row["microseconds"] for row in mine])
        panel.set(xlabel="microseconds per rebuild cycle", title=precision)
        panel.tick_params(axis="y", labelsize="small")


def batching(figure: Any, rows: Rows) -> None:
    """Microseconds of each stage over the team, and over the products that are read ahead."""
    panels = figure.subplots(1, 2, sharey=True)
    titles = {"neighbours": "threads that share the neighbours of an atom", "products": "products read ahead by a thread"}
    for panel, (what, title) in zip(panels, titles.items(), strict=True):
        key = "team" if what == "neighbours" else "ahead"
        mine = [row for row in rows if row["batched"] == what]
        for atoms in dict.fromkeys(row["atoms"] for row in mine):
            for name in mine[0]["microseconds"]:
                points = sorted((row[key], row["microseconds"][name]) for row in mine if row["atoms"] == atoms)
                panel.plot(*zip(*points, strict=True), marker="o", label=f"{name}, {atoms} atoms")
        panel.set(xscale="log", yscale="log", xlabel=title)
        panel.set_xticks(sorted({row[key] for row in mine}), labels=sorted({str(row[key]) for row in mine}, key=int))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("microseconds per step")
    panels[1].legend(fontsize="small")


def line(row: dict[str, Any]) -> str:
    """The line of the plot that a row belongs to."""
    if row["who"] != "everlet":
        return str(row["who"])
    return f"{row['scheme']} {row['precision']}" + (f" x{row['threads']}" if row["threads"] > 1 else "")


def curve(row: dict[str, Any]) -> str:
    """The same with what is simulated."""
    return f"{line(row)}, cutoff {row['cutoff']:g}" if row["cutoff"] else f"{row['system']} {line(row)}"


def speed(row: dict[str, Any]) -> float:
    """Million atom-steps per CPU second for one CPU thread, else by the wall clock."""
    return float(row["rate_cpu" if _alone(row) else "rate"]) / 1e6


def _alone(row: dict[str, Any]) -> bool:
    return bool(row["threads"] == 1 and row.get("target", row["device"]) != "cuda" and "rate_cpu" in row)


def quantity(rows: Rows) -> str:
    """What `speed` is of these rows."""
    clocks = {_alone(row) for row in rows}
    if len(clocks) == 2:
        return "million atom-steps per second (of one thread: per CPU second)"
    return f"million atom-steps per {'CPU ' if True in clocks else ''}second"


def precision(figure: Any, rows: Rows) -> None:
    """Change of the total energy over a run."""
    panel = figure.subplots()
    for row in rows:
        panel.plot(row["step"], [energy - row["energy"][0] for energy in row["energy"]], label=row["precision"])
    panel.set(xlabel="step", ylabel="change of the total energy per atom (epsilon)")
    panel.grid(alpha=0.3)
    panel.legend()
