"""Study lu: where the time of LU goes, what layouts and precision do, and how far a GPU is ahead."""

from __future__ import annotations

from typing import Any

from everlet.lab.results import Outcome, plot, study
from everlet.lu.command import measured
from everlet.lu.counts import gammas
from everlet.lu.fields import LAYOUTS
from everlet.lu.problem import CLASSES
from everlet.lu.schedule import ALGORITHMS
from everlet.lu.solver import Choice
from everlet.perf import options, record
from everlet.portable import Space, choose, devices
from everlet.state.ranks import SingleRank

KNOWN: dict[str, tuple[options.Reader, Any]] = {
    "class": (options.many(options.one_of(*CLASSES)), []), "algorithm": (options.many(options.one_of(*ALGORITHMS)), [""]),
    "layout": (options.many(options.one_of(*LAYOUTS)), list(LAYOUTS)),
    "precision": (options.many(options.one_of("double", "single")), ["double", "single"]),
    "device": (options.one_of(*devices.names()), "cpu"), "threads": (options.positive, 1), "steps": (options.positive, 0),
    "repeat": (options.positive, 3), "out": (options.word, "study"),
}
USAGE = "everlet study lu [--class W,A] [--layout skewed] [--precision double,single] [--device cpu] ..."
GROUPS = {"sweeps": ("lower", "upper"), "residual": ("residual",), "rearrange": ("rearrange",), "other": ("update", "halo")}
SOURCE = {"sweeps": 39, "residual": 43, "rearrange": 11, "other": 8}  # percent, Tesla C2050
SINGLE, GAP = 2.0, 7.0  # how much quicker single precision and a GPU were there, at most


@study("lu")
def lu(words: list[str]) -> Outcome:
    """everlet study lu [--class W,A] [--layout row,column,skewed,diagonal] [--precision double,single] [--device cpu]
                     [--algorithm pipeline,hyperplane,blocked] [--threads 1] [--steps N] [--repeat 3] [--out FOLDER]
    LU by class, layout and precision: Mop/s, percent of time by section beside those of a Tesla C2050, and γ of each section.
    On a GPU also the CPU with all of its threads, and the ratio of both."""
    given = options.parse(words, KNOWN, USAGE)
    space = choose(given["device"], given["threads"] if given["device"] == "cpu" else 0)
    names = given["class"] or (["A", "B", "C"] if space.many_threads else ["W", "A"])
    rows = [_row(Choice(CLASSES[name], algorithm, layout=layout, precision=precision), space, given) for name in names
            for algorithm in given["algorithm"] for precision in given["precision"] for layout in given["layout"]]
    others = [_row(Choice(CLASSES[name]), choose("cpu"), {**given, "steps": 5}) for name in names] if space.many_threads else []
    usual = [row for row in rows if (row["class"], row["layout"], row["precision"]) == (names[-1], "skewed", "double")]
    best = min(usual or rows[-1:], key=lambda row: row["nanoseconds"])
    choice = Choice(CLASSES[best["class"]], best["algorithm"], layout=best["layout"], precision=best["precision"])
    counts = gammas(choice, space, {name: seconds / best["iterations"] for name, seconds in best["sections"].items()})
    content = {**record.stamp(space), "source": {"percent": SOURCE, "single": SINGLE, "gap": GAP}, "rows": rows, "cpu": others,
               "counts": counts, "conclusion": " ".join(_conclusions(rows, others, best))}
    return given["out"], "lu", content, _text(rows, others, counts, best)


def _row(choice: Choice, space: Space, given: dict[str, Any]) -> dict[str, Any]:
    few = choice.problem.iterations if space.many_threads else {"S": 50, "W": 30}.get(choice.problem.name, 5)
    steps = given["steps"] or few
    _, row = measured(choice, space, steps, given["repeat"], SingleRank())
    in_all = sum(row["sections"].values())
    row["percent"] = {name: 100 * sum(row["sections"][one] for one in parts) / in_all for name, parts in GROUPS.items()}
    row["nanoseconds"] = 1e9 * in_all / row["iterations"] / row["points"]
    return row


def _text(rows: list[dict[str, Any]], others: list[dict[str, Any]], counts: list[dict[str, Any]], best: dict[str, Any]) -> str:
    lines = [[" ".join(row[key] for key in ("class", "algorithm", "layout", "precision")), f"{row['mops']:.0f}",
              f"{row['nanoseconds']:.1f}", *(f"{row['percent'][name]:.0f}" for name in GROUPS)] for row in rows]
    lines.append(["source: C2050", "", "", *(str(SOURCE[name]) for name in GROUPS)])
    tables = [record.table(["class", "Mop/s", "ns per point", *(f"{name} %" for name in GROUPS)], lines)]
    tables.append(record.table(["section", "flop per point", "numbers moved", "γ", "limit"],
                               [[row["section"], f"{row['flops']:.0f}", f"{row['accesses']:.0f}", f"{row['gamma']:.2f}",
                                 row["limit"]] for row in counts]))
    return "\n\n".join([*tables, *_conclusions(rows, others, best)])


def _conclusions(rows: list[dict[str, Any]], others: list[dict[str, Any]], best: dict[str, Any]) -> list[str]:
    share = best["percent"]
    most = share["sweeps"] + share["residual"]
    found = [f"Source: sweeps and residual take 82 % of the time, rearrangement a tenth. Here {most:.0f} % and "
             f"{share['rearrange']:.0f} %: the conclusion {'holds' if most > 60 else 'does not hold'}"
             + ("" if most > 75 else "; sweeps need few operations here, since no block of a Jacobian is stored, so that moving"
                " data weighs more") + "."]

    def same(row: dict[str, Any], **wanted: Any) -> bool:
        return all(row[name] == value for name, value in wanted.items())

    single = [row for row in rows if same(row, **{"class": best["class"]}, layout=best["layout"], precision="single")]
    if single:
        ratio = best["nanoseconds"] / single[0]["nanoseconds"]
        found.append(f"Source: single precision is twice as fast. Here {ratio:.2f} times: the conclusion "
                     f"{'holds' if ratio > 1.6 else 'holds in part' if ratio > 1.2 else 'does not hold'}.")
    others_of = {name: [row["nanoseconds"] for row in rows if row["algorithm"] == name and same(
        row, **{"class": best["class"]}, layout=best["layout"], precision=best["precision"])] for name in ALGORITHMS}
    if sum(map(bool, others_of.values())) > 1:
        least = min(min(times) for times in others_of.values() if times)
        found.append("Algorithms by the time of the quickest: " + ", ".join(
            f"{name} {min(times) / least:.2f}" for name, times in others_of.items() if times) + ".")
    slow = [row for row in rows if same(row, **{"class": best["class"]}, precision="double", algorithm=best["algorithm"])
            and row["layout"] != "skewed"]
    if slow and best["layout"] == "skewed":
        ratio = min(row["nanoseconds"] for row in slow) / best["nanoseconds"]
        found.append(f"Layouts switched between sections: {ratio:.2f} times as fast as the best of those that are not.")
    if others:
        gaps = {row["class"]: row["seconds"] / row["iterations"] / next(
            one["seconds"] / one["iterations"] for one in rows if same(one, **{"class": row["class"]}, layout="skewed",
                                                                        precision="double")) for row in others}
        grows = list(gaps.values()) == sorted(gaps.values())
        text = ", ".join(f"{name} {gap:.1f}" for name, gap in gaps.items())
        found.append(f"Source: a GPU is up to 7 times as fast as a CPU, and more so for larger classes. Here, against "
                     f"{others[0]['threads']} threads: {text}: the conclusion {'holds' if grows else 'does not hold'}.")
    return found


@plot("lu")
def _plot(figure: Any, rows: list[dict[str, Any]]) -> None:
    panel = figure.subplots()
    several = len({row["algorithm"] for row in rows}) > 1
    keys = ("class", "algorithm", "layout") if several else ("class", "layout")
    labels = [" ".join(row[key] for key in keys) + f"\n{row['precision']}" for row in rows] + ["C2050\n(source, scaled)"]
    base = [0.0] * len(labels)
    scale = max(row["nanoseconds"] for row in rows)
    for name in GROUPS:
        heights = [row["percent"][name] / 100 * row["nanoseconds"] for row in rows] + [SOURCE[name] / 100 * scale]
        panel.bar(range(len(labels)), heights, bottom=base, label=name)
        base = [a + b for a, b in zip(base, heights, strict=True)]
    panel.set_xticks(range(len(labels)), labels=labels, rotation=60, fontsize="small")
    panel.set_ylabel("nanoseconds per point and iteration")
    panel.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0))
