"""Lines and bars as SVG: no library, sharp at every size, values under the pointer (assets/page.js)."""

from __future__ import annotations

import html
import json
import math
from dataclasses import dataclass, field

import numpy as np

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#6A5ACD", "#B8860B", "#7F7F7F")
WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 620, 260, 74, 14, 30, 44
BESIDE, LETTER = 28, 7  # what the name of an axis takes beside the numbers of its ticks, and a digit of these
MOST_POINTS = 800  # of a curve; of more the least and largest of each bucket are kept


@dataclass
class Curve:
    name: str
    x: np.ndarray
    y: np.ndarray
    thin: bool = False
    known: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        self.x, self.y = np.asarray(self.x, float), np.asarray(self.y, float)
        known = np.isfinite(self.x) & np.isfinite(self.y)
        self.x, self.y = thinned(self.x[known], self.y[known])


def thinned(x: np.ndarray, y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """At most MOST_POINTS, with all extremes.

    >>> x, y = thinned(np.arange(10000.0), np.sin(np.arange(10000.0)))
    >>> len(x) <= 800, bool(y.max() == np.sin(np.arange(10000.0)).max())
    (True, True)
    """
    if len(x) <= MOST_POINTS:
        return x, y
    parts = np.array_split(np.arange(len(x)), MOST_POINTS // 2)
    kept = sorted({int(part[place]) for part in parts for place in (y[part].argmin(), y[part].argmax())})
    return x[kept], y[kept]


def ticks(low: float, high: float, count: int = 6) -> list[float]:
    """Round numbers between two.

    >>> ticks(0.0, 250.0)
    [0.0, 50.0, 100.0, 150.0, 200.0, 250.0]
    """
    if not high > low:
        return [low]
    raw = (high - low) / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1.0, 2.0, 2.5, 5.0, 10.0) if factor * power >= raw * 0.999)
    first = math.ceil(low / step - 1e-9)
    return [float(f"{k * step:.12g}") for k in range(first, math.floor(high / step + 1e-9) + 1)]


def labels(marks: list[float]) -> list[str]:
    """Of the ticks of an axis, with as many digits as their distance asks for.

    >>> labels([-4.6175, -4.615]), labels([0.0, 50.0]), labels([0.0, 2e6]), labels([307980.0, 307990.0]), labels([0.0, 5e-4])
    (['-4.6175', '-4.6150'], ['0', '50'], ['0', '2e6'], ['307980', '307990'], ['0', '5e-4'])
    """
    if len(marks) < 2:
        return [f"{mark:.6g}" for mark in marks]
    spread, largest = marks[1] - marks[0], max(map(abs, marks))
    digits = -math.floor(math.log10(spread) + 1e-9)  # behind the point
    digits += abs(round(spread, digits) - spread) > 1e-3 * spread  # steps of 2.5
    power = math.floor(math.log10(largest) + 1e-9)
    if -4 < power < 5 or power + digits > 3 and 0 <= power < 9:
        return [f"{mark:.{max(digits, 0)}f}" for mark in marks]
    return [f"{mark / 10.0**power:.{max(power + digits, 0)}f}e{power}" if mark else "0" for mark in marks]


def _range(curves: list[Curve], axis: str) -> tuple[float, float]:
    values = np.concatenate([getattr(curve, axis) for curve in curves] or [np.zeros(1)])
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 1.0)
    room = (high - low) * 0.06 if axis == "y" else 0.0
    if high - low <= 1e-12 * max(abs(high), abs(low)):
        room = abs(high) * 0.05 or 0.5
    return low - room, high + room


def chart(title: str, curves: list[Curve], xlabel: str, ylabel: str, zero: bool = False) -> str:
    """Curves in one frame; their names stand above it, in their colours."""
    curves = [curve for curve in curves if len(curve.x)]
    if not curves:
        return ""
    (x0, x1), (y0, y1) = _range(curves, "x"), _range(curves, "y")
    y0 = min(y0, 0.0) if zero else y0
    marks_x, marks_y = ticks(x0, x1), ticks(y0, y1, 5)
    left = max(LEFT, BESIDE + LETTER * max(map(len, labels(marks_y)), default=0))

    def across(x: np.ndarray) -> np.ndarray:
        return left + (x - x0) / (x1 - x0) * (WIDTH - left - RIGHT)

    def up(y: np.ndarray) -> np.ndarray:
        return HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)

    parts = [f'<svg class="chart" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{html.escape(title)}">']
    for mark, text in zip(marks_y, labels(marks_y), strict=True):
        at = float(up(np.array(mark)))
        parts.append(f'<path class="grid" d="M{left} {at:.1f}H{WIDTH - RIGHT}"/>'
                     f'<text x="{left - 6}" y="{at + 4:.1f}" text-anchor="end">{text}</text>')
    for mark, text in zip(marks_x, labels(marks_x), strict=True):
        at = float(across(np.array(mark)))
        end = "end" if at > WIDTH - RIGHT - 12 else "middle"
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 16}" text-anchor="{end}">{text}</text>')
    parts.append(f'<path class="axis" d="M{left} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>'
                 f'<text x="{(left + WIDTH - RIGHT) / 2}" y="{HEIGHT - 8}" text-anchor="middle">{html.escape(xlabel)}</text>'
                 f'<text transform="translate(13 {(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
                 f"{html.escape(ylabel)}</text>")
    legend = left
    for number, curve in enumerate(curves):
        colour = COLOURS[number % len(COLOURS)]
        points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across(curve.x), up(curve.y), strict=True))
        if len(curve.x) == 1:
            parts.append(f'<circle cx="{points.split(",")[0]}" cy="{points.split(",")[1]}" r="3" fill="{colour}"/>')
        parts.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{1 if curve.thin else 1.8}"'
                     f'{" opacity=" + chr(34) + "0.75" + chr(34) if curve.thin else ""}/>')
        parts.append(f'<path d="M{legend} 16h16" stroke="{colour}" stroke-width="3"/>'
                     f'<text x="{legend + 21}" y="20">{html.escape(curve.name)}</text>')
        legend += 38 + int(6.6 * len(curve.name))
    data = {"frame": [left, RIGHT, TOP, BOTTOM], "x": [x0, x1], "y": [y0, y1], "curves": [
        {"name": curve.name, "x": [float(f"{v:.7g}") for v in curve.x], "y": [float(f"{v:.7g}") for v in curve.y]}
        for curve in curves]}
    return (f"<figure class='plot'><figcaption>{html.escape(title)}</figcaption>{''.join(parts)}</svg>"
            f"<script type='application/json'>{script_safe(data)}</script></figure>")


def script_safe(data: object) -> str:
    """JSON that can stand inside of a page's script."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")


def bar(parts: dict[str, float]) -> str:
    """Shares of a whole as one bar with its legend, largest first."""
    whole = sum(parts.values())
    if whole <= 0.0:
        return ""
    rows, boxes, at = [], [], 0.0
    for number, (name, value) in enumerate(sorted(parts.items(), key=lambda item: -item[1])):
        colour, share = COLOURS[number % len(COLOURS)], 100.0 * value / whole
        boxes.append(f'<rect x="{at:.3f}%" width="{share:.3f}%" height="28" fill="{colour}"><title>{html.escape(name)}: '
                     f"{value:.4g} s</title></rect>")
        rows.append(f"<tr><td><i style='background:{colour}'></i>{html.escape(name)}</td><td>{value:.4g} s</td>"
                    f"<td>{share:.1f} %</td></tr>")
        at += share
    return (f"<svg class='share' width='100%' height='28'>{''.join(boxes)}</svg>"
            f"<table class='numbers'><tr><th>phase</th><th>time</th><th>share</th></tr>{''.join(rows)}</table>")
