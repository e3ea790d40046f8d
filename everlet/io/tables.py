"""Tables of numbers from the lines of large files, by compiled loops (number_loops.py)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from everlet.io import number_loops
from everlet.portable import parallel_for
from everlet.portable.spaces import Serial

MANY = 20_000  # from so many lines on it pays to have them read by compiled loops
TENS = np.array([float(10**power) for power in range(number_loops.DEEPEST + 1)])
FIVES = np.array([5**power for power in range(number_loops.DEEPEST + 1)])
WHOLES = np.array([10**power for power in range(number_loops.DIGITS + 1)])
TWOS = np.array([2.0**power for power in range(-number_loops.MIDDLE, number_loops.MIDDLE)])


def number_table(lines: list[str], width: int, wanted: Sequence[int] | None = None, more: bool = False) -> np.ndarray | None:
    """The numbers of lines of `width` words, a row for each that is not blank. None where something is wrong: another reader
    finds out what. Lines may have their ends of line or not, all alike.

    wanted   columns that are numbers; others are NaN. None: all of them
    more     lines may have more words
    """
    ended = lines[0].endswith("\n")
    joined = ("" if ended else "\n").join(lines)
    text = np.frombuffer((joined if ended and joined.endswith("\n") else joined + "\n").encode(), np.uint8)
    first = np.concatenate([[0], np.flatnonzero(text == ord("\n")) + 1])
    count = len(first) - 1
    if count != len(lines):
        return None  # lines that have an end of line in them
    asked = np.zeros(width, np.int32)
    asked[range(width) if wanted is None else list(wanted)] = 1
    values, words = np.full(count * width, np.nan), np.zeros(count, np.int32)
    parallel_for(Serial(), -(-count // number_loops.ROWS), number_loops.READ_ROWS, count, width, first, asked, text, TENS,
                 FIVES, TWOS, WHOLES, values, words)
    rows = np.flatnonzero(words)
    if ((words[rows] < width) if more else (words[rows] != width)).any():
        return None
    table = values.reshape(count, width)
    places = np.flatnonzero(asked)
    for row in np.flatnonzero(np.isnan(table[:, places]).any(axis=1) & (words > 0)):  # too many digits, or no numbers
        given = lines[row].partition("#")[0].split()
        try:
            table[row, places] = [float(given[place]) for place in places]
        except ValueError:
            return None
    return table if len(rows) == count else table[rows]
