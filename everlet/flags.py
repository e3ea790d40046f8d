"""Flags of the command line: argparse, which reads and explains them, with errors that say what to do.

    flags = Flags("everlet lu [options]")
    flags.add("threads", help="of each rank")
    given, others = flags.read(["--threads", "4"])        # [("threads", "--threads", ["4"])], []

Each flag has a name and perhaps a short one, and so many words: a number of them, or "*": all up to the next flag.
`--name=WORD` is `--name WORD`. A number may be negative; all else that begins with a dash is a flag, and one that is not known
is refused with the nearest.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from everlet.errors import InputError, unknown

Given = tuple[str, str, list[str]]  # the name of a flag, the flag as it was written, its words
WORD = "\0"  # put before words that argparse would take for flags


class _Note(argparse.Action):
    """Flags and their words in the order in which they are given."""

    def __call__(self, parser: Any, found: argparse.Namespace, values: Any, flag: str | None = None) -> None:
        parser.given.append((self.dest, parser.written[len(parser.given)], [one.removeprefix(WORD) for one in values]))


class Flags(argparse.ArgumentParser):
    """`one_dash`: -name and --name are the same, as lmp has it; `what`: what one with two is called."""

    def __init__(self, usage: str, about: str = "", one_dash: bool = False, what: str = "option"):
        super().__init__(usage=usage, description=about, add_help=False, allow_abbrev=False,
                         formatter_class=lambda prog: argparse.RawTextHelpFormatter(prog, max_help_position=30, width=128))
        self.one_dash, self.what = one_dash, what
        self.known: dict[str, argparse.Action] = {}  # by all ways to write them
        self.shown: list[str] = []
        self.written: list[str] = []  # flags as they are written
        self.given: list[Given] = []

    def add(self, name: str, words: int | str = 1, short: str = "", metavar: str | None = None, help: str = "") -> None:
        action = self.add_argument(f"--{name}", *([f"-{short}"] if short else []), dest=name, nargs=words, action=_Note,
                                   metavar=metavar or "WORD", help=help)
        names = [name, short] if short else [name]
        self.shown += [f"--{name}", *(f"-{one}" for one in names if self.one_dash)]
        self.known |= dict.fromkeys([*(f"--{one}" for one in names), *(f"-{one}" for one in names if self.one_dash)], action)

    def read(self, words: Sequence[str]) -> tuple[list[Given], list[str]]:
        """What is given, in this order, and the words that belong to no flag."""
        ready, self.written, self.given = [], [], []
        for word in words:
            if not word.startswith("-") or re.match(r"-[\d.]", word):
                ready.append(WORD + word)
                continue
            flag, equals, value = word.partition("=")
            action = self.known.get(flag)
            if action is None:
                dashes = "--" if flag.startswith("--") or not self.one_dash else "-"
                raise unknown(self.what if dashes == "--" else "flag", flag,
                              [one for one in self.shown if one.startswith("--") == (dashes == "--")])
            if equals and action.nargs == 0:
                raise InputError(f"{flag} takes no value, found '{value}'", f"write {flag}")
            self.written.append(flag)
            ready += [f"--{action.dest}", *([WORD + value] if equals else [])]
        _, others = self.parse_known_args(ready)
        return self.given, [word.removeprefix(WORD) for word in others]

    def error(self, message: str) -> NoReturn:
        """Argparse does not find the words of a flag: nothing else can be wrong, after `read`."""
        raise InputError(f"{self.written[len(self.given)]} needs a value", f"usage: {self.usage}")
