"""C-style formats that users give for numbers (`%20.12g`, `%8d`), checked when they are given."""

from __future__ import annotations

import re

import numpy as np

from everlet.errors import InputError

_FIELD = re.compile(r"%%|%[-+ #0]*\d*(?:\.\d+)?(?:ll|l|h)?(.?)")
_LETTERS = {"int": "dixXo", "float": "eEfFgG", "text": "s"}
CHUNK = 8192  # rows formatted at once
_EXAMPLES = {"int": "%d or %8d", "float": "%g or %15.8f", "text": "%s or %4s"}


def check_format(text: str, kind: str) -> str:
    """`text` if it prints exactly one value of `kind` (int, float or text), else an error that says what is wrong."""
    letters = [match.group(1) for match in _FIELD.finditer(text) if match.group(0) != "%%"]
    if len(letters) != 1:
        raise InputError(
            f"format '{text}' has {len(letters)} fields where one is needed", f"for example {_EXAMPLES[kind]}"
        )
    if letters[0] not in _LETTERS[kind] or not letters[0]:
        raise InputError(f"format '{text}' does not suit a value of kind {kind}", f"for example {_EXAMPLES[kind]}")
    return text


def lines(forms: list[str], values: list[np.ndarray]) -> str:
    """One line per row, with one C-style format per column, or one for all; fast because many rows are formatted in one go."""
    text: list[str] = []
    form = " ".join(forms) + "\n"
    for at in range(0, len(values[0]) if values else 0, CHUNK):
        parts = [column[at : at + CHUNK].tolist() for column in values]
        text.append((form * len(parts[0])) % tuple(item for row in zip(*parts, strict=True) for item in row))
    return "".join(text)
