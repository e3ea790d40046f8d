"""Colours of lines on terminals: errors red, warnings yellow; nowhere else, and not where NO_COLOR is set."""

from __future__ import annotations

from typing import IO

from everlet import settings

CODES = {"ERROR": "31", "WARNING": "33"}


def coloured(text: str, stream: IO[str]) -> str:
    """The text with its first word in colour, if it is one of CODES and `stream` is a terminal."""
    word = text.partition(":")[0]
    if word not in CODES or not stream.isatty() or settings.given("NO_COLOR") or settings.given("TERM") == "dumb":
        return text
    return f"\x1b[1;{CODES[word]}m{word}\x1b[0m{text[len(word):]}"
