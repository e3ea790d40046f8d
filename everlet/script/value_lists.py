"""Values of variables that have several: numbers of a loop, lines and sets of a file, vectors that are written out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from everlet.errors import InputError, arguments, integer, number
from everlet.inputs import SCRIPT, open_text


class Counting(Sequence[str]):
    """The numbers of a loop variable as texts, made when they are asked for: there may be billions."""

    def __init__(self, first: int, last: int, width: int):
        self.numbers, self.width = range(first, last + 1), width

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, place: Any) -> Any:
        return f"{self.numbers[place]:0{self.width}d}"


def loop_values(name: str, style: str, rest: list[str]) -> Counting:
    padded = rest[-1:] == ["pad"]
    bounds = rest[:-1] if padded else rest
    arguments(bounds, 1, 2 if style == "loop" else 1, f"variable {name} {style} [N1] N2 [pad]")
    first = integer(bounds[0]) if len(bounds) == 2 else 1
    last = integer(bounds[-1])
    if first > last or last <= 0:
        raise InputError(f"a loop from {first} to {last} has no values",
                         "the last number must not be less than the first")
    width = len(str(last)) if padded else 0
    return Counting(first, last, width)


def literal(text: str) -> np.ndarray:
    """[a,b,...]: numbers."""
    text = text.strip()
    if not text.endswith("]"):
        raise InputError(f"'{text}' is not a vector", "for example: [1,2.5,3]")
    return np.array([number(word.strip()) for word in text[1:-1].split(",")])


def sets_of(path: str) -> list[str]:
    """The sets of an atomfile, each as a text of ids and values."""
    lines, found = lines_of(path), []
    while lines:
        count = integer(lines.pop(0), f"a number of lines in '{path}'")
        rows, lines = lines[:max(count, 0)], lines[max(count, 0):]
        if count < 1 or len(rows) < count or any(len(row.split()) != 2 for row in rows):
            raise InputError(f"file '{path}' has a set that is not {count} lines of an atom id and a value",
                             "a set is its number of lines, then as many lines: ID value")
        found.append(" ".join(rows))
    return found


def lines_of(path: str) -> list[str]:
    """The lines of a file without comments and blank lines."""
    try:
        with open_text(path, SCRIPT) as file:
            lines = [line.partition("#")[0].strip() for line in file]
    except OSError as error:
        raise InputError(f"cannot read '{path}': {error.strerror}", "check the path and its permissions") from None
    except UnicodeDecodeError:
        raise InputError(f"'{path}' is not a text file", "put one value on each line") from None
    found = [line for line in lines if line]
    if not found:
        raise InputError(f"file '{path}' has no values", "put one value on each line")
    return found
