"""Where the elements of a two-dimensional view are in its flat memory (views.py has the picture)."""

from __future__ import annotations

TILE = 8  # items per block of the tiled layout


def place(layout: str, i: str, k: str, width: int, items: str) -> str:
    """The text of the place of element (i, k) of a view with so many values per item; all are texts, but the width."""
    return {
        "row": f"({i}) * {width} + ({k})",
        "column": f"({k}) * {items} + ({i})",
        "tiled": f"(({i}) // {TILE}) * {TILE * width} + ({k}) * {TILE} + ({i}) % {TILE}",
    }[layout]
