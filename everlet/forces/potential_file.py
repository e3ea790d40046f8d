"""Potential files: lines with comments, read one by one or as long rows of numbers; errors name file, line and cause."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from everlet import settings
from everlet.errors import InputError
from everlet.inputs import open_text

FOLDERS = "LAMMPS_POTENTIALS"  # where files are looked for besides the present folder
METAL_TO_REAL = 23.060549  # energies


def find(name: str, what: str = "potential file") -> Path:
    """The file of that name: here, or in a folder that the environment names."""
    places = [Path(name), *(Path(folder) / name for folder in settings.shown(FOLDERS).split(os.pathsep) if folder)]
    for place in places:
        if place.is_file():
            return place
    raise InputError(f"there is no {what} '{name}'", f"give its path, or name its folder in {FOLDERS}")


class PotentialFile:
    """A cursor through the lines of a file. `line` is the number of the line read last, counted from 1."""

    def __init__(self, name: str, what: str = "potential file"):
        self.path = find(name, what)
        try:
            with open_text(self.path) as file:
                self.lines = file.read().splitlines()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"the {what} {self.path} cannot be read: {error}", "is it the right file?") from None
        self.line = 0

    @classmethod
    def of(cls, given: str | os.PathLike[str] | Mapping[str, Any], what: str = "potential file") -> PotentialFile:
        """A file by its name, or its keywords and values as a program has them: what reads the one reads the other."""
        if not isinstance(given, Mapping):
            return cls(os.fspath(given), what)
        made = cls.__new__(cls)
        made.path, made.line = Path(what), 0
        made.lines = [f"{key} {_text(value)}" for key, value in given.items()]
        return made

    def fail(self, cause: str, remedy: str = "is the file complete, and of the right format?", line: int = 0) -> InputError:
        return InputError(f"{self.path}, line {line or self.line}: {cause}", remedy)

    @property
    def units(self) -> str:
        """What the first line says about units, or nothing."""
        found = re.search(r"UNITS:\s*(\S+)", self.lines[0]) if self.lines else None
        return found.group(1) if found else ""

    def energy_factor(self, units: str) -> float:
        """Energies of the file times this are in `units`."""
        if self.units in ("", units):
            return 1.0
        if {self.units, units} == {"metal", "real"}:
            return METAL_TO_REAL if units == "real" else 1.0 / METAL_TO_REAL
        raise InputError(f"{self.path} is for units {self.units}, and this simulation has units {units}",
                         f"use units {self.units}")

    def skip(self, lines: int) -> None:
        """Pass over lines of comments."""
        if self.line + lines > len(self.lines):
            raise self.fail(f"the file ends after {len(self.lines)} lines, in its head")
        self.line += lines

    def words(self, what: str) -> list[str]:
        """The words of the next line that has any; `#` begins a comment."""
        while self.line < len(self.lines):
            self.line += 1
            words = self.lines[self.line - 1].split("#", 1)[0].split()
            if words:
                return words
        raise self.fail(f"the file ends where {what} should come")

    def end(self, last: str) -> None:
        """Refuse what comes after the last part of the file."""
        for number in range(self.line, len(self.lines)):
            words = self.lines[number].split("#", 1)[0].split()
            if words:
                self.line = number + 1
                raise self.fail(f"'{' '.join(words[:4])}' after {last}", "are the counts in the head of the file right?")

    def number(self, word: str, what: str) -> float:
        try:
            value = float(word)
        except ValueError:
            raise self.fail(f"'{word}' is not a number ({what})") from None
        if not np.isfinite(value):
            raise self.fail(f"{what} is {word}")
        return value

    def integer(self, word: str, what: str) -> int:
        try:
            return int(word)
        except ValueError:
            raise self.fail(f"'{word}' is not a whole number ({what})") from None

    def table(self, count: int, what: str) -> np.ndarray:
        """So many numbers, from the next line on, any number in a line; the last line ends with the last of them."""
        found: list[str] = []
        begin = self.line + 1
        while len(found) < count:
            if self.line == len(self.lines):
                raise self.fail(f"the file ends after {len(found)} of the {count} numbers of {what}, which begin in line "
                                f"{begin}")
            self.line += 1
            found += self.lines[self.line - 1].split("#", 1)[0].split()
        if len(found) > count:
            raise self.fail(f"{what}, from line {begin} on, has {count} numbers, and this line goes beyond them",
                            "are the counts in the head of the file right?")
        try:
            values = np.array(found, np.float64)
        except ValueError:
            values = np.full(count, np.nan)
        if not np.isfinite(values).all():
            self._explain(begin, what)
        return values

    def _explain(self, begin: int, what: str) -> None:
        """Name the line of the first word that is no number."""
        for line in range(begin, self.line + 1):
            for word in self.lines[line - 1].split("#", 1)[0].split():
                try:
                    good = np.isfinite(float(word))
                except ValueError:
                    good = False
                if not good:
                    raise self.fail(f"'{word}' is not a number ({what})", line=line)


def _text(value: Any) -> str:
    """A value as a file would have it."""
    if isinstance(value, str):
        return value
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    values = np.asarray(value)
    if values.ndim == 0:
        return repr(values.item())
    return " ".join(_text(one) for one in values.tolist())
