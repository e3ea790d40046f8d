"""Pair styles of random scripts: settings, coefficients, pair_modify."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

SIMPLE = ("lj/cut", "morse", "buck", "yukawa", "soft", "gauss", "born", "lj96/cut", "lj/expand", "zero")
STYLES = (*SIMPLE, "table", "zbl", "hybrid", "hybrid/overlay")
MIXED = ("lj/cut", "lj96/cut", "lj/expand", "yukawa", "soft", "zero")  # unlike types may be left out
SOFT = ("soft", "gauss", "zero")  # for atoms that may sit on each other


def _strength(w: Any) -> str:
    return w.n(0.5 * w.E, 2.0 * w.E)


COEFFS: dict[str, Callable[[Any], list[str]]] = {
    "lj/cut": lambda w: [_strength(w), w.n(0.8 * w.L, 1.1 * w.L)],
    "lj96/cut": lambda w: [_strength(w), w.n(0.8 * w.L, 1.1 * w.L)],
    "lj/expand": lambda w: [_strength(w), w.n(0.7 * w.L, w.L), w.n(0.0, 0.2 * w.L)],
    "morse": lambda w: [_strength(w), w.n(3.0 / w.L, 5.0 / w.L), w.n(w.L, 1.2 * w.L)],
    "buck": lambda w: [w.n(500.0 * w.E, 2000.0 * w.E), w.n(0.12 * w.L, 0.18 * w.L), w.n(0.0, w.E * w.L**6)],
    "born": lambda w: [_strength(w), w.n(0.1 * w.L, 0.2 * w.L), w.n(0.9 * w.L, 1.1 * w.L), w.n(0.0, w.E * w.L**6),
                       w.n(0.0, 0.1 * w.E * w.L**8)],
    "yukawa": lambda w: [w.n(w.E * w.L, 5.0 * w.E * w.L)],
    "soft": lambda w: [w.n(2.0 * w.E, 20.0 * w.E)],
    "gauss": lambda w: [w.n(-5.0 * w.E, 5.0 * w.E), w.n(0.5 / w.L**2, 2.0 / w.L**2)],
    "zero": lambda w: [],
    "zbl": lambda w: [str(w.r.randint(1, 20)), str(w.r.randint(1, 20))],
}


def settings(w: Any, style: str) -> str:
    cutoff = w.n(1.2 * w.L, 2.5 * w.L)
    if style == "yukawa":
        return f"{w.n(1.0 / w.L, 3.0 / w.L)} {cutoff}"
    if style == "table":
        return f"{w.r.choice(('linear', 'spline', 'lookup'))} {w.r.randint(200, 1000)}"
    if style == "zbl":
        return f"{w.n(0.5 * w.L, w.L)} {w.n(1.1 * w.L, 1.6 * w.L)}"
    return cutoff


def coeff(w: Any, style: str, i: int, j: int, name: str = "") -> None:
    if style == "table":
        if "pot.table" not in w.files:
            w.files["pot.table"] = table(w)
        cutoff = w.n(1.2 * w.L, 2.4 * w.L) if w.chance(0.4) else ""
        w.say("pair_coeff", i, j, name, "pot.table ONE", cutoff)
        return
    words = COEFFS[style](w)
    if style == "zbl" and i == j:
        words[1] = words[0]
    if style != "zbl" and w.chance(0.2):
        words.append(w.n(1.2 * w.L, 2.5 * w.L))
    w.say("pair_coeff", i, j, name, *words)


def table(w: Any) -> str:
    """A smooth repulsion in 120 places."""
    rows = []
    for k in range(120):
        x = 0.3 + 2.2 * k / 119.0
        e, slope = (2.5 - x) ** 2, 2.0 * (2.5 - x)
        rows.append(f"{k + 1} {x * w.L!r} {e * w.E!r} {slope * w.E / w.L!r}")
    return "# a potential\n\nONE\nN 120\n\n" + "\n".join(rows) + "\n"


def pair_lines(w: Any) -> None:
    """pair_style, pair_coeff for all types or for those that mixing needs, pair_modify."""
    known = [s for s in w.styles if s != "zbl" or w.units in ("metal", "real")]
    if w.close:
        known = [s for s in known if s in SOFT] or ["soft"]
    style = w.r.choice([s for s in known if s != "hybrid" or w.types > 1] or known)
    pairs = [(i, j) for i in range(1, w.types + 1) for j in range(i, w.types + 1)]
    if style.startswith("hybrid"):
        parts = [s for s in known if s in SIMPLE] or ["soft", "lj/cut"]
        parts = w.r.sample(parts, 2) if len(parts) > 1 else [*parts, "zero"]
        w.say("pair_style", style, *(f"{part} {settings(w, part)}" for part in parts))
        if "overlay" in style:
            for part in parts:
                for i, j in pairs:
                    coeff(w, part, i, j, part)
        else:
            for k, (i, j) in enumerate(pairs):  # the reference refuses a sub-style that no pair of types has
                if k > 1 and w.chance(0.1) and i != j:
                    w.say("pair_coeff", i, j, "none")
                else:
                    part = parts[k] if k < 2 else w.r.choice(parts)
                    coeff(w, part, i, j, part)
        return
    w.say("pair_style", style, settings(w, style))
    modify = []
    if w.chance(0.3) and style not in ("lj/expand", "table"):
        modify += ["shift", w.r.choice(("yes", "yes", "no"))]
    if w.chance(0.25):
        modify += ["mix", w.r.choice(("geometric", "arithmetic", "sixthpower"))]
    if w.chance(0.15) and style in ("lj/cut", "lj96/cut", "buck", "born"):
        modify += ["tail", "yes"]
    if modify:
        w.say("pair_modify", *modify)
    if w.chance(0.25) and style != "zbl":
        w.say("pair_coeff * *" if style != "table" else "pair_coeff * * pot.table ONE",
              *(COEFFS[style](w) if style != "table" else ()))
        if style == "table":
            w.files["pot.table"] = table(w)
        pairs = [pair for pair in pairs if w.chance(0.3)]
    elif style in MIXED and w.chance(0.5):
        pairs = [(i, j) for i, j in pairs if i == j]
    for i, j in pairs:
        coeff(w, style, i, j)
