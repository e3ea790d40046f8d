"""C-style formats that users give for numbers (`%20.12g`, `%8d`), checked when they are given."""

from __future__ import annotations

import re

import numpy as np

from everlet.errors import InputError
from everlet.io import text_loops
from everlet.portable import parallel_for
from everlet.portable.spaces import Serial

_FIELD = re.compile(r"%%|%[-+ #0]*(\d*)(?:\.(\d+))?(?:ll|l|h)?(.?)")
WIDEST = 512  # columns of a number, and digits: the longest one has 309 before the point
_LETTERS = {"int": "dixXo", "float": "eEfFgG", "text": "s"}
CHUNK = 8192  # rows formatted at once
MANY = 20_000  # from so many rows on it pays to have them written by compiled loops
PART = 1 << 17  # rows that these write at once
PLAIN = {"%d": 0, "%s": -1, "%g": 6, "%r": text_loops.SHORTEST}  # what the loops call them: digits, or none
SIMPLE = re.compile(r"%(d|s|g|\.[1-9]g)")
FIVES = np.array([5**power for power in range(28)])
POWERS = np.array([float(f"1e{power}") for power in range(-text_loops.MIDDLE, text_loops.MIDDLE)])
_EXAMPLES = {"int": "%d or %8d", "float": "%g or %15.8f", "text": "%s or %4s"}


def check_format(text: str, kind: str) -> str:
    """`text` if it prints exactly one value of `kind` (int, float or text), else an error that says what is wrong."""
    fields = [match for match in _FIELD.finditer(text) if match.group(0) != "%%"]
    letters = [match.group(3) for match in fields]
    if len(letters) != 1:
        raise InputError(
            f"format '{text}' has {len(letters)} fields where one is needed", f"for example {_EXAMPLES[kind]}"
        )
    if letters[0] not in _LETTERS[kind] or not letters[0]:
        raise InputError(f"format '{text}' does not suit a value of kind {kind}", f"for example {_EXAMPLES[kind]}")
    if any(len(number or "") > 9 or int(number or 0) > WIDEST for number in fields[0].groups()[:2]):
        raise InputError(f"format '{text[:60]}' asks for more than {WIDEST} columns or digits",
                         f"for example {_EXAMPLES[kind]}")
    return text


def lines(forms: list[str], values: list[np.ndarray]) -> str:
    """One line per row, with one C-style format per column, or one for all; fast because many rows are formatted in one go."""
    if len(values[0] if values else ()) >= MANY and all(map(_simple, forms, values)):
        return many_lines(forms, values)
    return _plain(forms, values)


def _simple(form: str, column: np.ndarray) -> bool:
    """The loops can write it."""
    return SIMPLE.fullmatch(form) is not None or form == "%r" and column.dtype == np.float64


def _plain(forms: list[str], values: list[np.ndarray]) -> str:
    """By Python's own formats."""
    text: list[str] = []
    form = " ".join(forms) + "\n"
    for at in range(0, len(values[0]) if values else 0, CHUNK):
        parts = [column[at : at + CHUNK].tolist() for column in values]
        text.append((form * len(parts[0])) % tuple(item for row in zip(*parts, strict=True) for item in row))
    return "".join(text)


def many_lines(forms: list[str], values: list[np.ndarray]) -> str:
    """The same for many rows and formats that are SIMPLE, by compiled loops (text_loops.py)."""
    digits, names, columns = list[int](), [""], list[np.ndarray]()
    for form, column in zip(forms, values, strict=True):
        if form == "%s":
            known = {text: place for place, text in enumerate(names)}
            places = [known.setdefault(text, len(known)) for text in map(str, column.tolist())]
            names, column = list(known), np.array(places)
        digits.append(PLAIN[form] if form in PLAIN else int(form[2]))
        columns.append(column)
    encoded = [name.encode() for name in names]
    longest = max(max(map(len, encoded)), 1)
    table = np.frombuffer(b"".join(name.ljust(longest, b"\0") for name in encoded), np.uint8).copy()
    count, space = len(columns[0]), Serial()
    found = []
    for first in range(0, count, PART):
        part = [column[first : first + PART] for column in columns]
        n, room = len(part[0]), text_loops.ROWS * len(part) * max(text_loops.WIDE, longest + 1)
        blocks = -(-n // text_loops.ROWS)
        text, length, trouble = np.empty(blocks * room, np.uint8), np.zeros(blocks, np.int64), np.zeros(blocks, np.int32)
        numbers = np.concatenate([item.astype(np.float64) for item in part])
        parallel_for(space, blocks, text_loops.PUT_ROWS, n, len(part), numbers, numbers.view(np.int64),
                     np.array(digits, np.int32), POWERS, FIVES, table, longest, room, text, length, trouble)
        for block in range(blocks):
            rows = slice(block * text_loops.ROWS, (block + 1) * text_loops.ROWS)
            if trouble[block]:
                shown = [np.array(names, object)[item[rows]] if digit < 0 else item[rows] for digit, item in
                         zip(digits, part, strict=True)]
                found.append(_plain(forms, shown).encode())
            else:
                found.append(text[block * room : block * room + length[block]].tobytes())
    return b"".join(found).decode()
