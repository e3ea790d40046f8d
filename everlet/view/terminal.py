"""What a run does, in a terminal: progress, plots of dots (signs of Braille have two by four of them), times, warnings."""

from __future__ import annotations

import math
from datetime import timedelta

import numpy as np

from everlet.view.follow import Follower
from everlet.view.statistics import mean

DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))  # by column, from above
NARROWEST, HIGHEST, LABEL = 40, 8, 11
FIRST = ("temp", "etotal", "press", "pe", "epair")
SHADES = "▏▎▍▌▋▊▉█"


def dots(x: np.ndarray, y: np.ndarray, width: int, height: int) -> list[str]:
    """A curve in `height` lines of `width` signs.

    >>> dots(np.array([0.0, 1.0]), np.array([0.0, 1.0]), 2, 1)
    ['⡠⠊']
    """
    rows = np.full((height, width), 0x2800)
    if len(x) and np.ptp(x) > 0.0:
        across = np.linspace(x[0], x[-1], 2 * width)
        low, span = float(y.min()), float(np.ptp(y)) or 1.0
        up = np.rint((1.0 - (np.interp(across, x, y) - low) / span) * (4 * height - 1)).astype(int)
        for place, here in enumerate(up):
            rows[here // 4, place // 2] |= DOTS[place % 2][here % 4]
    return ["".join(map(chr, row)) for row in rows]


def bar(part: float, width: int) -> str:
    """
    >>> bar(0.5, 4), bar(0.3, 4)
    ('██  ', '█▎  ')
    """
    eighths = round(min(max(part, 0.0), 1.0) * width * 8)
    text = "█" * (eighths // 8) + (SHADES[eighths % 8 - 1] if eighths % 8 else "")
    return f"{text:<{width}}"


def plot(name: str, x: np.ndarray, y: np.ndarray, unit: str, width: int, height: int) -> list[str]:
    """A curve under its name, last value and mean, with its range at the side."""
    known = np.isfinite(x) & np.isfinite(y)
    x, y = x[known], y[known]
    if not len(y):
        return [f"{name}: no numbers"[:width].ljust(width), *[" " * width] * height]
    found, inner = mean(y), width - LABEL - 1
    error = "" if math.isnan(found.error) else f" ± {found.error:.2g}"
    head = f"{name} {y[-1]:.6g} {unit} (mean {found.value:.6g}{error})"
    low, high = f"{y.min():.6g}", f"{y.max():.6g}"
    sides = [high, *[""] * (height - 2), low]
    lines = dots(x, y, inner, height)
    return [head[:width].ljust(width), *(f"{side[:LABEL]:>{LABEL}} {line}" for side, line in zip(sides, lines, strict=True))]


def screen(log: Follower, width: int, height: int, columns: list[str] | None = None) -> str:
    """All of it, in at most `height` lines of `width` signs."""
    width, history, run = max(width, NARROWEST), log.history, log.run
    lines = [*_head(log, width), ""]
    foot = _foot(log, width)
    values = run.columns
    steps = values.get("step", np.arange(float(len(run.rows))))
    words = columns or [word for word in (*FIRST, *values) if word in values and word != "step"]
    words = [word for word in dict.fromkeys(words) if word in values and (columns or np.any(np.nan_to_num(values[word])))]
    beside = 2 if width >= 90 else 1
    room = height - len(lines) - len(foot)
    tall = min(HIGHEST, max(3, room // 2 - 2)) if room > 8 else 3
    wide = (width - 2 * (beside - 1)) // beside
    shown = words[: max(1, room // (tall + 2)) * beside]
    plots = [plot(history.heading(word), steps, values[word], history.unit(word), wide, tall) for word in shown]
    for first in range(0, len(plots), beside):
        lines += ["  ".join(parts).rstrip() for parts in zip(*plots[first : first + beside], strict=True)] + [""]
    return "\n".join([*lines, *foot])


def _head(log: Follower, width: int) -> list[str]:
    history, run = log.history, log.run
    start, first, last = history.start, int(run.begin.get("step", 0)), log.run.last
    name = history.script.get("name") or history.path.name
    title = f"{name}: {run.begin.get('atoms', '?')} atoms on {start.get('device', '?')}, run {len(history.runs)}"
    share = (log.step - first) / (last - first) if last > first else 0.0
    speed, left = log.speed(), log.left()
    state = "failed" if history.errors else "ended" if log.done else "between runs" if run.summary else ""
    facts = [f"step {log.step} of {last}", f"{share:.0%}", f"{speed:.4g} steps/s" if speed else "",
             f"{speed * int(run.begin.get('atoms', 0)) / 1e6:.3g} Matom-step/s" if speed else "",
             f"{timedelta(seconds=round(left))} left" if left is not None else "", state]
    text = ", ".join(fact for fact in facts if fact)
    return [title[:width], f"[{bar(share, max(10, min(40, width - len(text) - 4)))}] {text}"[:width]]


def _foot(log: Follower, width: int) -> list[str]:
    history = log.history
    done = [run.summary for run in history.runs if run.summary.get("sections")]
    lines = []
    if done:
        sections = {name: float(value) for name, value in done[-1]["sections"].items() if value}
        whole = float(done[-1]["seconds"]) or 1.0
        lines.append(f"Time of the last run that has ended: {whole:.4g} s")
        for name, value in sorted(sections.items(), key=lambda item: -item[1])[:5]:
            lines.append(f"{name:>{LABEL}} {bar(value / whole, max(10, width // 3))} {value / whole:.1%}")
    lines += [f"WARNING: {text}"[:width] for text in history.warnings[-2:]]
    return lines + [f"ERROR: {text}".splitlines()[0][:width] for text in history.errors[-1:]]
