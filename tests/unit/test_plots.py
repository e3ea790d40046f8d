"""Plots and tables of results: the table says what bars show, names of curves are beside the data, ticks have room."""

from __future__ import annotations

from typing import Any

import pytest

from everlet.lab.report import table_of
from everlet.perf import plots

pytest.importorskip("matplotlib")


def rows(count: int = 3, **more: Any) -> list[dict[str, Any]]:
    return [{"who": ("everlet", "lmp")[k % 2], "system": "chain", "atoms": 1000 * (k + 1), "cutoff": 2.5, "scheme": f"half {k}",
             "precision": "double", "device": "cpu", "target": "cpu", "threads": 1, "rate": 1e6, "rate_cpu": 3.3e6 + k} | more
            for k in range(count)]


def drawn(found: list[dict[str, Any]], plot: plots.Plot) -> Any:
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 5.6), layout="constrained")
    canvas = FigureCanvasAgg(figure)
    plot(figure, found)
    plots.settle(figure)
    canvas.draw()
    return figure


@pytest.mark.parametrize(("threads", "name"), [(1, "per CPU second"), (2, "per second")])
def test_bars_and_table_show_the_same(threads: int, name: str) -> None:
    found = rows(threads=threads)
    figure = drawn(found, plots.rates)
    assert figure.axes[0].get_xlabel() == f"million atom-steps {name}"
    lengths = sorted(patch.get_width() for patch in figure.axes[0].patches)
    assert lengths == pytest.approx(sorted(map(plots.speed, found)))
    table = table_of(found)
    head = next(line for line in table.splitlines() if line.startswith("who"))
    assert f"million atom-steps {name}" in head and f"{plots.speed(found[0]):.5g}" in table
    assert table.startswith("in all rows: system chain, cutoff 2.5") and "precision" not in head


def test_a_table_of_one_row_has_all_of_it() -> None:
    assert table_of([{"a": 1, "b": "x"}]).splitlines() == ["a  b", "1  x"]
    assert table_of([{"a": 1}, {"a": 1}]) == "in all rows: a 1\n\n"


@pytest.mark.parametrize("count", [2, 60])
def test_nothing_runs_into_anything(count: int) -> None:
    figure = drawn(rows(count), plots.rates)
    renderer, panel = figure.canvas.get_renderer(), figure.axes[0]
    legend, = figure.legends
    assert panel.get_legend() is None and not legend.get_window_extent(renderer).overlaps(panel.get_window_extent(renderer))
    boxes = [text.get_window_extent(renderer) for text in panel.get_yticklabels()]
    assert len(boxes) == count and not any(a.overlaps(b) for a, b in zip(boxes[1:], boxes, strict=False))


def test_names_are_said_once_and_minor_ticks_have_none() -> None:
    def plot(figure: Any, found: list[dict[str, Any]]) -> None:
        for panel in figure.subplots(1, 2):
            for name in "abc":
                panel.plot([4, 8, 16, 32], [1, 2, 3, 4], label=name)
            panel.set(xscale="log")
            panel.set_xticks([4, 8, 16, 32], labels=["4", "8", "16", "32"])
            panel.legend()

    figure = drawn([], plot)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["a", "b", "c"]
    assert not any(text.get_text() for panel in figure.axes for text in panel.get_xminorticklabels())
