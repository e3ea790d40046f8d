"""Tables of parametrised tests as text: what is written, what is said."""

from __future__ import annotations


def rows(text: str, before: str = "") -> list[tuple[str, ...]]:
    r"""A row is a line, with ` -> ` between its columns; `\n` in a raw text ends a line. `before`: what all rows begin with."""
    table = [[word.strip().replace("\\n", "\n") for word in line.split(" -> ")] for line in text.strip().splitlines()]
    return [(before + first, *others) for first, *others in table]
